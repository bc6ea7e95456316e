import ScrollTraceLayout
import Testing

@testable import ScrollTraceModel

/// The times of spans, most of which are packed.
@Suite struct SpanTimesTests {
  /// Spans in order: dense ones, and now and then long ones and pauses that take more bytes.
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

  /// Columns with these spans, each with its position as its label.
  static func columns(_ times: some Collection<SpanBounds>) -> SpanColumns {
    var spans = SpanColumns()
    for (index, span) in times.enumerated() {
      spans.append(
        start: span.start, end: span.end, label: LabelID(rawValue: UInt32(index)),
        arguments: .none)
    }
    return spans
  }

  @Test(arguments: [0, 1, 32, 8_191, 8_192, 8_193, 30_000])
  func `spans are read as they were added, however long they are`(count: Int) {
    let all = Self.times(count: count)
    var times = SpanTimes()
    for span in all { times.append(span) }
    #expect(times.elementsEqual(all))
    var read: [SpanBounds] = []
    for first in stride(from: 0, to: count, by: SpanTimes.blockSize) {
      let block = first / SpanTimes.blockSize
      #expect(times.start(ofBlock: block) == all[first].start)
      times.forEach(inBlock: block, before: .max) { read.append($0) }
    }
    #expect(read == all)
    #expect(times.indices.allSatisfy { times[$0] == all[$0] })
    if count == 30_000 {
      #expect(times.packedCount > 20_000)
      #expect((times.steps.words.count + times.lengths.words.count) * 8 < 6 * count)
    }
  }

  @Test func `spans at regular times take a tenth of a byte for each time`() {
    // Thirty spans in each of a thousand frames.
    let all = (0..<30_000).map { index in
      let start = Int64(index / 30 * 16_666_667 + index % 30 * 100_000)
      return SpanBounds(start: start, end: start + 80_000)
    }
    var times = SpanTimes()
    for span in all { times.append(span) }
    #expect(times.elementsEqual(all))
    #expect(times.indices.allSatisfy { times[$0] == all[$0] })
    #expect((times.steps.words.count + times.lengths.words.count) * 8 < times.packedCount)
  }

  @Test func `a block is read up to an instant`() {
    let all = Self.times(count: 20_000)
    var times = SpanTimes()
    for span in all { times.append(span) }
    for block in [3, 19_999 / SpanTimes.blockSize] {
      let first = block * SpanTimes.blockSize
      var read: [SpanBounds] = []
      times.forEach(inBlock: block, before: all[first + 20].start) { read.append($0) }
      #expect(read == all[first..<first + 20].filter { $0.start < all[first + 20].start })
    }
  }

  @Test func `blocks are left out only if none of their spans is long`() {
    let all = Self.times(count: 20_000)
    var times = SpanTimes()
    for span in all { times.append(span) }
    let length: Int64 = 2_000_000
    var (long, blockCount): ([SpanBounds], Int) = ([], 0)
    times.forEachBlock(longerThan: length) { first, spans in
      #expect(spans.elementsEqual(all[first..<first + spans.count]))
      long += spans.filter { $0.length > length }
      blockCount += 1
    }
    #expect(long == all.filter { $0.length > length })
    #expect(blockCount < 20_000 / SpanTimes.blockSize)
  }

  @Test func `a span that ends after thousands inside it is placed before them`() {
    let all = Self.times(count: 30_000)
    var spans = Self.columns(all.prefix(15_000))
    // Around what was added so far, and around everything.
    func addOuter(_ label: UInt32, around last: SpanBounds) {
      spans.append(
        start: 0, end: last.end + 1, label: LabelID(rawValue: label),
        arguments: ArgumentListID(rawValue: 1))
    }
    addOuter(40_000, around: all[14_999])
    for span in all.dropFirst(15_000) {
      spans.append(
        start: span.start, end: span.end, label: LabelID(rawValue: 1), arguments: .none)
    }
    addOuter(40_001, around: all[29_999])
    #expect(spans.count == 30_000)
    #expect(spans.firstStart == 0)
    spans.sort()
    #expect(spans.labels.prefix(2).map(\.rawValue) == [40_001, 40_000])
    #expect(spans.labels.dropFirst(2).prefix(15_000).map(\.rawValue) == Array(0..<15_000))
    #expect(spans.times.dropFirst(2).elementsEqual(all))
    #expect(spans.arguments(at: 1) == ArgumentListID(rawValue: 1))
    #expect(spans.arguments(at: 2) == .none)
  }

  @Test func `spans that are in reverse order are sorted without moving each past all others`() {
    let all = Self.times(count: 20_000)
    var spans = Self.columns(all.reversed())
    spans.sort()
    #expect(spans.times.elementsEqual(all))
    #expect(Set(spans.labels.map(\.rawValue)).count == 20_000)
  }

  @Test func `a batch that belongs before thousands of spans is sorted with them`() {
    let all = Self.times(count: 30_000)
    var spans = Self.columns(all.suffix(15_000))
    let early = Array(all.prefix(15_000))
    let labels = early.indices.map { LabelID(rawValue: UInt32(15_000 + $0)) }
    early.withUnsafeBufferPointer { times in
      labels.withUnsafeBufferPointer { labels in
        spans.append(
          SpanBatchColumns(
            times: times, labels: labels, argumentLists: UnsafeBufferPointer(start: nil, count: 0),
            latestEnd: 0, ascends: false))
      }
    }
    spans.sort()
    #expect(spans.times.elementsEqual(all))
    #expect(Set(spans.labels.map(\.rawValue)).count == 30_000)
  }

  @Test func `what ended before a time is removed from blocks too`() {
    let all = Self.times(count: 20_000)
    var spans = Self.columns(all)
    let limit = all[12_345].start
    spans.filter { $0.end >= limit }
    let kept = all.indices.filter { all[$0].end >= limit }
    #expect(spans.times.elementsEqual(kept.map { all[$0] }))
    #expect(spans.labels.map { Int($0.rawValue) } == kept)
  }
}
