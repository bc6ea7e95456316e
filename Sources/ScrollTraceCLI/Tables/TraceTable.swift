import ScrollTraceKit

/// A table of a trace or of its analysis, written as CSV for SQL and data frames.
///
/// Times and durations are nanoseconds; times count from the trace's start. An empty field is unknown.
struct TraceTable: Sendable {
  /// The file's name without `.csv`.
  let name: String
  let columns: [String]
  private let write: @Sendable (TableMaterial, inout TableRows) -> Void

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

  func write(_ material: TableMaterial, to output: inout ExportOutput) {
    output.append(text: columns.joined(separator: ",") + "\n")
    var rows = TableRows(material.trace, output, columns: columns.count)
    write(material, &rows)
    output = rows.finish()
  }
}

/// An analysis with the keys by which tables are joined.
struct TableMaterial: Sendable {
  let run: Analysis
  /// The key of the first frame of each surface.
  let firstFrames: [Int]
  /// The name of each thread as a field.
  let threads: [[UInt8]]

  private let start: Timestamp

  var trace: Trace { run.trace }

  init(_ run: Analysis) {
    self.run = run
    start = run.trace.range.start
    var next = 1
    firstFrames = run.trace.surfaces.map { surface in
      defer { next += surface.frames.count }
      return next
    }
    threads = run.trace.numberedTracks.map { TableRows.field(run.trace.displayName(of: $0.id)) }
  }

  func key(ofFrame index: Int, on surface: SurfaceID) -> Int { firstFrames[surface.index] + index }

  /// A time from the trace's start.
  func time(_ time: Timestamp?) -> Int64? { time.map { ($0 - start).nanoseconds } }
}
