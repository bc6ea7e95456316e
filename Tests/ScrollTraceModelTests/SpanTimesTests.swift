import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceModel

/// The times of spans, most of which are stored in blocks.
@Suite struct SpanTimesTests {
  /// Spans in order: dense ones, and now and then long ones and pauses that 32 bits cannot hold.
  static func times(count: Int) -> [SpanBounds] {
    var random = SeededGenerator(seed: UInt64(count))
    var start: Int64 = 0
    return (0..<count).map { _ in
      let isRare = Int.random(in: 0..<500, using: &random) == 0
      start += Int64.random(in: 0...(isRare ? 1 << 40 : 2_000_000), using: &random)
      let isLong = Int.random(in: 0..<700, using: &random) == 0
      let length = Int64.random(in: 0...(isLong ? 1 << 40 : 900_000), using: &random)
      return SpanBounds(start: start, end: start + length)
    }.stablySorted { $1.isBehind($0) }
  }

  @Test(arguments: [0, 1, 32, 8_191, 8_192, 8_193, 30_000])
  func `spans are read as they were added, however long they are`(count: Int) {
    let all = Self.times(count: count)
    var times = SpanTimes()
    for span in all { times.append(span) }
    #expect(times.elementsEqual(all))
    var read: [SpanBounds] = []
    for first in stride(from: 0, to: count, by: SpanTimes.blockSize) {
      times.forEach(in: first..<min(first + SpanTimes.blockSize, count)) { read.append($0) }
    }
    #expect(read == all)
    if count == 30_000 {
      #expect(times.offsets.count > 20_000)
      #expect((1...200).contains(times.wideBlocks.count / SpanTimes.blockSize))
    }
  }

  @Test func `a span that ends after thousands inside it is placed before them`() {
    var spans = SpanColumns()
    let all = Self.times(count: 30_000)
    for (index, span) in all.enumerated() {
      spans.append(
        start: span.start, end: span.end, label: LabelID(rawValue: UInt32(index)),
        arguments: .none)
      // Around what a recorder has just written, and around everything.
      guard index == 15_000 || index == 29_999 else { continue }
      spans.append(
        start: 0, end: span.end + 1, label: LabelID(rawValue: 40_000 + UInt32(index)),
        arguments: ArgumentListID(rawValue: 1))
    }
    #expect(spans.count == 30_000)
    #expect(spans.firstStart == 0)
    spans.sort()
    #expect(spans.labels.prefix(2).map(\.rawValue) == [69_999, 55_000])
    #expect(spans.labels.dropFirst(2).map(\.rawValue) == Array(0..<30_000))
    #expect(spans.times.dropFirst(2).elementsEqual(all))
    #expect(spans.arguments(at: 1) == ArgumentListID(rawValue: 1))
    #expect(spans.arguments(at: 2) == .none)
  }

  @Test func `spans that are in reverse order are sorted without moving each past all others`() {
    var spans = SpanColumns()
    let all = Self.times(count: 20_000)
    for span in all.reversed() {
      spans.append(
        start: span.start, end: span.end, label: LabelID(rawValue: 0), arguments: .none)
    }
    spans.sort()
    #expect(spans.times.elementsEqual(all))
    #expect(spans.labels.count == 20_000)
  }

  @Test func `what ended before a time is removed from blocks too`() {
    var spans = SpanColumns()
    let all = Self.times(count: 20_000)
    for (index, span) in all.enumerated() {
      spans.append(
        start: span.start, end: span.end, label: LabelID(rawValue: UInt32(index)),
        arguments: .none)
    }
    let limit = all[12_345].start
    spans.filter { $0.end >= limit }
    let kept = all.indices.filter { all[$0].end >= limit }
    #expect(spans.times.elementsEqual(kept.map { all[$0] }))
    #expect(spans.labels.map { Int($0.rawValue) } == kept)
  }
}
