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
    let trace = try read(bytes + [0x07])
    #expect(trace.marks.count == 2)
    #expect(!trace.losses.isEmpty)
  }

  @Test func `arguments are truncated at a limit, and this is reported`() {
    var builder = TraceBuilder(format: "perfetto")
    let member: Proto.Content = [10: "member", 6: .text(String(repeating: "a", count: 4000))]
    let members = [Proto.Content](repeating: member, count: 200)
    let wide = Proto([(4, [10: "data", 11: .repeated(members)])]).bytes
    let small = Proto([(4, [10: "frame", 3: 7])]).bytes
    var arguments = PerfettoArguments(maximumTotalLength: 1 << 16)
    var names = PerfettoNames()
    _ = small.withUnsafeBytes { arguments.write(of: $0, &names, &builder) }
    #expect(String(decoding: arguments.text, as: UTF8.self) == "{\"frame\":7}")
    #expect(!arguments.wasCut)
    let range = wide.withUnsafeBytes { arguments.write(of: $0, &names, &builder) }
    #expect(range.count < 70_000)
    #expect(arguments.wasCut)
    let further = small.withUnsafeBytes { arguments.write(of: $0, &names, &builder) }
    #expect(further.isEmpty)
    #expect(arguments.wasCut)
  }

  @Test func `very many categories of one event give a name no longer than the limit`() throws {
    let trace = try PerfettoMade.trace([
      [10: 1, 13: 1, 12: [1: [1: 1, 2: .text(String(repeating: "c", count: 4000))]]],
      PerfettoMade.event(3, at: 10, [3: .bytes(Array(repeating: 1, count: 100_000))]),
    ])
    #expect(trace.marks.count == 1)
    #expect(trace.losses.map(\.reason).contains(.limitReached))
  }

  @Test func `a trace compressed with zstd is recognized and rejected with the reason`() throws {
    let packet: Proto = [133: [0x28, 0xB5, 0x2F, 0xFD]]
    let trace = try PerfettoMade.trace([packet, packet])
    #expect(trace.source.format == "perfetto")
    #expect(trace.losses.map(\.count) == [2])
    #expect(trace.says("zstd"))
  }

  @Test func `data lost in the recorder's buffers is counted once`() throws {
    let trace = try PerfettoMade.trace([
      [35: [1: [3: 40, 6: 1, 18: 4, 19: 2]]], PerfettoMade.mark("a", at: 10),
      [35: [1: [3: 40, 6: 1, 18: 6, 19: 2]]],
    ])
    #expect(trace.lossCounts == [.sourceDroppedRecords: 9])
    #expect(trace.says("40"))
  }

  @Test func `bytes after the end of compressed data are counted`() throws {
    let inner = PerfettoMade.bytes([PerfettoMade.mark("a", at: 10)])
    let whole = try PerfettoMade.trace([[50: .bytes(PerfettoMade.stored(inner))]])
    #expect(whole.marks.count == 1)
    #expect(whole.losses.isEmpty)
    let trace = try PerfettoMade.trace([[50: .bytes(PerfettoMade.stored(inner) + [1, 2, 3])]])
    #expect(trace.marks.count == 1)
    #expect(trace.lossCounts == [.damagedBytes: 3])
  }

  @Test func `a truncation inside a compressed packet is reported with the outer offset`() throws {
    let inner = PerfettoMade.bytes([
      PerfettoMade.mark("a", at: 10), PerfettoMade.mark("long enough", at: 20),
    ])
    let first = PerfettoMade.bytes([PerfettoMade.mark("b", at: 5)])
    let packed = PerfettoMade.bytes([[50: .bytes(PerfettoMade.stored(Array(inner.dropLast(4))))]])
    let trace = try read(first + packed)
    #expect(trace.marks.count == 2)
    #expect(trace.losses.map(\.reason) == [.cutAtEnd])
    #expect(trace.losses.map(\.offset) == [UInt64(first.count)])
    #expect(trace.source.wasClosed == false)
    #expect(trace.says("at byte \(first.count) ends inside"))
  }

  @Test func `zeros at the end are not damage, however many; in the middle they are`() throws {
    let zeros: [UInt8] = Array(repeating: 0, count: 3_000_000)
    let (first, second) = (
      PerfettoMade.bytes([PerfettoMade.mark("a", at: 10), PerfettoMade.mark("b", at: 20)]),
      PerfettoMade.bytes([PerfettoMade.mark("c", at: 30)])
    )
    let padded = try read(first + zeros)
    #expect(padded.losses.isEmpty)
    #expect(padded.marks.count == 2)
    let torn = try read(first + zeros + second)
    #expect(torn.marks.count == 3)
    #expect(torn.lossCounts == [.damagedBytes: 3_000_000])
  }
}
