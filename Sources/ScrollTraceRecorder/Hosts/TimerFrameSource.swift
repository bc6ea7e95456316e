/// Frames by a timer, on an exact grid: late wake-ups do not shift it, and what was missed is skipped.
///
/// An own loop waits until the start of what `next(after:)` gives; a timer of the system, such as one
/// of Dispatch, calls `tick(_:)` when it fires, early, late or twice.
public struct TimerFrameSource: FrameSource {
  /// Grid points in `period`.
  private let refreshes: UInt64
  private let period: UInt64
  /// When grid point 0 is.
  package let phase: Int64
  /// How long after its start a frame has to be done, or `nil` if the host promises nobody anything.
  package let deadline: Int64?
  /// How long after its start a frame should be on screen, or `nil` if nobody says.
  package let target: Int64?
  /// How many frames were never made, because the host was woken too late for them.
  public private(set) var skipped: UInt64 = 0
  /// The grid point of the last frame.
  private var last: Int64?

  /// A grid of `refreshes` frames in `period`: 60 a second, or 60,000 in 1,001 seconds.
  ///
  /// A timer knows when a frame begins, and no more: without `deadline` and `target` the frames are
  /// evaluated against their cadence.
  ///
  /// - Parameters:
  ///   - refreshes: How many frames there are in `period`; at least one, at most one a nanosecond.
  ///   - period: A range of time, one second.
  ///   - phase: When one of the frames begins, in the recorder's clock.
  ///   - deadline: How long after its start a frame has to be done, if that is so.
  ///   - target: How long after its start a frame should be on screen, if a display says so.
  public init(
    refreshes: Int, per period: Int64 = 1_000_000_000, phase: Int64,
    deadline: Int64? = nil, target: Int64? = nil
  ) {
    // No grid is longer than a century, so that all its times can be told.
    self.period = UInt64(min(max(1, period), Self.longest))
    self.refreshes = min(UInt64(max(1, refreshes)), self.period)
    self.phase = min(max(-Self.longest, phase), Self.longest)
    self.deadline = deadline
    self.target = target
  }

  private static var longest: Int64 { 3_155_760_000_000_000_000 }

  /// The frame that a wake-up at `now` is for: the last that was due, unless it was made already.
  ///
  /// - Parameter now: The recorder's time.
  public mutating func tick(_ now: Int64) -> FrameTiming? {
    let index = index(atOrBefore: now)
    if let last, index <= last { return nil }
    return take(index)
  }

  /// The next frame: at `now` or soon after it; wait until it begins.
  ///
  /// A frame that the host was late for is still made, as long as the one behind it is not due.
  public mutating func next(after now: Int64) -> FrameTiming {
    let due = index(atOrBefore: now)
    if let last { return take(max(last + 1, due)) }
    return take(time(of: due) == now ? due : due + 1)
  }

  /// When the first frame behind `now` begins: what to set a timer of the system to.
  public func begin(after now: Int64) -> Int64 {
    time(of: index(atOrBefore: now) + 1)
  }

  private mutating func take(_ index: Int64) -> FrameTiming {
    if let last { skipped += UInt64(max(0, index - last - 1)) }
    last = index
    let begin = time(of: index)
    return FrameTiming(
      start: begin, deadline: deadline.flatMap { Self.sum(begin, $0) },
      target: target.flatMap { Self.sum(begin, $0) }, refreshInterval: time(of: index + 1) - begin)
  }

  private static func sum(_ a: Int64, _ b: Int64) -> Int64? {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? nil : sum
  }

  /// The last grid point that is not after `now`.
  private func index(atOrBefore now: Int64) -> Int64 {
    let past = min(max(-Self.longest, now), Self.longest) - phase
    let passed = past.magnitude.multipliedFullWidth(by: refreshes)
    // There is at most one point a nanosecond, so the quotient is no more than what has passed.
    let (quotient, rest) = period.dividingFullWidth(passed)
    let index = past < 0 ? -Int64(quotient) - (rest > 0 ? 1 : 0) : Int64(quotient)
    // Times are rounded down, so the point behind may begin in the nanosecond that has begun.
    return time(of: index + 1) <= now ? index + 1 : index
  }

  /// When grid point `index` is, to the nanosecond below.
  private func time(of index: Int64) -> Int64 {
    let product = index.magnitude.multipliedFullWidth(by: period)
    guard product.high < refreshes else { return index < 0 ? -Self.longest : Self.longest }
    let (quotient, rest) = refreshes.dividingFullWidth(product)
    let distance = Int64(clamping: quotient)
    let offset = index < 0 ? -distance - (rest > 0 ? 1 : 0) : distance
    let (time, overflow) = phase.addingReportingOverflow(offset)
    return overflow ? (index < 0 ? -Self.longest : Self.longest) : time
  }
}
