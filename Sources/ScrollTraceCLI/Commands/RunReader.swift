import ScrollTraceKit
import ScrollTracePlatform

/// Reads and analyzes traces, several at a time; a broken trace does not affect the others.
struct RunReader {
  /// The number of runs that are kept whole. If there are more, only digests are kept, so that memory
  /// hardly grows.
  static let maximumWholeRuns = 24

  enum Retention {
    /// Whole runs, or digests if there are more than `maximumWholeRuns`.
    case whole, digests
    /// Nothing, because the output has them.
    case nothing
  }

  /// The options of the analysis, of which commands change some.
  var options: AnalysisOptions
  private var limits: ImportOptions
  private let allowsLoss: Bool
  private let jobs: Int
  private let console: Console
  private let progress: Progress

  /// The analyses, in the order of the paths.
  private(set) var runs: [Analysis] = []
  private(set) var paths: [String] = []
  /// Whether files with the same bytes are one run; a file that is given twice always is.
  var countsCopiesOnce = false
  var retention = Retention.whole
  /// The output that receives each run, whole.
  var output: RunOutput?
  /// The skipped paths, with the first path of the same file.
  private(set) var repeated: [(path: String, first: String)] = []
  /// The paths of files with the bytes of an earlier one, with that one's path.
  private(set) var copies: [(path: String, first: String)] = []
  /// The paths that could not be read, with the reason.
  private(set) var problems: [(path: String, text: String)] = []
  private var mistakes = SelectionMistakes()
  /// Whether a trace lost data.
  private var hasLost = false

  /// Creates a reader; `input` is what was read of standard input before.
  init(_ arguments: ParsedArguments, input: [UInt8] = [], on console: Console) throws {
    options = try AnalysisFlags.options(arguments)
    limits = try InputLimitFlags.options(arguments)
    limits.keepsFrameArguments = false
    limits.standardInputStart = input
    jobs = try ParallelJobs.count(arguments)
    allowsLoss = arguments.has(AnalysisFlags.allowLoss)
    self.console = console
    let progress = Progress(console)
    limits.onRead = { progress.read($0, of: $1) }
    self.progress = progress
  }

  /// The sentences on files that were given several times, and on copies of others.
  var notesOnDuplicates: [String] { DuplicateTraces.notes(repeated: repeated, copies: copies) }

  /// The exit status of a command whose other work succeeded.
  var status: ExitStatus {
    if !problems.isEmpty { return .notEvaluated }
    return hasLost && !allowsLoss ? .lossy : .done
  }

  /// Reads files, directories, and `-` for standard input, and what the files that `lists` names list.
  mutating func read(_ operands: [String], lists: ParsedArguments? = nil) {
    let input = RunInput(TracePaths(operands, lists: lists))
    // A single trace needs no thread, and its name can be shown meanwhile.
    let isAlone = operands.count == 1 && !input.hasMore
    var limits = limits
    if !isAlone { limits.onRead = nil }
    let work = { @Sendable [options, limits, progress] (entry: TracePaths.Entry) in
      RunResult(
        of: entry, options: options, limits: limits, progress: isAlone ? progress : nil)
    }
    isAlone ? LargeArrays.keep() : LargeArrays.returnToSystem()
    var done = 0
    // Between parts of an output, progress cannot be shown.
    let showsProgress = !isAlone && output?.isStandardOutput != true
    ParallelJobs.run(count: isAlone ? 1 : jobs, next: input.next, work: work) { result in
      done += 1
      add(result)
      if showsProgress { progress.show("\(Quantity.count(done, "trace")) read") }
      return retention != .nothing || output?.isOver != true
    }
    progress.clear()
    reportMistakes()
    paths += input.paths
    repeated += input.repeated
    guard countsCopiesOnce else { return }
    let copies = DuplicateTraces.pairs(in: runs.map(\.trace.source))
    let paths = Set(copies.map(\.path))
    if !paths.isEmpty { runs.removeAll { paths.contains($0.trace.source.path) } }
    self.copies += copies
  }

  private mutating func add(_ result: RunResult) {
    switch result {
    case .run(let run):
      if !run.trace.losses.isEmpty { hasLost = true }
      if let output {
        progress.clear()
        output.write(run)
      }
      guard retention != .nothing else { return }
      let isDigest = retention == .digests && runs.count >= Self.maximumWholeRuns
      if isDigest, runs.count == Self.maximumWholeRuns { runs = runs.map { $0.digest() } }
      runs.append(isDigest ? run.digest() : run)
    case .problem(let path, let text, let hasLost):
      self.hasLost = self.hasLost || hasLost
      progress.clear()
      console.fail(aboutInput: path, text)
      problems.append((path, text))
    case .mistake(let path, let text, let hasLost):
      self.hasLost = self.hasLost || hasLost
      mistakes.add(text, path: path)
    case .skipped(let directory, let text):
      progress.clear()
      console.warn(about: directory, text)
    }
  }

  /// Reports each mistake of the options once, with the first trace.
  private mutating func reportMistakes() {
    for report in mistakes.reports {
      console.fail(aboutInput: report.path, report.text)
      problems.append(report)
    }
    mistakes = SelectionMistakes()
  }
}

/// What became of a path.
private enum RunResult: Sendable {
  case run(Analysis)
  case problem(path: String, text: String, hasLost: Bool)
  /// The options select nothing in the trace.
  case mistake(path: String, text: String, hasLost: Bool)
  case skipped(directory: String, text: String)

  /// Reads and analyzes the trace of `entry`, and shows what it does if there is a `progress`.
  init(
    of entry: TracePaths.Entry, options: AnalysisOptions, limits: ImportOptions,
    progress: Progress?
  ) {
    switch entry {
    case .problem(let path, let text):
      self = .problem(path: path, text: text, hasLost: false)
    case .skipped(let directory, let text):
      self = .skipped(directory: directory, text: text)
    case .trace(let path):
      do throws(ImportError) {
        progress?.show("reading \(path)")
        let trace = try TraceFile.open(path, options: limits)
        progress?.show("analyzing \(path)")
        let analyzer = TraceAnalyzer(options)
        if let problem = analyzer.selectionProblem(in: trace) {
          self = .mistake(
            path: path, text: Messages.text(of: problem), hasLost: !trace.losses.isEmpty)
        } else {
          self = .run(analyzer.analyze(trace))
        }
      } catch {
        let isSummary = path != "-" && SummaryLines.areIn(path, input: [])
        self = .problem(
          path: path,
          text: isSummary
            ? "is summary lines, not a trace; use '\(ScrollTraceCommand.name) trend'"
            : error.problem, hasLost: false)
      }
    }
  }
}

/// The paths to read, each file once.
///
/// A class, and unchecked, because the thread that asks for the next path changes; `ParallelJobs` lets
/// only one ask at a time.
private final class RunInput: @unchecked Sendable {
  private var source: TracePaths
  /// The first path of each file.
  private var files: [FileIdentity: String] = [:]
  private(set) var paths: [String] = []
  /// The skipped paths, with the first path of the same file.
  private(set) var repeated: [(path: String, first: String)] = []
  /// Whether an operand stands for several paths.
  let hasMore: Bool

  init(_ source: TracePaths) {
    self.source = source
    hasMore = source.standsForSeveral
  }

  /// Returns the next path, or `nil` at the end.
  func next() -> TracePaths.Entry? {
    while let entry = source.next() {
      guard case .trace(let path) = entry else { return entry }
      paths.append(path)
      guard let file = FileIdentity(path) else { return entry }
      guard let first = files[file] else {
        files[file] = path
        return entry
      }
      repeated.append((path, first))
    }
    return nil
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
