package import ScrollTraceModel

/// An exporter for one format.
///
/// The same trace gives the same bytes. Objects that the format cannot represent are omitted and
/// counted.
package protocol TraceExporter: Sendable {
  /// The format's short name, which is also its importer's.
  static var name: String { get }

  /// The file extensions of the format without the dot, the usual one first.
  static var fileEndings: [String] { get }

  /// Creates an exporter.
  init()

  /// Returns whether the format has a place for sampled stacks such as those of `series`.
  static func holds(_ series: SampleSeries) -> Bool

  /// Writes `trace` to `output` and returns the omissions.
  func write(_ trace: Trace, to output: inout ExportOutput) -> ExportOmissions
}

extension TraceExporter {
  /// Most formats have no place for sampled stacks.
  package static func holds(_ series: SampleSeries) -> Bool { false }

  /// Writes `trace` to `output` and returns the omissions, with the sampled stacks for which the format
  /// has no place.
  package func export(_ trace: Trace, to output: inout ExportOutput) -> ExportOmissions {
    var omissions = write(trace, to: &output)
    omissions.add(
      .stackSample, trace.samples.reduce(0) { $0 + (Self.holds($1) ? 0 : $1.count) })
    return omissions
  }
}
