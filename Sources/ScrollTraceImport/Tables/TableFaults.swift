import ScrollTraceModel

/// Counts what a table's lines do not say, and tells the first place.
struct TableFaults {
  private var count = 0
  private var first: (line: Int, reason: String)?

  /// Whether every line could be read, but perhaps a last one that was cut.
  var isEmpty: Bool { first == nil }

  /// Counts the line that was read last as lost.
  mutating func lose(
    _ reason: String, of lines: borrowing LineReader, in builder: inout TraceBuilder
  ) {
    builder.offset = lines.offset
    defer { builder.offset = nil }
    if lines.isUnfinished { return builder.countLoss(.cutAtEnd) }
    builder.countLoss(lines.isTooLong ? .limitReached : .malformedRecord)
    count += 1
    if first == nil { first = (lines.number, lines.isTooLong ? "the line is too long" : reason) }
  }

  /// Says what was lost, once for all lines.
  ///
  /// - Throws: Where `hasRows` says that nothing else was there.
  func finish(hasRows: Bool, in builder: inout TraceBuilder) throws(ImportError) {
    guard let (line, reason) = first else {
      guard hasRows else { throw ImportError("holds no row under the names of its columns") }
      return
    }
    guard hasRows else {
      throw ImportError("line \(line): \(reason)", advice: "see the format's description")
    }
    let more = count > 1 ? ", the first of \(count) such lines" : ""
    builder.addNotice(.source("line \(line) cannot be read: \(reason)\(more)"))
  }
}
