import ReferenceListEngine
import ScrollTraceLayout

/// The user's key presses on their way from the drawing thread to the engine's.
///
/// A class because both threads use it.
final class LiveInput: Sendable {
  private struct Requests {
    var steps: [ScrollStep] = []
    var policies: [String] = []
    var changesRate = false
    var isPaused = false
    var isEnding = false
    var wantsInterrupt = false
    var state: LiveState?
  }

  private let wishes = Locked(Requests())

  var isEnding: Bool { wishes.withLock { $0.isEnding } }
  var isPaused: Bool { wishes.withLock { $0.isPaused } }

  func press(_ key: LiveKey) {
    wishes.withLock { wishes in
      if let step = Self.step(of: key) {
        wishes.steps = [step, .rest(500_000_000)]
        wishes.isPaused = false
        wishes.wantsInterrupt = true
        return
      }
      switch key {
      case .space:
        wishes.isPaused.toggle()
        if wishes.isPaused { wishes.steps = [] }
        wishes.wantsInterrupt = true
      case .interrupt, .escape, .character("q"):
        wishes.isEnding = true
        wishes.wantsInterrupt = true
      case .character("h"): wishes.changesRate = true
      case .character(let letter):
        guard let number = letter.wholeNumberValue, 1...EnginePolicies.names.count ~= number
        else { return }
        wishes.policies.append(EnginePolicies.names[number - 1])
      default: break
      }
    }
  }

  /// Ends the demo, because the terminal has closed.
  func end() { press(.interrupt) }

  private static func step(of key: LiveKey) -> ScrollStep? {
    let quarter: Int64 = 250_000_000
    return switch key {
    // At a constant speed, so that a held key scrolls evenly.
    case .down: .drag(velocity: 1_000_000, for: quarter)
    case .up: .drag(velocity: -1_000_000, for: quarter)
    case .pageDown: .paging(pages: 1, for: 2 * quarter)
    case .pageUp: .paging(pages: -1, for: 2 * quarter)
    case .character("f"): .deceleration(velocity: 5_000_000)
    case .character("t"): .deceleration(velocity: -3_000_000)
    case .character("r"): .refresh(for: 4 * quarter)
    case .character("o"): .reorder(pages: 1, for: 6 * quarter)
    default: nil
    }
  }

  // MARK: - The engine's side

  func takeStep() -> ScrollStep? {
    wishes.withLock { wishes in
      guard !wishes.steps.isEmpty else { return nil }
      // The step to be interrupted has already ended.
      wishes.wantsInterrupt = wishes.isEnding
      return wishes.steps.removeFirst()
    }
  }

  /// Applies the settings that can change while the engine runs; returns whether there were any.
  func apply(to engine: ListEngine) -> Bool {
    let (policies, changesRate, interrupts) = wishes.withLock { wishes in
      defer { (wishes.policies, wishes.changesRate, wishes.wantsInterrupt) = ([], false, false) }
      return (wishes.policies, wishes.changesRate, wishes.wantsInterrupt)
    }
    for name in policies { engine.policies.chooseNext(for: name) }
    if changesRate { engine.setRefreshRate(LiveRate.next(after: LiveRate.of(engine))) }
    if interrupts { engine.interrupt() }
    return changesRate || !policies.isEmpty
  }

  func show(_ state: LiveState) {
    wishes.withLock { $0.state = state }
  }

  /// Returns the state to draw if it is new.
  func takeState() -> LiveState? {
    wishes.withLock { wishes in
      defer { wishes.state = nil }
      return wishes.state
    }
  }
}

/// The refresh rates of the live display.
enum LiveRate {
  private static let all = [60, 80, 120]

  static func of(_ engine: ListEngine) -> Int {
    let schedule = engine.schedule
    let index = engine.lastRefresh + 3
    let interval = max(1, schedule.time(of: index + 1) - schedule.time(of: index))
    return Int((1_000_000_000 + interval / 2) / interval)
  }

  /// Returns the rate after `rate`, or the first one after the last.
  static func next(after rate: Int) -> Int {
    all.first { $0 > rate } ?? all[0]
  }
}
