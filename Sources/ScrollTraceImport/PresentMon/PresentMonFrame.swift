import ScrollTraceModel

/// A row of a table of PresentMon's, kept small: a capture has millions.
struct PresentMonFrame {
  /// When work on it began, and when it was handed over: nanoseconds, or ticks of the counter.
  var start = Time.unknown
  var present = Time.unknown
  /// From the frame before it being handed over until it was.
  var between = Time.unknown
  /// The time inside the call that handed it over.
  var inPresent = Time.unknown
  /// From when work on it began until work on the next one did.
  var frameTime = Time.unknown
  /// From when work on it began until it was handed over.
  var busy = Time.unknown
  /// From when it was handed over until it was seen.
  var untilDisplayed = Time.unknown
  /// From when work on it began until it was seen.
  var latency = Time.unknown
  /// What became of it.
  var outcome = FrameOutcome.unknown

  /// A number of nanoseconds or ticks that may be unknown; so is what is made of unknown ones, and
  /// what does not fit.
  struct Time {
    private var raw: Int64

    /// What nobody knows.
    static let unknown = Time(Int64.min)

    /// A time.
    init(_ raw: Int64) { self.raw = raw }

    /// The number; `nil` where it is unknown.
    var value: Int64? { raw == Int64.min ? nil : raw }

    /// The time, or where it is unknown the other.
    func known(or other: @autoclosure () -> Time) -> Time { raw == Int64.min ? other() : self }

    /// The sum of two times.
    static func + (left: Time, right: Time) -> Time {
      guard let first = left.value, let second = right.value else { return unknown }
      let (sum, overflow) = first.addingReportingOverflow(second)
      return overflow ? unknown : Time(sum)
    }

    /// The difference of two times.
    static func - (left: Time, right: Time) -> Time {
      guard let first = left.value, let second = right.value else { return unknown }
      let (difference, overflow) = first.subtractingReportingOverflow(second)
      return overflow ? unknown : Time(difference)
    }
  }
}
