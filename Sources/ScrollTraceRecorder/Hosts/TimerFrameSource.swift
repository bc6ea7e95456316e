/// Frames on the exact grid of a timer: late wake-ups do not shift the grid, and missed frames are
/// skipped.
///
/// A loop can wait until the start of the frame that `next(after:)` returns. A system timer, such
/// as one from Dispatch, can call `tick(_:)` when it fires, whether early, late or twice.
public struct TimerFrameSource: FrameSource {
  /// The number of grid points in `period`.
  private let refreshes: UInt64
  private let period: UInt64
  /// The time of grid point 0.
  private let phase: Int64
  /// The time from a frame's start to its deadline, or `nil` if there is no deadline.
  private let deadline: RecorderTime?
  /// The time from a frame's start to its target, or `nil` if unknown.
  private let target: RecorderTime?
  /// The number of frames that were skipped because the host woke too late.
  package private(set) var skipped: UInt64 = 0
  private var last: Int64?

  /// Creates a grid of `refreshes` frames per `period`, such as 60 per second or 60,000 per 1,001
  /// seconds.
  ///
  /// A timer knows only when a frame starts. Without `deadline` and `target`, the frames are
  /// evaluated by their spacing.
  ///
  /// - Parameters:
  ///   - refreshes: The number of frames per `period`: at least one, and at most one per
  ///     nanosecond.
  ///   - period: A length of time.
  ///   - phase: The start of any one of the frames, on the recorder's clock.
  ///   - deadline: The time from a frame's start to its deadline, or `nil` for none.
  ///   - target: The time from a frame's start to its target, or `nil` if the display does not report
  ///     it.
  public init(
    refreshes: Int, per period: RecorderTime = .seconds(1), phase: RecorderTime,
    deadline: RecorderTime? = nil, target: RecorderTime? = nil
  ) {
    // The grid spans at most a century, so that all its times are valid.
    self.period = UInt64(min(max(1, period.nanoseconds), Self.longest))
    self.refreshes = min(UInt64(max(1, refreshes)), self.period)
    self.phase = min(max(-Self.longest, phase.nanoseconds), Self.longest)
    self.deadline = deadline
    self.target = target
  }

  private static var longest: Int64 { 3_155_760_000_000_000_000 }

  /// Returns the frame that a wake-up is for: the last one that was due, or `nil` if it has been
  /// made already.
  ///
  /// - Parameter now: The current time of the recorder's clock.
  public mutating func tick(_ now: RecorderTime) -> FrameTiming? {
    let index = index(atOrBefore: now.nanoseconds)
    if let last, index <= last { return nil }
    return makeFrame(index)
  }

  /// Returns the next frame, at or after `now`. Wait until it starts.
  ///
  /// A frame that the host is late for is still made until the following frame is due.
  public mutating func next(after now: RecorderTime) -> FrameTiming {
    let now = now.nanoseconds
    let due = index(atOrBefore: now)
    if let last { return makeFrame(max(last + 1, due)) }
    return makeFrame(time(of: due) == now ? due : due + 1)
  }

  private mutating func makeFrame(_ index: Int64) -> FrameTiming {
    if let last { skipped += UInt64(max(0, index - last - 1)) }
    last = index
    let start = RecorderTime(time(of: index))
    return FrameTiming(
      start: start, deadline: deadline.map { start + $0 }, target: target.map { start + $0 },
      refreshInterval: RecorderTime(time(of: index + 1)) - start)
  }

  /// The last grid point at or before `now`.
  private func index(atOrBefore now: Int64) -> Int64 {
    let past = min(max(-Self.longest, now), Self.longest) - phase
    let passed = past.magnitude.multipliedFullWidth(by: refreshes)
    // There is at most one point per nanosecond, so the quotient is at most the time that has
    // passed.
    let (quotient, rest) = period.dividingFullWidth(passed)
    let index = past < 0 ? -Int64(quotient) - (rest > 0 ? 1 : 0) : Int64(quotient)
    // Times are rounded down, so the next point may start within the current nanosecond.
    return time(of: index + 1) <= now ? index + 1 : index
  }

  /// The time of grid point `index`, rounded down to nanoseconds.
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
