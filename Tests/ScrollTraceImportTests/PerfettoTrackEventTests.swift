import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// Events of tracks, as apps write them with Perfetto's library.
@Suite struct PerfettoTrackEventTests {
  private static func event(
    _ kind: Int, at time: Int, on track: Int? = nil, name: String? = nil, _ more: Proto = [:]
  ) -> Proto {
    let content: Proto = [9: .number(kind), 11: .number(track), 23: .text(name)]
    return [10: 1, 8: .number(time), 11: .message(content, more)]
  }

  private static func names(_ trace: Trace, _ track: Int) -> [String] {
    trace.tracks[track].spans.labels.map { trace.name(of: $0) }
  }

  private static let main = PerfettoMade.thread(7, process: 5, 5, name: "main")
  private static let worker = PerfettoMade.thread(7, process: 5, 6, name: "worker")

  @Test func `begins and ends of a thread are spans of it, inner ones inside`() throws {
    let trace = try PerfettoMade.trace([
      Self.main, Self.event(1, at: 100, on: 7, name: "outer"),
      Self.event(1, at: 200, on: 7, name: "inner"), Self.event(2, at: 300, on: 7),
      Self.event(2, at: 900, on: 7),
    ])
    #expect(trace.losses.isEmpty)
    #expect(Self.names(trace, 0) == ["outer", "inner"])
    #expect(trace.tracks[0].spans[0].range.length.nanoseconds == 800)
    #expect(trace.tracks[0].isMain)
    #expect(trace.displayName(of: trace.numberedTracks[0].id) == "main")
  }

  @Test func `a track can be described after its events`() throws {
    let trace = try PerfettoMade.trace([
      Self.event(1, at: 100, on: 7, name: "a"), Self.event(2, at: 300, on: 7), Self.worker,
    ])
    #expect(trace.tracks.map(\.name) == ["worker"])
    #expect(trace.tracks[0].spans.count == 1)
  }

  @Test func `threads that were sampled before their first event keep their names`() throws {
    let samples = [9, 5, 6].map { thread -> Proto in
      [10: 1, 8: 50, 66: [2: 5, 3: .number(thread)]]
    }
    let trace = try PerfettoMade.trace(
      samples + [
        Self.worker, PerfettoMade.thread(8, process: 5, 5, name: "main"),
        Self.event(1, at: 100, on: 7, name: "a"), Self.event(2, at: 300, on: 7),
        Self.event(1, at: 100, on: 8, name: "b"), Self.event(2, at: 300, on: 8),
      ])
    #expect(trace.tracks.map(\.systemID) == [9, 5, 6])
    #expect(trace.tracks.map(\.name) == ["", "main", "worker"])
    #expect(trace.tracks.map(\.isMain) == [false, true, false])
    #expect(trace.tracks.map(\.spans.count) == [0, 1, 1])
  }

  @Test func `work on its own track belongs to no thread`() throws {
    let trace = try PerfettoMade.trace([
      Self.main, [60: [1: 8, 5: 7, 2: "requests"]],
      Self.event(1, at: 100, on: 8, name: "load"), Self.event(1, at: 150, on: 8, name: "parse"),
      Self.event(2, at: 200, on: 8), Self.event(2, at: 900, on: 8),
    ])
    #expect(trace.tracks[0].spans.count == 0)
    #expect(trace.asyncSpans.map { trace.name(of: $0.label) } == ["load", "parse"])
    #expect(trace.asyncSpans.map(\.range.length.nanoseconds) == [800, 50])
  }

  @Test
  func `ends of work from before the recording are no loss, even after other work (E-39)`() throws {
    let trace = try PerfettoMade.trace([
      Self.main, Self.event(1, at: 100, on: 7, name: "load"), Self.event(2, at: 150, on: 7),
      Self.event(2, at: 160, on: 7), Self.event(2, at: 170, on: 7),
    ])
    #expect(trace.losses.isEmpty)
    #expect(trace.says("before the recording, of which only the end is known: 2"))
    #expect(trace.tracks[0].spans.count == 1)
  }

  @Test func `names are interned once, and forgotten when the sequence resets`() throws {
    let use = Self.event(3, at: 100, [10: 3, 3: 1, 3: 2])
    let trace = try PerfettoMade.trace([
      [10: 1, 13: 1, 12: [2: [1: 3, 2: "bind"], 1: [1: 1, 2: "ui"], 1: [1: 2, 2: "list"]]], use,
      [10: 1, 13: 1], use,
    ])
    #expect(trace.marks.map { trace.name(of: $0.label) } == ["bind", ""])
    #expect(trace.marks.map { trace.category(of: $0.label) } == ["ui,list", ""])
    #expect(trace.lossCounts == [.undefinedReference: 2])
  }

  @Test func `packets that depend on lost ones are counted until the state is reset`() throws {
    let needing: Proto = [10: 1, 13: 2, 8: 100, 11: [9: 3, 23: "a"]]
    let trace = try PerfettoMade.trace([
      needing, [10: 1, 13: 1], needing, [10: 1, 42: 1], needing,
    ])
    #expect(trace.marks.count == 1)
    #expect(trace.lossCounts == [.sourceDroppedRecords: 3])
    #expect(trace.says("names from before the recording"))
  }

  @Test func `times in microseconds are converted by their sequence's clock`() throws {
    let clocks: Proto.Content = [
      1: [1: 6, 2: 5_000_000], 1: [1: 64, 2: 1000, 3: 1, 4: 1000],
    ]
    let trace = try PerfettoMade.trace([
      [10: 1, 6: clocks, 59: [58: 64]], Self.event(3, at: 10, name: "a"), [10: 1, 8: 5],
      Self.event(3, at: 1, name: "b"),
    ])
    #expect(trace.marks.map(\.time.nanoseconds) == [5_010_000, 5_016_000])
  }

  @Test func `a clock without a snapshot is reported, and its packets are counted`() throws {
    let trace = try PerfettoMade.trace([
      [10: 1, 58: 3, 8: 10, 11: [9: 3, 23: "a"]], Self.event(3, at: 20, name: "b"),
    ])
    #expect(trace.marks.count == 1)
    #expect(trace.losses.map(\.reason) == [.timeOutOfRange])
    #expect(trace.says("no snapshot"))
  }

  @Test func `the first point of a flow starts it, and a terminating one ends it`() throws {
    let trace = try PerfettoMade.trace([
      Self.main, Self.event(3, at: 30, on: 7, name: "c", [48: .fixed(77)]),
      Self.event(3, at: 10, on: 7, name: "a", [47: .fixed(77)]),
      Self.event(3, at: 20, on: 7, name: "b", [47: .fixed(77)]),
    ])
    #expect(trace.flows.map(\.kind) == [.start, .step, .end])
    #expect(trace.flows.map(\.id) == [77, 77, 77])
  }

  @Test func `app lines in the kernel's buffer are work of their threads`() throws {
    let trace = try PerfettoMade.trace([
      PerfettoMade.lines([
        (100, 5, "B|5|Choreographer#doFrame 9"), (150, 6, "B|5|a|b"), (160, 6, "E"),
        (200, 5, "E|5"), (210, 5, "C|5|queue|3"), (220, 5, "S|5|load|1"), (300, 6, "F|5|load|1"),
        (400, 5, "I|5|tap"),
      ])
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
    let trace = try PerfettoMade.trace([
      [60: [1: 8, 5: 8]], Self.event(3, at: 1, on: 8, name: "a"),
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

  @Test func `an increment that is too long is counted`() throws {
    let trace = try PerfettoCases.trace(
      "track_event/TrackEvent__track_event_delta_timestamp_addition_overflow.pftrace")
    #expect(trace.marks.map { trace.name(of: $0.label) } == ["good"])
    #expect(trace.marks.map(\.time.nanoseconds) == [1_000_000])
    #expect(trace.losses.map(\.reason) == [.timeOutOfRange])
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
