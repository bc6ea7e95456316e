import ScrollTraceKit

/// `scrolltrace summarize`: one mergeable line for each trace and surface.
enum SummarizeCommand: Command {
  static let attribute = Flag(
    name: "attribute", value: "key=value", isRepeatable: true, group: .input,
    help: "Add a property of the traces, such as build=1.2.3.")
  static let weight = Flag(
    name: "weight", value: "count", standard: "1", group: .input,
    help: "Multiply the weight of each trace, if only a sample of them was kept.")
  static let noSession = Flag(
    name: "no-session", group: .output,
    help: "Leave out the session and the time at which a recording began.")
  static let keepGoing = Flag(
    name: "keep-going", group: .output,
    help: "Keep going: report unreadable traces as lines, exit 0.")

  static let syntax = CommandSyntax(
    name: "summarize",
    abstract: "Write summary lines, one per trace and surface.",
    examples: [
      "scrolltrace summarize runs/ --attribute build=1.2.3 > lines.ndjson",
      "find . -name '*.fxt' -print0 | scrolltrace summarize --files0-from -",
    ],
    discussion: """
      Each line is JSON, printed as soon as its trace is read. 'merge' adds lines
      up, 'analyze' reports on them, and 'trend' shows a metric by build. The
      attribute device is the recorded state of that name, unless it is given.
      """,
    operand: .init(
      name: "trace",
      help: "A trace, or a directory with traces in or below it.",
      isRepeatable: true, replacements: TracePaths.flags),
    flags: TracePaths.flags + [
      attribute, weight, ParallelJobs.flag, noSession, keepGoing, AnalysisFlags.allowLoss,
    ] + AnalysisFlags.selection + AnalysisFlags.motion + InputLimitFlags.all,
    common: [
      attribute, keepGoing, TracePaths.filesFrom, ParallelJobs.flag, AnalysisFlags.define,
      AnalysisFlags.alwaysMoving,
    ])

  static func run(_ arguments: ParsedArguments, on console: Console) throws -> ExitStatus {
    let job = try SummaryJob(arguments)
    let count = try ParallelJobs.count(arguments)
    let reports = !arguments.has(keepGoing)
    var paths = TracePaths(arguments.operands, lists: arguments)
    var status = ExitStatus.done
    var mistakes = SelectionMistakes()
    LargeArrays.returnToSystem()
    let next = { paths.next() }
    try ParallelJobs.run(count: count, next: next, work: job.run) { result in
      if let note = result.note {
        if reports { console.warn(about: result.path, note) }
        return true
      }
      if let problem = result.problem, reports {
        if result.isMistake {
          mistakes.add(problem, path: result.path)
        } else {
          console.fail(aboutInput: result.path, problem)
        }
        status = status.merged(with: .notEvaluated)
        return true
      }
      if result.isLossy, reports, !arguments.has(AnalysisFlags.allowLoss) {
        status = status.merged(with: .lossy)
      }
      try console.print(result.lines)
      return !console.isClosed
    }
    for report in mistakes.reports { console.fail(aboutInput: report.path, report.text) }
    return status
  }
}

struct SummaryJob: Sendable {
  /// What to print about a trace.
  struct Result: Sendable {
    let path: String
    var lines = ""
    /// Why the trace is unreadable, or `nil` if it is not.
    var problem: String?
    /// Whether the problem is an option that selects nothing in the trace.
    var isMistake = false
    /// A remark on a directory, which is not a trace, or `nil`.
    var note: String?
    var isLossy = false
  }

  private let options: AnalysisOptions
  private var limits: ImportOptions
  private let attributes: SummaryAttributes
  private let weight: Int64
  private let hasSession: Bool

  init(_ arguments: ParsedArguments) throws {
    options = try AnalysisFlags.options(arguments)
    hasSession = !arguments.has(SummarizeCommand.noSession)
    limits = try InputLimitFlags.options(arguments)
    limits.keepsFrameArguments = false
    attributes = try Self.attributes(arguments)
    weight =
      try arguments.value(
        of: SummarizeCommand.weight,
        as: { Int64($0).flatMap { 1...1_000_000_000 ~= $0 ? $0 : nil } },
        expecting: "a number from 1 to 1000000000") ?? 1
  }

  private static func attributes(
    _ arguments: ParsedArguments
  ) throws(UsageError) -> SummaryAttributes {
    var attributes = SummaryAttributes()
    for text in arguments.values(of: SummarizeCommand.attribute) {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, attributes.set(String(parts[0]), to: String(parts[1])) else {
        throw .invalidValue(
          text, of: SummarizeCommand.attribute,
          expecting: "KEY=VALUE (\(SummaryAttributes.maximumBytes) bytes,"
            + " at most \(SummaryAttributes.maximumPairs))")
      }
    }
    return attributes
  }

  func run(_ entry: TracePaths.Entry) -> Result {
    switch entry {
    case .problem(let path, let text): return failure(path, text)
    case .skipped(let directory, let text): return Result(path: directory, note: text)
    case .trace(let path):
      do throws(ImportError) {
        let trace = try TraceFile.open(path, options: limits)
        let analyzer = TraceAnalyzer(options)
        if let problem = analyzer.selectionProblem(in: trace) {
          var result = failure(path, Messages.text(of: problem))
          result.isMistake = true
          return result
        }
        let summary = analyzer.summarize(
          trace, identity: identity(path), attributes: attributes, weight: weight,
          hasSession: hasSession)
        return Result(
          path: path, lines: summary.lines.map { $0 + "\n" }.joined(),
          isLossy: !trace.losses.isEmpty)
      } catch {
        return failure(path, error.problem)
      }
    }
  }

  private func identity(_ path: String) -> SummaryIdentity {
    var identity = SummaryIdentity()
    identity.content = path == "-" ? nil : ContentHash.text(ofFileAt: path)
    identity.tool = ToolIdentity.version
    return identity
  }

  /// The result for a trace that cannot be read, which is counted too.
  private func failure(_ path: String, _ problem: String) -> Result {
    let name = Console.name(ofInput: path)
    var identity = identity(path)
    identity.problem = "\(name): \(problem)"
    var row = SummaryRow(identity: identity, weight: weight)
    row[.unreadable] = 1
    let summary = TraceSummary(SummaryKey(attributes: attributes), row)
    return Result(
      path: name, lines: summary.lines.map { $0 + "\n" }.joined(), problem: problem)
  }
}
