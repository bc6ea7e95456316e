import ScrollTraceModel
import Testing

@testable import ScrollTraceImport

/// Samples in Chrome's traces that contradict themselves, or are endless.
@Suite struct SampledStackTests {
  static func node(_ id: Int, _ name: String, parent: Int? = nil) -> String {
    let parent = parent.map { ",\"parent\":\($0)" } ?? ""
    return "{\"id\":\(id),\"callFrame\":{\"functionName\":\"\(name)\"}\(parent)}"
  }

  static func profile(_ nodes: [String], _ samples: [Int], _ deltas: [Int]) -> String {
    #"[{"ph":"P","name":"Profile","pid":1,"tid":1,"id":"1","ts":1,"args":{"data":{"startTime":1000}}},"#
      + #"{"ph":"P","name":"ProfileChunk","pid":1,"tid":2,"id":"1","ts":2,"args":{"data":{"#
      + #""cpuProfile":{"nodes":[\#(nodes.joined(separator: ","))],"samples":\#(samples)},"#
      + #""timeDeltas":\#(deltas)}}}]"#
  }

  static func names(_ trace: Trace, _ sample: Int) -> [String] {
    trace.stackTree.path(of: trace.samples[0].stack(at: sample)).map { trace.strings[$0.name] }
  }

  @Test func `times that run backwards are sorted, and equal ones keep their order`() throws {
    let trace = try read(
      Self.profile(
        [Self.node(1, "(root)"), Self.node(2, "a", parent: 1), Self.node(3, "b", parent: 2)],
        [2, 3, 2, 3], [100, 50, -120, 120]))
    #expect(trace.samples[0].times == [1_030_000, 1_100_000, 1_150_000, 1_150_000])
    #expect((0..<4).map { Self.names(trace, $0).last } == ["a", "a", "b", "b"])
    #expect(Self.names(trace, 2) == ["a", "b"])
    #expect(trace.losses.isEmpty)
  }

  @Test func `samples without a time are lost, and times without a sample are reported`() throws {
    let nodes = [Self.node(1, "(root)"), Self.node(2, "a", parent: 1)]
    let lossy = try read(Self.profile(nodes, [2, 2, 2, 2, 2], [10, 10]))
    #expect(lossy.samples[0].count == 2)
    #expect(lossy.losses.map(\.reason) == [.malformedRecord] && lossy.losses[0].count == 3)
    #expect(lossy.says("sampled stacks without a time: 3"))
    let whole = try read(Self.profile(nodes, [2, 2], [10, 10, 10, 10, 10]))
    #expect(whole.samples[0].count == 2 && whole.losses.isEmpty)
    #expect(whole.says("times without a sampled stack: 3"))
  }

  @Test func `nodes that call themselves in a circle have no stack and are counted`() throws {
    let trace = try read(
      Self.profile(
        [Self.node(1, "a", parent: 2), Self.node(2, "b", parent: 1), Self.node(3, "c", parent: 9)],
        [1, 2, 3, 77], [1, 1, 1, 1]))
    #expect(trace.samples[0].count == 4)
    #expect((0..<4).map { Self.names(trace, $0) } == [[], [], ["c"], []])
    #expect(trace.losses.map(\.reason) == [.invalidValue])
    #expect(trace.says("circular nodes of a profile: 1"))
    #expect(trace.says("unknown nodes of the profile: 1"))
  }

  @Test func `samples of a profiler have fractions of microseconds, and threads without processes`()
    throws
  {
    let trace = try read(
      #"{"traceEvents":[{"ph":"X","name":"t","pid":5,"tid":7,"ts":1,"dur":9}],"#
        + #""stackFrames":{"2":{"name":"b","parent":1},"1":{"name":"a"}},"#
        + #""samples":[{"tid":7,"ts":1.5,"sf":2,"weight":2.6},{"tid":7,"ts":4.25,"sf":1}]}"#)
    #expect(trace.losses.isEmpty)
    #expect(trace.samples[0].times == [1_500, 4_250])
    #expect(Self.names(trace, 0) == ["a", "b"])
    let track = trace.tracks[trace.samples[0].track.index]
    #expect(track.systemID == 7 && trace.processes[track.process.index].systemID == 5)
  }

  @Test func `a chain of frames that is too deep has no stack, and none with a wrong root`() throws
  {
    let frames = (0..<20_000).map { "\"\($0)\":{\"name\":\"f\($0)\",\"parent\":\($0 + 1)}" }
    let trace = try read(
      "{\"traceEvents\":[],\"stackFrames\":{\(frames.joined(separator: ","))},"
        + "\"samples\":[{\"tid\":1,\"ts\":1,\"sf\":0},{\"tid\":1,\"ts\":2,\"sf\":19999}]}")
    #expect((0..<2).map { Self.names(trace, $0) } == [[], ["f19999"]])
    #expect(trace.losses.map(\.reason) == [.limitReached])
  }

  @Test func `chunks go in the order of their times, and one without a profile is named`() throws {
    func chunk(_ id: Int, at time: Int, _ nodes: String, _ samples: String) -> String {
      "{\"ph\":\"P\",\"name\":\"ProfileChunk\",\"pid\":1,\"tid\":2,\"id\":\"0x\(id)\",\"ts\":\(time),"
        + "\"args\":{\"data\":{\"cpuProfile\":{\"nodes\":[\(nodes)],\"samples\":[\(samples)]},"
        + "\"timeDeltas\":[10,20]}}}"
    }
    let trace = try read(
      "[\(chunk(1, at: 9, Self.node(2, "b"), "2,2")),"
        + "\(chunk(1, at: 5, Self.node(1, "a"), "1,1")),\(chunk(8, at: 5, "", "1")),"
        + "{\"ph\":\"P\",\"name\":\"Profile\",\"pid\":1,\"tid\":1,\"id\":\"0x1\",\"ts\":1,"
        + "\"args\":{\"data\":{\"startTime\":100}}}]")
    #expect(trace.samples[0].times == [110_000, 130_000, 140_000, 160_000])
    #expect((0..<4).map { Self.names(trace, $0) } == [["a"], ["a"], ["b"], ["b"]])
    #expect(trace.says("without a start: 1"))
  }

  @Test
  func `a profile in packets has the samples that it has in JSON, on the trace's clock`() throws {
    func event(_ name: String, at time: Int, _ data: String) -> Proto {
      PerfettoMade.event(
        0, at: time,
        [11: 1, 23: .text(name), 4: [10: "data", 9: .text(data)], 6: [2: 80, 6: 1]])
    }
    func chunk(_ nodes: String, _ samples: String) -> String {
      "{\"cpuProfile\":{\"nodes\":[\(nodes)],\"samples\":[\(samples)]},\"timeDeltas\":[10,20]}"
    }
    let trace = try PerfettoMade.trace([
      PerfettoMade.snapshot([(6, 5_000_000), (3, 1_000_000)], primary: nil),
      PerfettoMade.thread(1, process: 50, 51),
      event("Profile", at: 5_000_000, "{\"startTime\":1000}"),
      event("ProfileChunk", at: 9_000_000, chunk(Self.node(2, "b", parent: 1), "2,2")),
      event("ProfileChunk", at: 7_000_000, chunk(Self.node(1, "a"), "1,1")),
    ])
    #expect(trace.losses.isEmpty)
    #expect(trace.samples.map { trace.tracks[$0.track.index].systemID } == [51])
    #expect(trace.samples[0].times == [5_010_000, 5_030_000, 5_040_000, 5_060_000])
    #expect((0..<4).map { Self.names(trace, $0) } == [["a"], ["a"], ["a", "b"], ["a", "b"]])
  }

  @Test func `an event of more than a megabyte is read, and so is the one after it`() throws {
    let nodes = (1...20_000).map {
      Self.node($0, "a function with a long name", parent: $0 > 2 ? $0 - 1 : nil)
    }
    func chunk(_ nodes: [String], _ samples: String) -> String {
      "{\"ph\":\"P\",\"name\":\"ProfileChunk\",\"pid\":1,\"tid\":2,\"id\":\"0x1\",\"ts\":5,"
        + "\"args\":{\"data\":{\"cpuProfile\":{\"nodes\":[\(nodes.joined(separator: ","))],"
        + "\"samples\":[\(samples)]},\"timeDeltas\":[10]}}}"
    }
    let large = chunk(nodes, "10000")
    #expect(large.utf8.count > 1 << 20)
    let trace = try read(
      "[{\"ph\":\"P\",\"name\":\"Profile\",\"pid\":1,\"tid\":1,\"id\":\"0x1\",\"ts\":1,"
        + "\"args\":{\"data\":{\"startTime\":100}}},\(large),\(chunk([], "3"))]")
    #expect(trace.losses.isEmpty)
    #expect(trace.samples[0].count == 2)
    #expect(Self.names(trace, 0).count == 9_999 && Self.names(trace, 1).count == 2)
  }
}
