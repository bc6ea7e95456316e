import ScrollTraceImport
import ScrollTraceLayout
import Foundation
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceRecorder

/// Dumps: what a recording holds at a moment, while it goes on.
struct DumpTests {
  /// The counts that each thread's inner spans carry, as they lie in a dump.
  private func counts(_ walker: StrictWalker) -> [UInt64: [UInt64]] {
    var counts: [UInt64: [UInt64]] = [:]
    for event in walker.events.sorted(by: { $0.chunk < $1.chunk }) where event.name == "work" {
      if case .unsigned(let item)? = event.arguments["item"] {
        counts[event.thread, default: []].append(item)
      }
    }
    return counts
  }

  private func hasGap(_ counts: [UInt64]) -> Bool {
    zip(counts, counts.dropFirst()).contains { $0 + 1 != $1 }
  }

  @Test func `a dump is an ordinary trace of everything before the call`() throws {
    let path = TemporaryPath()
    let recorder = try TraceRecorder(to: .memory, options: RingTests.options())
    recorder.setState("screen", to: "Feed")
    let drag = recorder.beginInteraction(.drag)
    let outer = recorder.beginSpan("outer")
    RingTests.work(recorder, 10_000)
    try recorder.dump(to: path.path)
    RingTests.work(recorder, 10_000, from: 10_000)
    recorder.endSpan(outer)
    recorder.endInteraction(drag)
    let bytes = try path.read()
    let walker = try StrictWalker(bytes)
    #expect(
      counts(walker).values.allSatisfy { !hasGap($0) && $0.last == 9_999 && $0.count > 2_000 })
    #expect(walker.chunks.allSatisfy { $0.sealedRecords != nil || $0.flags & 2 != 0 })
    let trace = try Trace.read(bytes)
    #expect(trace.losses.isEmpty)
    #expect(trace.source.wasClosed == true)
    #expect(trace.source.ring?.start != nil)
    #expect(trace.states.map(\.value) == ["Feed"])
    #expect(trace.interactions.map(\.end) == [nil])
    #expect(trace.openSpans.map { trace.name(of: $0.label) } == ["outer"])
    try recorder.finish()
    #expect(throws: RecorderError.self) { try recorder.dump(to: path.path) }
  }

  @Test func `a dump before the first event is an empty recording`() async {
    await forEachCase(of: [nil, 500_000], oneCase)
    @Sendable func oneCase(ringBytes: Int?) throws {
      let recorder = try TraceRecorder(to: .memory, options: .with { $0.ringBytes = ringBytes })
      let path = TemporaryPath()
      try recorder.dump(to: path.path)
      #expect(try StrictWalker(path.read()).chunks.isEmpty)
      let trace = try Trace.read(path.read())
      #expect(trace.losses.isEmpty)
      #expect(trace.source.wasClosed == true)
      try recorder.finish()
    }
  }

  @Test func `a growing recording can be dumped, and a finished one too`() throws {
    let paths = [TemporaryPath(), TemporaryPath()]
    let recorder = try TraceRecorder(to: .memory)
    for index in 0..<5_000 as Range<UInt64> { recorder.withSpan("work", item: ItemID(index)) {} }
    try recorder.dump(to: paths[0].path)
    try recorder.finish()
    try recorder.dump(to: paths[1].path)
    for path in paths {
      let walker = try StrictWalker(path.read())
      #expect(counts(walker).values.map { $0 } == [Array(0..<5_000)])
      #expect(try Trace.read(path.read()).losses.isEmpty)
    }
  }

  @Test func `dumps are complete while threads write and chunks are reused (W8)`() throws {
    let recorder = try TraceRecorder(to: .memory, options: .with { $0.ringBytes = 500_000 })
    let isDone = Locked(false)
    let dumps = Locked<[[UInt8]]>([])
    let failure = Locked<String?>(nil)
    TestThread.run(4) { number in
      if number > 0 {
        var count: UInt64 = 0
        while !isDone.withLock({ $0 }) {
          recorder.withSpan("outer") {
            for _ in 0..<4 {
              recorder.withSpan("work", item: ItemID(count)) {}
              count += 1
            }
          }
          // As fast as hosts are that do something else too.
          if count.isMultiple(of: 100) { usleep(300) }
        }
        return
      }
      defer { isDone.withLock { $0 = true } }
      for _ in 0..<12 {
        usleep(3_000)
        do {
          let path = TemporaryPath()
          try recorder.dump(to: path.path)
          let bytes = try path.read()
          dumps.withLock { $0.append(bytes) }
        } catch {
          failure.withLock { $0 = "\(error)" }
        }
      }
    }
    try recorder.finish()
    #expect(failure.withLock { $0 } == nil)
    #expect(recorder.losses.total == 0)
    let all = dumps.withLock { $0 }
    #expect(all.count == 12)
    for bytes in ExtraCases.some(6, of: all) {
      let walker = try StrictWalker(bytes)
      #expect(!counts(walker).values.contains(where: hasGap))
      let trace = try Trace.read(bytes)
      #expect(trace.losses.isEmpty, "\(trace.losses)")
      #expect(!trace.openSpans.contains { trace.name(of: $0.label).isEmpty })
    }
  }

  /// Shows a frame `late` ns after its target, at `time`.
  private func show(_ recorder: TraceRecorder, at time: Int64, late: Int64) {
    recorder.setTime(time - late - 1_000)
    let frame = recorder.beginFrame(FrameTiming(start: time - late - 1_000, target: time - late))
    frame.phases { $0.commit {} }
    frame.end()
    recorder.setTime(time)
    frame.markPresented(at: time)
  }

  @Test func `a hitch at the limit is dumped by the recorder's own thread`() throws {
    let folder = TemporaryPath()
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder.path) }
    var options = RingTests.options()
    options.hitchDumps = HitchDumpPolicy(
      minimumHitch: 100_000, pathPrefix: folder.path + "/hitch", minimumInterval: 1_000_000,
      maximumCount: 2)
    // One of the app's last run is in the way, and stays.
    try Data("old".utf8).write(to: URL(fileURLWithPath: folder.path + "/hitch-1.fxt"))
    let recorder = try TraceRecorder(to: .memory, options: options)
    func waitForDumps(_ count: Int) {
      for _ in 0..<5_000 where recorder.dumpPaths.count < count { usleep(1_000) }
    }
    show(recorder, at: 1_000_000, late: 99_999)
    show(recorder, at: 2_000_000, late: 100_000)
    waitForDumps(1)
    // Too soon after the first.
    show(recorder, at: 2_900_000, late: 500_000)
    recorder.recordHitch(at: 3_500_000, duration: 100_000)
    waitForDumps(2)
    // Enough.
    show(recorder, at: 9_000_000, late: 500_000)
    try recorder.finish()
    let names = ["/hitch-2.fxt", "/hitch-3.fxt"].map { folder.path + $0 }
    #expect(recorder.dumpPaths == names)
    #expect(recorder.lastDumpError == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 3)
    #expect(
      try String(contentsOfFile: folder.path + "/hitch-1.fxt", encoding: .utf8) == "old")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: names[0]))
    let trace = try Trace.read([UInt8](bytes))
    #expect(trace.surfaces.first?.frames.count == 2)
    #expect(trace.losses.isEmpty)
  }

  @Test func `a commit that ends long after its deadline is dumped`() async {
    await forEachCase(of: [0, 1, 2], oneCase)
    @Sendable func oneCase(way: Int) throws {
      let path = TemporaryPath()
      var options = RingTests.options()
      options.hitchDumps = HitchDumpPolicy(minimumHitch: 100_000, pathPrefix: path.path)
      let recorder = try TraceRecorder(to: .memory, options: options)
      let dump = path.path + "-1.fxt"
      defer { unlink(dump) }
      for late in [99_999, 100_000] as [RecorderTime] {
        #expect(access(dump, F_OK) != 0)
        let tick = FrameTiming(start: recorder.now(), deadline: recorder.now() + 1_000)
        guard way < 2 else {
          recorder.recordFrame(
            tick, commitStart: tick.start, commitEnd: recorder.now() + 1_000 + late)
          continue
        }
        let frame = recorder.beginFrame(tick)
        let phase = frame.beginPhase("layout", atFrameStart: true)
        recorder.setTime(recorder.now() + 1_000 + late)
        switch way {
        case 0: frame.end(endingPhase: phase)
        default:
          recorder.endSpan(phase)
          frame.end()
        }
      }
      try recorder.finish()
      #expect(recorder.dumpPaths == [dump])
      #expect(recorder.lastDumpError == nil)
    }
  }

  @Test func `a frame that ends while recording is off requests no dump`() throws {
    let path = TemporaryPath()
    var options = RingTests.options()
    options.hitchDumps = HitchDumpPolicy(minimumHitch: 100_000, pathPrefix: path.path)
    let recorder = try TraceRecorder(to: .memory, options: options)
    let frame = recorder.beginFrame(FrameTiming(deadline: recorder.now()))
    recorder.setTime(recorder.now() + 1_000_000)
    recorder.isEnabled = false
    frame.end()
    try recorder.finish()
    #expect(recorder.dumpPaths.isEmpty)
  }

  @Test func `presentations are known for the last frames only`() {
    let ticks = RecentFrameTimings()
    #expect(ticks.timing(of: 0)?.target == nil)
    #expect(ticks.timing(of: .max)?.target == nil)
    for frame in 1...100 as ClosedRange<Int64> {
      ticks.keep(UInt64(frame), FrameTiming(target: frame * 10))
    }
    #expect(ticks.timing(of: 100)?.target == 1_000)
    #expect(ticks.timing(of: 100)?.deadline == nil)
    #expect(ticks.timing(of: 37)?.target == 370)
    #expect(ticks.timing(of: 36)?.target == nil)
  }

  @Test func `a failed dump is an error the host can query`() throws {
    var options = RingTests.options()
    options.hitchDumps = HitchDumpPolicy(minimumHitch: 100_000, pathPrefix: "/nowhere/at/all")
    let recorder = try TraceRecorder(to: .memory, options: options)
    show(recorder, at: 2_000_000, late: 100_000)
    try recorder.finish()
    #expect(recorder.dumpPaths.isEmpty)
    #expect(recorder.lastDumpError?.path == "/nowhere/at/all-1.fxt")
  }
}
