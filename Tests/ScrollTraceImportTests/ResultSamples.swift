import Foundation

/// Writes small files of JSON in the shape of those that other tools write of a run.
enum ResultSamples {
  /// Each sample's file, format and content.
  static let all = [
    ("flutter-snapshot.json", "flutter", flutter),
    ("feed-benchmarkData.json", "macrobenchmark", macrobenchmark),
    ("flashlight.json", "flashlight", flashlight),
    ("metrickit.json", "metrickit", metricKit),
    ("xctest-metrics.json", "xctest", xctest),
    ("page-frames.json", "long-animation-frames", longAnimationFrames),
    ("jank-logs.json", "otlp-jank", jankEvents),
  ]

  /// The path of a sample in the package.
  static func path(_ name: String) -> String { FrameTableSamples.path(name) }

  /// Tenths as a number with one place.
  static func tenths(_ value: Int) -> String {
    "\(value < 0 ? "-" : "")\(abs(value) / 10).\(abs(value) % 10)"
  }
}
