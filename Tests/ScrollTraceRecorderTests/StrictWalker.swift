/// An independent reading of a trace file that accepts nothing but what the profile says.
///
/// It shares no code with the recorder, so that a mistake cannot hide on both sides.
struct StrictWalker {
  /// What is wrong with a file, and where.
  struct Flaw: Error, CustomStringConvertible {
    var offset: Int
    var reason: String
    var description: String { "\(reason) at byte \(offset)" }
  }

  enum Value: Hashable {
    case signed(Int64), unsigned(UInt64), double(Double), text(String), bool(Bool), object(UInt64)
  }

  struct Event: Hashable {
    var type: Int
    var thread: UInt64
    var category: String
    var name: String
    var time: UInt64
    var tail: UInt64?
    var arguments: [String: Value]
    /// The number of its chunk.
    var chunk: UInt64
  }

  struct ChunkInfo {
    var flags: UInt32
    var sequence: UInt64
    var threadSequence: UInt64
    var thread: UInt64
    var drops: UInt64
    var sealedRecords: UInt64?

    /// Whether it belongs to no thread and is never used again.
    var isShared: Bool { thread == 0 && flags == 8 }
  }

  struct OpenSpan: Hashable {
    var thread: UInt64
    var index: Int
    var depth: Int
    var start: UInt64
    var category: String
    var name: String
    var item: UInt64?
  }

  private(set) var events: [Event] = []
  private(set) var chunks: [ChunkInfo] = []
  private(set) var openSpans: [OpenSpan] = []
  private(set) var threadNames: [UInt64: String] = [:]
  private(set) var processName = ""
  private(set) var strings: [Int: String] = [:]
  private(set) var session: [UInt64] = []
  private let bytes: [UInt8]

  /// Reads `bytes`; a cut last chunk is allowed where the writer was killed while the file grew.
  init(_ bytes: [UInt8], mayEndInPad: Bool = false) throws {
    self.bytes = bytes
    guard bytes.count >= 4096 else { throw Flaw(offset: bytes.count, reason: "no first page") }
    try walkPage()
    var start = 4096
    var stacks: [Int] = []
    while start < bytes.count {
      let end = start + 32_760
      if end > bytes.count {
        let isPad = bytes.count - start < 8 || word(start) == 5 | 4095 << 4 | 32_752 << 32 | 1 << 48
        guard mayEndInPad, isPad else { throw Flaw(offset: start, reason: "a cut chunk") }
        break
      }
      try walkChunk(start, end, &stacks)
      start = end
    }
    for payload in stacks { try walkStacks(payload) }
    try checkOrder()
  }

  func word(_ offset: Int) -> UInt64 {
    bytes.withUnsafeBytes {
      UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
  }

  func text(_ offset: Int, _ length: Int) throws -> String {
    guard let text = String(validating: bytes[offset..<(offset + length)], as: UTF8.self) else {
      throw Flaw(offset: offset, reason: "no UTF-8")
    }
    for index in (offset + length)..<(offset + (length + 7) / 8 * 8) where bytes[index] != 0 {
      throw Flaw(offset: index, reason: "padding that is not zero")
    }
    return text
  }

  private mutating func walkPage() throws {
    guard Array(bytes[0..<8]) == [0x10, 0, 4, 0x46, 0x78, 0x54, 0x16, 0] else {
      throw Flaw(offset: 0, reason: "no magic")
    }
    let header = word(8)
    let size = Int(header >> 4 & 0xFFF) * 8
    guard header & 0xF == 5, header >> 16 & 0xFFFF == 0x8000 | 19,
      try text(16, 19) == "scrolltrace.session", header >> 48 == 1
    else { throw Flaw(offset: 8, reason: "no session blob") }
    session = stride(from: 40, to: 8 + size, by: 8).map(word)
    let pad = 8 + size
    guard word(pad) & 0xF == 5, Int(word(pad) >> 4 & 0xFFF) * 8 == 4096 - pad else {
      throw Flaw(offset: pad, reason: "the page's pad does not end at its end")
    }
  }

  private mutating func walkChunk(_ start: Int, _ end: Int, _ stacks: inout [Int]) throws {
    var offset = start
    var table: [Int: String] = [:]
    var info: ChunkInfo?
    var thread: UInt64?
    var count: UInt64 = 0
    while offset < end {
      let header = word(offset)
      let size = Int(header >> 4 & 0xFFF) * 8
      guard size > 0 else { throw Flaw(offset: offset, reason: "a record of size 0") }
      let next = offset + size
      guard next <= end else { throw Flaw(offset: offset, reason: "a record crosses its chunk") }
      if info?.sealedRecords != nil, !(header & 0xF == 5 && next == end) {
        throw Flaw(offset: offset, reason: "a record behind the seal")
      }
      switch header & 0xF {
      case 0:
        guard offset == start, size == 8, header >> 16 & 0xF == 1, header >> 52 == 0 else {
          throw Flaw(offset: offset, reason: "metadata that is no provider info")
        }
      case 1:
        guard offset == start + 8, word(offset + 8) == 1_000_000_000 else {
          throw Flaw(offset: offset, reason: "an init record that is wrong")
        }
      case 2:
        let index = Int(header >> 16 & 0xFFFF)
        guard index > 0, index < 0x8000, table[index] == nil else {
          throw Flaw(offset: offset, reason: "string index \(index) is wrong or defined twice")
        }
        let length = Int(header >> 32 & 0x7FFF)
        guard size == 8 + (length + 7) / 8 * 8 else {
          throw Flaw(offset: offset, reason: "string size")
        }
        let value = try text(offset + 8, length)
        table[index] = value
        if let known = strings[index], known != value {
          throw Flaw(offset: offset, reason: "index \(index) means two texts (W5)")
        }
        strings[index] = value
      case 3:
        guard header >> 16 == 1, size == 24 else {
          throw Flaw(offset: offset, reason: "thread record")
        }
        thread = word(offset + 16)
      case 4: try walkEvent(offset, next, table, thread, info)
      case 5: try walkBlob(offset, next, start, end, &info, &stacks, count)
      case 7: try walkObject(offset, next, table)
      default: throw Flaw(offset: offset, reason: "record type \(header & 0xF)")
      }
      offset = next
      count += 1
    }
    if let info {
      chunks.append(info)
    } else if count != 1 {
      throw Flaw(offset: start, reason: "a chunk without its blob")
    }
  }

  private mutating func walkBlob(
    _ offset: Int, _ next: Int, _ start: Int, _ end: Int, _ info: inout ChunkInfo?,
    _ stacks: inout [Int], _ count: UInt64
  ) throws {
    let header = word(offset)
    let reference = Int(header >> 16 & 0xFFFF)
    let payloadSize = Int(header >> 32 & 0x7FFF)
    guard header >> 48 == 1 else { throw Flaw(offset: offset, reason: "blob type") }
    if reference == 0 {
      guard next == end, payloadSize == next - offset - 8 else {
        throw Flaw(offset: offset, reason: "a pad that does not end its chunk")
      }
      return
    }
    let length = reference & 0x7FFF
    let payload = offset + 8 + (length + 7) / 8 * 8
    guard payload + (payloadSize + 7) / 8 * 8 == next else {
      throw Flaw(offset: offset, reason: "blob size")
    }
    switch try text(offset + 8, length) {
    case "scrolltrace.chunk":
      guard payload == start + 56, payloadSize == 64, word(payload) & 0xFFFF_FFFF == 1 else {
        throw Flaw(offset: offset, reason: "chunk blob")
      }
      info = ChunkInfo(
        flags: UInt32(word(payload) >> 32), sequence: word(payload + 8),
        threadSequence: word(payload + 16), thread: word(payload + 32), drops: word(payload + 40))
    case "scrolltrace.stacks":
      guard payload == start + 152 else { throw Flaw(offset: offset, reason: "stacks blob") }
      stacks.append(payload)
    case "scrolltrace.seal":
      info?.sealedRecords = word(payload)
      guard word(payload) == count, word(payload + 8) == UInt64(checksum(start..<offset)) else {
        throw Flaw(offset: offset, reason: "a seal that is wrong")
      }
    default: throw Flaw(offset: offset, reason: "an unknown blob")
    }
  }

  private mutating func walkObject(_ offset: Int, _ next: Int, _ table: [Int: String]) throws {
    let header = word(offset)
    var at = offset + 16
    let name = try string(Int(header >> 24 & 0xFFFF), table, &at)
    _ = try arguments(Int(header >> 40 & 0xF), &at, table)
    guard at == next else { throw Flaw(offset: offset, reason: "object size") }
    if header >> 16 & 0xFF == 1 { processName = name } else { threadNames[word(offset + 8)] = name }
  }

  private mutating func walkEvent(
    _ offset: Int, _ next: Int, _ table: [Int: String], _ own: UInt64?, _ info: ChunkInfo?
  ) throws {
    let header = word(offset)
    var at = offset + 16
    let thread: UInt64
    if let own, header >> 24 & 0xFF == 1 {
      thread = own
    } else if info?.isShared == true, own == nil, header >> 24 & 0xFF == 0 {
      thread = word(at + 8)
      at += 16
    } else {
      throw Flaw(offset: offset, reason: "an event without its thread")
    }
    let type = Int(header >> 16 & 0xF)
    let category = try string(Int(header >> 32 & 0xFFFF), table, &at)
    let name = try string(Int(header >> 48), table, &at)
    let arguments = try arguments(Int(header >> 20 & 0xF), &at, table)
    var tail: UInt64?
    if type != 0 {
      tail = word(at)
      at += 8
    }
    guard at == next else { throw Flaw(offset: offset, reason: "event size") }
    let time = word(offset + 8)
    if type == 4, let tail, tail < time { throw Flaw(offset: offset, reason: "a negative span") }
    events.append(
      Event(
        type: type, thread: thread, category: category, name: name, time: time, tail: tail,
        arguments: arguments, chunk: info?.sequence ?? .max))
  }

  private func string(_ reference: Int, _ table: [Int: String], _ at: inout Int) throws -> String {
    if reference == 0 { return "" }
    if reference < 0x8000 {
      guard let text = table[reference] else {
        throw Flaw(offset: at, reason: "string \(reference) is not defined in this chunk")
      }
      return text
    }
    let length = reference & 0x7FFF
    defer { at += (length + 7) / 8 * 8 }
    return try text(at, length)
  }

  private func arguments(
    _ count: Int, _ at: inout Int, _ table: [Int: String]
  ) throws -> [String: Value] {
    var all: [String: Value] = [:]
    for _ in 0..<count {
      let header = word(at)
      let end = at + Int(header >> 4 & 0xFFF) * 8
      var inner = at + 8
      let key = try string(Int(header >> 16 & 0xFFFF), table, &inner)
      let value: Value
      switch header & 0xF {
      case 3: value = .signed(Int64(bitPattern: word(inner))); inner += 8
      case 4: value = .unsigned(word(inner)); inner += 8
      case 5: value = .double(Double(bitPattern: word(inner))); inner += 8
      case 6: value = .text(try string(Int(header >> 32 & 0xFFFF), table, &inner))
      case 8: value = .object(word(inner)); inner += 8
      case 9: value = .bool(header >> 32 & 1 == 1)
      default: throw Flaw(offset: at, reason: "argument type \(header & 0xF)")
      }
      guard inner == end, all[key] == nil else { throw Flaw(offset: at, reason: "argument \(key)") }
      all[key] = value
      at = end
    }
    return all
  }

  private mutating func walkStacks(_ payload: Int) throws {
    guard word(payload) == 1 | 31 << 32, word(payload + 8) == 32 | 1048 << 32 else {
      throw Flaw(offset: payload, reason: "stacks header")
    }
    for slot in 0..<31 {
      let start = payload + 16 + slot * 1048
      let thread = word(start)
      guard thread != 0 else { continue }
      let depth = Int(word(start + 8) & 0xFFFF_FFFF)
      for index in 0..<min(depth, 32) {
        let entry = start + 24 + index * 32
        let references = word(entry + 8)
        guard word(entry) != 0 else { continue }
        let category = strings[Int(references & 0xFFFF)] ?? ""
        let name = strings[Int(references >> 16 & 0xFFFF)] ?? ""
        if name.isEmpty { throw Flaw(offset: entry, reason: "an open span without a name") }
        openSpans.append(
          OpenSpan(
            thread: thread, index: index, depth: depth, start: word(entry), category: category,
            name: name, item: references >> 32 & 1 == 1 ? word(entry + 16) : nil))
      }
    }
  }

  /// F-6 and F-2: begins of a thread differ, spans nest.
  private func checkOrder() throws {
    var byThread: [UInt64: [Event]] = [:]
    for event in events where event.type == 4 { byThread[event.thread, default: []].append(event) }
    for (thread, spans) in byThread {
      var ends: [UInt64] = []
      var last: UInt64?
      for span in spans.sorted(by: { $0.time < $1.time }) {
        if span.time == last { throw Flaw(offset: 0, reason: "two begins at once on \(thread)") }
        last = span.time
        while let end = ends.last, end <= span.time { ends.removeLast() }
        let end = span.tail ?? span.time
        if let outer = ends.last, outer < end {
          throw Flaw(offset: 0, reason: "\(span.name) at \(span.time) crosses its parent")
        }
        ends.append(end)
      }
    }
  }

  /// The remainders of single bytes.
  private static let remainders = (0..<256 as Range<UInt32>).map { byte in
    (0..<8).reduce(byte) { state, _ in state & 1 == 1 ? state >> 1 ^ 0x82F6_3B78 : state >> 1 }
  }

  private func checksum(_ range: Range<Int>) -> UInt32 {
    let remainders = Self.remainders
    var (state, index) = (UInt32.max, range.lowerBound)
    while index < range.upperBound {
      state = state >> 8 ^ remainders[Int((state ^ UInt32(bytes[index])) & 0xFF)]
      index += 1
    }
    return ~state
  }
}
