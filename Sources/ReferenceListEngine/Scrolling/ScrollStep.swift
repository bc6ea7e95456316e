package import ScrollTraceRecorder

/// One part of a scroll session: how the content moves, and for how long.
///
/// How far it has moved follows from the time alone, never from the number of frames: a late frame
/// shows the content where it has to be by then.
package enum ScrollStep: Hashable, Sendable {
  /// Nothing moves.
  case rest(Nanoseconds)
  /// A finger moves the content at an even speed, in thousandths of a point a second.
  case drag(velocity: Millipoints, for: Nanoseconds)
  /// The content runs out from `velocity` on after the finger has left.
  case deceleration(velocity: Millipoints)
  /// The program moves the content by `distance`, slowly at first and at the end.
  case animation(distance: Millipoints, for: Nanoseconds)
  /// The content moves on by whole views, one after the other, each slowly at first and at the end.
  case paging(pages: Int, for: Nanoseconds)
  /// A finger carries the item in the middle of the view along: over three lines where there are no
  /// pages, else over so many views, which come up one after the other.
  case reorder(pages: Int, for: Nanoseconds)
  /// A finger pulls the content down by eighty points and lets it go: new items come in on top.
  case refresh(for: Nanoseconds)

  /// Where a deceleration ends: ten points a second.
  static var slowestVelocity: Millipoints { 10_000 }

  /// What is left of a velocity after each millisecond of deceleration, in thousandths.
  ///
  /// 0.998, the usual rate of scroll views: the velocity halves about every 346 ms.
  static var decelerationRate: Int64 { 998 }

  /// How long the step lasts.
  package var duration: Nanoseconds {
    switch self {
    case .rest(let duration), .drag(_, let duration), .animation(_, let duration),
      .paging(_, let duration), .reorder(_, let duration), .refresh(let duration):
      duration
    case .deceleration(let velocity): Self.runOut(velocity, for: .max).time
    }
  }

  /// The kind of interaction it is recorded as, or `nil` if nothing moves.
  var interaction: InteractionKind? {
    switch self {
    case .rest: nil
    case .drag: .drag
    case .deceleration: .deceleration
    case .animation: .animation
    case .paging: .paging
    case .reorder: .reorder
    case .refresh: .refresh
    }
  }

  /// How far the content has moved `elapsed` after the step began. A page is as long as the `viewport`,
  /// the height of what is in view.
  package func distance(
    after elapsed: Nanoseconds, viewport: Millipoints = 800_000
  ) -> Millipoints {
    let time = min(max(0, elapsed), duration)
    switch self {
    case .rest:
      return 0
    case .drag(let velocity, _):
      return Self.distance(velocity, time)
    case .deceleration(let velocity):
      return Self.runOut(velocity, for: time).distance
    case .animation(let distance, let duration):
      return distance / 1000 * Self.eased(Self.part(of: duration, at: time))
    case .paging(let pages, let duration), .reorder(let pages, let duration):
      let part = Self.part(of: duration, at: time) * Int64(abs(pages))
      let moved = part / 1000 * 1000 + Self.eased(part % 1000)
      return viewport / 1000 * (pages < 0 ? -moved : moved)
    case .refresh(let duration):
      // Down in the first half, held for a quarter, and up again.
      let part = Self.part(of: duration, at: time)
      let pulled =
        part < 500 ? Self.eased(part * 2) : part < 750 ? 1000 : 1000 - Self.eased((part - 750) * 4)
      return -Self.pull / 1000 * pulled
    }
  }

  /// How far a finger pulls to refresh.
  private static var pull: Millipoints { 80_000 }

  /// How much of `duration` is over, in thousandths.
  private static func part(of duration: Nanoseconds, at time: Nanoseconds) -> Int64 {
    duration < 1000 ? 1000 : min(1000, time / (duration / 1000))
  }

  /// 3u² − 2u³ with u in thousandths: slow at first and at the end.
  private static func eased(_ part: Int64) -> Int64 {
    part * part * (3000 - 2 * part) / 1_000_000
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
