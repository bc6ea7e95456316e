import ScrollTraceKit

/// The frame that the command line asks for.
enum FrameRequest {
  case number(UInt64)
  /// The frame in the making at this time since the trace's start, or the next one.
  case time(TimeSpan)

  /// Creates the request of `--frame` or `--at`, or returns `nil` if there is neither.
  init?(_ arguments: ParsedArguments) throws(UsageError) {
    let number = try arguments.value(
      of: ReportFlags.frame, as: { UInt64($0) },
      expecting: "the number of a frame")
    let time = try arguments.value(
      of: ReportFlags.at, as: TimeSpan.init(argument:),
      expecting: "a time such as 1.2s or 300ms")
    if let number {
      self = .number(number)
    } else if let time {
      self = .time(time)
    } else {
      return nil
    }
  }

  /// Returns the runs that contain the frame, with its number, and reports those that do not.
  func find(
    in runs: [Analysis], on console: Console
  ) throws(UsageError) -> (runs: [Analysis], frame: UInt64?) {
    switch self {
    case .number(let number):
      let fitting = runs.filter { run in
        guard let problem = run.problem(withFrame: number) else { return true }
        console.fail(aboutInput: run.trace.source.path, Messages.text(of: problem))
        return false
      }
      return (fitting, number)
    case .time(let time):
      guard runs.count <= 1 else {
        throw UsageError(message: "'--at' needs a single trace", flag: ReportFlags.at)
      }
      guard let run = runs.first else { return ([], nil) }
      guard let number = run.frame(at: time) else {
        console.fail(
          aboutInput: run.trace.source.path,
          "has no frame at \(Quantity.instant(time)) or later;"
            + " duration \(Quantity.length(run.trace.range.length))")
        return ([], nil)
      }
      return (runs, number)
    }
  }
}
