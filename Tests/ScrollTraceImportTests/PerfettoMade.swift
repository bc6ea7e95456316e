import ScrollTraceModel

@testable import ScrollTraceImport

/// Short traces of Perfetto that a test makes packet by packet.
enum PerfettoMade {
  static func bytes(_ packets: [Proto]) -> [UInt8] {
    Proto(packets.map { (1, .message($0)) }).bytes
  }

  static func trace(_ packets: [Proto]) throws(ImportError) -> Trace {
    try read(bytes(packets))
  }

  /// An event of `kind`, with `more` in it.
  static func event(_ kind: Int, at time: Int, _ more: Proto = [:]) -> Proto {
    [10: 1, 8: .number(time), 11: .message([9: .number(kind > 0 ? kind : nil)], more)]
  }

  static func mark(_ name: String, at time: Int) -> Proto {
    event(3, at: time, [23: .text(name)])
  }

  /// A track that is a thread.
  static func thread(_ track: Int, process: Int, _ thread: Int, name: String? = nil) -> Proto {
    [60: [1: .number(track), 4: [1: .number(process), 2: .number(thread), 5: .text(name)]]]
  }

  /// A message of the frame timeline; 3 and 4 are an app's frame, expected and actual.
  static func frame(
    _ kind: Int, at time: Int, cookie: Int, token: Int, process: Int, presentation: Int? = nil
  ) -> Proto {
    let content: Proto.Content = [
      1: .number(cookie), 2: .number(token), 3: .number(token), 4: .number(process),
      6: .number(presentation),
    ]
    return [8: .number(time), 76: [kind: content]]
  }

  static func frameEnd(at time: Int, cookie: Int) -> Proto {
    [8: .number(time), 76: [5: [1: .number(cookie)]]]
  }

  /// Lines in the kernel's trace buffer.
  static func lines(
    _ lines: [(time: Int, thread: Int, text: String)], core: Int? = nil
  ) -> Proto {
    let events = lines.map { line -> Proto.Content in
      [1: .number(line.time), 2: .number(line.thread), 3: [2: .text(line.text + "\n")]]
    }
    return [1: [1: .number(core), 2: .repeated(events)]]
  }

  static func snapshot(_ clocks: [(clock: Int, time: Int)], primary: Int?) -> Proto {
    let clocks = clocks.map { clock -> Proto.Content in
      [1: .number(clock.clock), 2: .number(clock.time)]
    }
    return [6: [1: .repeated(clocks), 2: .number(primary)]]
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
