internal import ScrollTraceLayout
internal import ScrollTraceModel

/// The arguments of one record. A value of the wrong type is counted as lost (R15).
struct FXTArguments {
  let list: [Argument]
  /// The unit of their times, which are ticks like the times of events.
  let clock: FXTClock
  /// The offset of the record in the source.
  let offset: UInt64

  func value(of key: Vocabulary.Key, _ vocabulary: FXTVocabulary) -> ArgumentValue? {
    let name = vocabulary[key]
    return list.first { $0.key == name }?.value
  }

  func time(of key: Vocabulary.Key, _ trace: inout FXTTrace) -> Timestamp? {
    value(of: key, trace.vocabulary).flatMap { time($0, &trace) }
  }

  /// Returns the text with the name `key`, which is not counted if it is none.
  func text(of key: Vocabulary.Key, _ trace: inout FXTTrace) -> String? {
    guard case .string(let id)? = value(of: key, trace.vocabulary) else { return nil }
    return trace.text(of: id)
  }

  func time(_ value: ArgumentValue, _ trace: inout FXTTrace) -> Timestamp? {
    guard let ticks = value.unsigned else {
      trace.lose(.invalidValue, at: offset)
      return nil
    }
    guard let time = clock.time(ticks) else {
      trace.lose(.timeOutOfRange, at: offset)
      return nil
    }
    return time
  }

  /// Returns a count that the model can hold.
  func count(_ value: ArgumentValue, _ trace: inout FXTTrace) -> Int64? {
    guard let count = value.unsigned.flatMap({ Int64(exactly: $0) }) else {
      trace.lose(.invalidValue, at: offset)
      return nil
    }
    return count
  }

  /// Returns a Boolean value, which can also be written as 0 or 1.
  func flag(_ value: ArgumentValue, _ trace: inout FXTTrace) -> Bool {
    if case .bool(let truth) = value { return truth }
    guard let number = value.unsigned, number <= 1 else {
      trace.lose(.invalidValue, at: offset)
      return false
    }
    return number == 1
  }
}

extension ArgumentValue {
  /// The value as a nonnegative number, or `nil` if it is anything else.
  var unsigned: UInt64? {
    switch self {
    case .integer(let value): UInt64(exactly: value)
    case .unsigned(let value): value
    case .double, .bool, .string, .null: nil
    }
  }
}

/// Reads the arguments of records.
struct FXTArgumentParser {
  private(set) var list: [Argument] = []

  /// Reads `count` arguments from word `cursor` on into `list`; returns `false` if the record ends
  /// first or an argument has no size (R4).
  mutating func read(
    _ count: Int, of record: FXTRecord, from cursor: inout Int, _ tables: inout FXTTables,
    _ trace: inout FXTTrace
  ) -> Bool {
    list.removeAll(keepingCapacity: true)
    for _ in 0..<count {
      guard cursor < record.count else { return false }
      let header = record[cursor]
      let size = Int(header.bits(4, 12))
      guard size > 0, size <= record.count - cursor else { return false }
      let argument = FXTRecord(
        bytes: UnsafeRawBufferPointer(
          rebasing: record.bytes[(cursor * 8)..<((cursor + size) * 8)]),
        offset: record.offset + UInt64(cursor * 8))
      guard read(argument, &tables, &trace) else { return false }
      cursor += size
    }
    return true
  }

  private mutating func read(
    _ argument: FXTRecord, _ tables: inout FXTTables, _ trace: inout FXTTrace
  ) -> Bool {
    let header = argument.header
    guard let type = FXT.ArgumentType(rawValue: header.bits(0, 4)) else {
      trace.lose(.unknownRecord, at: argument.offset)
      return true
    }
    var cursor = 1
    guard let key = tables.name(header.bits(16, 16), in: argument, at: &cursor, &trace) else {
      return false
    }
    let value: ArgumentValue
    switch type {
    case .null: value = .null
    case .int32: value = .integer(Int64(Int32(truncatingIfNeeded: header >> 32)))
    case .uint32: value = .unsigned(header >> 32)
    case .bool: value = .bool(header.bits(32, 1) != 0)
    case .string:
      guard let name = tables.name(header.bits(32, 16), in: argument, at: &cursor, &trace) else {
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
    list.append(Argument(key: key, value: value))
    return true
  }
}
