package enum TraceImporters {
  /// All importers, in the order in which they inspect a file.
  package static let all: [any TraceImporter.Type] = [
    FXTImporter.self,
    PerfettoImporter.self,
    FlutterImporter.self,
    ChromeJSONImporter.self,
    XctraceImporter.self,
    NDJSONImporter.self,
    PresentMonImporter.self,
    MangoHudImporter.self,
    GfxinfoImporter.self,
    SystraceImporter.self,
    CSVImporter.self,
  ]

  /// The file extensions of traces, without the dot.
  package static var fileEndings: [String] {
    all.flatMap { $0.fileEndings }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
