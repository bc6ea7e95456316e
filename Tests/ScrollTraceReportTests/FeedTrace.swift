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
  var hasList = false
  var hasThreadTimes = false
  var hasSamples = false

  func trace() -> Trace {
    var builder = TraceBuilder(format: "fxt")
    builder.source.path = path
    builder.source.byteCount = 1_234_567
    builder.source.wasClosed = !isHurt
    if isHurt && hasList {
      // What only recordings on a real clock have, and flight recorders.
      builder.source.ring = RecordingRing(overwrittenChunkCount: 7)
      builder.source.recorderCost = RecorderCost(
        picosecondsPerRecord: 31_000, recordCount: 48_210, mainRecordCount: 30_000)
    }
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
    if hasList { addList(&builder, main, from: start) }
    if hasSamples { addSamples(&builder, main, from: start, to: start + refresh * refreshInterval) }
    if isHurt { hurt(&builder, main) }
    return builder.finish()
  }

  /// A sample of the main thread each millisecond, of two call paths below `main`.
  private func addSamples(
    _ builder: inout TraceBuilder, _ main: TrackID, from start: Int64, to end: Int64
  ) {
    let series = builder.sampleSeries(
      of: main, event: builder.string("cpu-clock"), weightUnit: builder.string("ns"),
      reach: .period(1_000_000))
    func path(_ names: [String]) -> StackID {
      names.reduce(StackID.empty) { caller, name in
        let function = builder.sampledFunction(
          builder.string(name), in: builder.string("FeedApp"))
        return builder.stack(of: function, calledBy: caller) ?? .empty
      }
    }
    let decode = path(["main", "Feed.update()", "Feed.decodeImage(_:)"])
    let wait = path(["main", "Feed.waitForSocket(_:)", "poll"])
    for (index, time) in stride(from: start, to: end, by: 1_000_000).enumerated() {
      builder.addSample(
        of: index % 3 == 0 ? wait : decode, at: Timestamp(clamping: time), weight: 1_000_000,
        to: series)
    }
  }

  /// Two cells of a list, a snapshot and an image.
  private func addList(_ builder: inout TraceBuilder, _ main: TrackID, from start: Int64) {
    func list(_ pairs: [(String, ArgumentValue)]) -> ArgumentListID {
      builder.argumentList(pairs.map { Argument(key: builder.string($0.0), value: $0.1) })
    }
    func time(_ milliseconds: Int64) -> Timestamp {
      Timestamp(clamping: start + 20_000_000_000 + milliseconds * 1_000_000)
    }
    func span(_ category: String, _ name: String, _ from: Int64, _ to: Int64, _ id: ArgumentListID)
    {
      builder.addSpan(
        on: main, from: time(from), to: time(to),
        label: builder.label(category: "scrolltrace.\(category)", name: name), arguments: id)
    }
    func mark(_ category: String, _ name: String, _ at: Int64, _ id: ArgumentListID) {
      builder.addMark(
        on: main, at: time(at),
        label: builder.label(category: "scrolltrace.\(category)", name: name), arguments: id)
    }
    let feed = ArgumentValue.string(builder.string("feed"))
    let kind = ArgumentValue.string(builder.string("photo"))
    for item in UInt64(1)...2 {
      let first = Int64(item) * 10
      let all = list([
        ("list", feed), ("item", .unsigned(item)), ("kind", kind), ("registration", .unsigned(1)),
        ("reused", .bool(item == 2)), ("ahead", .bool(item == 2)),
      ])
      span("cell", "prepare", first, first + 4, all)
      span("cell", "configure", first, first + 3, list([("list", feed)]))
      span(
        "cell", "size", first + 3, first + 4,
        list([("list", feed), ("estimatedSize", .double(44)), ("size", .double(50))]))
      mark("cell", "willDisplay", first + 9, all)
      mark("image", "placeholder", first + 9, list([("item", .unsigned(item))]))
      mark("image", "final", first + 40, list([("item", .unsigned(item))]))
      mark("image", "cacheMiss", first + 9, list([("item", .unsigned(item))]))
    }
    mark("data", "prefetch", 1, list([("list", feed), ("item", .unsigned(2))]))
    span("data", "load", 2, 3, list([("item", .unsigned(2))]))
    span("image", "decode", 60, 62, list([("item", .unsigned(1))]))
    span(
      "data", "applySnapshot", 70, 72,
      list([
        ("list", feed), ("kind", .string(builder.string("differences"))),
        ("inserted", .unsigned(3)),
      ]))
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

  /// Counts of a thread that ran all the time.
  private func addThreadTimes(_ builder: inout TraceBuilder, _ main: TrackID) {
    builder.addThreadState(
      .running, on: main, from: Timestamp(clamping: 5_000_000_000),
      to: Timestamp(clamping: 16_000_000_000), core: 1)
    for time in [Int64(5_000_000_000), 16_000_000_000] {
      var sample = ThreadTimeSample()
      (sample.cpu, sample.ready) = (time - 5_000_000_000, 0)
      (sample.preemptions, sample.waits, sample.faults, sample.diskFaults) = (0, 0, 0, 0)
      builder.addThreadTime(sample, on: main, at: Timestamp(clamping: time))
    }
  }

  private func hurt(_ builder: inout TraceBuilder, _ main: TrackID) {
    if hasThreadTimes { addThreadTimes(&builder, main) }
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
