import ScrollTraceLayout
import Testing

@testable import ScrollTraceAnalysis

@Suite struct FirstAboveTests {
  @Test(arguments: [0, 1, 15, 16, 17, 32, 33, 256, 257, 1000])
  func `the next value above a limit is the one that looking at each finds`(count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    // Most values are equal, and few are large.
    let values = (0..<count).map { _ in
      Int.random(in: 0..<20, using: &random) > 0 ? 0 : Int64.random(in: 1...5, using: &random)
    }
    var blocks = FirstAbove.Blocks(minimumCapacity: count)
    for value in values { blocks.append(value) }
    let tree = FirstAbove(blocks) { values[$0] }
    for limit in [Int64.min, -1, 0, 2, 4, 5, Int64.max] {
      let found = (-1...count).map { tree.first(from: $0, above: limit) }
      var next: Int?
      let expected = (-1...count).reversed().map { start in
        if values.indices.contains(start), values[start] > limit { next = start }
        return next
      }
      #expect(found == expected.reversed())
    }
  }
}
