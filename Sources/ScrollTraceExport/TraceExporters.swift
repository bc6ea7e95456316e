/// The export formats.
package enum TraceExporters {
  /// All exporters, in the order of the help.
  package static let all: [any TraceExporter.Type] = [
    PerfettoExporter.self,
    ChromeJSONExporter.self,
    NDJSONExporter.self,
  ]

  package static func exporter(named name: String) -> (any TraceExporter.Type)? {
    all.first { $0.name == name }
  }

  package static func exporter(endingOf path: String) -> (any TraceExporter.Type)? {
    all.first { type in type.fileEndings.contains { path.hasSuffix("." + $0) } }
  }
}
