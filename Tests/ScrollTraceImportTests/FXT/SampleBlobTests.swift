import ScrollTraceImport
import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// Blobs of Perfetto's packets with sampled stacks (F-9).
@Suite struct SampleBlobTests {
  /// A module of the blob, which has the number of its position.
  struct Module {
    var path: [String]
    var buildID: [UInt8]
  }

  /// The payload of a blob: stacks of addresses in modules, the outermost first, one each millisecond.
  static func payload(
    _ modules: [Module], _ stacks: [[(module: Int, address: UInt64)]], thread: Int = 101
  ) -> [UInt8] {
    let samples = stacks.indices.map { index in
      sample(at: index * 1_000_000 + 1, of: thread, stack: index + 1, sequence: 1)
    }
    return PerfettoMade.bytes([[10: 1, 13: 1, 12: interned(modules, stacks)]] + samples)
  }

  private static func sample(
    at time: Int, of thread: Int = 101, stack: Int?, sequence: Int? = nil
  ) -> Proto {
    let content: Proto.Content = [
      2: .number(ProfileSample.process), 3: .number(thread), 4: .number(stack),
    ]
    return [8: .number(time), 10: .number(sequence), 66: content]
  }

  private static func interned(
    _ modules: [Module], _ stacks: [[(module: Int, address: UInt64)]]
  ) -> Proto.Content {
    var fields: [(Int, Proto.Content)] = []
    var (part, frame) = (0, 0)
    for (number, module) in zip(1..., modules) {
      let parts = (part + 1)..<(part + 1 + module.path.count)
      part += parts.count
      for (index, text) in zip(parts, module.path) {
        fields.append((17, [1: .number(index), 2: .text(text)]))
      }
      fields.append((16, [1: .number(number), 2: .bytes(module.buildID)]))
      let path = Proto.Content.repeated(parts.map { .number($0) })
      fields.append((19, [1: .number(number), 2: .number(number), 7: path]))
    }
    for (number, stack) in zip(1..., stacks) {
      let frames = (frame + 1)..<(frame + 1 + stack.count)
      frame += frames.count
      for (index, code) in zip(frames, stack) {
        fields.append(
          (6, [1: .number(index), 3: .number(code.module + 1), 4: .number(code.address)]))
      }
      fields.append((7, [1: .number(number), 2: .repeated(frames.map { .number($0) })]))
    }
    return .message(Proto(fields))
  }

  static let app = Module(path: ["bin", "app"], buildID: [0x01, 0xAB])

  /// A recording whose helper thread 7 has written blobs, beside a span of thread 101.
  static func recording(_ payloads: [[UInt8]]) -> [UInt8] {
    let spans = ProfileSample.Chunk(sequence: 0) { writer in
      writer.append(.complete(end: 5_000_000), .inline("a"), .inline("b"), at: 1)
    }
    let blobs = ProfileSample.Chunk(sequence: 1, thread: 7, flags: 0) { writer in
      for payload in payloads { writer.appendBlob("scrolltrace.samples", payload, type: 3) }
    }
    return ProfileSample(chunks: [spans, blobs]).bytes
  }

  static func names(_ trace: Trace, _ sample: Int) -> [String] {
    guard let series = trace.samples.first, sample < series.count else { return [] }
    return trace.stackTree.path(of: series.stack(at: sample)).map { trace.strings[$0.name] }
  }

  @Test
  func `samples go to the thread they are of, and unnamed code keeps its module (F-9)`() throws {
    let trace = try readTrace(
      Self.recording([Self.payload([Self.app], [[(0, 0x40), (0, 0x1F)], [(0, 0x40)]])]))
    #expect(trace.losses.isEmpty)
    #expect(trace.samples.map { trace.tracks[$0.track.index].systemID } == [101])
    #expect(trace.samples.first?.times == [1, 1_000_001])
    #expect(Self.names(trace, 0) == ["app+0x40", "app+0x1f"])
    let codes = trace.stackTree.codes.values.sorted { $0.address < $1.address }
    #expect(codes.map(\.address) == [0x1F, 0x40])
    #expect(codes.map { trace.strings[$0.path] } == ["/bin/app", "/bin/app"])
    #expect(codes.map { trace.strings[$0.buildID] } == ["01ab", "01ab"])
  }

  @Test func `each blob stands on its own: its numbers mean nothing in the next one`() throws {
    let other = Module(path: ["lib", "lib.so"], buildID: [2])
    let trace = try readTrace(
      Self.recording([
        Self.payload([Self.app], [[(0, 1)]]), Self.payload([other], [[(0, 1)]]),
      ]))
    #expect(trace.samples.first?.count == 2)
    #expect(Set([Self.names(trace, 0), Self.names(trace, 1)]) == [["app+0x1"], ["lib.so+0x1"]])
  }

  @Test func `two modules with one file name are different code`() throws {
    let other = Module(path: ["old", "app"], buildID: [2])
    let trace = try readTrace(
      Self.recording([Self.payload([Self.app, other], [[(0, 1), (1, 1)]])]))
    #expect(Self.names(trace, 0) == ["app+0x1", "/old/app 02+0x1"])
    #expect(Set(trace.stackTree.codes.values).count == 2)
  }

  @Test
  func `a stack of an unknown number, and one of unknown frames, are kept without them`() throws {
    let blob = PerfettoMade.bytes([Self.sample(at: 5, stack: 77)])
    let trace = try readTrace(Self.recording([blob]))
    #expect(trace.samples.first?.count == 1)
    #expect(Self.names(trace, 0).isEmpty)
    #expect(trace.says("name no known stack: 1"))
  }

  @Test
  func `samples behind the last event extend the recording, a single late one does not`() throws {
    // A span until 5 ms, and samples each millisecond until 19 ms.
    let stacks = [[(module: Int, address: UInt64)]](repeating: [(0, 1)], count: 20)
    let trace = try readTrace(Self.recording([Self.payload([Self.app], stacks)]))
    #expect(trace.range.end.nanoseconds == 19_000_001)
    let late = PerfettoMade.bytes([Self.sample(at: 9_000_000_000, stack: nil)])
    let other = try readTrace(Self.recording([Self.payload([Self.app], stacks), late]))
    #expect(other.range.end.nanoseconds == 19_000_001)
  }

  @Test func `damage inside a blob costs samples, never the events around it`() throws {
    let payload = Self.payload([Self.app], [[(0, 0x40), (0, 0x1F)], [(0, 0x40)]])
    for length in ExtraCases.some(15, of: payload.indices) {
      let trace = try readTrace(Self.recording([Array(payload[..<length])]))
      #expect(trace.spanCount == 1)
      #expect((trace.samples.first?.count ?? 0) <= 2)
    }
    for position in ExtraCases.some(30, of: payload.indices) {
      var copy = payload
      copy[position] ^= 1 << (position % 8)
      let trace = try readTrace(Self.recording([copy]))
      #expect(trace.spanCount == 1)
    }
  }
}
