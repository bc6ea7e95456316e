/// The formats that a trace can be written in.
package enum TraceExporters {
  /// All exporters, in the order of the help.
  package static let all: [any TraceExporter.Type] = [
    FXTExporter.self,
    PerfettoExporter.self,
    ChromeJSONExporter.self,
    NDJSONExporter.self,
    CSVExporter.self,
  ]

  /// The exporter called `name`.
  package static func exporter(named name: String) -> (any TraceExporter.Type)? {
    all.first { $0.name == name }
  }

  /// The exporter of files whose names end as `path` does.
  package static func exporter(endingOf path: String) -> (any TraceExporter.Type)? {
    all.first { type in type.fileEndings.contains { path.hasSuffix("." + $0) } }
  }
}
