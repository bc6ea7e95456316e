import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// Events of tracks, as apps write them with Perfetto's library.
@Suite struct PerfettoTrackEventTests {
  /// A trace of packets on sequence 1.
  private func trace(_ packets: [(inout ProtoWriter) -> Void]) throws -> Trace {
    var writer = ProtoWriter()
    for build in packets {
      writer.message(1) {
        $0.number(10, UInt64(1))
        build(&$0)
      }
    }
    return try TraceFile.read(MemoryByteSource(writer.bytes), path: "unknown")
  }

  private static func thread(
    _ uuid: UInt64, pid: UInt64 = 5, tid: UInt64, name: String
  ) -> (inout ProtoWriter) -> Void {
    {
      $0.message(60) { track in
        track.number(1, uuid)
        track.message(4) {
          $0.number(1, pid)
          $0.number(2, tid)
          $0.text(5, name)
        }
      }
    }
  }

  private static func event(
    _ kind: UInt64, at time: UInt64, on track: UInt64? = nil, name: String? = nil,
    _ more: @escaping (inout ProtoWriter) -> Void = { _ in }
  ) -> (inout ProtoWriter) -> Void {
    { packet in
      packet.number(8, time)
      packet.message(11) {
        $0.number(9, kind)
        if let track { $0.number(11, track) }
        if let name { $0.text(23, name) }
        more(&$0)
      }
    }
  }

  private static func names(_ trace: Trace, _ track: Int) -> [String] {
    let spans = trace.tracks[track].spans
    return (0..<spans.count).map { trace.name(of: spans[$0].label) }
  }

  @Test func `begins and ends of a thread are spans of it, inner ones inside`() throws {
    let trace = try trace([
      Self.thread(7, tid: 5, name: "main"),
      Self.event(1, at: 100, on: 7, name: "outer"), Self.event(1, at: 200, on: 7, name: "inner"),
      Self.event(2, at: 300, on: 7), Self.event(2, at: 900, on: 7),
    ])
    #expect(trace.losses.isEmpty)
    #expect(Self.names(trace, 0) == ["outer", "inner"])
    #expect(trace.tracks[0].spans[0].range.length.nanoseconds == 800)
    #expect(trace.tracks[0].isMain)
    #expect(trace.displayName(of: trace.numberedTracks[0].id) == "main")
  }

  @Test func `a track can be described after its events`() throws {
    let trace = try trace([
      Self.event(1, at: 100, on: 7, name: "a"), Self.event(2, at: 300, on: 7),
      Self.thread(7, tid: 6, name: "worker"),
    ])
    #expect(trace.tracks.map(\.name) == ["worker"])
    #expect(trace.tracks[0].spans.count == 1)
  }

  @Test func `threads that were sampled before their first event keep their names`() throws {
    let sample: (UInt64) -> (inout ProtoWriter) -> Void = { thread in
      {
        $0.number(8, UInt64(50))
        $0.message(66) {
          $0.number(2, UInt64(5))
          $0.number(3, thread)
        }
      }
    }
    let trace = try trace([
      sample(9), sample(5), sample(6),
      Self.thread(7, tid: 6, name: "worker"), Self.thread(8, tid: 5, name: "main"),
      Self.event(1, at: 100, on: 7, name: "a"), Self.event(2, at: 300, on: 7),
      Self.event(1, at: 100, on: 8, name: "b"), Self.event(2, at: 300, on: 8),
    ])
    #expect(trace.tracks.map(\.systemID) == [9, 5, 6])
    #expect(trace.tracks.map(\.name) == ["", "main", "worker"])
    #expect(trace.tracks.map(\.isMain) == [false, true, false])
    #expect(trace.tracks.map(\.spans.count) == [0, 1, 1])
  }

  @Test func `work on its own track belongs to no thread`() throws {
    let trace = try trace([
      Self.thread(7, tid: 5, name: "main"),
      {
        $0.message(60) {
          $0.number(1, UInt64(8))
          $0.number(5, UInt64(7))
          $0.text(2, "requests")
        }
      },
      Self.event(1, at: 100, on: 8, name: "load"), Self.event(1, at: 150, on: 8, name: "parse"),
      Self.event(2, at: 200, on: 8), Self.event(2, at: 900, on: 8),
    ])
    #expect(trace.tracks[0].spans.count == 0)
    #expect(trace.asyncSpans.map { trace.name(of: $0.label) } == ["load", "parse"])
    #expect(trace.asyncSpans.map(\.range.length.nanoseconds) == [800, 50])
  }

  @Test func `names are interned once, and forgotten when the sequence resets`() throws {
    let give: (inout ProtoWriter) -> Void = {
      $0.number(13, UInt64(1))
      $0.message(12) { data in
        data.message(2) {
          $0.number(1, UInt64(3))
          $0.text(2, "bind")
        }
        for (id, name) in [(UInt64(1), "ui"), (2, "list")] {
          data.message(1) {
            $0.number(1, id)
            $0.text(2, name)
          }
        }
      }
    }
    let use = Self.event(3, at: 100) {
      $0.number(10, UInt64(3))
      $0.number(3, UInt64(1))
      $0.number(3, UInt64(2))
    }
    let trace = try trace([give, use, { $0.number(13, UInt64(1)) }, use])
    #expect(trace.marks.map { trace.name(of: $0.label) } == ["bind", ""])
    #expect(trace.marks.map { trace.category(of: $0.label) } == ["ui,list", ""])
    #expect(trace.losses.map(\.reason) == [.undefinedReference])
    #expect(trace.losses.map(\.count) == [2])
  }

  @Test func `packets that depend on lost ones are counted until the state is reset`() throws {
    let needing: (inout ProtoWriter) -> Void = {
      $0.number(13, UInt64(2))
      Self.event(3, at: 100, name: "a")(&$0)
    }
    let trace = try trace([
      needing, { $0.number(13, UInt64(1)) }, needing, { $0.number(42, UInt64(1)) }, needing,
    ])
    #expect(trace.marks.count == 1)
    #expect(trace.losses.map(\.reason) == [.sourceDroppedRecords])
    #expect(trace.losses.map(\.count) == [3])
    #expect(trace.notices.contains { "\($0)".contains("names from before the recording") })
  }

  @Test func `times in microseconds are converted by their sequence's clock`() throws {
    let trace = try trace([
      {
        $0.message(6) { snapshot in
          snapshot.message(1) {
            $0.number(1, UInt64(6))
            $0.number(2, UInt64(5_000_000))
          }
          snapshot.message(1) {
            $0.number(1, UInt64(64))
            $0.number(2, UInt64(1000))
            $0.number(3, UInt64(1))
            $0.number(4, UInt64(1000))
          }
        }
        $0.message(59) { $0.number(58, UInt64(64)) }
      },
      Self.event(3, at: 10, name: "a"), { $0.number(8, UInt64(5)) },
      Self.event(3, at: 1, name: "b"),
    ])
    #expect(trace.marks.map(\.time.nanoseconds) == [5_010_000, 5_016_000])
  }

  @Test func `a clock without a snapshot is reported, and its packets are counted`() throws {
    let trace = try trace([
      {
        $0.number(58, UInt64(3))
        Self.event(3, at: 10, name: "a")(&$0)
      }, Self.event(3, at: 20, name: "b"),
    ])
    #expect(trace.marks.count == 1)
    #expect(trace.losses.map(\.reason) == [.timeOutOfRange])
    #expect(trace.notices.contains { "\($0)".contains("no snapshot") })
  }

  @Test func `the first point of a flow starts it, and a terminating one ends it`() throws {
    let flow: (UInt64) -> (inout ProtoWriter) -> Void = { field in { $0.fixed(field, 77) } }
    let trace = try trace([
      Self.thread(7, tid: 5, name: "main"),
      Self.event(3, at: 30, on: 7, name: "c", flow(48)),
      Self.event(3, at: 10, on: 7, name: "a", flow(47)),
      Self.event(3, at: 20, on: 7, name: "b", flow(47)),
    ])
    #expect(trace.flows.map(\.kind) == [.start, .step, .end])
    #expect(trace.flows.map(\.id) == [77, 77, 77])
  }

  @Test func `app lines in the kernel's buffer are work of their threads`() throws {
    let lines = [
      (100, 5, "B|5|Choreographer#doFrame 9"), (150, 6, "B|5|a|b"), (160, 6, "E"),
      (200, 5, "E|5"), (210, 5, "C|5|queue|3"), (220, 5, "S|5|load|1"), (300, 6, "F|5|load|1"),
      (400, 5, "I|5|tap"),
    ]
    let trace = try trace([
      {
        $0.message(1) { bundle in
          for (time, thread, text) in lines {
            bundle.message(2) { event in
              event.number(1, UInt64(time))
              event.number(2, UInt64(thread))
              event.message(3) { $0.text(2, text + "\n") }
            }
          }
        }
      }
    ])
    #expect(trace.losses.isEmpty)
    #expect(Self.names(trace, 0) == ["Choreographer#doFrame"])
    #expect(Self.names(trace, 1) == ["a|b"])
    #expect(trace.counters.map(\.values) == [[3]])
    #expect(trace.asyncSpans.map(\.range.length.nanoseconds) == [80])
    #expect(trace.marks.count == 1)
    #expect(trace.mainTrack == trace.numberedTracks[0].id)
  }

  @Test func `a track that is its own parent does not loop forever`() throws {
    let trace = try trace([
      {
        $0.message(60) {
          $0.number(1, UInt64(8))
          $0.number(5, UInt64(8))
        }
      }, Self.event(3, at: 1, on: 8, name: "a"),
    ])
    #expect(trace.marks.count == 1)
  }
}

/// Events of tracks, against the tables of Perfetto's own tests.
@Suite(.needsExtraCases) struct PerfettoTrackEventCaseTests {
  @Test func `slices match those of the table`() async {
    await forEachCase(of: [
      ("track_event_tracks", "track_event_tracks_slices"),
      ("TrackEvent__track_event_instant_slices", "track_event_instant_slices"),
      (
        "TrackEvent__track_event_monotonic_trace_clock_slices",
        "track_event_monotonic_trace_clock_slices"
      ),
      ("track_event_typed_args", "track_event_typed_args_slices"),
      ("track_event_with_atrace_separate_tracks", "track_event_with_atrace_separate_tracks"),
    ]) { try oneCase($0, $1) }
    @Sendable func oneCase(_ input: String, _ table: String) throws {
      let trace = try PerfettoCases.trace("track_event/\(input).pftrace")
      let rows = try PerfettoCases.table("track_event/TrackEvent__\(table).expected.csv")
      var found: [String] = []
      for mark in trace.marks {
        found.append("\(mark.time.nanoseconds) 0 \(trace.name(of: mark.label))")
      }
      let asynchronous = trace.asyncSpans.map { ($0.range, $0.label) }
      let synchronous = trace.tracks.flatMap { track in
        (0..<track.spans.count).map { (track.spans[$0].range, track.spans[$0].label) }
      }
      for (range, label) in asynchronous + synchronous {
        found.append(
          "\(range.start.nanoseconds) \(range.length.nanoseconds) \(trace.name(of: label))")
      }
      let expected = rows.map { "\($0["ts"] ?? "") \($0["dur"] ?? "") \($0["name"] ?? "")" }
      #expect(found.sorted() == expected.sorted())
      #expect(trace.losses.isEmpty)
    }
  }

  @Test func `increments of a counter add up separately on each sequence`() throws {
    let trace = try PerfettoCases.trace("track_event/incremental_counter_sequences.pftrace")
    #expect(trace.counters.map(\.times) == [[100, 150, 200, 250]])
    #expect(trace.counters.map(\.values) == [[100, 50, 110, 55]])
    #expect(trace.counters.map { trace.name(of: $0.label) } == ["MyIncrementalCounter"])
  }

  @Test func `an increment that is too long is counted`() async {
    await forEachCase(of: [
      ("delta_timestamp_addition_overflow", Int64(1_000_000), "good")
    ]) { try oneCase($0, $1, $2) }
    @Sendable func oneCase(_ name: String, _ time: Int64, _ kept: String) throws {
      let trace = try PerfettoCases.trace("track_event/TrackEvent__track_event_\(name).pftrace")
      #expect(trace.marks.map { trace.name(of: $0.label) } == [kept])
      #expect(trace.marks.map(\.time.nanoseconds) == [time])
      #expect(trace.losses.map(\.reason) == [.timeOutOfRange])
    }
  }

  @Test func `threads with one number in two processes are two`() throws {
    let trace = try PerfettoCases.trace(
      "track_event/TrackEvent__track_event_same_tids_threads.pftrace")
    let threads = trace.tracks.map {
      "\($0.systemID) \(trace.processes[$0.process.index].systemID) \($0.name)"
    }
    #expect(threads.filter { $0.hasPrefix("1 ") } == ["1 5 t1", "1 10 t2"])
  }

  @Test func `frames of Android are also slices of its threads`() throws {
    let trace = try PerfettoCases.trace("frames/android_doframe_depth.pftrace")
    let main = try #require(trace.mainTrack)
    let names = (0..<trace.tracks[main.index].spans.count).map {
      trace.name(of: trace.tracks[main.index].spans[$0].label)
    }
    #expect(names.contains("Choreographer#doFrame"))
    #expect(trace.tracks.contains { $0.name == "RenderThread" })
    #expect(trace.processes.map(\.name) == ["com.android.systemui"])
  }
}
