public import ScrollTraceRecorder

/// One part of a scroll session: how the content moves, and for how long.
///
/// How far it has moved follows from the time alone, never from the number of frames: a late frame
/// shows the content where it has to be by then.
public enum ScrollStep: Hashable, Sendable {
  /// Nothing moves.
  case rest(Nanoseconds)
  /// A finger moves the content at an even speed, in thousandths of a point a second.
  case drag(velocity: Millipoints, for: Nanoseconds)
  /// The content runs out from `velocity` on after the finger has left.
  case deceleration(velocity: Millipoints)
  /// The program moves the content by `distance`, slowly at first and at the end.
  case animation(distance: Millipoints, for: Nanoseconds)

  /// Where a deceleration ends: ten points a second.
  static var slowestVelocity: Millipoints { 10_000 }

  /// What is left of a velocity after each millisecond of deceleration, in thousandths.
  ///
  /// 0.998, the usual rate of scroll views: the velocity halves about every 346 ms.
  static var decelerationRate: Int64 { 998 }

  /// How long the step lasts.
  public var duration: Nanoseconds {
    switch self {
    case .rest(let duration), .drag(_, let duration), .animation(_, let duration): duration
    case .deceleration(let velocity): Self.runOut(velocity, for: .max).time
    }
  }

  /// The kind of interaction it is recorded as; `nil` where nothing moves.
  var interaction: InteractionKind? {
    switch self {
    case .rest: nil
    case .drag: .drag
    case .deceleration: .deceleration
    case .animation: .animation
    }
  }

  /// How far the content has moved `elapsed` after the step began.
  public func distance(after elapsed: Nanoseconds) -> Millipoints {
    let time = min(max(0, elapsed), duration)
    switch self {
    case .rest:
      return 0
    case .drag(let velocity, _):
      return Self.distance(velocity, time)
    case .deceleration(let velocity):
      return Self.runOut(velocity, for: time).distance
    case .animation(let distance, let duration):
      // 3u² − 2u³ with u in thousandths.
      let part = duration == 0 ? 1000 : time / max(1, duration / 1000)
      let eased = part * part * (3000 - 2 * part) / 1_000_000
      return distance / 1000 * min(1000, eased)
    }
  }

  private static func distance(_ velocity: Millipoints, _ time: Nanoseconds) -> Millipoints {
    velocity * (time / 1000) / 1_000_000
  }

  /// Runs out from `velocity` for at most `limit`, a millisecond at a time.
  private static func runOut(
    _ velocity: Millipoints, for limit: Nanoseconds
  ) -> (time: Nanoseconds, distance: Millipoints) {
    let millisecond: Nanoseconds = 1_000_000
    var (velocity, time, distance) = (velocity, Nanoseconds(0), Millipoints(0))
    while abs(velocity) >= slowestVelocity, time < limit {
      let slice = min(millisecond, limit - time)
      distance += Self.distance(velocity, slice)
      time += slice
      velocity = velocity * decelerationRate / 1000
    }
    return (time, distance)
  }
}
