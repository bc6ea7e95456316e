import ScrollTraceKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads and analyzes traces; a broken trace does not affect the others.
struct RunReader {
  private var options: AnalysisOptions
  private var limits: ImportOptions
  private let allowsLoss: Bool
  private let console: Console
  private let progress: Progress

  /// The analyses, in the order of the paths.
  private(set) var runs: [Analysis] = []
  /// The paths that were opened.
  private(set) var paths: [String] = []
  /// A Boolean value indicating whether repeated files are skipped, whatever their paths.
  var skipsRepeatedFiles = false
  /// The skipped paths, with the first path of the same file.
  private(set) var repeated: [(path: String, first: String)] = []
  /// The first path of each file.
  private var files: [FileIdentity: String] = [:]
  /// A Boolean value indicating whether something was unreadable.
  private var hasFailed = false
  /// A Boolean value indicating whether a trace lost data.
  private(set) var hasLost = false

  /// Creates a reader, or returns `nil` if a file that `arguments` name is unreadable, which is
  /// reported.
  init?(_ arguments: ParsedArguments, on console: Console) throws(UsageError) {
    do throws(ArgumentFailure) {
      options = try AnalysisFlags.options(arguments)
    } catch {
      try error.report(on: console)
      return nil
    }
    limits = try InputLimitFlags.options(arguments)
    allowsLoss = arguments.has(AnalysisFlags.allowLoss)
    self.console = console
    let progress = Progress(console)
    limits.onRead = { progress.read($0, of: $1) }
    self.progress = progress
  }

  /// The thresholds that runs are rated by, or `nil` to keep those of the options.
  var thresholds: RatingThresholds? {
    didSet { if let thresholds { options.thresholds = thresholds } }
  }

  /// The exit status of a command whose other work succeeded.
  var status: ExitStatus {
    if hasFailed { return .unjudged }
    return hasLost && !allowsLoss ? .lossy : .done
  }

  /// Reads files, directories, and `-` for standard input.
  mutating func read(_ operands: [String]) {
    for operand in operands {
      guard let contents = TraceList.contents(ofDirectory: operand) else {
        readTrace(operand)
        continue
      }
      if contents.isEmpty {
        let endings = TraceList.endings.map { "." + $0 }.joined(separator: ", ")
        fail(operand, "no traces found; expected files that end in \(endings)")
      }
      for path in contents { readTrace(path) }
    }
    progress.clear()
  }

  private mutating func readTrace(_ path: String) {
    paths.append(path)
    if skipsRepeatedFiles, let file = FileIdentity(path) {
      if let first = files[file] {
        repeated.append((path, first))
        return
      }
      files[file] = path
    }
    progress.show("reading \(path)")
    do {
      let trace = try TraceFile.open(path, options: limits)
      if !trace.losses.isEmpty { hasLost = true }
      progress.show("analyzing \(path)")
      let analyzer = TraceAnalyzer(options)
      if let problem = analyzer.selectionProblem(in: trace) {
        fail(path == "-" ? "standard input" : path, Messages.text(of: problem))
      } else {
        runs.append(analyzer.analyze(trace))
      }
    } catch {
      fail(path == "-" ? "standard input" : path, error.description)
    }
  }

  private mutating func fail(_ path: String, _ problem: String) {
    progress.clear()
    console.complain(about: path, problem)
    hasFailed = true
  }
}

/// The traces in a directory.
enum TraceList {
  /// The extensions of traces, each also followed by `.gz`.
  static let endings = TraceImporters.fileEndings

  /// Returns the traces in the directory at `path` by name, or `nil` if `path` is not a directory.
  ///
  /// Reports and baselines of this tool are not included.
  static func contents(ofDirectory path: String) -> [String]? {
    guard path != "-", let directory = opendir(path) else { return nil }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
      }
      if isTrace(name) { names.append(name) }
    }
    let prefix = path.hasSuffix("/") ? path : path + "/"
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { prefix + $0 }
      .filter { !ReportFile.isReport($0) }
  }

  private static func isTrace(_ name: String) -> Bool {
    guard !name.hasPrefix(".") else { return false }
    let bare = name.hasSuffix(".gz") ? String(name.dropLast(3)) : name
    return endings.contains { bare.hasSuffix("." + $0) }
  }
}

/// The identity of a file, whatever its path.
struct FileIdentity: Hashable {
  private let device: UInt64
  private let number: UInt64

  /// Creates the identity of the file at `path`, or returns `nil` if it is not a regular file.
  init?(_ path: String) {
    var status = stat()
    guard path != "-", stat(path, &status) == 0, (status.st_mode & S_IFMT) == S_IFREG else {
      return nil
    }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }
}
