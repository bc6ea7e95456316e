import ScrollTraceImport
import ScrollTraceKit

/// Exports of a made-up trace.
enum FuzzExports {
  /// How long an export of a small file may be. Names are written with each event in some formats.
  private static let maximumBytes = 256 << 20
  /// How much of an export is kept to be read again.
  private static let maximumKeptBytes = 8 << 20

  /// Exports `trace` in all formats, and reads what came of it.
  static func run(_ trace: Trace) {
    for type in TraceFormat.all {
      let bytes = export(trace, type)
      guard bytes.count < maximumKeptBytes else { continue }
      let copy = try? TraceFile.read(MemoryByteSource(bytes))
      precondition(copy != nil || type.name != TraceFormat.ndjson.name, "the lines cannot be read")
    }
  }

  private static func export(_ trace: Trace, _ exporter: TraceFormat) -> [UInt8] {
    var kept: [UInt8] = []
    var count = 0
    var output = ExportOutput { bytes in
      count += bytes.count
      precondition(count < maximumBytes, "an export of \(count) bytes")
      if count < maximumKeptBytes { kept += bytes }
      return 0
    }
    _ = exporter.write(trace, to: &output)
    precondition(output.finish() == 0, "nothing else fails")
    return count < maximumKeptBytes ? kept : [UInt8](repeating: 0, count: maximumKeptBytes)
  }
}
