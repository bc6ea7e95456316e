internal import ScrollTraceLayout

/// What only some reports show of a surface.
struct SurfaceDetails {
  let blockedInCommits: BlockedInCommits?
  let frameRates: FrameRates?
  let deadlineUtilization: [DeadlineUtilizationBucket]
}

/// A value that is found when it is first asked for.
final class Lazy<Value: Sendable>: Sendable {
  private enum State {
    case unknown(@Sendable () -> Value)
    case known(Value)
  }

  private let state: Locked<State>

  init(_ find: @escaping @Sendable () -> Value) { state = Locked(.unknown(find)) }

  var value: Value {
    state.withLock { state in
      switch state {
      case .known(let value): return value
      case .unknown(let find):
        let value = find()
        // What it was found from is no longer needed.
        state = .known(value)
        return value
      }
    }
  }
}
