internal import ScrollTraceModel

/// Names the sampled code of a trace with the symbols of its modules.
///
/// A file counts only if its build ID is that of the recorded module. It is looked for in the folders
/// that the user names, at the recorded path, and among the system's debug files.
struct CodeNames {
  private let folders: [String]

  /// Creates names with the files in `folders` and where the system has them.
  init(folders: [String]) {
    self.folders = folders
  }

  /// A module of a trace.
  private struct Module: Hashable {
    var path: String
    var buildID: String
  }

  /// Returns the trace with all names that were found, and a notice of the modules without any.
  func name(_ trace: Trace) -> Trace {
    let codes = trace.stackTree.codes
    guard !codes.isEmpty else { return trace }
    var modules: [Module: [(function: Int32, address: UInt64)]] = [:]
    for (function, code) in codes {
      let module = Module(path: trace.strings[code.path], buildID: trace.strings[code.buildID])
      modules[module, default: []].append((function, code.address))
    }
    var names: [Int32: SampledCodeName] = [:]
    var unnamed: [String] = []
    for (module, functions) in modules {
      let sorted = functions.sorted { ($0.address, $0.function) < ($1.address, $1.function) }
      guard let found = self.names(of: sorted.map(\.address), in: module) else {
        unnamed.append(SamplePlace.lastPart(of: module.path))
        continue
      }
      for (function, name) in zip(sorted, found) {
        names[function.function] = name.map { .name(FunctionName.readable($0)) } ?? .ofModule
      }
    }
    var named = trace.naming(names)
    // The kernel's code in every process has no file.
    unnamed.removeAll { $0.hasPrefix("linux-vdso.so") }
    if !unnamed.isEmpty {
      let list = unnamed.sorted().joined(separator: ", ")
      named.addNotice(
        .source(
          "sampled code without names, because its symbols were not found: \(list);"
            + " name a folder with the unstripped files: --symbols DIR"))
    }
    return named
  }

  /// The names of addresses of a module, ascending, or `nil` if no file has any.
  private func names(of addresses: [UInt64], in module: Module) -> [String?]? {
    guard !module.buildID.isEmpty else { return nil }
    var exported: [String?]?
    for (path, isTrusted) in places(of: module) {
      guard let file = SymbolFile(path: path, isTrusted: isTrusted),
        file.buildID == module.buildID
      else { continue }
      let names = file.names(of: addresses)
      if file.isComplete { return names }
      if exported == nil, names.contains(where: { $0 != nil }) { exported = names }
    }
    return exported
  }

  /// The paths at which the module or its debug file may be.
  private func places(of module: Module) -> [(path: String, isTrusted: Bool)] {
    var places: [(String, Bool)] = []
    let file = SamplePlace.lastPart(of: module.path)
    let isPlain = !module.path.split(separator: "/").contains { $0 == ".." || $0 == "." }
    for folder in folders {
      places.append((folder + debugPath(module), true))
      guard isPlain, !file.isEmpty, file != "/" else { continue }
      places.append((folder + "/" + file, true))
      places.append((folder + "/" + file + ".debug", true))
      places.append((folder + module.path, true))
    }
    if isPlain, module.path.hasPrefix("/") { places.append((module.path, false)) }
    places.append(("/usr/lib/debug" + debugPath(module), false))
    return places
  }

  /// `/.build-id/01/23….debug`; the build ID has only hexadecimal digits.
  private func debugPath(_ module: Module) -> String {
    "/.build-id/\(module.buildID.prefix(2))/\(module.buildID.dropFirst(2)).debug"
  }
}
