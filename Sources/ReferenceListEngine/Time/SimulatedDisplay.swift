internal import ScrollTraceRecorder

/// The render server and the glass: decides when each frame is shown, and counts what was missed.
///
/// A commit waits for the refresh that ends it, is rendered until the next one and is shown then. A
/// frame that begins at refresh k is to be committed by k + 1 and shown at k + 2; one that is done
/// only after k + 1 is shown one refresh after the refresh at which it was ready.
struct SimulatedDisplay {
  /// How many frames were committed after their deadline.
  private(set) var deadlineMisses = 0
  /// How many frames came to the glass later than it waited for them.
  private(set) var hitches = 0
  /// How long the glass has shown an old frame where a new one was due.
  private(set) var hitchTime: Nanoseconds = 0
  /// The refresh at which the last frame of the current movement was shown.
  private var lastShown: Int?

  /// What the display asks for at refresh `index`.
  ///
  /// The interval is the one that ends at the target: where the rate changes, it is then the time that
  /// passes on the glass between the frame before and this one.
  static func tick(_ index: Int, of schedule: RefreshSchedule) -> FrameTiming {
    FrameTiming(
      start: schedule.time(of: index), deadline: schedule.time(of: index + 1),
      target: schedule.time(of: index + 2),
      refreshInterval: schedule.time(of: index + 2) - schedule.time(of: index + 1))
  }

  /// Movement is over: no frame is due until one is committed.
  mutating func rest() {
    lastShown = nil
  }

  /// Takes the frame that began at refresh `index` and was committed at `end`; says when it is shown.
  mutating func take(
    _ index: Int, of schedule: RefreshSchedule, committedAt end: Nanoseconds, isMoving: Bool
  ) -> Nanoseconds {
    let due = index + 1
    let ready = max(due, schedule.index(atOrAfter: end))
    if ready > due { deadlineMisses += 1 }
    let shown = ready + 1
    let awaited = isMoving ? lastShown.map { $0 + 1 } ?? due + 1 : due + 1
    if shown > awaited {
      hitches += 1
      hitchTime += schedule.time(of: shown) - schedule.time(of: awaited)
    }
    lastShown = isMoving ? shown : nil
    return schedule.time(of: shown)
  }
}
