import ScrollTraceLayout
import ScrollTraceTestSupport
import Testing

@testable import ReferenceListEngine

/// Where lines lie, known or guessed.
@Suite struct ListLayoutTests {
  /// The same with plain loops.
  private struct Plain {
    var known: [Int: Millipoints] = [:]
    var count: Int
    var first: Millipoints?
    var estimate: Millipoints {
      guard first != nil, !known.isEmpty else { return first ?? 100_000 }
      return max(1, known.values.reduce(0, +) / Int64(known.count))
    }
    func edges() -> [Millipoints] {
      (0..<count).reduce(into: [0]) { $0.append($0[$0.count - 1] + (known[$1] ?? estimate)) }
    }
  }

  @Test func `rows are laid out one below the other`() async {
    await forEachCase(of: 1...30, oneCase)
    @Sendable func oneCase(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      let columns = Int.random(in: 1...3, using: &random)
      let content = ListContent(feedOf: Int.random(in: 1...90, using: &random), seed: seed)
      let isAverage = seed % 2 == 0
      var layout = ListLayout(
        content.items, columns: columns,
        sizing: isAverage ? .runningAverage(first: 70_000) : .estimate(100_000))
      var plain = Plain(count: layout.lineCount, first: isAverage ? 70_000 : nil)
      for position in content.items.indices.shuffled(using: &random).prefix(60) {
        let item = content.items[position]
        let line = position / columns
        let guess = plain.known[line] == nil ? item.ownHeight - plain.estimate : nil
        #expect(layout.setHeight(item.ownHeight, of: item.id, at: position) == guess)
        #expect(layout.setHeight(item.ownHeight, of: item.id, at: position) == nil)
        plain.known[line] = max(plain.known[line] ?? 0, item.ownHeight)
        let edges = plain.edges()
        #expect((0...plain.count).map { layout.top(ofLine: $0) } == edges)
        let top = Millipoints.random(in: -200_000...(edges[plain.count] + 100_000), using: &random)
        let expected = (0..<plain.count).filter { edges[$0] < top + 300_000 && edges[$0 + 1] > top }
        #expect(Array(layout.lines(from: top, to: top + 300_000)) == expected)
      }
      let before = layout.height
      layout.rebuild(content.items)
      #expect(layout.height == before)
    }
  }

  @Test func `a moved item keeps its height`() async {
    await forEachCase(of: 1...30, oneCase)
    @Sendable func oneCase(seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      var content = ListContent(feedOf: 40, seed: seed)
      var layout = ListLayout(
        content.items, columns: Int.random(in: 1...3, using: &random),
        sizing: seed % 2 == 0 ? .runningAverage(first: 70_000) : .estimate(100_000))
      for position in content.items.indices where Bool.random(using: &random) {
        let item = content.items[position]
        _ = layout.setHeight(item.ownHeight, of: item.id, at: position)
      }
      for _ in 0..<10 {
        let from = Int.random(in: 0..<40, using: &random)
        let to = Int.random(in: 0..<40, using: &random)
        content.move(from: from, to: to)
        layout.exchange(min(from, to)...max(from, to), in: content.items)
        var anew = layout
        anew.rebuild(content.items)
        let lines = 0...layout.lineCount
        #expect(lines.map { layout.top(ofLine: $0) } == lines.map { anew.top(ofLine: $0) })
      }
    }
  }

  @Test func `any of very many rows is found immediately`() {
    let count = ExtraCases.isThorough ? 1_000_000 : 100_000
    let content = ListContent(feedOf: count, seed: 3)
    let layout = ListLayout(content.items, columns: 1, sizing: .exact)
    #expect(layout.height == content.items.reduce(0) { $0 + $1.kind.height })
    let lines = layout.lines(from: layout.height - 1, to: layout.height + 5)
    #expect(lines == count - 1..<count)
    #expect(layout.lines(from: layout.height, to: layout.height + 5).isEmpty)
  }
}
