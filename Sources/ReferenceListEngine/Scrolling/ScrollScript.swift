import ScrollTraceLayout
package import ScrollTraceRecorder

/// The actions of a person and of the app beside the list, which are the same for every engine.
package struct ScrollScript: Equatable, Sendable {
  /// The movements in order.
  package var steps: [ScrollStep]
  /// The app's own work on the main thread, sorted by time.
  package var errands: [Errand]
  /// The changes of the items, sorted by time.
  package var updates: [ListUpdate]

  package init(steps: [ScrollStep], errands: [Errand] = [], updates: [ListUpdate] = []) {
    self.steps = steps
    self.errands = errands
    self.updates = updates
  }

  /// The duration of the script without delays.
  package var duration: Nanoseconds { steps.reduce(0) { $0 + $1.duration } }

  /// Returns a script of a person who reads a feed for about `duration`, with drags, flings and
  /// pauses in both directions.
  ///
  /// The first screen loads in `rest`, the time before the first drag.
  package static func reading(
    for duration: Nanoseconds, seed: UInt64, after rest: Nanoseconds = 150_000_000
  ) -> ScrollScript {
    let millisecond: Nanoseconds = 1_000_000
    var random = SeededGenerator(seed: seed)
    var steps: [ScrollStep] = [.rest(rest)]
    var left = duration - rest
    var distance: Millipoints = 0
    while left > 0 {
      let speed = Millipoints(800 + random.next(below: 2400)) * 1000
      let goesBack = distance > 4_000_000 && random.next(below: 4) == 0
      let velocity = goesBack ? -speed : speed
      let length = Nanoseconds(120 + random.next(below: 280)) * millisecond
      var next: [ScrollStep] = [.drag(velocity: velocity, for: min(left, length))]
      let fling = ScrollStep.deceleration(velocity: velocity)
      if random.next(below: 3) != 0, length + fling.duration < left { next.append(fling) }
      next.append(.rest(Nanoseconds(40 + random.next(below: 200)) * millisecond))
      for step in next where left > 0 {
        let fitting =
          if case .rest(let time) = step { ScrollStep.rest(min(time, left)) } else { step }
        steps.append(fitting)
        left -= fitting.duration
        distance += fitting.distance(after: fitting.duration)
      }
    }
    return ScrollScript(steps: steps)
  }
}

/// A step of a scroll script: a movement and its duration.
///
/// The position depends only on the time, not on the number of frames: a late frame shows the
/// position for its time.
package enum ScrollStep: Equatable, Sendable {
  /// Nothing moves.
  case rest(Nanoseconds)
  /// A finger drags the content at a constant speed, in thousandths of a point per second.
  case drag(velocity: Millipoints, for: Nanoseconds)
  /// The content decelerates from `velocity`.
  case deceleration(velocity: Millipoints)
  /// The app moves the content by `distance`, with easing.
  case animation(distance: Millipoints, for: Nanoseconds)
  /// The content moves by whole views, one after another, with easing.
  case paging(pages: Int, for: Nanoseconds)
  /// A finger carries the item in the middle of the view: over three lines without pages, otherwise
  /// over that number of views.
  case reorder(pages: Int, for: Nanoseconds)
  /// A finger pulls the content down by eighty points and releases it. New items are inserted at
  /// the top.
  case refresh(for: Nanoseconds)

  /// The speed at which a deceleration ends: ten points per second.
  static var slowestVelocity: Millipoints { 10_000 }

  /// The remaining velocity after each millisecond of deceleration, in thousandths.
  ///
  /// 0.998 is the usual rate of scroll views: the velocity halves about every 346 ms.
  static var decelerationRate: Int64 { 998 }

  package var duration: Nanoseconds {
    switch self {
    case .rest(let duration), .drag(_, let duration), .animation(_, let duration),
      .paging(_, let duration), .reorder(_, let duration), .refresh(let duration):
      duration
    case .deceleration(let velocity): Self.runOut(velocity, for: .max).time
    }
  }

  /// The kind of the recorded interaction, or `nil` if nothing moves.
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

  /// Returns the distance moved `elapsed` after the step's start.
  ///
  /// - Parameters:
  ///   - elapsed: The time since the step's start.
  ///   - viewport: The height of the view, which is the length of a page.
  package func distance(
    after elapsed: Nanoseconds, viewport: Millipoints = 800_000
  ) -> Millipoints {
    let time = max(0, elapsed)
    switch self {
    case .rest:
      return 0
    case .drag(let velocity, let duration):
      return Self.distance(velocity, min(time, duration))
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

  /// The distance of a pull to refresh.
  private static var pull: Millipoints { 80_000 }

  /// The elapsed part of `duration`, in thousandths.
  private static func part(of duration: Nanoseconds, at time: Nanoseconds) -> Int64 {
    duration < 1000 ? 1000 : min(1000, time / (duration / 1000))
  }

  /// 3u² − 2u³ with u in thousandths: slow at the start and end.
  private static func eased(_ part: Int64) -> Int64 { part * part * (3000 - 2 * part) / 1_000_000 }

  private static func distance(_ velocity: Millipoints, _ time: Nanoseconds) -> Millipoints {
    velocity * (time / 1000) / 1_000_000
  }

  /// Decelerates from `velocity` for at most `limit`, one millisecond at a time.
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

/// Main-thread work of the app that is unrelated to the list.
package struct Errand: Equatable, Sendable {
  /// The time from the start of the script.
  package let time: Nanoseconds
  /// The name in the trace.
  package let name: String
  /// The amount of work.
  package let cost: Nanoseconds

  package init(at time: Nanoseconds, _ name: String, cost: Nanoseconds) {
    self.time = time
    self.name = name
    self.cost = cost
  }
}

/// A change of the items during a scroll.
package struct ListUpdate: Equatable, Sendable {
  package enum ProposedChange: Equatable, Sendable {
    /// Inserts a number of items before a position.
    case insert(Int, at: Int)
    /// Deletes a number of items from a position.
    case delete(Int, at: Int)
    /// Changes the content of the first items in view.
    case change(Int)
  }

  /// The time from the start of the script. The next frame applies the change.
  package let time: Nanoseconds
  package let change: ProposedChange

  package init(at time: Nanoseconds, _ change: ProposedChange) {
    self.time = time
    self.change = change
  }
}
