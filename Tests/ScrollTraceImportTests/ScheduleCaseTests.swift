import Foundation
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// Recorded schedules against the slices of `thread_state` that Perfetto's trace processor has for them.
///
/// A case is a trace, and beside it a text with the same name and the extension `states`: in each line a
/// thread's number, `running` or `ready`, the start and the length in nanoseconds.
@Suite struct ScheduleCaseTests {
  private static let folder: String? = {
    guard let cases = ProcessInfo.processInfo.environment["SCROLLTRACE_CASES"] else { return nil }
    let folder = cases + "/scheduling"
    return FileManager.default.fileExists(atPath: folder) ? folder : nil
  }()

  private static func names() throws -> [String] {
    try folder.map { folder in
      try FileManager.default.contentsOfDirectory(atPath: folder).filter {
        $0.hasSuffix(".states")
      }.sorted()
    } ?? []
  }

  private static func slices(of trace: Trace) -> Set<String> {
    var slices: Set<String> = []
    for track in trace.tracks {
      let states = track.threadStates
      for index in 0..<states.count {
        let (start, end) = (states.starts[index], states.ends[index])
        slices.insert("\(track.systemID) \(states.states[index]) \(start) \(end - start)")
      }
    }
    return slices
  }

  @Test(
    .enabled(
      if: folder != nil,
      "it needs schedules with the slices of trace processor in $SCROLLTRACE_CASES/scheduling"))
  func `every slice of trace processor is one here`() throws {
    #expect(try !Self.names().isEmpty)
    for name in try Self.names() {
      let path = try #require(Self.folder) + "/" + name
      let expected = Set(
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init))
      #expect(expected.count > 1000)
      let slices = Self.slices(of: try TraceFile.open(String(path.dropLast(".states".count))))
      #expect(expected.subtracting(slices).isEmpty, "\(name)")
      // What runs at the end of the recording ends with it here, and has no end there.
      let more = slices.subtracting(expected).count { $0.contains("running") }
      #expect(more <= 64, "\(name): \(more) more running slices")
    }
  }
}
