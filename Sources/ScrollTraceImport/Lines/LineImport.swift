import ScrollTraceModel

/// What the importers of lines have in common: what cannot be read is counted, the first place told.
struct LineImport: ~Copyable {
  private var records: LineRecords
  private var faultCount = 0
  private var firstFault: (line: Int, fault: LineFault)?

  /// An import into `builder`.
  init(_ builder: inout TraceBuilder) {
    records = LineRecords(&builder)
  }

  /// Adds a row, or counts it as lost.
  mutating func add(
    _ row: borrowing LineRow, of reader: borrowing LineReader, to builder: inout TraceBuilder
  ) {
    do throws(LineFault) {
      try records.add(row, growth: reader.growth, to: &builder)
    } catch {
      lose(error, of: reader, in: &builder)
    }
  }

  /// Names the process.
  func setProcessName(_ name: String, in builder: inout TraceBuilder) {
    records.setProcessName(name, in: &builder)
  }

  /// Counts the line that was read last as lost.
  mutating func lose(
    _ fault: LineFault, of reader: borrowing LineReader, in builder: inout TraceBuilder
  ) {
    builder.offset = reader.offset
    defer { builder.offset = nil }
    if reader.isUnfinished { return builder.countLoss(.cutAtEnd) }
    builder.countLoss(reader.isTooLong ? .limitReached : .malformedRecord)
    faultCount += 1
    if firstFault == nil { firstFault = (reader.number, fault) }
  }

  /// Ends the import.
  ///
  /// - Throws: Where not one line could be read.
  mutating func finish(in builder: inout TraceBuilder) throws(ImportError) {
    records.finish(in: &builder)
    guard let (line, fault) = firstFault else { return }
    let place = "line \(line), column \(fault.place + 1)"
    guard records.count > 0 else {
      throw ImportError("\(place): \(fault.reason)", advice: "see the format's description")
    }
    let more = faultCount > 1 ? ", the first of \(faultCount) such lines" : ""
    builder.addNotice(.source("\(place) cannot be read: \(fault.reason)\(more)"))
  }
}
