import ScrollTraceModel
import Testing

@testable import ScrollTraceImport

/// Samples of other profilers that contradict themselves, or are endless.
@Suite struct SampledStackTests {
  static func read(_ text: String) throws -> Trace {
    try TraceFile.read(MemoryByteSource(Array(text.utf8)))
  }

  static func node(_ id: Int, _ name: String, parent: Int? = nil) -> String {
    let parent = parent.map { ",\"parent\":\($0)" } ?? ""
    return "{\"id\":\(id),\"callFrame\":{\"functionName\":\"\(name)\"}\(parent)}"
  }

  static func profile(_ nodes: [String], _ samples: [Int], _ deltas: [Int]) -> String {
    "{\"nodes\":[\(nodes.joined(separator: ","))],\"startTime\":1000,"
      + "\"samples\":\(samples),\"timeDeltas\":\(deltas)}"
  }

  static func names(_ trace: Trace, _ sample: Int) -> [String] {
    trace.stackTree.path(of: trace.samples[0].stack(at: sample)).map { trace.strings[$0.name] }
  }

  @Test func `times that run backwards are sorted, and equal ones keep their order`() throws {
    let trace = try Self.read(
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
    let chrome = { (samples: String, deltas: String) in
      #"[{"ph":"P","name":"Profile","pid":1,"tid":1,"id":"1","ts":1,"args":{"data":{"startTime":1}}},"#
        + #"{"ph":"P","name":"ProfileChunk","pid":1,"tid":2,"id":"1","ts":2,"args":{"data":{"#
        + #""cpuProfile":{"nodes":[{"id":2,"callFrame":{"functionName":"a"}}],"samples":\#(samples)},"#
        + #""timeDeltas":\#(deltas)}}}]"#
    }
    let speedscope = { (samples: String, weights: String) in
      #"{"$schema":"https://www.speedscope.app/file-format-schema.json","shared":{"frames":[{"name":"a"}]},"#
        + #""profiles":[{"type":"sampled","name":"a","unit":"nanoseconds","startValue":0,"#
        + #""samples":\#(samples),"weights":\#(weights)}]}"#
    }
    let (few, many) = ("[10, 10]", "[10, 10, 10, 10, 10]")
    for (short, long) in [
      (
        Self.profile(nodes, [2, 2, 2, 2, 2], [10, 10]),
        Self.profile(nodes, [2, 2], [10, 10, 10, 10, 10])
      ),
      (chrome("[2,2,2,2,2]", few), chrome("[2,2]", many)),
      (speedscope("[[0],[0],[0],[0],[0]]", few), speedscope("[[0],[0]]", many)),
    ] {
      let lossy = try Self.read(short)
      #expect(lossy.samples[0].count == 2)
      #expect(lossy.losses.map(\.reason) == [.malformedRecord] && lossy.losses[0].count == 3)
      #expect(lossy.notices.contains { "\($0)".contains("sampled stacks without a time: 3") })
      let whole = try Self.read(long)
      #expect(whole.samples[0].count == 2 && whole.losses.isEmpty)
      #expect(whole.notices.contains { "\($0)".contains("times without a sampled stack: 3") })
    }
  }

  @Test func `nodes that call themselves in a circle have no stack and are counted`() throws {
    let trace = try Self.read(
      Self.profile(
        [Self.node(1, "a", parent: 2), Self.node(2, "b", parent: 1), Self.node(3, "c", parent: 9)],
        [1, 2, 3, 77], [1, 1, 1, 1]))
    #expect(trace.samples[0].count == 4)
    #expect((0..<4).map { Self.names(trace, $0) } == [[], [], ["c"], []])
    #expect(trace.losses.map(\.reason) == [.invalidValue])
    #expect(trace.notices.contains { "\($0)".contains("in a circle: 1") })
    #expect(trace.notices.contains { "\($0)".contains("does not have: 1") })
  }

  @Test func `a stack of 10 000 functions is kept, and one of 20 000 is counted`() throws {
    func text(_ depth: Int) -> String {
      "app 7/7 1.000001: 5 cycles: \n"
        + (0..<depth).map { "\t  a\($0 % 10) f\($0) (/bin/app)\n" }.joined() + "\n"
    }
    let deep = try Self.read(text(10_000))
    #expect(Self.names(deep, 0).count == 10_000)
    #expect(Self.names(deep, 0).last == "f0")
    let deeper = try Self.read(text(20_000))
    #expect(deeper.samples[0].count == 1 && Self.names(deeper, 0).isEmpty)
    #expect(deeper.losses.map(\.reason) == [.limitReached])
  }

  @Test func `a chain of frames that is too deep has no stack, and none with a wrong root`() throws
  {
    let frames = (0..<20_000).map { "\"\($0)\":{\"name\":\"f\($0)\",\"parent\":\($0 + 1)}" }
    let trace = try Self.read(
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
    let trace = try Self.read(
      "[\(chunk(1, at: 9, Self.node(2, "b"), "2,2")),"
        + "\(chunk(1, at: 5, Self.node(1, "a"), "1,1")),\(chunk(8, at: 5, "", "1")),"
        + "{\"ph\":\"P\",\"name\":\"Profile\",\"pid\":1,\"tid\":1,\"id\":\"0x1\",\"ts\":1,"
        + "\"args\":{\"data\":{\"startTime\":100}}}]")
    #expect(trace.samples[0].times == [110_000, 130_000, 140_000, 160_000])
    #expect((0..<4).map { Self.names(trace, $0) } == [["a"], ["a"], ["b"], ["b"]])
    #expect(trace.notices.contains { "\($0)".contains("without a start: 1") })
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
    let trace = try Self.read(
      "[{\"ph\":\"P\",\"name\":\"Profile\",\"pid\":1,\"tid\":1,\"id\":\"0x1\",\"ts\":1,"
        + "\"args\":{\"data\":{\"startTime\":100}}},\(large),\(chunk([], "3"))]")
    #expect(trace.losses.isEmpty)
    #expect(trace.samples[0].count == 2)
    #expect(Self.names(trace, 0).count == 9_999 && Self.names(trace, 1).count == 2)
  }

  @Test func `samples that perf took without callers have one function`() throws {
    let trace = try Self.read(
      "            list 41  9.553242:    2004008 cpu-clock:ppp:      7f69 a b::c+0x1f (/usr/lib/libc.so.6)\n"
        + "       two words 41/42 [001]  9.554242:    2004008 cpu-clock:ppp:  ffff81 [unknown] ([kernel.kallsyms])\n"
        + "            list 41  9.555242:    2004008 cpu-clock:ppp:      7f69 a b::c+0x2f (/usr/lib/libc.so.6)\n"
    )
    #expect(trace.source.format == "perf-script" && trace.losses.isEmpty)
    #expect(trace.samples.map(\.count) == [2, 1])
    #expect(Self.names(trace, 0) == ["a b::c"] && Self.names(trace, 1) == ["a b::c"])
    #expect(trace.samples[0].weights == [2_004_008, 2_004_008])
    #expect(trace.tracks.map(\.name).contains("two words"))
  }

  @Test func `names with control characters are names, and weights that overflow are bounded`()
    throws
  {
    let trace = try Self.read(
      "a\u{1}b 7 9.5: 9223372036854775807 cycles:u: \n\t 1 x\u{7}\u{1B}[31m\u{2028}y (/m)\n\n"
        + "a\u{1}b 7 9.6: 9223372036854775807 cycles:u: \n\t 1 z (/m)\n\n"
        + "bad line without a time\n\t 1 nobody (/m)\n")
    #expect(trace.samples[0].count == 2)
    #expect(Self.names(trace, 0) == ["x\u{7}\u{1B}[31m\u{2028}y"])
  }

  @Test func `a file of simpleperf that is cut keeps what came before`() throws {
    let sample: [UInt8] = [0x0A, 0x0A, 0x08, 0x05, 0x10, 0x07, 0x1A, 0x04, 0x10, 0x01, 0x18, 0x00]
    var bytes = Array("SIMPLEPERF".utf8) + [1, 0]
    bytes += [UInt8(sample.count), 0, 0, 0] + sample + [200, 0, 0, 0, 1, 2, 3]
    let trace = try TraceFile.read(MemoryByteSource(bytes))
    #expect(trace.samples[0].times == [5])
    #expect(Self.names(trace, 0) == ["[unknown]"])
    #expect(trace.losses.map(\.reason) == [.cutAtEnd])
    #expect(throws: ImportError.self) {
      try TraceFile.read(MemoryByteSource(Array("SIMPLEPERF".utf8) + [1, 0, 0, 0, 0, 0]))
    }
  }

  @Test func `a profile of speedscope names frames by number, and unknown ones too`() throws {
    let trace = try Self.read(
      #"{"$schema":"https://www.speedscope.app/file-format-schema.json","profiles":["#
        + #"{"type":"evented","name":"e"},{"type":"sampled","name":"s","unit":"milliseconds","#
        + #""samples":[[0,9],[0]],"weights":[2,4]}],"shared":{"frames":[{"name":"a"}]}}"#)
    #expect(Self.names(trace, 0) == ["a", "[unknown]"])
    #expect(trace.samples[0].times == [1_000_000, 4_000_000])
    #expect(trace.samples[0].weights == [2, 4])
    #expect(trace.notices.contains { "\($0)".contains("not read: 1") })
  }
}
