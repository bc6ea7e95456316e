import Foundation

/// Writes small files of JSON in the shape of those that other tools write of a run.
enum ResultSamples {
  /// Each sample's file, format and content.
  static let all = [
    ("flutter-snapshot.json", "flutter", flutter)
  ]

  /// The path of a sample in the package.
  static func path(_ name: String) -> String { FrameTableSamples.path(name) }
}
