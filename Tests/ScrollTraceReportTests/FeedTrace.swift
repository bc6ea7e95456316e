import ScrollTraceAnalysis
import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport

/// A scroll through a feed at 60 Hz, with the eight slow frames that graphs are tried on.
struct FeedTrace {
  var frames = 600
  var slow: [Int: Int64] = [
    29: 24_100_000, 120: 33_400_000, 121: 18_200_000, 244: 51_700_000, 300: 17_900_000,
    370: 27_300_000, 480: 84_200_000, 555: 40_000_000,
  ]
  var seed: UInt64 = 1
  var surface = "feed"
  /// The name of the work that makes frames slow, for names that are hostile.
  var culprit = "decodeImage"
  var path = "feed.fxt"
  var hasInteractions = true
  var isHurt = false

  func analysis(_ options: AnalysisOptions = AnalysisOptions()) -> Analysis {
    TraceAnalyzer(options).analyze(trace())
  }

  private func trace() -> Trace {
    var builder = TraceBuilder(format: "fxt")
    builder.source.path = path
    builder.source.byteCount = 1_234_567
    builder.source.wasClosed = !isHurt
    let process = builder.process(4121)
    builder.setName("FeedApp", of: process)
    builder.setHost(process)
    let main = builder.track(4121, of: process)
    builder.setName("main", of: main)
    builder.setMain(main)
    builder.setCompletelyRecorded(main)
    let worker = builder.track(4122, of: process)
    builder.setName("image-worker", of: worker)
    let surfaceID = builder.surface(surface)
    var random = SeededGenerator(seed: seed)
    let start: Int64 = 5_000_000_000
    let refreshInterval: Int64 = 16_666_667
    var refresh: Int64 = 0
    for index in 0..<frames {
      let begin = start + refresh * refreshInterval
      let length = slow[index] ?? Int64.random(in: 6_000_000...11_500_000, using: &random)
      let late = max(0, (length - 1) / refreshInterval)
      add(index, begin, length, late, refreshInterval, main, surfaceID, &builder)
      if index % 3 == 0 {
        builder.addSpan(
          on: worker, from: Timestamp(clamping: begin),
          to: Timestamp(clamping: begin + Int64.random(in: 2_000_000...9_000_000, using: &random)),
          label: builder.label(category: "scrolltrace.image", name: "prepare"))
      }
      refresh += 1 + late
    }
    if hasInteractions {
      builder.addInteraction(
        from: Timestamp(clamping: start),
        to: Timestamp(clamping: start + refresh * refreshInterval / 3))
      builder.addInteraction(
        Interaction(
          kind: "deceleration", name: "fling",
          start: Timestamp(clamping: start + refresh * refreshInterval / 3),
          end: Timestamp(clamping: start + refresh * refreshInterval)))
      builder.addState(StateChange(time: Timestamp(clamping: start), key: "screen", value: "Feed"))
    }
    if isHurt { hurt(&builder, main) }
    return builder.finish()
  }

  private func add(
    _ index: Int, _ start: Int64, _ length: Int64, _ late: Int64, _ refreshInterval: Int64,
    _ main: TrackID, _ surface: SurfaceID, _ builder: inout TraceBuilder
  ) {
    builder.updateFrame(
      index, of: surface, start: Timestamp(clamping: start),
      commitStart: Timestamp(clamping: start), commitEnd: Timestamp(clamping: start + length),
      deadline: Timestamp(clamping: start + refreshInterval),
      target: Timestamp(clamping: start + 2 * refreshInterval),
      presented: Timestamp(clamping: start + (2 + late) * refreshInterval),
      refreshInterval: TimeSpan(nanoseconds: refreshInterval), track: main)
    let layout = length / 4
    builder.addSpan(
      on: main, from: Timestamp(clamping: start), to: Timestamp(clamping: start + layout),
      label: builder.label(category: "scrolltrace.phase", name: "layout"))
    let item = builder.argumentList([
      Argument(key: builder.string("item"), value: .integer(Int64(index)))
    ])
    builder.addSpan(
      on: main, from: Timestamp(clamping: start + layout), to: Timestamp(clamping: start + length),
      label: slow[index] == nil
        ? builder.label(category: "scrolltrace.cell", name: "configure")
        : builder.label(category: "scrolltrace.image", name: culprit), arguments: item)
  }

  private func hurt(_ builder: inout TraceBuilder, _ main: TrackID) {
    builder.offset = 4_096
    builder.countLoss(.checksumMismatch, count: 2)
    builder.addNotice(.notClosed)
    builder.addNotice(.source("the source says: \(culprit)"))
    builder.addOpenSpan(
      on: main, since: Timestamp(clamping: 6_000_000_000),
      label: builder.label(category: "io", name: culprit), item: .integer(7))
    let other = builder.process(77)
    builder.setName("compositor \(culprit)", of: other)
    let track = builder.track(78, of: other)
    builder.addSpan(
      on: track, from: Timestamp(clamping: 5_500_000_000), to: Timestamp(clamping: 5_600_000_000),
      label: builder.label(category: "gpu", name: "compose"))
  }
}
