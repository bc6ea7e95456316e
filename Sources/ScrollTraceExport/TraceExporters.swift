/// The formats that a trace can be written in.
public enum TraceExporters {
  /// All exporters, in the order of the help.
  public static let all: [any TraceExporter.Type] = [
    FXTExporter.self,
    PerfettoExporter.self,
    ChromeJSONExporter.self,
    NDJSONExporter.self,
    CSVExporter.self,
  ]

  /// The exporter called `name`.
  public static func exporter(named name: String) -> (any TraceExporter.Type)? {
    all.first { $0.name == name }
  }

  /// The exporter of files whose names end as `path` does.
  public static func exporter(endingOf path: String) -> (any TraceExporter.Type)? {
    all.first { type in type.fileEndings.contains { path.hasSuffix("." + $0) } }
  }
}
