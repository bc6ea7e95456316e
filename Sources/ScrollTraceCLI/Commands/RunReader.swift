import ScrollTraceKit

/// Reads and analyzes traces one after the other; a broken one does not keep the others back.
struct RunReader {
  private var options: AnalysisOptions
  private let limits: ImportOptions
  private let allowsLoss: Bool
  private let console: Console
  private var progress: Progress

  /// The analyses, in the order of the paths.
  private(set) var runs: [Analysis] = []
  /// All paths that were tried.
  private(set) var paths: [String] = []
  /// Whether a file that is given again, by whatever path, is no further run.
  var takesFilesOnce = false
  /// The paths that were passed over for that, with the path of the same file.
  private(set) var repeated: [(path: String, first: String)] = []
  /// The first path of each file.
  private var files: [FileIdentity: String] = [:]
  /// Whether something could not be read.
  private var hasFailed = false
  /// Whether a trace had lost data.
  private(set) var hasLost = false

  /// A reader that does what `arguments` say and complains on `console`; `nil` where a file that
  /// they name cannot be read, which was said then.
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

  /// The thresholds that runs are rated by; `nil` keeps those of the options.
  var thresholds: RatingThresholds? {
    didSet { if let thresholds { options.thresholds = thresholds } }
  }

  /// How a command ends that could do the rest of its work.
  var status: ExitStatus {
    if hasFailed { return .unjudged }
    return hasLost && !allowsLoss ? .lossy : .done
  }

  /// Reads what the operands of a command stand for.
  mutating func read(_ operands: [String]) {
    for operand in operands {
      guard let contents = TraceList.contents(ofDirectory: operand) else {
        readTrace(operand)
        continue
      }
      if contents.isEmpty {
        let endings = TraceList.endings.map { "." + $0 }.joined(separator: ", ")
        fail(operand, "holds no traces; files that end in \(endings) are taken")
      }
      for path in contents { readTrace(path) }
    }
    progress.clear()
  }

  private mutating func readTrace(_ path: String) {
    paths.append(path)
    if takesFilesOnce, let file = FileIdentity(path) {
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
