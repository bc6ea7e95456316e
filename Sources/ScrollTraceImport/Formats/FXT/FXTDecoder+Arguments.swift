internal import ScrollTraceLayout
internal import ScrollTraceModel

extension FXTDecoder {
  /// Reads `count` arguments from word `cursor` on into `arguments`; returns `false` if the record
  /// ends first or an argument has no size (R4).
  mutating func readArguments(
    _ count: Int, of record: FXTRecord, from cursor: inout Int
  ) -> Bool {
    arguments.removeAll(keepingCapacity: true)
    for _ in 0..<count {
      guard cursor < record.count else { return false }
      let header = record[cursor]
      let size = Int(header.bits(4, 12))
      guard size > 0, size <= record.count - cursor else { return false }
      let argument = FXTRecord(
        bytes: UnsafeRawBufferPointer(
          rebasing: record.bytes[(cursor * 8)..<((cursor + size) * 8)]),
        offset: record.offset + UInt64(cursor * 8))
      guard readArgument(argument) else { return false }
      cursor += size
    }
    return true
  }

  private mutating func readArgument(_ argument: FXTRecord) -> Bool {
    let header = argument.header
    guard let type = FXT.ArgumentType(rawValue: header.bits(0, 4)) else {
      lose(.unknownRecord, at: argument.offset)
      return true
    }
    var cursor = 1
    guard let key = readName(header.bits(16, 16), in: argument, at: &cursor) else { return false }
    let value: ArgumentValue
    switch type {
    case .null: value = .null
    case .int32: value = .integer(Int64(Int32(truncatingIfNeeded: header >> 32)))
    case .uint32: value = .unsigned(header >> 32)
    case .bool: value = .bool(header.bits(32, 1) != 0)
    case .string:
      guard let name = readName(header.bits(32, 16), in: argument, at: &cursor) else {
        return false
      }
      value = .string(name)
    case .int64, .uint64, .double, .pointer, .koid:
      guard cursor < argument.count else { return false }
      let word = argument[cursor]
      value =
        switch type {
        case .int64: .integer(Int64(bitPattern: word))
        case .double: .double(Double(bitPattern: word))
        default: .unsigned(word)
        }
    }
    arguments.append(Argument(key: key, value: value))
    return true
  }
}
