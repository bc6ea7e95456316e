internal import ScrollTraceLayout
internal import ScrollTraceRecorder

/// Real work of a known size: as many bytes are hashed, lines of text broken or pictures decoded as
/// this machine does in the time asked for.
///
/// It is no loop that waits for a clock: a machine that is busy or slow takes longer for the same
/// work, as it does for an app's.
///
/// A class, since all threads add to one digest; without it the work could be left out.
final class WorkMeter: Sendable {
  /// How many words one block has.
  private static let wordsOfBlock = 32
  /// How many pieces are measured at once.
  private static let measured: Int64 = 500

  /// The time of so many pieces of each kind on an idle machine.
  private let times: [Nanoseconds]
  private let digest = Locked<UInt64>(0)

  /// Measures this machine: the best of some rounds, so that a disturbance does not count.
  init() {
    var sum: UInt64 = 0
    times = WorkKind.allCases.map { kind in
      var best = Nanoseconds.max
      for round in 0..<8 {
        let start = RealClock.readTime()
        sum &+= Self.carryOut(Self.measured, of: kind, seed: UInt64(round))
        best = min(best, RealClock.readTime() - start)
      }
      return max(1, best)
    }
    let measured = sum
    digest.withLock { $0 &+= measured }
  }

  /// Does work of a kind that takes `cost` on an idle machine.
  func work(_ cost: Nanoseconds, _ kind: WorkKind) {
    guard cost > 0 else { return }
    let pieces = max(1, cost * Self.measured / times[kind.rawValue])
    let result = Self.carryOut(pieces, of: kind, seed: UInt64(cost))
    digest.withLock { $0 &+= result }
  }

  private static func carryOut(_ pieces: Int64, of kind: WorkKind, seed: UInt64) -> UInt64 {
    switch kind {
    case .hashing: return hash(blocks: pieces, seed: seed)
    case .shaping:
      var sum: UInt64 = 0
      for piece in 0..<pieces {
        let (lines, widest) = TextShaper.shape(width: 2_000 + Int(piece % 900))
        sum &+= UInt64(lines &* 10_000 &+ widest)
      }
      return sum
    case .decoding:
      var sum = UInt32(truncatingIfNeeded: seed)
      for _ in 0..<pieces { sum ^= PictureDecoder.decode(seed: sum) }
      return UInt64(sum)
    }
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
