import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// Nothing that was lost, and nothing before or after a surface's life, is a hitch (M-3).
@Suite struct LostTimeTests {
  private let refresh: Int64 = 16_666_667
  private let first: Int64 = 1_500_000_000

  /// A drag of two seconds, of which the frames of the last half second were kept.
  private func builder() -> TraceBuilder {
    var builder = TraceBuilder(format: "drawn")
    let process = builder.process(1)
    let main = builder.track(1, of: process)
    builder.setMain(main)
    let idle = builder.track(2, of: process)
    let label = builder.label(category: "work", name: "task")
    // A thread with little to say kept older events.
    builder.addSpan(
      on: idle, from: .zero + .milliseconds(1), to: .zero + .milliseconds(2), label: label)
    let surface = builder.surface("display")
    for index in 0..<30 {
      let start = first + Int64(index) * refresh
      var frame = Frame(id: UInt64(index))
      frame.refreshInterval = TimeSpan(nanoseconds: refresh)
      frame.start = Timestamp(clamping: start)
      frame.commitStart = frame.start
      frame.commitEnd = Timestamp(clamping: start + refresh / 2)
      frame.presented = Timestamp(clamping: start + refresh * 2)
      frame.track = main
      builder.updateFrame(frame, of: surface)
      builder.addSpan(
        on: main, from: Timestamp(clamping: start), to: Timestamp(clamping: start + refresh / 2),
        label: label)
    }
    builder.addInteraction(
      Interaction(kind: "drag", start: .zero, end: Timestamp(clamping: first + 30 * refresh)))
    return builder
  }

  @Test func `what a ring has overwritten is unknown`() throws {
    var ring = builder()
    ring.keepsOnlyLastEvents = true
    let surface = try #require(TraceAnalyzer().analyze(ring.finish()).surfaces.first)
    let ledger = try #require(surface.ledger)
    #expect(surface.hitchTime == .zero)
    // The trace starts with its first event, a millisecond after the drag.
    #expect(abs(ledger.unknown.nanoseconds - first) <= 1_000_000)
    #expect(surface.rated(by: .scroll).rating == .uncertain)
  }

  @Test func `without a loss the same frames answer the drag late`() throws {
    let surface = try #require(TraceAnalyzer().analyze(builder().finish()).surfaces.first)
    #expect(surface.hitchTime == TimeSpan(nanoseconds: first - refresh))
    #expect(surface.ledger?.unknown == .zero)
  }

  @Test func `nothing is owed before and after the life of a surface`() throws {
    var late = builder()
    let display = late.surface("display")
    let end = first + 31 * refresh
    late.setLife(
      TimeRange(start: Timestamp(clamping: first), end: Timestamp(clamping: end)), of: display)
    late.addInteraction(
      Interaction(
        kind: "fling", start: Timestamp(clamping: end), end: Timestamp(clamping: end + first)))
    late.extend(to: Timestamp(clamping: end + 2 * first))
    let surface = try #require(TraceAnalyzer().analyze(late.finish()).surfaces.first)
    #expect(surface.hitchTime == .zero)
    #expect(surface.measuredTime.duration == TimeSpan(nanoseconds: 30 * refresh))
    #expect(surface.interactions.map(\.kind) == ["drag"])
  }

  @Test func `a hole divides a motion, and what follows it starts like a head`() throws {
    var surface = builder().finish().surfaces[0]
    let hole = TimeRange(
      start: Timestamp(clamping: first + 10 * refresh),
      end: Timestamp(clamping: first + 13 * refresh))
    surface.holes = [hole]
    let drag = Interaction(
      kind: "drag", start: Timestamp(clamping: first),
      end: Timestamp(clamping: first + 30 * refresh))
    let motions = MotionRanges(
      [drag], longestRefresh: nil, traceEnd: Timestamp(clamping: first * 2), holes: surface.holes)
    #expect(motions.all.map(\.isLost) == [false, true, false])
    #expect(motions.all[1].start == hole.start && motions.all[1].end == hole.end)
    #expect(motions.time.length == TimeSpan(nanoseconds: 30 * refresh))
  }
}
