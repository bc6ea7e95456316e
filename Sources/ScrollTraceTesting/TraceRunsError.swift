import ScrollTraceKit

/// Why there is no run to judge: a trace cannot be read, or holds nothing of what was selected.
public struct TraceRunsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file, or the name of the recording.
  public let path: String
  /// What is wrong, and what to do about it.
  public let problem: String

  /// `file: what is wrong; what to do`, without anything that could act on a terminal.
  public var description: String { EscapingContext.terminal.escape("\(path): \(problem)") }
}
