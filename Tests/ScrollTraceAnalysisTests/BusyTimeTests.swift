import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// Busy time, self time and attribution against a count of single nanoseconds.
@Suite struct BusyTimeTests {
  /// A trace of `count` random spans on a main thread, which start before `limit` and take less than 60.
  func randomTrace(seed: UInt64, count: Int, startsBefore limit: Int64 = 380) -> Trace {
    var random = SeededGenerator(seed: seed)
    var builder = TraceBuilder(format: "random")
    let main = builder.mainThread()
    for _ in 0..<count {
      let begin = Int64.random(in: 0..<limit, using: &random)
      let length = Int64.random(in: 0..<60, using: &random)
      let category = ["scrolltrace.waiting", "scrolltrace.frame", "a", "b"]
        .randomElement(using: &random)
      builder.addSpan(
        on: main, from: Timestamp(clamping: begin), to: Timestamp(clamping: begin + length),
        label: builder.label(
          category: category ?? "", name: String(Int.random(in: 0..<3, using: &random))))
    }
    return builder.finish()
  }

  /// The position of the innermost span at each nanosecond, by looking at all of them.
  func innermost(in spans: SpanColumns, at time: Int64) -> Int? {
    (0..<spans.count).filter { spans.times[$0].start <= time && time < spans.times[$0].end }.max()
  }

  @Test func `busy time is the number of busy nanoseconds`() async {
    await forEachCase(of: ExtraCases.some(10, of: 0..<40), oneCase)
    @Sendable func oneCase(seed: Int) throws {
      let trace = randomTrace(seed: UInt64(seed), count: seed)
      let spans = trace.tracks[0].spans
      let timeline = BusyTimeline(of: spans.times)
      var random = SeededGenerator(seed: UInt64(seed) + 1000)
      for _ in 0..<20 {
        let begin = Int64.random(in: 0..<450, using: &random)
        let end = Int64.random(in: begin..<460, using: &random)
        let expected = (begin..<end).count { innermost(in: spans, at: $0) != nil }
        let window = TimeRange(start: Timestamp(clamping: begin), end: Timestamp(clamping: end))
        #expect(timeline.busy(in: window).nanoseconds == Int64(expected))
      }
    }
  }

  @Test func `busy time covers the whole range of time`() {
    var builder = TraceBuilder(format: "drawn")
    let track = builder.track(1, of: builder.process(1))
    let (middle, end) = (Int64.max / 2, Int64.max)
    let label = builder.label(category: "a", name: "b")
    for (from, to) in [(0, middle), (middle + 1, end - 1), (end, end)] {
      builder.addSpan(
        on: track, from: Timestamp(clamping: from), to: Timestamp(clamping: to), label: label)
    }
    let trace = builder.finish()
    let timeline = BusyTimeline(of: trace.tracks[0].spans.times)
    #expect(timeline.busy(in: trace.range).nanoseconds == end - 2)
  }

  @Test func `M-11: the load of many tracks is the sum of their busy times`() async {
    await forEachCase(of: 0..<20, oneCase)
    @Sendable func oneCase(seed: Int) throws {
      let timelines = (0..<5).map { part in
        BusyTimeline(
          of: randomTrace(seed: UInt64(seed * 5 + part), count: seed).tracks[0].spans.times)
      }
      let load = LoadTimeline(sum: timelines)
      var random = SeededGenerator(seed: UInt64(seed) + 3000)
      for _ in 0..<20 {
        let begin = Int64.random(in: 0..<450, using: &random)
        let end = Int64.random(in: begin..<460, using: &random)
        let window = TimeRange(start: Timestamp(clamping: begin), end: Timestamp(clamping: end))
        #expect(load.busy(in: window) == timelines.reduce(.zero) { $0 + $1.busy(in: window) })
      }
    }
  }

  @Test func `M-11: the union of tracks is busy where any of them is`() async {
    await forEachCase(of: 0..<20, oneCase)
    @Sendable func oneCase(seed: Int) throws {
      let tracks = (0..<(seed % 7)).map { part in
        randomTrace(seed: UInt64(seed * 9 + part), count: seed).tracks[0].spans
      }
      let windows = (0..<9).map { number in
        let begin = Int64(number * 40 + seed)
        return TimeRange(
          start: Timestamp(clamping: begin), end: Timestamp(clamping: begin + Int64(number * 5)))
      }
      let union = UnionLoad(
        of: tracks.map { BusyTimeline(of: $0.times) },
        before: windows.reversed().flatMap { [$0.start.nanoseconds, $0.end.nanoseconds] })
      for window in windows {
        let expected = (window.start.nanoseconds..<window.end.nanoseconds).count { time in
          tracks.contains { innermost(in: $0, at: time) != nil }
        }
        #expect(
          union.busy(in: TimeRangeSet(union: [window])).nanoseconds == Int64(expected))
      }
    }
  }

  @Test func `M-11: a few ranges in many windows are as busy as many ranges in few windows`() {
    let trace = randomTrace(seed: 7, count: 3)
    let timeline = BusyTimeline(of: trace.tracks[0].spans.times)
    let windows = (0..<40).map {
      TimeRange(start: Timestamp(clamping: $0 * 11), end: Timestamp(clamping: $0 * 11 + 7))
    }
    #expect(
      timeline.busy(in: TimeRangeSet(union: windows))
        == windows.reduce(.zero) { $0 + timeline.busy(in: $1) })
  }

  @Test func `M-16: the parts of an attribution add up to its window`() async {
    await forEachCase(of: ExtraCases.some(10, of: 0..<40), oneCase)
    @Sendable func oneCase(seed: Int) throws {
      let trace = randomTrace(seed: UInt64(seed), count: seed + 1)
      let attributor = try #require(
        Attributor(
          of: trace, TrackWorkload(of: trace, in: TimeRangeSet(union: []), timestamps: [])))
      let spans = trace.tracks[0].spans
      var random = SeededGenerator(seed: UInt64(seed) + 2000)
      for _ in 0..<10 {
        let begin = Int64.random(in: 0..<400, using: &random)
        let end = Int64.random(in: (begin + 1)..<460, using: &random)
        let window = TimeRange(start: Timestamp(clamping: begin), end: Timestamp(clamping: end))
        let result = attributor.attribution(of: window)
        let causes = result.causes.reduce(TimeSpan.zero) { $0 + $1.selfTime }
        #expect(causes + result.waiting + result.idle + result.unrecorded == window.length)
        let waiting = (begin..<end).count { time in
          innermost(in: spans, at: time).map {
            trace.category(of: spans.labels[$0]) == "scrolltrace.waiting"
          } ?? false
        }
        #expect(result.waiting.nanoseconds == Int64(waiting))
      }
    }
  }

  @Test func `self times by category add up to busy time`() async {
    await forEachCase(of: 0..<20, oneCase)
    @Sendable func oneCase(seed: Int) throws {
      let trace = randomTrace(seed: UInt64(seed), count: seed * 2)
      let spans = trace.tracks[0].spans
      let windows = TimeRangeSet(union: [
        TimeRange(start: Timestamp(clamping: 20), end: Timestamp(clamping: 130)),
        TimeRange(start: Timestamp(clamping: 200), end: Timestamp(clamping: 350)),
      ])
      var sums = SelfTimeSums(of: trace, in: windows)
      // Twice: what one track leaves behind must not count for the next.
      for _ in 0..<2 {
        spans.forEachBlock { sums.add($0) }
        let byCategory = sums.finishTrack(spans)
        #expect(
          byCategory.reduce(.zero) { $0 + $1.selfTime }
            == BusyTimeline(of: spans.times).busy(in: windows))
        for entry in byCategory {
          let expected = (0..<400).count { time in
            (20..<130 ~= time || 200..<350 ~= time)
              && innermost(in: spans, at: Int64(time)).map {
                trace.category(of: spans.labels[$0]) == entry.category
              } ?? false
          }
          #expect(entry.selfTime.nanoseconds == Int64(expected))
        }
      }
    }
  }

  @Test func `of spans that are packed, busy and self times are the same`() throws {
    let trace = randomTrace(seed: 1, count: 3_000, startsBefore: 50_000)
    let spans = trace.tracks[0].spans
    // The innermost span of each nanosecond: the last one that starts, as they are sorted.
    var innermost = [Int?](repeating: nil, count: 50_060)
    for index in 0..<spans.count {
      for time in spans.times[index].start..<spans.times[index].end { innermost[Int(time)] = index }
    }
    let timeline = BusyTimeline(of: spans.times)
    var cursor = BusyCursor(timeline)
    for window in [0..<50_060, 17..<18, 17..<900, 900..<14_123, 37_000..<49_999] {
      let range = TimeRange(
        start: Timestamp(clamping: Int64(window.lowerBound)),
        end: Timestamp(clamping: Int64(window.upperBound)))
      let busy = Int64(innermost[window].count { $0 != nil })
      #expect(timeline.busy(in: range).nanoseconds == busy)
      #expect(cursor.busy(in: range) == busy)
      let windows = TimeRangeSet(union: [range])
      var sums = SelfTimeSums(of: trace, in: windows)
      spans.forEachBlock { sums.add($0) }
      for entry in sums.finishTrack(spans) {
        let expected = innermost[window].count {
          $0.map { trace.category(of: spans.labels[$0]) } == entry.category
        }
        #expect(entry.selfTime.nanoseconds == Int64(expected))
      }
      let union = UnionLoad(
        of: [timeline, BusyTimeline(of: SpanTimes())],
        before: [range.start.nanoseconds, range.end.nanoseconds])
      #expect(union.busy(in: windows).nanoseconds == busy)
      #expect(
        timeline.spanIndexes(in: range).indexes
          == spans.times.indices.filter {
            spans.times[$0].start < window.upperBound && spans.times[$0].end > window.lowerBound
          })
    }
  }

  @Test func `moving a span to another track moves its self time and nothing else`() throws {
    func work(innerOn track: UInt64) -> WorkAnalysis {
      var builder = TraceBuilder(format: "drawn")
      let main = builder.mainThread()
      let outer = builder.label(category: "a", name: "outer")
      let inner = builder.label(category: "b", name: "inner")
      builder.addSpan(
        on: main, from: .zero, to: Timestamp(clamping: 100), label: outer)
      builder.addSpan(
        on: builder.track(track, of: builder.process(1)), from: Timestamp(clamping: 30),
        to: Timestamp(clamping: 50), label: inner)
      return TraceAnalyzer().analyze(builder.finish()).work
    }
    let together = work(innerOn: 1)
    let apart = work(innerOn: 2)
    #expect(together.tracks[0].byCategory.first { $0.category == "b" }?.selfTime.nanoseconds == 20)
    #expect(apart.tracks[0].byCategory.map(\.selfTime.nanoseconds) == [100])
    #expect(apart.sums.backgroundBusy?.nanoseconds == 20)
  }
}
