import ScrollTraceModel
import Testing

@testable import ScrollTraceImport

/// Traces that are compressed, padded, told incomplete, or made to take room and time.
@Suite struct PerfettoLimitTests {
  @Test func `nested packets that are all rejected take linear time`() throws {
    let unitCount = 100_000
    let end = unitCount * 11 + 1
    var bytes = PerfettoMade.bytes([
      PerfettoMade.mark("a", at: 10), PerfettoMade.mark("b", at: 20),
    ])
    for number in 0..<unitCount {
      // Field 4 with a small packet in it, and the begin of one that ends with all the others.
      bytes += [0x22, 0x09, 0x0A, 0x02, 0x4A, 0x00, 0x0A]
      var rest = end - (number + 1) * 11
      for index in 0..<4 {
        bytes.append(UInt8(rest & 0x7F) | (index < 3 ? 0x80 : 0))
        rest >>= 7
      }
    }
    let trace = try TraceFile.read(MemoryByteSource(bytes + [0x07]), path: "unknown")
    #expect(trace.marks.count == 2)
    #expect(!trace.losses.isEmpty)
  }

  @Test func `arguments are truncated at a limit, and this is reported`() {
    var builder = TraceBuilder(format: "perfetto")
    let wide = ProtoWriter.message { event in
      event.message(4) { annotation in
        annotation.text(10, "data")
        for _ in 0..<200 {
          annotation.message(11) {
            $0.text(10, "member")
            $0.text(6, String(repeating: "a", count: 4000))
          }
        }
      }
    }
    let small = ProtoWriter.message { event in
      event.message(4) {
        $0.text(10, "frame")
        $0.number(3, UInt64(7))
      }
    }
    var arguments = PerfettoArguments(maximumTotalLength: 1 << 16)
    _ = small.withUnsafeBytes { arguments.write(of: $0, PerfettoNames(), &builder) }
    #expect(String(decoding: arguments.text, as: UTF8.self) == "{\"frame\":7}")
    #expect(!arguments.wasCut)
    let range = wide.withUnsafeBytes { arguments.write(of: $0, PerfettoNames(), &builder) }
    #expect(range.count < 70_000)
    #expect(arguments.wasCut)
    let further = small.withUnsafeBytes { arguments.write(of: $0, PerfettoNames(), &builder) }
    #expect(further.isEmpty)
    #expect(arguments.wasCut)
  }

  @Test func `very many categories of one event give a name no longer than the limit`() throws {
    let trace = try PerfettoMade.trace([
      {
        $0.number(10, UInt64(1))
        $0.number(13, UInt64(1))
        $0.message(12) { data in
          data.message(1) {
            $0.number(1, UInt64(1))
            $0.text(2, String(repeating: "c", count: 4000))
          }
        }
      },
      PerfettoMade.event(3, at: 10) { $0.run(3, Array(repeating: 1, count: 100_000)) },
    ])
    #expect(trace.marks.count == 1)
    #expect(trace.losses.map(\.reason).contains(.limitReached))
  }

  @Test func `a trace compressed with zstd is recognized and rejected with the reason`() throws {
    let packet: PerfettoMade.Packet = { $0.run(133, [0x28, 0xB5, 0x2F, 0xFD]) }
    let trace = try PerfettoMade.trace([packet, packet])
    #expect(trace.source.format == "perfetto")
    #expect(trace.losses.map(\.count) == [2])
    #expect(trace.notices.contains { "\($0)".contains("zstd") })
  }

  @Test func `data lost in the recorder's buffers is counted once`() throws {
    let statistics = { (lost: UInt64) -> PerfettoMade.Packet in
      { packet in
        packet.message(35) { statistics in
          statistics.message(1) {
            $0.number(3, UInt64(40))
            $0.number(6, UInt64(1))
            $0.number(18, lost)
            $0.number(19, UInt64(2))
          }
        }
      }
    }
    let trace = try PerfettoMade.trace([
      statistics(4), PerfettoMade.mark("a", at: 10), statistics(6),
    ])
    #expect(trace.losses.map(\.reason) == [.sourceDroppedRecords])
    #expect(trace.losses.map(\.count) == [9])
    #expect(trace.notices.contains { "\($0)".contains("40") })
  }

  @Test func `bytes after the end of compressed data are counted`() throws {
    let inner = PerfettoMade.bytes([PerfettoMade.mark("a", at: 10)])
    let whole = try PerfettoMade.trace([{ $0.run(50, PerfettoMade.stored(inner)) }])
    #expect(whole.marks.count == 1)
    #expect(whole.losses.isEmpty)
    let trace = try PerfettoMade.trace([{ $0.run(50, PerfettoMade.stored(inner) + [1, 2, 3]) }])
    #expect(trace.marks.count == 1)
    #expect(trace.losses.map(\.reason) == [.damagedBytes])
    #expect(trace.losses.map(\.count) == [3])
  }

  @Test func `a truncation inside a compressed packet is reported with the outer offset`() throws {
    let inner = PerfettoMade.bytes([
      PerfettoMade.mark("a", at: 10), PerfettoMade.mark("long enough", at: 20),
    ])
    let first = PerfettoMade.bytes([PerfettoMade.mark("b", at: 5)])
    let packed = PerfettoMade.bytes([{ $0.run(50, PerfettoMade.stored(Array(inner.dropLast(4)))) }])
    let trace = try TraceFile.read(MemoryByteSource(first + packed), path: "unknown")
    #expect(trace.marks.count == 2)
    #expect(trace.losses.map(\.reason) == [.cutAtEnd])
    #expect(trace.losses.map(\.offset) == [UInt64(first.count)])
    #expect(trace.source.wasClosed == false)
    #expect(trace.notices.contains { "\($0)".contains("at byte \(first.count) ends inside") })
  }

  @Test func `zeros at the end are not damage, however many; in the middle they are`() throws {
    let zeros: [UInt8] = Array(repeating: 0, count: 3_000_000)
    let (first, second) = (
      PerfettoMade.bytes([PerfettoMade.mark("a", at: 10), PerfettoMade.mark("b", at: 20)]),
      PerfettoMade.bytes([PerfettoMade.mark("c", at: 30)])
    )
    let padded = try TraceFile.read(MemoryByteSource(first + zeros), path: "unknown")
    #expect(padded.losses.isEmpty)
    #expect(padded.marks.count == 2)
    let torn = try TraceFile.read(MemoryByteSource(first + zeros + second), path: "unknown")
    #expect(torn.marks.count == 3)
    #expect(torn.losses.map(\.reason) == [.damagedBytes])
    #expect(torn.losses.map(\.count) == [3_000_000])
  }
}
