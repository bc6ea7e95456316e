import ScrollTraceModel

/// The values of a line, as a trace has them.
extension LineRecords {
  /// A time; `nil` where there is none.
  func time(_ key: LineKey, _ row: borrowing LineRow) throws(LineFault) -> Timestamp? {
    guard let time = try row.time(key) else { return nil }
    guard let instant = Timestamp(nanoseconds: time) else {
      throw LineFault("\(key) is negative", at: row[key].start)
    }
    return instant
  }

  /// A time that may stand under another key too.
  func time(
    _ key: LineKey, or other: LineKey, _ row: borrowing LineRow
  ) throws(LineFault) -> Timestamp? {
    try time(row.has(key) ? key : other, row)
  }

  /// When something ends that is so long; `nil` where nobody knows when it began.
  func end(
    _ start: Timestamp?, _ length: Int64, _ row: borrowing LineRow
  ) throws(LineFault) -> Timestamp? {
    guard let start else { return nil }
    let (end, overflow) = start.nanoseconds.addingReportingOverflow(length)
    guard !overflow, length >= 0, let instant = Timestamp(nanoseconds: end) else {
      throw LineFault("the duration is negative or too long", at: 0)
    }
    return instant
  }

  /// The name of the text of a key.
  func string(
    _ key: LineKey, _ row: borrowing LineRow, _ builder: inout TraceBuilder
  ) -> StringID {
    string(row[key], row, &builder)
  }

  /// The name of a text.
  func string(
    _ value: LineRow.Value, _ row: borrowing LineRow, _ builder: inout TraceBuilder
  ) -> StringID {
    guard value.kind != .unescaped else { return builder.string(row.unescaped[value.start]) }
    return builder.string(row.bytes(of: value).assumingMemoryBound(to: UInt8.self))
  }

  /// The item that is worked on.
  func item(_ row: borrowing LineRow, _ builder: inout TraceBuilder) -> ArgumentValue? {
    row.has(.item) ? argument(row[.item], row, &builder) : nil
  }

  /// What a span or mark says besides, the item first.
  func arguments(_ row: borrowing LineRow, _ builder: inout TraceBuilder) -> ArgumentListID {
    guard row.has(.item) || !row.extras.isEmpty else { return .none }
    var list: [Argument] = []
    if let item = item(row, &builder) { list.append(Argument(key: categories.item, value: item)) }
    for extra in row.extras {
      list.append(
        Argument(
          key: builder.string(argumentName(of: extra, in: row)),
          value: argument(extra.value, row, &builder))
      )
    }
    return builder.argumentList(list)
  }

  private func argument(
    _ value: LineRow.Value, _ row: borrowing LineRow, _ builder: inout TraceBuilder
  ) -> ArgumentValue {
    switch value.kind {
    case .null: return .null
    case .bool: return .bool(value.count == 4)
    case .text, .unescaped: return .string(string(value, row, &builder))
    case .number:
      let bytes = row.bytes(of: value)
      if let number = JSONNumber.integer(bytes) {
        return number >= 0 ? .unsigned(UInt64(number)) : .integer(number)
      }
      if let number = JSONNumber.unsigned(bytes) { return .unsigned(number) }
      return JSONNumber.double(bytes).map(ArgumentValue.double) ?? .null
    }
  }

  /// The text of a key that is not one of ours.
  func key(of extra: LineRow.Extra, in row: borrowing LineRow) -> String {
    extra.key.kind == .null ? row.headers[extra.key.start] : row.text(extra.key)
  }

  /// The name of an argument: behind `arg:` it may be one of our keys.
  private func argumentName(of extra: LineRow.Extra, in row: borrowing LineRow) -> String {
    let key = key(of: extra, in: row)
    return key.hasPrefix("arg:") ? String(key.dropFirst(4)) : key
  }
}
