import ScrollTraceImport
import Foundation
import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

/// The flight recorder: what it overwrites, and what it never does (W8).
struct RingTests {
  private typealias Session = RecordingLayout.Session

  /// Options of a ring in virtual time.
  static func options(ring bytes: Int = 1) -> RecorderOptions {
    var options = RecorderOptions()
    options.clock = .manual(start: 1_000)
    options.ringBytes = bytes
    return options
  }

  /// Records into memory and gives the bytes.
  static func record(
    _ options: RecorderOptions = options(), _ body: (TraceRecorder) throws -> Void
  ) throws -> [UInt8] {
    try RoundTripTests.record(options: options, body)
  }

  /// Records `count` spans of 10 ns each, one every 100 ns, from `first` on.
  static func work(_ recorder: TraceRecorder, _ count: Int, from first: Int = 0) {
    for index in first..<(first + count) {
      recorder.setTime(Int64(10_000 + index * 100))
      let token = recorder.beginSpan("work", item: ItemID(index))
      recorder.setTime(Int64(10_010 + index * 100))
      recorder.endSpan(token)
    }
  }

  private func items(_ walker: StrictWalker) -> [UInt64] {
    walker.events.filter { $0.name == "work" }.sorted { $0.chunk < $1.chunk }.compactMap {
      guard case .unsigned(let item)? = $0.arguments["item"] else { return nil }
      return item
    }
  }

  private func word(_ walker: StrictWalker, _ field: Int) -> UInt64 { walker.session[field / 8] }

  @Test func `a ring keeps the newest events and states its start (W8)`() throws {
    let count: UInt64 = 20_000
    let bytes = try Self.record { Self.work($0, Int(count)) }
    let walker = try StrictWalker(bytes)
    let items = items(walker)
    let lost = count - UInt64(items.count)
    #expect(items == Array(lost..<count))
    // Four chunks, less what the last one has free.
    #expect(items.count > 3 * 700 && items.count < 4 * 850)
    #expect(Set(walker.chunks.map(\.sequence)).count == walker.chunks.count)
    #expect(word(walker, Session.ringChunks) == 4)
    let overwritten = word(walker, Session.chunksOverwritten)
    // Of all chunks begun, those of the ring, the lasting one and the stacks are left.
    let newest = try #require(walker.chunks.map(\.sequence).max())
    #expect(overwritten == newest - 5)
    // The first span that is left had ended when it found no room in the chunk that is gone.
    let since = word(walker, Session.keptSince)
    #expect(since == 10_011 + lost * 100)
    let trace = try Trace.read(bytes)
    #expect(trace.losses.isEmpty)
    #expect(trace.isComplete)
    #expect(trace.tracks.map(\.spans.count) == [items.count - 1])
    #expect(trace.range.start.nanoseconds == Int64(since))
    #expect(trace.source.ring?.overwrittenChunkCount == overwritten)
    #expect(
      trace.notices.contains(
        .keepsLastPart(length: trace.range.length, overwrittenChunks: overwritten)))
  }

  @Test func `a ring that was never full has lost and overwritten nothing`() throws {
    let bytes = try Self.record { Self.work($0, 100) }
    let trace = try Trace.read(bytes)
    #expect(trace.tracks.map(\.spans.count) == [100])
    #expect(trace.source.ring == RecordingRing(overwrittenChunkCount: 0))
    #expect(trace.losses.isEmpty)
    #expect(!trace.notices.contains { if case .keepsLastPart = $0 { true } else { false } })
  }

  @Test func `the file of a ring does not grow with the recording`() throws {
    func size(_ count: Int) throws -> Int { try Self.record { Self.work($0, count) }.count }
    #expect(try size(8_000) == size(30_000))
    // Ring, lasting part and stacks.
    #expect(try size(8_000) == 4096 + 6 * 32_760)
  }

  @Test func `interactions and states outlive what a ring overwrites (W8)`() throws {
    let bytes = try Self.record { recorder in
      recorder.setState("screen", to: "Start")
      recorder.setTime(2_000)
      recorder.withInteraction(.drag) {}
      recorder.setState("screen", to: "Feed")
      recorder.setState("gone", to: "yes")
      recorder.setState("gone", to: nil)
      let drag = recorder.beginInteraction(
        .deceleration, surface: recorder.registerSurface(named: "list"))
      Self.work(recorder, 20_000)
      recorder.endInteraction(drag)
      recorder.setState("screen", to: "Detail")
    }
    let trace = try Trace.read(bytes)
    let begin = try #require(trace.source.ring?.start)
    #expect(trace.losses.isEmpty)
    #expect(trace.interactions.map(\.kind) == ["deceleration"])
    #expect(trace.interactions.first?.start == begin)
    #expect(trace.interactions.first?.end == trace.range.end)
    #expect(trace.interactions.first?.surface != nil)
    #expect(
      trace.states == [
        StateChange(time: begin, key: "screen", value: "Feed"),
        StateChange(time: trace.range.end, key: "screen", value: "Detail"),
      ])
    #expect(try StrictWalker(bytes).chunks.count { $0.isShared } == 1)
  }

  @Test func `an open span keeps its name when the chunk it began in is gone (F-5, W8)`() throws {
    let path = TemporaryPath()
    let recorder = try TraceRecorder(writingTo: path.path, options: Self.options())
    recorder.nameThread("feed")
    let token = recorder.beginSpan(recorder.registerName("run loop"), SpanCategory("app"), item: 7)
    Self.work(recorder, 20_000)
    let bytes = try path.read()
    let walker = try StrictWalker(bytes, mayEndInPad: true)
    #expect(walker.openSpans.map(\.name) == ["run loop"])
    #expect(walker.openSpans.map(\.category) == ["app"])
    #expect(Array(walker.threadNames.values) == ["feed"])
    #expect(!walker.processName.isEmpty)
    let trace = try Trace.read(bytes)
    #expect(trace.losses.isEmpty)
    #expect(trace.openSpans.map { trace.name(of: $0.label) } == ["run loop"])
    #expect(trace.openSpans.map(\.since.nanoseconds) == [1_000])
    #expect(trace.tracks.map(\.name) == ["feed"])
    recorder.endSpan(token)
    try recorder.finish()
    // It ended in the part that is kept: cut at the begin.
    let finished = try Trace.read(path.read())
    #expect(finished.openSpans.isEmpty)
    let begins = finished.tracks[0].spans.times.map(\.start)
    #expect(begins.first == finished.source.ring?.start?.nanoseconds)
    #expect(finished.name(of: finished.tracks[0].spans.labels[0]) == "run loop")
  }

  @Test
  func `frames that started in the overwritten part are omitted, all others are complete`() throws {
    let bytes = try Self.record { recorder in
      var shown: [RecordedFrame] = []
      for index in 0..<2_000 {
        let time = Int64(10_000_000 + index * 1_000_000)
        recorder.setTime(time)
        let frame = recorder.beginFrame(
          FrameTiming(
            start: time, deadline: time + 800_000, target: time + 2_000_000,
            refreshInterval: 1_000_000))
        frame.phases { $0.layout {} }
        frame.end()
        // Presentation times come two frames late.
        shown.append(frame)
        if shown.count > 2 { shown.removeFirst().markPresented(at: time) }
      }
    }
    let trace = try Trace.read(bytes)
    let surface = try #require(trace.surfaces.first)
    let begin = try #require(trace.source.ring?.start)
    #expect(trace.losses.isEmpty)
    #expect(surface.basis == .target)
    #expect(surface.frames.count > 200)
    var last: UInt64?
    for index in 0..<surface.frames.count {
      let frame = surface.frames[index]
      #expect(frame.start.map { $0 >= begin } == true)
      #expect(frame.target != nil && frame.commitEnd != nil)
      #expect(frame.presented != nil || frame.id > 1_998)
      if let last { #expect(frame.id == last + 1) }
      last = frame.id
    }
    #expect(last == 2_000)
  }

  @Test func `a frame that hangs until the end is kept while others fill the ring`() throws {
    let path = TemporaryPath()
    let recorder = try TraceRecorder(writingTo: path.path, options: Self.options())
    let frame = recorder.beginFrame(FrameTiming(start: 900, deadline: 5_000, target: 9_000))
    let layout = frame.beginPhase("layout")
    Self.work(recorder.makeSimulatedThread(id: 77, name: "loader"), 20_000)
    let trace = try Trace.read(path.read())
    #expect(trace.surfaces.first?.frames.count == 1)
    #expect(trace.openSpans.map { trace.name(of: $0.label) } == ["display", "layout"])
    recorder.endSpan(layout)
    frame.end()
    try recorder.finish()
  }

  @Test func `a ring has twice as many chunks as threads, whatever was requested (W8)`() throws {
    let bytes = try Self.record { recorder in
      let threads = (1...12).map { recorder.makeSimulatedThread(id: UInt32($0), name: "t\($0)") }
      for index in 0..<40 { for thread in threads { Self.work(thread, 200, from: index * 200) } }
    }
    let walker = try StrictWalker(bytes)
    #expect(walker.chunks.count { !$0.isShared && $0.flags & 2 == 0 } == 24)
    let trace = try Trace.read(bytes)
    #expect(trace.losses.isEmpty)
    let begin = try #require(trace.source.ring?.start).nanoseconds
    // Nothing is missing from the begin on, of any thread.
    let expected = (0..<8_000).count { 10_010 + $0 * 100 >= begin }
    #expect(expected > 0)
    #expect(
      trace.tracks.filter { $0.name.hasPrefix("t") }.map(\.spans.count)
        == Array(repeating: expected, count: 12))
  }

  @Test
  func `if the durable part is full, states go to ordinary chunks and are counted (W8)`() throws {
    let bytes = try Self.record { recorder in
      for index in 0..<20_000 {
        recorder.setTime(Int64(10_000 + index))
        recorder.setState("key", to: "value \(index % 7)")
      }
    }
    let walker = try StrictWalker(bytes)
    #expect(walker.chunks.count { $0.isShared } == 16)
    let spilled = word(walker, Session.notDurable)
    #expect(spilled > 0)
    let trace = try Trace.read(bytes)
    #expect(trace.losses.isEmpty)
    #expect(trace.states.last?.value == "value \(19_999 % 7)")
    #expect(
      trace.notices.contains {
        if case .source(let text) = $0 { text.hasPrefix("\(spilled) states") } else { false }
      })
  }

  @Test
  func `a span whose end found no room in the durable part is not taken to continue (W8)`() throws {
    let bytes = try Self.record { recorder in
      recorder.setTime(5_000)
      recorder.setState("held", to: "since long")
      let drag = recorder.beginInteraction(.drag)
      for index in 0..<20_000 {
        recorder.setTime(Int64(10_000 + index))
        recorder.setState("key", to: "value \(index % 7)")
      }
      recorder.endInteraction(drag)
      recorder.setState("held", to: nil)
      for index in 0..<40_000 {
        recorder.setTime(Int64(40_000 + index))
        recorder.withSpan("work") {}
      }
    }
    #expect(word(try StrictWalker(bytes), Session.notDurable) > 0)
    let trace = try Trace.read(bytes)
    let begin = try #require(trace.source.ring?.start)
    #expect(begin.nanoseconds > 40_000)
    #expect(trace.interactions.isEmpty)
    #expect(trace.states.isEmpty)
  }

  @Test func `the maximum size makes a ring smaller and loses nothing`() throws {
    var options = Self.options(ring: 1 << 20)
    options.maximumBytes = 4096 + 5 * 32_760
    let bytes = try Self.record(options) { Self.work($0, 20_000) }
    let trace = try Trace.read(bytes)
    #expect(bytes.count <= options.maximumBytes)
    #expect(trace.losses.isEmpty)
    #expect(items(try StrictWalker(bytes)).last == 19_999)
  }

  @Test func `a ring in an unmapped file holds the same events`() throws {
    let path = TemporaryPath()
    let recorder = try TraceRecorder(to: .file(path: path.path), options: Self.options())
    Self.work(recorder, 20_000)
    // What is written so far can be read: the process may die at any time.
    #expect(try Trace.read(path.read()).losses.isEmpty)
    try recorder.finish()
    let trace = try Trace.read(path.read())
    #expect(trace.losses.isEmpty)
    #expect(items(try StrictWalker(path.read())).last == 19_999)
  }

  @Test
  func `a recording in virtual time that keeps everything states only its length (F-8)`() throws {
    let options = RecorderOptions.with { $0.clock = .manual(start: 0) }
    let walker = try StrictWalker(options: options) { Self.work($0, 10) }
    #expect(walker.session[(Session.size / 8)..<(Session.finishedSize / 8)].allSatisfy { $0 == 0 })
    #expect(walker.session[Session.finishedChunks / 8] == UInt64(walker.chunks.count))
    #expect(
      walker.session[Session.finishedSize / 8]
        == 4096 + 32_760 * UInt64(walker.chunks.count))
    let ring = try StrictWalker(Self.record { Self.work($0, 10) })
    #expect(ring.session.count == Session.extendedSize / 8)
    for session in [walker.session, ring.session] {
      #expect(session.count == Session.extendedSize / 8)
      #expect(session[0] >> 16 & 0xFFFF == 3)
    }
  }

  @Test func `threads that come and go leave their chunks to the ring`() throws {
    let recorder = try TraceRecorder(to: .memory, options: .with { $0.ringBytes = 1 << 18 })
    for turn in 0..<60 {
      TestThread.run {
        for index in 0..<2_000 { recorder.withSpan("work", item: ItemID(turn * 2_000 + index)) {} }
      }
    }
    try recorder.finish()
    let trace = try Trace.read(#require(recorder.recordedBytes))
    #expect(trace.losses.isEmpty)
    #expect(recorder.losses.total == 0)
    #expect((trace.source.ring?.overwrittenChunkCount ?? 0) > 50)
  }
}
