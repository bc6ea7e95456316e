import ScrollTraceKit

/// A trace that cannot be read, or that lacks what the options select.
public struct TraceRunsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file, or the name of the recording.
  let path: String
  /// What is wrong, and what to do about it.
  let problem: String

  /// `file: what is wrong; what to do`, without control characters.
  public var description: String { EscapingContext.terminal.escape("\(path): \(problem)") }
}
