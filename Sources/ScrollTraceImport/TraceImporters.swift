/// The formats that can be opened.
public enum TraceImporters {
  /// All importers, in the order in which they are asked whether a file is theirs.
  public static let all: [any TraceImporter.Type] = [
    FXTImporter.self,
    ChromeJSONImporter.self,
  ]
}
