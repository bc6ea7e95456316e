import ScrollTraceKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads and analyzes traces; a broken trace does not affect the others.
struct RunReader {
  private var options: AnalysisOptions
  private let limits: ImportOptions
  private let allowsLoss: Bool
  private let console: Console
  private var progress: Progress

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
    progress = Progress(console)
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
    var paths = TracePaths(operands)
    while let entry = paths.next() {
      switch entry {
      case .trace(let path): readTrace(path)
      case .problem(let path, let text): fail(path, text)
      }
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
