internal import ScrollTraceRecorder
internal import Synchronization

/// Real work of a known size: bytes are hashed, as many as this machine hashes in the time asked for.
///
/// It is no loop that waits for a clock: a machine that is busy or slow takes longer for the same
/// work, as it does for an app's.
///
/// A class, since all threads add to one digest; without it the work could be left out.
final class WorkMeter: Sendable {
  /// How many words one block has.
  private static let wordsOfBlock = 32

  /// The time of a thousand blocks on an idle machine.
  private let thousandBlocks: Nanoseconds
  private let digest = Atomic<UInt64>(0)

  /// Measures this machine: the best of some rounds, so that a disturbance does not count.
  init() {
    var best = Nanoseconds.max
    var sum: UInt64 = 0
    for round in 0..<8 {
      let begin = RealClock.readTime()
      sum &+= Self.hash(blocks: 1000, seed: UInt64(round))
      best = min(best, RealClock.readTime() - begin)
    }
    thousandBlocks = max(1, best)
    digest.wrappingAdd(sum, ordering: .relaxed)
  }

  /// Does work that takes `cost` on an idle machine.
  func work(_ cost: Nanoseconds) {
    guard cost > 0 else { return }
    let blocks = max(1, cost * 1000 / thousandBlocks)
    digest.wrappingAdd(Self.hash(blocks: blocks, seed: UInt64(cost)), ordering: .relaxed)
  }

  /// Hashes `blocks` blocks of bytes, each made of the hash before it.
  private static func hash(blocks: Int64, seed: UInt64) -> UInt64 {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: wordsOfBlock) { words in
      for index in words.indices { words[index] = seed &+ UInt64(index) }
      var hash = seed | 1
      var left = blocks
      while left > 0 {
        var index = 0
        while index < wordsOfBlock {
          hash = (hash ^ words[index]) &* 0x9E37_79B9_7F4A_7C15
          hash ^= hash >> 29
          words[index] = hash
          index += 1
        }
        left -= 1
      }
      return hash
    }
  }
}
