import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// The order of the spans of a track.
@Suite struct SpanOrderTests {
  /// The spans of one track after they were added in the order of `times`, each with its place.
  static func sorted(_ times: [(Int64, Int64)]) -> [(start: Int64, end: Int64, place: Int)] {
    var builder = TraceBuilder(format: "test")
    let track = builder.track(1, of: builder.process(1))
    for (place, time) in times.enumerated() {
      builder.addSpan(
        on: track, from: Timestamp(clamping: time.0), to: Timestamp(clamping: time.1),
        label: builder.label(category: "", name: "\(place)"))
    }
    let trace = builder.finish()
    let spans = trace.tracks[0].spans
    return (0..<spans.count).map {
      (spans.times[$0].start, spans.times[$0].end, Int(trace.name(of: spans.labels[$0])) ?? -1)
    }
  }

  @Test func `spans ascend by start, longer ones first, equal ones in order of arrival`() async {
    await forEachCase(of: [3, 50, 1_000_000], oneCase)
    @Sendable func oneCase(spread: Int64) throws {
      var generator = SeededGenerator(seed: UInt64(spread))
      // Nearly in order, and in no order at all: both ways of sorting.
      for jump in [3, spread] {
        let times = (0..<2_000).map { index in
          let begin = Int64(index) / 4 + Int64.random(in: 0...jump, using: &generator)
          return (begin, begin + Int64.random(in: 0...2, using: &generator))
        }
        let result = Self.sorted(times)
        for (left, right) in zip(result, result.dropFirst()) {
          #expect((left.start, right.end, left.place) < (right.start, left.end, right.place))
        }
        #expect(Set(result.map(\.place)).count == times.count)
        #expect(result.allSatisfy { times[$0.place] == ($0.start, $0.end) })
      }
    }
  }
}
