internal import ScrollTraceLayout
internal import ScrollTraceRecorder

/// Real work of a known size: as many rounds of a loop as this machine does in the time asked for.
///
/// It is no loop that waits for a clock: a machine that is busy or slow takes longer for the same
/// work, as it does for an app's.
///
/// A class, since all threads add to one digest; without it the work could be left out.
final class WorkMeter: Sendable {
  /// How many rounds are measured at once.
  private static let measured: Int64 = 16_000

  /// The time of so many rounds on an idle machine.
  private let time: Nanoseconds
  private let digest: Locked<UInt64>

  /// Measures this machine: the best of some tries, so that a disturbance does not count.
  init() {
    var (sum, best) = (UInt64(0), Nanoseconds.max)
    for _ in 0..<8 {
      let start = RealClock.readTime()
      sum = Self.hash(rounds: Self.measured, seed: sum)
      best = min(best, RealClock.readTime() - start)
    }
    time = max(1, best)
    digest = Locked(sum)
  }

  /// Does work that takes `cost` on an idle machine.
  func work(_ cost: Nanoseconds) {
    guard cost > 0 else { return }
    let result = Self.hash(rounds: max(1, cost * Self.measured / time), seed: UInt64(cost))
    digest.withLock { $0 &+= result }
  }

  /// Computes `rounds` numbers, each from the one before it.
  private static func hash(rounds: Int64, seed: UInt64) -> UInt64 {
    var hash = seed
    var left = rounds
    while left > 0 {
      hash = (hash ^ UInt64(bitPattern: left)) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 29
      left -= 1
    }
    return hash
  }
}
