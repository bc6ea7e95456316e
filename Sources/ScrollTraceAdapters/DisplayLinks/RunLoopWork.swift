/// The work of a run loop outside of frames: from its waking to its waiting, without the frames in between.
struct RunLoopWork: Equatable {
  enum Event {
    /// The run loop has found something to do.
    case wakes
    /// The run loop has done all of it.
    case waits
    case frameBegins
    case frameEnds
  }

  private var isAwake = false
  private var hasFrame = false

  /// Whether such work goes on.
  var isOpen: Bool { isAwake && !hasFrame }

  /// Handles what happens. A run loop inside another wakes and waits as well.
  mutating func handle(_ event: Event) {
    switch event {
    case .wakes: isAwake = true
    case .waits: isAwake = false
    case .frameBegins: hasFrame = true
    case .frameEnds: hasFrame = false
    }
  }
}
