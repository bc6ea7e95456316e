import ScrollTraceKit
import ScrollTracePlatform

/// The paths of the traces that a command line names, one at a time: operands, then lists of files; a
/// directory stands for the traces in it and below it.
struct TracePaths {
  static let filesFrom = Flag(
    name: "files-from", value: "file", group: .input,
    help: "Read more paths from a file, one per line, or '-' for standard input.")
  static let files0From = Flag(
    name: "files0-from", value: "file", group: .input,
    help: "Read more paths from a file, each ended by a zero byte, or '-'.")

  static let flags = [filesFrom, files0From]

  /// A path, why there is none, or the number of files of a directory that are not traces.
  enum Entry: Sendable {
    case trace(String)
    case problem(path: String, text: String)
    case skipped(directory: String, text: String)
  }

  private var operands: ArraySlice<String>
  private var lists: ArraySlice<(path: String, delimiter: UInt8)>
  private var list: DelimitedReader?
  private var listPath = ""
  private var walk: DirectoryWalk?

  init(_ operands: [String], lists arguments: ParsedArguments?) {
    self.operands = operands[...]
    lists =
      ((arguments?.values(of: Self.filesFrom) ?? []).map { ($0, UInt8(0x0A)) }
      + (arguments?.values(of: Self.files0From) ?? []).map { ($0, UInt8(0)) })[...]
  }

  /// Whether there are lists, or directories among the operands.
  var standsForSeveral: Bool {
    !lists.isEmpty || operands.contains { $0 != "-" && TraceList.names(inDirectory: $0) != nil }
  }

  /// Returns the next path, or `nil` at the end.
  mutating func next() -> Entry? {
    while true {
      if let path = walk?.next() { return .trace(path) }
      if let done = walk {
        walk = nil
        if done.isEmpty {
          return .problem(path: done.path, text: "no traces found; run `scrolltrace formats`")
        }
        if let text = done.skippedText { return .skipped(directory: done.path, text: text) }
      }
      guard let path = operands.popFirst() else { return nextInLists() }
      // The import names what an Instruments recording, which is a directory, needs.
      walk = Self.isInstrumentsRecording(path) ? nil : DirectoryWalk(path)
      if walk == nil { return .trace(path) }
    }
  }

  /// Returns whether the directory at `path` is named like a recording of
  /// Instruments and contains no trace.
  private static func isInstrumentsRecording(_ path: String) -> Bool {
    let name = path.hasSuffix("/") ? String(path.dropLast()) : path
    guard name.hasSuffix(".trace"), let names = TraceList.names(inDirectory: path) else {
      return false
    }
    return !names.contains(where: TraceList.isTrace)
  }

  /// Returns the next path of the lists. A directory in a list is walked through like an operand.
  private mutating func nextInLists() -> Entry? {
    while true {
      do throws(ImportError) {
        guard let part = try list?.next() else {
          guard let (path, delimiter) = lists.popFirst() else { return nil }
          listPath = path
          let source: any ByteSource =
            path == "-" ? StandardInputByteSource() : try FileByteSource(path: path)
          list = DelimitedReader(source, delimiter: delimiter, limit: Int(PATH_MAX))
          continue
        }
        guard case .bytes(let bytes) = part else {
          return .problem(path: listPath, text: "has a path of more than \(PATH_MAX) bytes")
        }
        guard !bytes.isEmpty else { continue }
        operands = [String(decoding: bytes, as: UTF8.self)]
        return next()
      } catch {
        list = nil
        return .problem(path: listPath, text: error.problem)
      }
    }
  }
}

/// The traces in a directory and below it, each directory by name.
///
/// Hidden files, links to directories, and reports and baselines of this tool are left out. In an app's container
/// that Xcode downloaded, only recordings are traces: the app's own files may be named like others.
struct DirectoryWalk {
  let path: String
  /// Whether no trace was found so far.
  private(set) var isEmpty = true
  /// The number of files that are neither traces nor written by this tool.
  private var skippedCount = 0
  /// The first names of those files.
  private var skippedNames: [String] = []
  /// Whether this is an `.xcappdata` folder.
  private let isAppContainer: Bool
  /// The directories that are open, the innermost last, with their names that are still to come.
  private var open: [(prefix: String, names: ArraySlice<String>)] = []

  /// The maximum depth below the directory.
  private static let maximumDepth = 64
  private static let maximumNames = 3

  /// Creates a walk through the directory at `path`, or returns `nil` if it is not one.
  init?(_ path: String) {
    guard path != "-", let names = TraceList.names(inDirectory: path) else { return nil }
    self.path = path
    isAppContainer = path.hasSuffix(".xcappdata") || path.hasSuffix(".xcappdata/")
    open = [(path.hasSuffix("/") ? path : path + "/", names[...])]
  }

  /// Returns the path of the next trace, or `nil` at the end.
  mutating func next() -> String? {
    while let last = open.indices.last {
      guard let name = open[last].names.popFirst() else {
        open.removeLast()
        continue
      }
      let path = open[last].prefix + name
      if isAppContainer ? name.hasSuffix(".fxt") : TraceList.isTrace(name) {
        guard !ReportFile.isReport(path) else { continue }
        isEmpty = false
        return path
      }
      if open.count <= Self.maximumDepth, Self.isDirectory(path) {
        guard let names = TraceList.names(inDirectory: path) else {
          // It cannot be read, which its error says.
          isEmpty = false
          return path
        }
        open.append((path + "/", names[...]))
      } else if !isAppContainer, !ReportFile.canReplace(path) {
        skippedCount += 1
        if skippedNames.count < Self.maximumNames { skippedNames.append(name) }
      }
    }
    return nil
  }

  /// The number and the first names of the files that are not traces, or `nil` if there are none.
  var skippedText: String? {
    guard skippedCount > 0 else { return nil }
    let more = skippedCount > skippedNames.count ? ", …" : ""
    let files = Quantity.count(skippedCount, "file")
    return "skipped \(files) that \(skippedCount == 1 ? "is" : "are") not named like a trace: "
      + skippedNames.joined(separator: ", ") + more
  }

  private static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

/// The names of traces in a directory.
enum TraceList {
  /// The extensions of traces, each also followed by `.gz` or `.zst`.
  static let endings = TraceImporters.fileEndings

  /// Returns the names in the directory at `path` that are not hidden, sorted, or `nil` if `path` is not
  /// a directory.
  static func names(inDirectory path: String, maximum: Int = .max) -> [String]? {
    guard let directory = opendir(path) else { return nil }
    defer { closedir(directory) }
    var names: [String] = []
    while names.count < maximum, let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Returns whether `name` is that of a trace, in upper or lower case.
  static func isTrace(_ name: String) -> Bool {
    let name = name.lowercased()
    let ending = [".gz", ".zst"].first(where: name.hasSuffix) ?? ""
    let bare = name.dropLast(ending.count)
    return endings.contains { bare.hasSuffix("." + $0) }
  }
}
