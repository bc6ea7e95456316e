import ScrollTraceExport
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// Perfetto's packets, taken apart again by hand.
struct PerfettoExporterTests {
  /// What lies on one row: slices as nested as they are, and instants.
  struct Row {
    var thread: String?
    /// What a row of no thread is called.
    var name: String?
    var slices: [String] = []
    var open: [(name: String, start: UInt64)] = []
    var timestamps: [String] = []
    var last: UInt64 = 0
  }

  /// The rows of a file.
  private func rows(_ packets: [ProtoWalk]) -> [UInt64: Row] {
    var rows: [UInt64: Row] = [:]
    // The names that packets so far define, by their kind and number.
    var names: [UInt64: [UInt64: String]] = [:]
    for packet in packets {
      for data in packet.messages(12) {
        for kind in UInt64(1)...3 {
          for entry in data.messages(kind) {
            names[kind, default: [:]][entry.number(1) ?? 0] = entry.text(2)
          }
        }
      }
      for track in packet.messages(60) {
        rows[track.number(1) ?? 0] = Row(
          thread: track.messages(4).first.map { $0.text(5) ?? "" }, name: track.text(2))
      }
      for event in packet.messages(11) {
        let time = packet.number(8) ?? 0
        let id = event.number(11) ?? 0
        guard var row = rows[id] else {
          Issue.record("an event on no row")
          continue
        }
        let category = event.number(3).map { names[1]?[$0] ?? "undefined" } ?? event.text(22)
        let label = event.number(10).map { names[2]?[$0] ?? "undefined" } ?? event.text(23)
        let name = "\(category ?? "")/\(label ?? "")"
        switch event.number(9) {
        case 1:
          #expect(time >= row.last)
          row.open.append((name, time))
          row.last = time
        case 2:
          #expect(time >= row.last)
          row.last = time
          if let begin = row.open.popLast() {
            row.slices.append("\(begin.start) \(time) \(begin.name)")
          } else {
            Issue.record("an end without a begin")
          }
        case 3: row.timestamps.append("\(time) \(name)")
        default: break
        }
        rows[id] = row
      }
    }
    return rows
  }

  @Test func `the rows of a sample hold its spans and marks`() async {
    await forEachCase(of: SampleFiles.some, oneCase)
    @Sendable func oneCase(name: String) throws {
      let trace = try SampleFiles.trace(name)
      let (bytes, leftOut) = trace.exported(as: .perfetto)
      #expect(leftOut[.span] == 0)
      let whole = try #require(ProtoWalk(bytes[...]))
      let packets = whole.messages(1)
      #expect(packets.count == whole.fields.count)
      let rows = rows(packets)
      for row in rows.values where row.thread != nil { #expect(row.open.isEmpty) }
      let crossing = rows.values.filter { $0.name?.hasSuffix(", crossing") == true }
        .flatMap(\.slices).map { $0.replacing(",scrolltrace.overlap/", with: "/") }
      #expect(crossing.count == Int(leftOut[.crossingSpan]))
      let nested = rows.values.filter { $0.thread != nil }.flatMap(\.slices)
      let spans = (nested + crossing).sorted()
      let expected = trace.tracks.flatMap { track in
        track.spans.map { span in
          let range = "\(span.range.start.nanoseconds) \(span.range.end.nanoseconds)"
          return "\(range) \(trace.category(of: span.label))/\(trace.name(of: span.label))"
        }
      }.sorted()
      #expect(firstDifference(spans, expected) == nil)
      let timestamps = rows.values.reduce(0) { $0 + $1.timestamps.count }
      let unset = trace.states.count { $0.value == nil }
      let surfaces = trace.surfaces.count { !$0.frames.isEmpty }
      #expect(timestamps == trace.marks.count + trace.flows.count + unset + surfaces)
      let open = rows.values.reduce(0) { $0 + $1.open.count }
      let lastStates = Dictionary(trace.states.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
      let unended = trace.interactions.count { $0.end == nil }
      #expect(open == trace.openSpans.count + lastStates.values.count { $0 != nil } + unended)
    }
  }

  @Test func `a packet whose names are numbers says that it needs the packets before it`() throws {
    let trace = try SampleFiles.trace("feed-commit-hitches.fxt")
    let (bytes, _) = trace.exported(as: .perfetto)
    let packets = try #require(ProtoWalk(bytes[...])).messages(1)
    // All packets are of one sequence, and only the first forgets what others defined.
    #expect(packets.allSatisfy { $0.number(10) == 1 })
    #expect(packets.first?.number(13) == 1)
    #expect(packets.dropFirst().allSatisfy { $0.number(13) ?? 2 == 2 })
    var (numbered, defined) = (0, Set<String>())
    for packet in packets {
      for data in packet.messages(12) {
        for field in data.fields {
          guard case .bytes(let bytes) = field.value, let entry = ProtoWalk(bytes) else { continue }
          let isNew = defined.insert("\(field.number) \(entry.text(2) ?? "")").inserted
          #expect(isNew)
        }
      }
      guard packet.messages(11).contains(where: { $0.number(10) != nil }) else { continue }
      #expect(packet.number(13) == 2)
      numbered += 1
    }
    #expect(numbered > 100 && numbered > defined.count)
  }

  @Test func `spans, samples and commits of a sample survive the round trip`() async {
    await forEachCase(of: SampleFiles.some.filter { $0.hasSuffix(".fxt") }, oneCase)
    @Sendable func oneCase(name: String) throws {
      let trace = try SampleFiles.trace(name)
      let copy = try trace.copied(as: .perfetto).copy
      #expect(copy.losses.isEmpty)
      let open = Set(trace.openSpans.map { trace.displayName(of: $0.track) + ", open at the end" })
      let work = copy.tracks.filter { !open.contains($0.name) }
      #expect(work.reduce(0) { $0 + $1.spans.count } >= trace.work.count)
      let spans = Set(copy.work)
      #expect(trace.work.allSatisfy(spans.contains))
      #expect(trace.counterSamples.count == copy.counterSamples.count)
      let commits = { (trace: Trace) in
        trace.surfaces.flatMap { surface in
          surface.frames.compactMap { frame -> String? in
            guard let end = frame.commitEnd, let deadline = frame.deadline else { return nil }
            return "\(frame.id) \(end.nanoseconds) \(deadline.nanoseconds)"
          }
        }
      }
      let copied = Set(commits(copy))
      #expect(commits(trace).allSatisfy(copied.contains) && !copied.isEmpty)
    }
  }

  @Test func `the main thread stays the main thread, whatever its number`() throws {
    var builder = TraceBuilder(format: "built")
    let process = builder.process(1)
    builder.setHost(process)
    let loader = builder.track(1, of: process)
    builder.setName("loader", of: loader)
    let main = builder.track(2, of: process)
    builder.setName("main", of: main)
    builder.setMain(main)
    for (track, name) in [(loader, "decode"), (main, "draw")] {
      builder.addSpan(
        on: track, from: .zero, to: Timestamp(clamping: 1_000_000),
        label: builder.label(category: "work", name: name))
    }
    let surface = builder.surface("display")
    builder.updateFrame(
      1, of: surface, commitStart: .zero, commitEnd: Timestamp(clamping: 1_000_000),
      deadline: Timestamp(clamping: 16_000_000), track: main)
    let copy = try builder.finish().copied(as: .perfetto).copy
    #expect(copy.mainTrack.map { copy.tracks[$0.index].name } == "main")
  }

  @Test func `a late commit of a frame presented on time stays one (M-2)`() throws {
    var builder = TraceBuilder(format: "timeline")
    let track = builder.track(1, of: builder.process(1))
    let surface = builder.surface("list")
    for (id, wasOnTime) in [(UInt64(1), true), (2, false)] {
      var frame = Frame(id: id)
      let begin = Int64(id) * 100_000_000
      frame.start = Timestamp(nanoseconds: begin)
      frame.commitStart = frame.start
      frame.deadline = Timestamp(nanoseconds: begin + 16_000_000)
      frame.commitEnd = Timestamp(nanoseconds: begin + 20_000_000)
      frame.outcome = .presented
      frame.wasOnTime = wasOnTime
      frame.track = track
      builder.addFrame(frame, of: surface)
    }
    let (copy, leftOut) = try builder.finish().copied(as: .perfetto)
    #expect(leftOut.isEmpty)
    let frames = copy.surfaces.flatMap { $0.frames }
    #expect(frames.map(\.wasOnTime) == [true, false])
    #expect(frames.map(\.outcome) == [.presented, .presented])
  }

  @Test func `a frame is expected up to its deadline and actual up to its commit's end`() throws {
    let trace = try SampleFiles.trace("feed-commit-hitches.fxt")
    let (bytes, _) = trace.exported(as: .perfetto)
    let packets = try #require(ProtoWalk(bytes[...])).messages(1)
    var begins: [UInt64: (kind: UInt64, start: UInt64, frame: ProtoWalk)] = [:]
    var found: [UInt64: [UInt64: String]] = [:]
    for packet in packets {
      for event in packet.messages(76) {
        let time = packet.number(8) ?? 0
        for kind in UInt64(1)...4 {
          for frame in event.messages(kind) {
            let cookie = try #require(frame.number(1))
            #expect(begins.updateValue((kind, time, frame), forKey: cookie) == nil)
          }
        }
        for end in event.messages(5) {
          let (kind, begin, frame) = try #require(begins[end.number(1) ?? 0])
          found[frame.number(2) ?? 0, default: [:]][kind] = "\(begin) \(time)"
        }
      }
    }
    let surface = try #require(trace.surfaces.first)
    #expect(found.count == surface.frames.count)
    var late = 0
    for frame in surface.frames {
      let parts = found[frame.id] ?? [:]
      func range(_ start: Timestamp?, _ end: Timestamp?) -> String? {
        guard let start, let end else { return nil }
        return "\(start.nanoseconds) \(end.nanoseconds)"
      }
      #expect(parts[3] == range(frame.start, frame.deadline))
      #expect(parts[4] == range(frame.commitStart, frame.commitEnd))
      #expect(parts[1] == range(frame.start, frame.target))
      #expect(parts[2] == range(frame.start, frame.presented))
      if let end = frame.commitEnd, let deadline = frame.deadline, end > deadline { late += 1 }
    }
    let missed = begins.values.count { $0.kind == 4 && $0.frame.number(9) == 64 }
    #expect(missed == late && late > 0)
  }
}
