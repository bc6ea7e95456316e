package import ScrollTraceRecorder

/// What a person, and the app beside the list, does: the same for every engine that plays it.
package struct ScrollSession: Hashable, Sendable {
  /// The movements, one after the other.
  package var steps: [ScrollStep]
  /// The app's own work on the main thread, ascending by time.
  package var errands: [Errand]
  /// Changes of the items, ascending by time.
  package var updates: [ListUpdate]

  /// A session of `steps`.
  package init(steps: [ScrollStep], errands: [Errand] = [], updates: [ListUpdate] = []) {
    self.steps = steps
    self.errands = errands
    self.updates = updates
  }

  /// How long the session lasts where nothing delays it.
  package var duration: Nanoseconds { steps.reduce(0) { $0 + $1.duration } }

  /// A person who reads a feed for about `duration`: drags, flings, pauses, now and then back.
  ///
  /// The first screen loads in `rest`, the time before the first drag.
  package static func reading(
    for duration: Nanoseconds, seed: UInt64, after rest: Nanoseconds = 150_000_000
  ) -> ScrollSession {
    let millisecond: Nanoseconds = 1_000_000
    var random = SeededNumbers(seed: seed)
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
    return ScrollSession(steps: steps)
  }
}
