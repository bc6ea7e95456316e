import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// Traces of packets that are damaged, cut or made to do harm.
@Suite struct PerfettoDamageTests {
  /// `count` packets with a mark each, and where each one begins.
  private static func marks(_ count: Int) -> (bytes: [UInt8], starts: [Int]) {
    var bytes: [UInt8] = []
    var starts: [Int] = []
    for number in 0..<count {
      starts.append(bytes.count)
      bytes += PerfettoMade.bytes([
        [8: .number(1000 + number), 11: [9: 3, 23: "mark \(number)"]]
      ])
    }
    return (bytes, starts)
  }

  @Test func `one wrong length costs one packet, and its position is reported`() throws {
    var (bytes, starts) = Self.marks(40)
    bytes[starts[20] + 1] = 0x7F
    let trace = try read(bytes)
    #expect(trace.marks.count == 39)
    #expect(trace.losses.map(\.reason) == [.damagedBytes])
    #expect(trace.losses[0].offset == UInt64(starts[20]))
    #expect(trace.losses[0].count == UInt64(starts[21] - starts[20]))
    #expect(trace.source.wasClosed != false)
  }

  @Test func `a length beyond all bytes does not end the trace`() throws {
    var (bytes, starts) = Self.marks(40)
    bytes.replaceSubrange(
      (starts[20] + 1)..<(starts[20] + 2), with: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F])
    #expect(try read(bytes).marks.count == 39)
  }

  @Test func `a trace that ends inside a packet is reported with the offset`() throws {
    let (bytes, starts) = Self.marks(10)
    let trace = try read(Array(bytes.dropLast(3)))
    #expect(trace.marks.count == 9)
    #expect(trace.losses.map(\.reason) == [.cutAtEnd])
    #expect(trace.losses[0].offset == UInt64(starts[9]))
    #expect(trace.source.wasClosed == false)
    let unread = bytes.count - 3 - starts[9]
    #expect(
      trace.notices.contains(
        .source(
          "the trace ends inside a packet at byte \(starts[9]); \(unread) bytes are unread")))
    let one = try read(bytes + [0x0A])
    #expect(
      one.notices.contains(
        .source("the trace ends inside a packet at byte \(bytes.count); 1 byte is unread")))
  }

  @Test func `if a trace is cut, nothing is known of frames after the last event of one`() throws {
    let frames = (1...10).flatMap { number in
      let time = number * 10_000_000 - 10_000_000
      return [
        PerfettoMade.frame(
          4, at: time, cookie: number, token: number, process: 7, presentation: time + 20_000_000),
        PerfettoMade.frameEnd(at: time + 5_000_000, cookie: number),
      ]
    }
    let bytes = PerfettoMade.bytes(frames + [PerfettoMade.mark("later", at: 500_000_000)])
    let last = Timestamp(clamping: 95_000_000)
    #expect(try read(bytes).surfaces.map(\.holes.isEmpty) == [true])
    let cut = try read(bytes + [0x0A, 0x7F, 0x08])
    #expect(cut.surfaces.map(\.holes) == [[TimeRange(start: last, end: cut.range.end)]])
  }

  @Test func `bytes before the first packet are skipped`() throws {
    let trace = try read([0xFF, 0xFE, 0x03] + Self.marks(5).bytes)
    #expect(trace.source.format == "perfetto")
    #expect(trace.marks.count == 5)
    #expect(trace.losses.map(\.count) == [3])
  }

  @Test func `text is not a trace, even if it starts like a packet`() {
    for text in ["\n", "\n\n\n", "\n hello\n", "\nZ" + String(repeating: "a", count: 90) + "\n"] {
      let known = try? read(text)
      #expect(known?.source.format != "perfetto")
    }
  }

  @Test func `a packet larger than the remaining bytes allocates no memory`() throws {
    let huge: [UInt8] = [0x0A, 0xFF, 0xFF, 0xFF, 0x1F]
    let trace = try read(Self.marks(5).bytes + huge)
    #expect(trace.marks.count == 5)
    #expect(trace.losses.map(\.reason) == [.cutAtEnd])
  }

  @Test func `damage that repeatedly looks like packets takes linear time`() throws {
    // Each byte could begin a packet, and each of those is long and wrong only at its end.
    let bait: [UInt8] = Array(repeating: 0x0A, count: 200_000)
    let trace = try read(Self.marks(5).bytes + [0x07] + bait + [0x07] + Self.marks(3).bytes)
    #expect(trace.marks.count >= 5)
    #expect(!trace.losses.isEmpty)
  }

  @Test func `every truncation and every flipped bit of a small trace is an error or is read`() {
    let bytes = Array(PerfettoSample.whole().prefix(ExtraCases.isThorough ? 2000 : 1200))
    for count in stride(from: 0, to: bytes.count, by: ExtraCases.isThorough ? 1 : 5) {
      _ = try? read(Array(bytes[..<count]))
    }
    forEachFlippedBit(of: bytes, step: ExtraCases.isThorough ? 1 : 31) { _ = try? read($0) }
  }
}
