import ScrollTraceImport
import ScrollTraceKit

/// Exports of a made-up trace.
enum FuzzExports {
  /// How long an export of a small file may be. Names are written with each event in some formats.
  private static let mostBytes = 256 << 20
  /// How much of an export is kept to be read again.
  private static let mostKeptBytes = 8 << 20

  /// Exports `trace` in all formats, and reads what came of it.
  static func run(_ trace: Trace) {
    for type in TraceExporters.all {
      let bytes = export(trace, type.init())
      guard bytes.count < mostKeptBytes else { continue }
      let again: Trace
      do {
        again = try TraceFile.read(MemoryByteSource(bytes))
      } catch {
        // A table of nothing is none, and neither is an empty file.
        precondition(!(type is FXTExporter.Type), "the own copy cannot be read: \(error)")
        continue
      }
      guard type is FXTExporter.Type else { continue }
      // A copy says everything, and a copy of the copy says the same.
      precondition(
        Set(again.losses.map(\.reason)) == Set(trace.losses.map(\.reason)),
        "losses \(trace.losses) became \(again.losses)")
      precondition(
        again.surfaces.map(\.frames.count) == trace.surfaces.map(\.frames.count),
        "frames \(trace.surfaces.map(\.frames.count)) became"
          + " \(again.surfaces.map(\.frames.count))")
      precondition(
        again.interactions.count == trace.interactions.count
          && again.states.count == trace.states.count,
        "interactions or states are not the same")
    }
  }

  private static func export(_ trace: Trace, _ exporter: any TraceExporter) -> [UInt8] {
    var kept: [UInt8] = []
    var count = 0
    var output = ExportOutput { bytes in
      count += bytes.count
      precondition(count < mostBytes, "an export of \(count) bytes")
      if count < mostKeptBytes { kept += bytes }
      return 0
    }
    _ = exporter.write(trace, to: &output)
    precondition(output.finish() == 0, "nothing else fails")
    return count < mostKeptBytes ? kept : [UInt8](repeating: 0, count: mostKeptBytes)
  }
}
