import ScrollTraceLayout
import Testing

@testable import ScrollTraceGate

struct SharedVariationTests {
  @Test func `what two series share is removed, and a step of one remains`() {
    var random = SeededGenerator(seed: 4)
    let shared = (0..<20).map { _ in Double.random(in: 0.5...1.5, using: &random) }
    let others = shared.map { 10 * $0 }
    let own = shared.enumerated().map { 5 * $1 + ($0 < 12 ? 0 : 1) }
    let rest = SharedVariation.removed(from: own, sharedWith: others)
    let before = rest[..<12], after = rest[12...]
    #expect((after.min() ?? 0) - (before.max() ?? 0) > 0.9)
    #expect((before.max() ?? 0) - (before.min() ?? 0) < 0.1)
  }

  @Test func `an outlier of the other series moves nothing`() {
    let own = (0..<20).map { Double($0 % 5) }
    var others = (0..<20).map { Double($0 % 5) * 2 }
    others[7] = 1_000
    let rest = SharedVariation.removed(from: own, sharedWith: others)
    #expect(rest.enumerated().allSatisfy { $0 == 7 || abs($1 - rest[0]) < 1e-9 })
    #expect(abs(rest[7] - rest[0]) < 10)
  }

  @Test func `series that have nothing to compare remain as they are`() {
    #expect(SharedVariation.removed(from: [1, 2, 3], sharedWith: [4, 4, 4]) == [1, 2, 3])
    #expect(SharedVariation.removed(from: [1], sharedWith: [2]) == [1])
    #expect(SharedVariation.removed(from: [], sharedWith: []).isEmpty)
    #expect(SharedVariation.removed(from: [1, 2], sharedWith: [1]) == [1, 2])
  }
}
