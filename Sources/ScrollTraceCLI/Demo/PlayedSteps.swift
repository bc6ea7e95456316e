import ReferenceListEngine

/// The steps that an engine has played, with those cut short that somebody interrupted; the first of
/// them where a session cannot hold all.
struct PlayedSteps {
  /// The most steps that are kept.
  private static let capacity = 50_000

  /// The steps, in order.
  private(set) var steps: [ScrollStep] = []
  private var duration: Int64 = 0
  private var lastBegin: Int64 = 0
  private var isFull = false

  /// The last step has ended at `time`, and `step` begins; with `nil` none does.
  mutating func begin(_ step: ScrollStep?, at time: Int64) {
    guard !isFull else { return }
    if let last = steps.popLast() {
      // To the millisecond, as a session is written.
      let elapsed = (time - lastBegin) / 1_000_000 * 1_000_000
      let isCut = elapsed < last.duration - 20_000_000
      switch last {
      case .rest where isCut: steps.append(.rest(max(0, elapsed)))
      case .drag(let velocity, _) where isCut:
        steps.append(.drag(velocity: velocity, for: max(0, elapsed)))
      default: steps.append(last)
      }
      duration += steps.last?.duration ?? 0
    }
    lastBegin = time
    guard let step else { return }
    isFull =
      steps.count >= Self.capacity || step.duration > SessionText.longest - duration
    if !isFull { steps.append(step) }
  }
}
