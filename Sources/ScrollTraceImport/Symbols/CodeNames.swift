internal import ScrollTraceModel
package import ScrollTraceSummary
import ScrollTracePlatform

/// Names the sampled code of a trace with the symbols of its modules.
///
/// A file counts only if its build ID is that of the recorded module. It is looked for in the folders
/// that the user names and below them, at the recorded path, and among the system's debug files. Code of
/// an app's module without symbols is named by the function that contains it: `module+0x1f40`.
package struct CodeNames {
  private let folders: [String]
  /// Whether names stay as the files have them.
  private let areRaw: Bool
  /// The names that were looked up, for a trace that grows; an empty one for code that no symbol contains.
  private var known: [Module: [UInt64: String]] = [:]
  /// The modules of which no file was found.
  private var unknown: Set<Module> = []
  /// The modules whose functions have addresses instead of names.
  private var stripped: Set<Module> = []
  /// The files in the folders, once they are needed.
  private var searched: [SymbolFolder]?

  /// The maximum number of modules whose files are opened.
  private static let maximumModuleCount = 1_000

  private static let listedModuleCount = 8

  /// Creates names with the files in the folders of `options` and where the system has them.
  package init(_ options: ImportOptions) {
    folders = options.symbolFolders
    areRaw = options.keepsRawNames
  }

  private struct Module: Hashable {
    var path: String
    var buildID: String
    var countsFromStart: Bool
  }

  /// Returns the trace with all names that were found, and a notice of the modules without any.
  mutating func name(_ trace: Trace) -> Trace {
    let codes = trace.stackTree.codes
    guard !codes.isEmpty else { return trace }
    var modules: [Module: [(function: Int32, address: UInt64)]] = [:]
    for (function, code) in codes {
      let module = Module(
        path: trace.strings[code.path], buildID: trace.strings[code.buildID],
        countsFromStart: code.isFromStart)
      modules[module, default: []].append((function, code.address))
    }
    var names: [Int32: SampledCodeName] = [:]
    var unnamed: [String] = []
    for (module, functions) in modules {
      // The kernel's code in every process has no file, and its caller says what it does.
      guard !module.path.fileName.hasPrefix("linux-vdso.so") else {
        for (function, _) in functions { names[function] = .ofModule }
        continue
      }
      let addresses = Set(functions.map(\.address))
      lookUp(addresses.subtracting(known[module, default: [:]].keys), in: module)
      guard let found = known[module] else {
        unnamed.append(module.path.fileName)
        continue
      }
      if stripped.contains(module) { unnamed.append(module.path.fileName) }
      for (function, address) in functions {
        let name = found[address] ?? ""
        names[function] = name.isEmpty ? .ofModule : .name(name)
      }
    }
    var named = trace.naming(names)
    if !unnamed.isEmpty {
      let names = Set(unnamed).sorted()
      let list = names.listed(maximum: Self.listedModuleCount)
      named.addNotice(
        .source(
          "sampled code without names, because its symbols were not found: \(list);"
            + " name a folder with the unstripped files: --symbols DIR"))
    }
    if let searched, searched.contains(where: \.isCut) {
      named.addNotice(
        .source(
          "--symbols: only the first \(SymbolFolder.maximumEntryCount) entries of a folder and"
            + " \(SymbolFolder.maximumDepth) folders inside each other were searched"))
    }
    return named
  }

  /// Looks up addresses of a module, unless no file was found before.
  private mutating func lookUp(_ addresses: Set<UInt64>, in module: Module) {
    guard !addresses.isEmpty, !unknown.contains(module) else { return }
    let sorted = addresses.sorted()
    guard known.count + unknown.count < Self.maximumModuleCount,
      let found = names(of: sorted, in: module)
    else {
      guard known[module] != nil else {
        unknown.insert(module)
        return
      }
      return addresses.forEach { known[module]?[$0] = "" }
    }
    for (address, name) in zip(sorted, found) {
      known[module, default: [:]][address] =
        switch name {
        case .symbol(let name): areRaw ? name : FunctionName.readable(name)
        case .start(let start):
          SummaryFunction(module: module.path.fileName, address: start).text
        case nil: ""
        }
    }
    let hasStarts = found.contains { if case .start = $0 { true } else { false } }
    if hasStarts { stripped.insert(module) }
  }

  package mutating func name(of function: SummaryFunction) -> String? {
    guard let build = function.build else { return nil }
    // A line does not say from where its recording counts, which differs only in a file that says where it
    // starts.
    for countsFromStart in [false, true] {
      let module = Module(path: function.module, buildID: build, countsFromStart: countsFromStart)
      if known[module]?[function.address] == nil { lookUp([function.address], in: module) }
      if let name = known[module]?[function.address], !name.isEmpty, SummaryFunction(name) == nil {
        return name
      }
    }
    return nil
  }

  private enum Function {
    case symbol(String)
    /// Its address in the module, which has no symbols.
    case start(UInt64)
  }

  /// The functions that contain addresses of a module, ascending, or `nil` if no file knows any.
  private mutating func names(of addresses: [UInt64], in module: Module) -> [Function?]? {
    guard !module.buildID.isEmpty else { return nil }
    var exported: [Function?]?
    func look(at path: String, isTrusted: Bool) -> [Function?]? {
      guard let file = SymbolFile(path: path, isTrusted: isTrusted, build: module.buildID),
        file.isBuild(module.buildID)
      else { return nil }
      let first = module.countsFromStart ? file.start : 0
      let fileAddresses = addresses.map { first.saturatingAdd($0) }
      var names = file.names(of: fileAddresses).map { $0.map(Function.symbol) }
      if file.isComplete || names.allSatisfy({ $0 != nil }) { return names }
      guard exported == nil else { return nil }
      if !SystemLibrary.contains(path: module.path), let starts = file.starts(of: fileAddresses) {
        // Functions that no symbol contains are named by where they start.
        names = zip(names, starts).map { name, start in name ?? start.map { .start($0 &- first) } }
      }
      if names.contains(where: { $0 != nil }) { exported = names }
      return nil
    }
    for (path, isTrusted) in paths(of: module) {
      if let names = look(at: path, isTrusted: isTrusted) { return names }
    }
    let searched = searched ?? folders.map { SymbolFolder($0) }
    self.searched = searched
    for path in searched.flatMap({ $0.paths[module.buildID] ?? [] }) {
      if let names = look(at: path, isTrusted: true) { return names }
    }
    return exported
  }

  /// The paths at which the module or its debug file may be.
  private func paths(of module: Module) -> [(path: String, isTrusted: Bool)] {
    var paths: [(String, Bool)] = []
    let file = module.path.fileName
    let isPlain = !module.path.split(separator: "/").contains { $0 == ".." || $0 == "." }
    for folder in folders {
      // It may be a file.
      paths += [(folder, true), (folder + debugPath(module), true)]
      guard isPlain, !file.isEmpty, file != "/" else { continue }
      paths.append((folder + "/" + file, true))
      paths.append((folder + "/" + file + ".debug", true))
      paths.append((folder + module.path, true))
    }
    if isPlain, module.path.hasPrefix("/") { paths.append((module.path, false)) }
    paths.append(("/usr/lib/debug" + debugPath(module), false))
    return paths
  }

  /// `/.build-id/01/23….debug`; the build ID has only hexadecimal digits.
  private func debugPath(_ module: Module) -> String {
    "/.build-id/\(module.buildID.prefix(2))/\(module.buildID.dropFirst(2)).debug"
  }
}

/// The files with build IDs in a folder and in those below it.
struct SymbolFolder {
  /// The maximum number of entries that are looked at, and of folders inside each other.
  static let maximumEntryCount = 50_000
  static let maximumDepth = 16

  /// The paths of the files of each build, in the order of their names.
  private(set) var paths: [String: [String]] = [:]
  /// Whether there is more in the folder than was looked at.
  private(set) var isCut = false

  /// Searches the folder at `path`. Links to folders are not followed.
  init(_ path: String) {
    var folders = [(path: path, depth: 0)]
    var (next, count) = (0, 0)
    while next < folders.count {
      let (folder, depth) = folders[next]
      next += 1
      for name in Self.names(in: folder, maximum: Self.maximumEntryCount - count, &isCut) {
        count += 1
        let path = folder + "/" + name
        var status = stat()
        guard lstat(path, &status) == 0 else { continue }
        if status.st_mode & S_IFMT == S_IFDIR {
          if depth < Self.maximumDepth { folders.append((path, depth + 1)) } else { isCut = true }
        } else if let file = SymbolFile(path: path, isTrusted: true) {
          for build in file.buildIDs { paths[build, default: []].append(path) }
        }
      }
    }
  }

  private static func names(in path: String, maximum limit: Int, _ isCut: inout Bool) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
      }
      guard name != ".", name != ".." else { continue }
      guard names.count < limit else {
        isCut = true
        break
      }
      names.append(name)
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
