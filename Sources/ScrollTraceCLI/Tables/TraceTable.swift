import ScrollTraceKit

/// A table of a trace or of its analysis, written as CSV for SQL and data frames.
///
/// Times and durations are nanoseconds; times count from the trace's start. An empty field is unknown.
struct TraceTable: Sendable {
  /// The file's name without `.csv`.
  let name: String
  let columns: [String]
  private let write: @Sendable (TableMaterial, inout TableRows) -> Void

  /// Creates a table.
  init(
    _ name: String, _ columns: [String],
    write: @escaping @Sendable (TableMaterial, inout TableRows) -> Void
  ) {
    self.name = name
    self.columns = columns
    self.write = write
  }

  /// The one list of tables.
  static let all = [
    frames, spans, marks, counters, samples, states, interactions, hitches, causes,
  ]

  /// Writes the table.
  func write(_ material: TableMaterial, to output: inout ExportOutput) {
    output.append(columns.joined(separator: ",") + "\n")
    var rows = TableRows(output, columns: columns.count)
    write(material, &rows)
    output = rows.output
  }
}

/// An analysis with the keys by which tables are joined.
struct TableMaterial: Sendable {
  let run: Analysis
  /// The key of the first frame of each surface.
  let firstFrames: [Int]

  var trace: Trace { run.trace }

  /// Creates the keys of `run`.
  init(_ run: Analysis) {
    self.run = run
    var next = 1
    firstFrames = run.trace.surfaces.map { surface in
      defer { next += surface.frames.count }
      return next
    }
  }

  /// The key of a frame.
  func key(ofFrame index: Int, on surface: SurfaceID) -> Int { firstFrames[surface.index] + index }

  /// A time from the trace's start.
  func time(_ time: Timestamp?) -> Int64? { time.map { ($0 - trace.range.start).nanoseconds } }

  /// The item that arguments name, as the source writes it.
  func item(_ arguments: ArgumentListID) -> String? {
    guard let key = trace.strings.firstID(of: "item") else { return nil }
    return trace.arguments.value(of: key, in: arguments).map { value in
      if case .string(let id) = value { return trace.strings[id] }
      return String(json(value).line.dropLast())
    }
  }

  /// The value of an argument.
  func json(_ value: ArgumentValue) -> JSONValue {
    switch value {
    case .null: .null
    case .bool(let flag): .bool(flag)
    case .integer(let number): .integer(number)
    case .unsigned(let number): .unsigned(number)
    case .double(let number): .number(number)
    case .string(let id): .string(trace.strings[id])
    }
  }
}

/// Rows of fields. A row ends with its last field.
struct TableRows {
  fileprivate(set) var output: ExportOutput
  private let columns: Int
  private var column = 0

  /// Creates the rows of a table with that many columns.
  init(_ output: ExportOutput, columns: Int) {
    self.output = output
    self.columns = columns
  }

  /// A Boolean value indicating whether nothing more can be written.
  var hasFailed: Bool { output.hasFailed }

  /// Adds a number, or an unknown one.
  mutating func add(_ number: (some BinaryInteger)?) { addPlain(number.map { "\($0)" } ?? "") }

  /// Adds a real number. What is no number is unknown.
  mutating func add(_ number: Double) { addPlain(number.isFinite ? "\(number)" : "") }

  mutating func add(_ flag: Bool) { addPlain(flag ? "true" : "false") }

  /// Adds a text, quoted if a reader could misunderstand it.
  mutating func add(_ text: String?) { addPlain(CSVField.text(text ?? "", replacing: [0])) }

  private mutating func addPlain(_ field: String) {
    column += 1
    let isLast = column == columns
    if isLast { column = 0 }
    output.append(field + (isLast ? "\n" : ","))
  }
}
