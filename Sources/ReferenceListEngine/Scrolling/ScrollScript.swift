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

  /// Creates a script.
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
