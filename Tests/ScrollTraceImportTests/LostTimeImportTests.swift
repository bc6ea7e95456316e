import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// The times of which a source says that it lost the frames.
@Suite struct LostTimeImportTests {
  /// A Perfetto trace of an app's frames at the given milliseconds, all by one writer; those in `lost`
  /// follow packets that it lost.
  private func perfetto(_ frames: [Int], lost: Set<Int>) throws -> Trace {
    try PerfettoMade.trace(
      zip(1..., frames).flatMap { number, milliseconds -> [Proto] in
        let start = 1_000_000_000 + milliseconds * 1_000_000
        let frame: Proto.Content = [
          1: .number(number), 2: .number(number + 99), 3: .number(number + 499), 4: 4242,
          5: "TX - app/app.Activity#1", 6: 1,
        ]
        let isLossy = lost.contains(milliseconds)
        return [
          [8: .number(start), 10: 9, 42: .number(isLossy ? 1 : nil), 76: [4: frame]],
          [8: .number(start + 8_000_000), 10: 9, 76: [5: [1: .number(number)]]],
        ]
      })
  }

  @Test func `packets that a writer of Perfetto lost leave a hole in its sequence`() throws {
    let whole = try perfetto([0, 16, 33, 150, 166], lost: [])
    #expect(whole.surfaces.map(\.holes) == [[]])
    let lossy = try perfetto([0, 16, 33, 150, 166], lost: [150])
    let first = Timestamp.zero + .milliseconds(1_041)
    let last = Timestamp.zero + .milliseconds(1_150)
    #expect(lossy.surfaces.map(\.holes) == [[TimeRange(start: first, end: last)]])
    #expect(lossy.losses.map(\.reason) == [.sourceDroppedRecords])
  }

  @Test func `nothing is known of a process of Chrome after its buffer was full`() throws {
    let text = ChromeSample.text()
    let start = try #require(text.firstRange(of: "\"traceEvents\":["))
    let range = try read(text).range
    let middle = range.start + TimeSpan(nanoseconds: range.length.nanoseconds / 2)
    func trace(process: Int) throws -> Trace {
      let event =
        #"{"ph":"M","pid":\#(process),"tid":1,"ts":0,"name":"trace_buffer_overflowed","#
        + #""args":{"overflowed_at_ts":"\#(middle.nanoseconds / 1000)"}},"#
      var text = text
      text.insert(contentsOf: event, at: start.upperBound)
      return try read(text)
    }
    let from = Timestamp(clamping: middle.nanoseconds / 1000 * 1000)
    let full = try trace(process: 2)
    let hole = TimeRange(start: from, end: range.end)
    #expect(full.surfaces.map(\.holes) == [[hole], [hole]])
    #expect(full.losses.map(\.reason) == [.sourceDroppedRecords])
    // Another process says nothing of the page's frames.
    #expect(try trace(process: 999_999).surfaces.allSatisfy(\.holes.isEmpty))
  }

  /// The times, in milliseconds, of which frames are missing in a trace of lines.
  private func holes(
    _ lines: [String], header: String = #"{"scrolltrace":"ndjson/1","unit":"ms"}"#
  ) throws -> [[Int64]] {
    let text = header + "\n" + lines.joined(separator: "\n")
    return try read(text + "\n").surfaces.flatMap(\.holes).map {
      [$0.start.nanoseconds / 1_000_000, $0.end.nanoseconds / 1_000_000]
    }
  }

  /// The lines of frames that begin every 16 ms.
  private func frames(_ numbers: [Int]) -> [String] {
    numbers.map { #"{"frame":\#($0),"begin":\#($0 * 16),"commitEnd":\#($0 * 16 + 8)}"# }
  }

  @Test
  func `lines that name a frame and cannot be read leave a hole between their neighbours`() throws {
    let cut = #"{"frame":5,"begin":80,"comm"#
    let ends = (before: Array(0...4), after: Array(6...12))
    #expect(try holes(frames(ends.before) + [cut] + frames(ends.after)) == [[64, 96]])
    // A jump with nothing lost near it is the host's own.
    #expect(try holes(frames(ends.before) + frames(ends.after)) == [])
    #expect(try holes(frames(ends.before + ends.after) + [cut] + frames([13])) == [])
    let many = frames([0, 1]) + [cut, cut] + frames([4]) + [cut] + frames([6, 7, 8])
    #expect(try holes(many) == [[16, 96]])
  }

  @Test func `a hole lies where a number is missing although lines are not in the order of time`()
    throws
  {
    let cut = #"{"frame":5,"begin":80,"comm"#
    #expect(try holes(frames([0, 1, 2, 4, 3, 6]) + [cut] + frames([7, 9, 8])) == [[64, 96]])
    // A later line says when an earlier frame was presented.
    let shown = #"{"frame":4,"presented":112}"#
    #expect(try holes(frames([3, 4]) + [cut] + frames([6]) + [shown] + frames([7])) == [[64, 96]])
  }

  @Test func `a lost line hides a frame only where it may have been one`() throws {
    for line in [#"{"span":"x","begin":80,"e"#, "I/App: started", #"{"counter":"x","at":8,"v"#] {
      #expect(try holes(frames([0, 1, 2]) + [line] + frames([3, 4])) == [], "\(line)")
      #expect(try holes(frames([0, 1, 2]) + [line]) == [], "\(line)")
    }
    // Damage that leaves no name: the numbers tell.
    #expect(try holes(frames([0, 1]) + [#"{"fra"#] + frames([3, 4])) == [[16, 48]])
    #expect(try holes(frames([0, 1]) + [#"{"span":"x","beg"#] + frames([3, 4])) == [])
  }

  @Test func `frames without numbers have a hole around each lost row of a frame`() throws {
    func holes(_ rows: [String]) throws -> [[Int64]] {
      try self.holes(rows, header: "kind,begin_ms,commitEnd_ms,name,end_ms")
    }
    let before = ["frame,16,24,,", "frame,32,40,,"]
    let after = ["frame,64,72,,", "frame,80,88,,"]
    let drag = "interaction,0,,drag,200"
    for row in ["frame,soon,56,,", "frame,48", "frame,48,\"56"] {
      #expect(try holes(before + [row] + after) == [[32, 64]], "\(row)")
      // What was lost before the first frame may have been shown before the recording; after the last one, everything
      // is unknown.
      #expect(try holes([drag, row] + after) == [], "\(row)")
      #expect(try holes([drag] + before + [row]) == [[32, 200]], "\(row)")
    }
    #expect(try holes(before + ["span,48,,x,\"56"] + after) == [])
  }

  @Test func `nothing is known of the time after lines that end inside one`() throws {
    let drag = #"{"interaction":"drag","begin":0,"end":200}"#
    func holes(_ end: String) throws -> [TimeRange] {
      let header = #"{"scrolltrace":"ndjson/1","unit":"ms"}"#
      let lines = [header, drag] + frames([0, 1, 2]) + [end]
      return try read(lines.joined(separator: "\n")).surfaces.flatMap(\.holes)
    }
    let hole = TimeRange(start: .zero + .milliseconds(40), end: .zero + .milliseconds(200))
    #expect(try holes(#"{"span":"x","beg"#) == [hole])
    #expect(try holes("").isEmpty)
  }

  @Test func `a lost frame of one surface says nothing of another with all its numbers`() throws {
    func other(_ number: Int) -> String {
      #"{"frame":\#(number),"surface":"other","begin":\#(number * 16)}"#
    }
    let lines = frames([0, 1]) + [other(0), other(1), #"{"frame":2,"beg"#] + frames([3, 4])
    #expect(try holes(lines + [other(2), other(3)]) == [[16, 48]])
  }

  @Test func `of two spans with equal times the one written later is the outer one`() throws {
    func names(_ lines: [String]) throws -> [String] {
      let text = "{\"scrolltrace\":\"ndjson/1\",\"unit\":\"ns\"}\n" + lines.joined(separator: "\n")
      let trace = try read(text + "\n")
      return trace.tracks[0].spans.labels.map { trace.name(of: $0) }
    }
    let times = #""begin":100,"end":200"#
    let spans = ["inner", "middle", "outer"].map { #"{"span":"\#($0)",\#(times)}"# }
    let before = #"{"span":"before","begin":50,"end":100}"#
    #expect(try names(spans + [before]) == ["before", "outer", "middle", "inner"])
    // A frame's commit is around what it was made of, wherever its line is.
    let frame = #"{"frame":1,"commitStart":100,"commitEnd":200}"#
    for place in 0...3 {
      var lines = spans
      lines.insert(frame, at: place)
      #expect(try names(lines) == ["display", "outer", "middle", "inner"])
    }
  }
}
