import Foundation
import ScrollTraceAnalysis
import ScrollTraceExport
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceReport
import ScrollTraceTestSupport

/// The sample traces, and traces as an analysis sees them.
enum SampleFiles {
  private static let folder = PackageFiles.url("SampleTraces")

  /// Every sample, ours and those of other tools.
  static let all: [String] = {
    let own = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let foreign =
      (try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/Foreign")) ?? []
    let names = own.filter { $0.hasSuffix(".fxt") } + foreign.map { "Foreign/" + $0 }
    return names.filter { !$0.hasSuffix(".md") && !$0.hasSuffix(".svg") }.sorted()
  }()

  /// Samples to export: a few, or all of them.
  static let some = ExtraCases.some(6, of: all)

  /// Traces that are not part of the package.
  static let extra: [String] = {
    guard let folder = ExtraCases.folder else { return [] }
    return ["chromium", "chrome-other", "fxt", "apple", "gtk", "flutter"].flatMap { name in
      let files = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/" + name)) ?? []
      return files.sorted().map { "\(folder)/\(name)/\($0)" }
    }.filter { (try? TraceFile.open($0))?.samples.isEmpty == true }
  }()

  static func trace(_ name: String) throws -> Trace {
    try name.hasPrefix("/") ? TraceFile.open(name) : traces.value(for: name)
  }

  private static let traces = MadeOnce<String, Trace> { name in
    try TraceFile.open(folder.path + "/" + name)
  }
}

/// Returns what `body` writes.
func written(by body: (inout ExportOutput) -> Void) -> [UInt8] {
  final class Box { var bytes: [UInt8] = [] }
  let box = Box()
  var output = ExportOutput {
    box.bytes += $0
    return 0
  }
  body(&output)
  _ = output.finish()
  return box.bytes
}

extension Trace {
  /// The file that an exporter makes of the trace, and what is not in it.
  func exported(as type: TraceFormat) -> (bytes: [UInt8], leftOut: ExportOmissions) {
    var leftOut = ExportOmissions()
    let bytes = written { leftOut = type.write(self, to: &$0) }
    return (bytes, leftOut)
  }

  /// The trace that is read of the file, and what is not in it.
  func copied(as type: TraceFormat) throws -> (copy: Trace, leftOut: ExportOmissions) {
    let (bytes, leftOut) = exported(as: type)
    return (try TraceFile.read(bytes), leftOut)
  }

  /// What the analysis says of the trace, as lines of JSON; path, format and size are not of the trace.
  var result: [String] {
    var trace = self
    trace.source.path = ""
    trace.source.format = "any"
    trace.source.byteCount = nil
    let report = Report([TraceAnalyzer().analyze(trace)])
    return JSONRenderer(includesSeries: true).render(report).components(separatedBy: "\n")
  }
}

/// The first line in which two texts differ; `nil` where they are the same.
func firstDifference(_ left: [String], _ right: [String]) -> String? {
  for (one, other) in zip(left, right) where one != other { return "\(one)\n\(other)" }
  return left.count == right.count ? nil : "\(left.count) lines, \(right.count) lines"
}

extension [String] {
  /// Of an analysis as JSON what was measured, without what is known of the file.
  var figures: [String] {
    let first = firstIndex { $0.contains("\"surfaces\"") } ?? 0
    let last = lastIndex { $0.contains("\"notices\"") } ?? count
    return Array(self[first..<last])
  }
}
