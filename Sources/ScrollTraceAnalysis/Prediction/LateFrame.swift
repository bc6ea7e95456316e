import ScrollTraceModel

/// A frame with a hitch, or one that can have delayed others, and how to judge it again (M-17).
package struct LateFrame: Sendable {
  /// How a shorter frame is judged.
  enum Rule: Sendable {
    /// By its overrun: hitches begin at whole refreshes after the deadline.
    case overrun
    /// By its overrun, on a display without a grid of refreshes.
    case exactOverrun
    /// Without an overrun: the hitch goes with most of its window, else in proportion.
    case window
    /// Nothing in the window made it late.
    case none
  }

  /// The frame's position in its surface, or `nil` if no frame ended the hitch.
  let index: Int?
  let rule: Rule
  /// What filled the time to judge.
  var attribution: Attribution?
  /// What filled the time of the frame's commit, which can delay the next frame.
  var commit: Attribution?
  /// The most that the frame could have begun earlier if the one before it had ended earlier.
  let room: TimeSpan
  /// Whether the frame before it is the one before in order.
  let followsLateFrame: Bool
  let overrun: TimeSpan
  let refreshInterval: TimeSpan
  /// The counted hitch time; zero for a frame that only delays others.
  let hitchTime: TimeSpan
  let length: TimeSpan
  /// Whether the hitch is what the frame adds to the lateness of the one before it (M-2).
  var addsToLateness = false

  /// Whether the overrun of its commit made it late.
  var isOfLateCommit: Bool { rule == .overrun || rule == .exactOverrun }

  /// Returns the counted hitch time that is left if the frame ends earlier and its window holds less.
  ///
  /// - Parameters:
  ///   - shift: How much earlier the frame ends.
  ///   - taken: The time that is gone from what is judged.
  func remaining(shift: TimeSpan, taken: TimeSpan) -> TimeSpan {
    guard hitchTime > .zero, shift > .zero || taken > .zero else { return hitchTime }
    switch rule {
    case .overrun: return min(hitchTime, lateness(shift: shift))
    case .exactOverrun: return min(hitchTime, max(.zero, length - shift))
    case .window:
      guard let window = attribution?.window.length, window > .zero else { return hitchTime }
      if taken.nanoseconds > window.nanoseconds / 2 { return .zero }
      return hitchTime - hitchTime.scaled(by: taken.share(of: window))
    case .none: return hitchTime
    }
  }

  /// Returns the whole refreshes by which the frame is late if it ends earlier by `shift`.
  func lateness(shift: TimeSpan) -> TimeSpan {
    let rest = (overrun - shift).nanoseconds
    guard rest > 0 else { return .zero }
    return refreshInterval * ((rest - 1) / max(1, refreshInterval.nanoseconds) + 1)
  }
}

extension TimeSpan {
  /// A part of the time, 0 to 1.
  func scaled(by share: Double) -> TimeSpan {
    if share == 1 { return self }
    let time = (Double(nanoseconds) * min(1, max(0, share))).rounded()
    return TimeSpan(nanoseconds: Int64(exactly: time) ?? nanoseconds)
  }
}

extension [LateFrame] {
  /// Returns the hitch time removed if a time is taken out of each frame's window.
  func removed(_ time: (Attribution) -> TimeSpan) -> TimeSpan { removedWithMisses(time).hitchTime }

  /// Returns the removed hitch time and the number of removed deadline misses.
  ///
  /// - Parameters:
  ///   - part: The part of the time that is taken out, 0 to 1.
  ///   - time: The time in a window.
  func removedWithMisses(
    part: Double = 1, _ time: (Attribution) -> TimeSpan
  ) -> (hitchTime: TimeSpan, misses: Int) {
    var (removed, misses) = (TimeSpan.zero, 0)
    var shift = TimeSpan.zero
    // The lateness of the frame before, as recorded and without the time, and what went of its streak.
    var (recorded, left, went) = (TimeSpan.zero, TimeSpan.zero, TimeSpan.zero)
    for frame in self {
      // Frames that began late because the one before ended late move with it.
      shift = frame.followsLateFrame ? Swift.min(shift, frame.room) : .zero
      shift += (frame.commit.map(time) ?? .zero).scaled(by: part)
      let taken = frame.rule == .window ? frame.attribution.map(time) ?? .zero : shift
      var gone = frame.hitchTime - frame.remaining(shift: shift, taken: taken)
      let (late, stillLate) = (frame.lateness(shift: .zero), frame.lateness(shift: shift))
      if !frame.addsToLateness { went = .zero }
      if frame.addsToLateness, frame.rule == .overrun || frame.hitchTime == .zero {
        let added = Swift.max(.zero, late - recorded)
        let adds = Swift.max(.zero, stillLate - left)
        // What the frames before no longer add, this one can.
        gone =
          adds < added
          ? Swift.max(.zero, frame.hitchTime - adds) : .zero - Swift.min(went, adds - added)
      }
      (recorded, left) = (late, stillLate)
      went += frame.rule == .window ? .zero : gone
      // What a window holds says whose hitch it is, and a part of the time is a part of the hitch.
      removed += frame.rule == .window ? gone.scaled(by: part) : gone
      if frame.overrun > .zero, shift >= frame.overrun { misses += 1 }
    }
    return (removed, misses)
  }

  /// Returns the hitch time removed without `causes`.
  func removed(_ causes: [RemovableCause]) -> TimeSpan {
    removed { attribution in causes.reduce(.zero) { $0 + $1.time(in: attribution) } }
  }

  /// Returns the hitch time removed if a cause takes one part in `speedup` of its time.
  func removed(_ cause: RemovableCause, speedup: Double) -> TimeSpan {
    removedWithMisses(part: 1 - 1 / Swift.max(1, speedup)) { cause.time(in: $0) }.hitchTime
  }
}
