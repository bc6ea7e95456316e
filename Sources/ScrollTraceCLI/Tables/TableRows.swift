import ScrollTraceKit

/// Rows of fields. A row ends with its last field.
struct TableRows: ~Copyable {
  private var output: ExportOutput
  private let columns: Int
  private var column = 0
  private let arguments: ArgumentTable
  private let labels: LabelTable
  private let item: StringID?
  private var names: WrittenTexts
  /// The names as JSON strings inside of a field.
  private var quotedNames: WrittenTexts

  init(_ trace: Trace, _ output: consuming ExportOutput, columns: Int) {
    self.output = output
    self.columns = columns
    arguments = trace.arguments
    labels = trace.labels
    item = trace.strings.firstID(of: "item")
    names = WrittenTexts(trace.strings, Self.field)
    quotedNames = WrittenTexts(trace.strings) { name in
      JSONValue.string(name).line.utf8.dropLast().flatMap {
        $0 == Self.quote ? [Self.quote, Self.quote] : [$0]
      }
    }
  }

  consuming func finish() -> ExportOutput { output }

  private static var quote: UInt8 { UInt8(ascii: "\"") }

  /// The characters that start a formula in a spreadsheet: `=`, `+`, `-` and `@`.
  private static let formulaStarts: [UInt8] = [0x3D, 0x2B, 0x2D, 0x40]

  /// Returns a text as a field (RFC 4180), quoted if it contains a separator, a quotation mark or a
  /// control character, or if a spreadsheet could interpret it as a formula. Zeros become spaces.
  static func field(_ text: String) -> [UInt8] {
    let needsQuotes =
      text.utf8.contains { $0 < 0x20 || [0x22, 0x2C, 0x3B].contains($0) }
      || text.utf8.first.map(formulaStarts.contains) ?? false
    guard needsQuotes else { return Array(text.utf8) }
    var bytes = [quote]
    for byte in text.utf8 {
      if byte == quote { bytes.append(quote) }
      bytes.append(byte == 0 ? 0x20 : byte)
    }
    bytes.append(quote)
    return bytes
  }

  /// Whether nothing more can be written.
  var hasFailed: Bool { output.hasFailed }

  /// Adds a number, or an unknown one.
  mutating func add<Number: FixedWidthInteger>(_ number: Number?) {
    if let number {
      Number.isSigned
        ? output.append(decimal: Int64(truncatingIfNeeded: number))
        : output.append(decimal: UInt64(truncatingIfNeeded: number))
    }
    endField()
  }

  /// Adds a real number. What is no number is unknown.
  mutating func add(_ number: Double) {
    if number.isFinite { output.append(number) }
    endField()
  }

  mutating func add(_ flag: Bool) {
    flag ? output.append("true") : output.append("false")
    endField()
  }

  /// Adds a text, quoted if a reader could misunderstand it.
  mutating func add(_ text: String?) { add(field: text.map(Self.field) ?? []) }

  mutating func add(field: [UInt8]) {
    output.append(field)
    endField()
  }

  mutating func add(_ label: LabelID) {
    let label = labels[label]
    names.append(label.category, to: &output)
    endField()
    names.append(label.name, to: &output)
    endField()
  }

  /// Adds the item that arguments name, as the source writes it.
  mutating func addItem(_ list: ArgumentListID) {
    if list != .none, let item, let value = arguments.value(of: item, in: list) {
      switch value {
      case .string(let id): names.append(id, to: &output)
      case .integer(let number) where number < 0: appendQuoted(value)
      case .double(let number) where number.isFinite && number.sign == .minus: appendQuoted(value)
      default: append(value)
      }
    }
    endField()
  }

  /// Adds arguments as a JSON object, or an empty field if there are none.
  mutating func add(_ list: ArgumentListID) {
    guard list != .none else { return endField() }
    var isFirst = true
    arguments.forEach(in: list) { argument in
      isFirst ? output.append("\"{") : output.append(", ")
      isFirst = false
      quotedNames.append(argument.key, to: &output)
      output.append(": ")
      append(argument.value)
    }
    if !isFirst { output.append("}\"") }
    endField()
  }

  /// Appends a number that a spreadsheet could interpret as a formula.
  private mutating func appendQuoted(_ value: ArgumentValue) {
    output.append(Self.quote)
    append(value)
    output.append(Self.quote)
  }

  private mutating func append(_ value: ArgumentValue) {
    switch value {
    case .null: output.append("null")
    case .bool(let flag): flag ? output.append("true") : output.append("false")
    case .integer(let number): output.append(decimal: number)
    case .unsigned(let number): output.append(decimal: number)
    case .double(let number): number.isFinite ? output.append(number) : output.append("null")
    case .string(let id): quotedNames.append(id, to: &output)
    }
  }

  private mutating func endField() {
    column += 1
    let isLast = column == columns
    if isLast { column = 0 }
    output.append(isLast ? UInt8(ascii: "\n") : UInt8(ascii: ","))
  }
}
