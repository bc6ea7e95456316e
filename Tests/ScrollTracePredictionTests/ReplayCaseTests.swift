import ScrollTraceAnalysis
import ScrollTraceModel
import Testing

@testable import ScrollTracePrediction

/// Replays of traces that were made for one case each (M-17).
@Suite struct ReplayCaseTests {
  private static let interval = TimeSpan.milliseconds(10)

  private static func time(_ milliseconds: Int64) -> Timestamp {
    Timestamp(clamping: milliseconds * 1_000_000)
  }

  /// A trace of frames and of other work of the main thread, always in motion.
  private func analysis(
    _ frames: [Frame], work: [Range<Int64>] = [], isDragged: Bool = true,
    change: (inout TraceBuilder, TrackID) -> Void = { _, _ in }
  ) -> Analysis {
    var builder = TraceBuilder(format: "drawn")
    let main = builder.track(1, of: builder.process(1))
    builder.setMain(main)
    let surface = builder.surface("display")
    change(&builder, main)
    for frame in frames { builder.updateFrame(frame, of: surface) }
    let commits = frames.compactMap { frame in
      frame.track.flatMap { $0 == main ? frame : nil } ?? (frame.track == nil ? frame : nil)
    }
    for commit in commits {
      guard let begin = commit.commitStart, let end = commit.commitEnd else { continue }
      builder.addSpan(
        on: main, from: begin, to: end, label: builder.label(category: "app", name: "w"))
    }
    for range in work {
      builder.addSpan(
        on: main, from: Self.time(range.lowerBound), to: Self.time(range.upperBound),
        label: builder.label(category: "other", name: "o"))
    }
    if isDragged {
      builder.addInteraction(Interaction(kind: "drag", start: .zero, end: Self.time(1_000)))
    }
    return TraceAnalyzer().analyze(builder.finish())
  }

  private func predictor(_ analysis: Analysis) throws -> Predictor {
    try Predictor(of: analysis, surface: try #require(analysis.surfaces.first))
  }

  @Test func `M-17: deadlines long before their frames do not leave the range of time`() throws {
    // One of more than ten, and less than four years: others are not judged.
    var frames = (0..<20 as Range<Int64>).map {
      Frame(atRefresh: $0, commit: $0 * 10..<$0 * 10 + 3)
    }
    frames[3].start = Timestamp(clamping: 1 << 56)
    frames[3].commitStart = frames[3].start
    frames[3].commitEnd = Timestamp(clamping: 1 << 57 - 6)
    frames[3].deadline = .zero
    frames[3].presented = Timestamp(clamping: 1 << 57 - 1)
    frames[3].refreshInterval = TimeSpan(nanoseconds: 1_000)
    let analysis = analysis(frames)
    let predictor = try predictor(analysis)
    for rate in [1_000, 8_333_333, 1_000_000_000] as [Int64] {
      let prediction = predictor.predict([.refreshInterval(TimeSpan(nanoseconds: rate))])
      #expect(prediction.map { $0.hitchTime >= .zero } ?? true)
    }
  }

  @Test func `M-17: frames without a start stay in their place at another rate`() throws {
    var frames = (0..<30 as Range<Int64>).map {
      Frame(atRefresh: $0, commit: $0 * 10..<$0 * 10 + 3)
    }
    for index in frames.indices { frames[index].start = nil }
    let predictor = try predictor(analysis(frames, isDragged: false))
    let outcome = try #require(predictor.replay.outcome(of: [.refreshInterval(.milliseconds(9))]))
    #expect(outcome.evaluation.frames == 30)
    #expect(outcome.evaluation.hitchTime == .zero)
    #expect(outcome.evaluation.deadlineMisses == 0)
  }

  @Test func `M-17: frames that start late behind other work do so at another rate`() throws {
    let frames = (0..<20 as Range<Int64>).map { number in
      let begin = number * 10 + (number % 4 == 3 ? 4 : 0)
      return Frame(atRefresh: number, commit: begin..<begin + 2)
    }
    let work = stride(from: 3, to: 20, by: 4).map { (Int64($0) * 10 - 4)..<(Int64($0) * 10 + 4) }
    let predictor = try predictor(analysis(frames, work: work))
    #expect(predictor.replayedHitchTime == .zero)
    let prediction = try #require(predictor.predict([.refreshInterval(Self.interval)]))
    #expect(prediction.hitchTime == .zero)
    #expect(prediction.deadlineMisses == 0)
  }

  @Test func `M-17: work of a thread without commits is not replayed`() throws {
    let late = (0..<20 as Range<Int64>).map {
      Frame(atRefresh: $0, commit: $0 * 10..<$0 * 10 + ($0 == 5 ? 18 : 3))
    }
    let analysis = analysis([], work: [50..<68]) { builder, main in
      let other = builder.track(2, of: builder.process(1))
      let surface = builder.surface("display")
      for var frame in late {
        frame.track = other
        builder.updateFrame(frame, of: surface)
      }
    }
    #expect(analysis.surfaces.first?.hitchTime == .milliseconds(10))
    // The thread that commits counts as main, and it has no span.
    #expect(throws: PredictionError.noMainWork) { try predictor(analysis) }
  }

  @Test func `M-17: a change of a recording that its replay is unlike is not predictable`() throws {
    // As in a browser: the next frame starts, by what is stated, before the work that delayed it ends.
    var frames: [Frame] = []
    var start: Int64 = 0
    for number in 0..<40 as Range<Int64> {
      let isLong = number % 4 == 3
      var frame = Frame(id: UInt64(number))
      frame.start = Self.time(start)
      frame.commitStart = Self.time(start + (number % 4 == 0 && number > 0 ? 8 : 0))
      frame.commitEnd = Self.time(start + (isLong ? 27 : number % 4 == 0 ? 9 : 1))
      frame.refreshInterval = Self.interval
      frames.append(frame)
      start += isLong ? 20 : 10
    }
    let predictor = try predictor(analysis(frames))
    let (replayed, recorded) = (
      predictor.replayedHitchTime, try #require(predictor.surface.hitchTime)
    )
    #expect(recorded == .milliseconds(107) && replayed == .milliseconds(197))
    let work = WorkName(category: "app", name: "w")
    let prediction = try #require(predictor.predictRange([.speedup(work, percent: 50)]))
    #expect(prediction.obstacle == .unlikeRecording(replayed: replayed, recorded: recorded))
  }

  @Test func `M-17: work directly after a preparation lets no late frame pass`() throws {
    // The preparation reaches over the refresh at 30 ms, and so does the work behind it.
    let frames = [0, 1, 2, 4, 5].map { Frame(atRefresh: $0, commit: $0 * 10..<$0 * 10 + 2) }
    let analysis = analysis(frames, work: [31..<36]) { builder, main in
      builder.addSpan(
        on: main, from: Self.time(25), to: Self.time(31),
        label: builder.label(category: "scrolltrace.cell", name: "prepare"))
    }
    let surface = try #require(analysis.surfaces.first)
    #expect(surface.hitchTime == .milliseconds(10))
    #expect(try predictor(analysis).replayedHitchTime == .milliseconds(10))
  }
}
