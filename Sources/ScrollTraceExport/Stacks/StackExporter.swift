package import ScrollTraceModel

/// An exporter of stacks for a tool that shows flame graphs.
///
/// The same profile gives the same bytes.
package protocol StackExporter: Sendable {
  /// The format's short name.
  static var name: String { get }

  /// The file extensions of the format without the dot, the usual one first.
  static var fileEndings: [String] { get }

  static func write(_ profile: StackProfile, to output: inout ExportOutput)
}

package enum StackExporters {
  /// All exporters, in the order of the help.
  package static let all: [any StackExporter.Type] = [
    FoldedExporter.self,
    SpeedscopeExporter.self,
    FirefoxExporter.self,
  ]

  package static func exporter(named name: String) -> (any StackExporter.Type)? {
    all.first { $0.name == name }
  }

  package static func exporter(endingOf path: String) -> (any StackExporter.Type)? {
    all.first { type in type.fileEndings.contains { path.hasSuffix("." + $0) } }
  }
}
