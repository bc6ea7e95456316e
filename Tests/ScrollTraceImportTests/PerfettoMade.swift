import ScrollTraceModel

@testable import ScrollTraceImport

/// Short traces of Perfetto that a test makes packet by packet.
enum PerfettoMade {
  /// What writes one packet.
  typealias Packet = (inout ProtoWriter) -> Void

  static func bytes(_ packets: [Packet]) -> [UInt8] {
    var writer = ProtoWriter()
    for build in packets { writer.message(1, build) }
    return writer.bytes
  }

  static func trace(_ packets: [Packet]) throws(ImportError) -> Trace {
    try TraceFile.read(MemoryByteSource(bytes(packets)), path: "unknown")
  }

  /// An event of `kind` with what `more` writes into it.
  static func event(
    _ kind: UInt64, at time: UInt64, _ more: @escaping Packet = { _ in }
  ) -> Packet {
    { packet in
      packet.number(10, UInt64(1))
      packet.number(8, time)
      packet.message(11) {
        if kind > 0 { $0.number(9, kind) }
        more(&$0)
      }
    }
  }

  static func mark(_ name: String, at time: UInt64) -> Packet {
    event(3, at: time) { $0.text(23, name) }
  }

  /// A message of the frame timeline; 3 and 4 are an app's frame, expected and actual.
  static func frame(
    _ kind: UInt64, at time: UInt64, cookie: UInt64, token: UInt64, process: UInt64,
    presentation: UInt64? = nil
  ) -> Packet {
    { packet in
      packet.number(8, time)
      packet.message(76) { event in
        event.message(kind) {
          $0.number(1, cookie)
          guard kind != 5 else { return }
          $0.number(2, token)
          $0.number(3, token)
          $0.number(4, process)
          if let presentation { $0.number(6, presentation) }
        }
      }
    }
  }

  static func frameEnd(at time: UInt64, cookie: UInt64) -> Packet {
    frame(5, at: time, cookie: cookie, token: 0, process: 0)
  }

  /// Lines in the kernel's trace buffer.
  static func lines(_ lines: [(time: UInt64, thread: UInt64, text: String)]) -> Packet {
    { packet in
      packet.message(1) { bundle in
        for line in lines {
          bundle.message(2) { event in
            event.number(1, line.time)
            event.number(2, line.thread)
            event.message(3) { $0.text(2, line.text + "\n") }
          }
        }
      }
    }
  }

  static func snapshot(_ clocks: [(clock: UInt64, time: UInt64)], primary: UInt64?) -> Packet {
    { packet in
      packet.message(6) { snapshot in
        for (clock, time) in clocks {
          snapshot.message(1) {
            $0.number(1, clock)
            $0.number(2, time)
          }
        }
        if let primary { snapshot.number(2, primary) }
      }
    }
  }

  /// `bytes` in zlib's format, stored as they are.
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    let count = UInt16(truncatingIfNeeded: bytes.count)
    var (low, high) = (UInt32(1), UInt32(0))
    for byte in bytes {
      low = (low + UInt32(byte)) % 65521
      high = (high + low) % 65521
    }
    var result: [UInt8] = [0x78, 0x01, 0x01]
    for number in [count, ~count] { result += [UInt8(number & 0xFF), UInt8(number >> 8)] }
    result += bytes
    for number in [high, low] {
      result += [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
    }
    return result
  }
}
