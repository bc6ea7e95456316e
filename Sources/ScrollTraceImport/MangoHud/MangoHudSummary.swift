import ScrollTraceModel

/// The summary that MangoHud writes beside a log: a line of names and one of numbers.
struct MangoHudSummary {
  private let names: [String]

  /// The names of a summary's numbers; `nil` where `line` is none.
  init?(_ line: UnsafeRawBufferPointer) {
    var row = TableRow()
    guard row.read(line, delimiter: UInt8(ascii: ",")), row.count <= 64 else { return nil }
    names = (0..<row.count).map { row.text($0) }
    guard names.contains("Average FPS"), names.contains(where: { $0.hasSuffix("Min FPS") }) else {
      return nil
    }
  }

  /// Adds the numbers to `builder`.
  func read(_ lines: inout LineReader, into builder: inout TraceBuilder) throws(ImportError) {
    var row = TableRow()
    guard let line = try lines.next(), row.read(line, delimiter: UInt8(ascii: ",")) else {
      throw ImportError("the summary has no line of numbers")
    }
    var isEmpty = true
    for (index, name) in names.enumerated() {
      guard let value = JSONNumber.double(row.bytes(index)) else {
        builder.countLoss(.invalidValue)
        continue
      }
      let unit = name.hasSuffix("FPS") ? "fps" : name.hasSuffix("Load") ? "%" : ""
      builder.addAggregate(Aggregate(name, unit: unit, values: [value], source: "display"))
      isEmpty = false
    }
    guard !isEmpty else { throw ImportError("the summary has no line of numbers") }
    builder.setBasis(.aggregate, of: builder.surface("display"))
    builder.source.tellsLength = false
    builder.addNotice(
      .source("this is MangoHud's summary: the log beside it, without _summary, has the frames"))
  }
}
