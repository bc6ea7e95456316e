import ScrollTraceModel

/// What the table of contents of a recording says, as far as tables do not say it themselves.
struct XctraceContents {
  /// One recording of the file; Instruments calls it a run.
  struct Run {
    /// The run's number.
    let number: UInt64
    /// How long it lasted.
    var duration: TimeSpan?
    /// The process that was launched or attached to.
    var target: XctraceProcesses.Process?
    /// Whether there is a list of hitches, and which.
    var hitchTable: String?
  }

  /// The runs, in order.
  var runs: [Run] = []

  /// What is known of the run `number`; of the only one where the tables do not name theirs.
  func run(_ number: UInt64?) -> Run? {
    guard let number else { return runs.count == 1 ? runs[0] : nil }
    return runs.last { $0.number == number }
  }

  /// Seconds with a decimal point in nanoseconds; `nil` for anything else.
  static func duration(_ text: ArraySlice<UInt8>) -> TimeSpan? {
    let parts = text.split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first.flatMap(XctraceReader.number), let seconds = Int64(exactly: whole)
    else { return nil }
    var fraction: UInt64 = 0
    if parts.count == 2 {
      guard let digits = XctraceReader.number(parts[1].prefix(9)) else { return nil }
      fraction = (parts[1].prefix(9).count..<9).reduce(digits) { value, _ in value * 10 }
    }
    return TimeSpan(nanoseconds: 1_000_000_000) * seconds
      + TimeSpan(nanoseconds: Int64(fraction))
  }
}
