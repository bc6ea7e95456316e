import ScrollTraceLayout
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
    let main = builder.mainThread()
    let idle = builder.track(2, of: builder.process(1))
    let label = builder.label(category: "work", name: "task")
    // A thread with little to say kept older events.
    builder.addSpan(
      on: idle, from: .zero + .milliseconds(1), to: .zero + .milliseconds(2), label: label)
    let surface = builder.surface("display")
    for index in 0..<30 {
      let start = first + Int64(index) * refresh
      builder.updateFrame(
        index, of: surface, start: Timestamp(clamping: start),
        commitStart: Timestamp(clamping: start),
        commitEnd: Timestamp(clamping: start + refresh / 2),
        presented: Timestamp(clamping: start + refresh * 2),
        refreshInterval: TimeSpan(nanoseconds: refresh), track: main)
      builder.addSpan(
        on: main, from: Timestamp(clamping: start), to: Timestamp(clamping: start + refresh / 2),
        label: label)
    }
    builder.addInteraction(from: .zero, to: Timestamp(clamping: first + 30 * refresh))
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
    late[display].life = TimeRange(
      start: Timestamp(clamping: first), end: Timestamp(clamping: end))
    late.addInteraction(
      "fling", from: Timestamp(clamping: end), to: Timestamp(clamping: end + first))
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

  /// A smooth drag of two seconds, in which the frames of the refreshes `lost` are missing.
  private func dragWithHole(_ lost: Range<Int64>, isPlaced: Bool) -> TraceBuilder {
    var builder = TraceBuilder(format: "drawn")
    let main = builder.mainThread()
    let surface = builder.surface("display")
    for index in 0..<120 as Range<Int64> where !lost.contains(index) {
      let start = first + index * refresh
      var frame = Frame(id: UInt64(index))
      frame.refreshInterval = TimeSpan(nanoseconds: refresh)
      frame.start = Timestamp(clamping: start)
      frame.commitStart = frame.start
      frame.track = main
      // What became of the last frames before the hole is lost as well.
      if !(lost.lowerBound - 2..<lost.lowerBound).contains(index) {
        frame.commitEnd = Timestamp(clamping: start + refresh / 2)
        frame.presented = Timestamp(clamping: start + refresh * 2)
      }
      builder.updateFrame(frame, of: surface)
    }
    if isPlaced {
      builder.addHole(
        from: Timestamp(clamping: first + (lost.lowerBound - 1) * refresh),
        to: Timestamp(clamping: first + lost.upperBound * refresh), of: builder.process(1))
      // Nobody of this process was asked.
      builder.addHole(
        from: Timestamp(clamping: first), to: Timestamp(clamping: first + 9 * refresh),
        of: builder.process(2))
    }
    builder.addInteraction(
      from: Timestamp(clamping: first), to: Timestamp(clamping: first + 120 * refresh))
    builder.extend(to: Timestamp(clamping: first + 240 * refresh))
    return builder
  }

  @Test func `nothing in a hole in the middle is a hitch`() throws {
    let lossy = dragWithHole(40..<80, isPlaced: true).finish()
    let surface = try #require(TraceAnalyzer().analyze(lossy).surfaces.first)
    let ledger = try #require(surface.ledger)
    #expect(surface.hitchTime == .zero)
    #expect(abs(ledger.unknown.nanoseconds - 41 * refresh) <= 3 * refresh)
    #expect(surface.rated(by: .scroll).rating == .uncertain)
    let whole = dragWithHole(40..<80, isPlaced: false).finish()
    #expect(try #require(TraceAnalyzer().analyze(whole).surfaces.first?.hitchTime) > .zero)
  }

  @Test func `a source without room for the last events says nothing of the end`() throws {
    var full = dragWithHole(60..<120, isPlaced: false)
    full.keepsOnlyFirstEvents = true
    let surface = try #require(TraceAnalyzer().analyze(full.finish()).surfaces.first)
    #expect(surface.hitchTime == .zero)
    #expect(try #require(surface.ledger).unknown.nanoseconds >= 55 * refresh)
  }

  @Test func `--always-moving marks the time from the first sign of a surface to the last`() throws
  {
    var builder = dragWithHole(120..<120, isPlaced: false)
    let other = builder.track(7, of: builder.process(2))
    let label = builder.label(category: "work", name: "task")
    builder.addSpan(
      on: other, from: .zero, to: Timestamp(clamping: first * 9), label: label)
    var options = AnalysisOptions()
    options.isAlwaysMoving = true
    let smooth = try #require(TraceAnalyzer(options).analyze(builder.finish()).surfaces.first)
    #expect(smooth.hitchTime == .zero)
    let frames = TimeSpan(nanoseconds: 119 * refresh)
    #expect(smooth.measuredTime.duration >= frames)
    #expect(smooth.measuredTime.duration <= frames + TimeSpan(nanoseconds: 2 * refresh))
    // A drag that the trace contains is a sign by itself.
    let dragged = try #require(TraceAnalyzer().analyze(builder.finish()).surfaces.first)
    #expect(dragged.measuredTime.duration == TimeSpan(nanoseconds: 120 * refresh))
  }

  @Test func `--always-moving owes a compositor nothing before its first frame`() throws {
    var builder = builder()
    let compositor = builder.surface("compositor")
    for index in 2..<30 {
      let start = first + Int64(index) * refresh
      builder.updateFrame(
        index, of: compositor, start: Timestamp(clamping: start),
        commitEnd: Timestamp(clamping: start + refresh / 2),
        presented: Timestamp(clamping: start + refresh * 2),
        refreshInterval: TimeSpan(nanoseconds: refresh))
    }
    var options = AnalysisOptions()
    options.isAlwaysMoving = true
    let surfaces = TraceAnalyzer(options).analyze(builder.finish()).surfaces
    let app = try #require(surfaces.first { $0.name == "display" }?.hitchTime)
    #expect(app > .zero)
    #expect(surfaces.first { $0.name == "compositor" }?.hitchTime == .zero)
  }

  @Test func `a hole anywhere leaves the hitches outside of it as they are`() async {
    await forEachCase(of: 0..<(ExtraCases.isThorough ? 64 : 1), oneCase)
    @Sendable func oneCase(batch: Int) throws {
      for index in 0..<20 { try checkHole(seed: UInt64(batch * 100 + index)) }
    }
  }

  /// Compares a drag with random hitches with the same one without the frames of a part of it.
  private func checkHole(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let refresh: Int64 = [8_333_333, 16_666_667][Int.random(in: 0...1, using: &random)]
    let way = Int64.random(in: 1...3, using: &random)
    let isExact = Bool.random(using: &random)
    var frames: [(start: Int64, shown: Int64)] = []
    var next = first
    for _ in 0..<Int.random(in: 60...200, using: &random) {
      let isLate = frames.count > 8 && Int.random(in: 0..<10, using: &random) == 0
      let late = isLate ? Int64.random(in: 1...6, using: &random) * refresh : 0
      frames.append((next, next + way * refresh + late))
      next += refresh + late
    }
    let from = Int64.random(in: first...next, using: &random)
    let to = min(next, from + Int64.random(in: 1...60, using: &random) * refresh)
    func hitches(isLossy: Bool) throws -> [TimeRange] {
      var builder = TraceBuilder(format: "drawn")
      let surface = builder.surface("display")
      builder.setMain(builder.track(1, of: builder.process(1)))
      for (index, drawn) in frames.enumerated() {
        var frame = Frame(id: UInt64(index))
        frame.refreshInterval = TimeSpan(nanoseconds: refresh)
        // What was recorded in the hole is missing: whole frames, or when they were presented.
        if isLossy, from <= drawn.start, drawn.start < to { continue }
        frame.start = Timestamp(clamping: drawn.start)
        if !isLossy || drawn.shown < from || drawn.shown >= to {
          frame.presented = Timestamp(clamping: drawn.shown)
          if isExact { frame.target = Timestamp(clamping: drawn.start + way * refresh) }
        }
        builder.updateFrame(frame, of: surface)
      }
      if isLossy {
        builder.addHole(from: Timestamp(clamping: from), to: Timestamp(clamping: to))
      }
      builder.addInteraction(from: Timestamp(clamping: first), to: Timestamp(clamping: next))
      builder.extend(to: Timestamp(clamping: next + 2_000_000_000))
      let analyzed = try #require(TraceAnalyzer().analyze(builder.finish()).surfaces.first)
      return analyzed.hitches.flatMap(\.pieces)
    }
    let whole = try hitches(isLossy: false)
    let lossy = try hitches(isLossy: true)
    let hole = TimeRange(start: Timestamp(clamping: from), end: Timestamp(clamping: to))
    #expect(lossy.allSatisfy { $0.intersection(hole).length <= .zero }, "\(seed)")
    // A gap next to the hole can be known in part.
    let reach = TimeSpan(nanoseconds: refresh * (way + 8))
    func isApart(_ range: TimeRange) -> Bool {
      range.end + reach < hole.start || range.start > hole.end + reach
    }
    #expect(lossy.filter(isApart) == whole.filter(isApart), "\(seed)")
    let time = { (ranges: [TimeRange]) in ranges.reduce(TimeSpan.zero) { $0 + $1.length } }
    #expect(time(lossy) <= time(whole) + TimeSpan(nanoseconds: refresh), "\(seed)")
  }
}
