import Foundation
import ScrollTraceAnalysis
import ScrollTraceGate
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceReport

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The reports on the samples: some are compared with files, all are rendered and parsed.
@Suite struct SampleReportTests {
  /// The forms of a report, by the extension of their files.
  private static let forms: [String: any ReportRenderer] = [
    "txt": TextRenderer(), "full.txt": TextRenderer(TextStyle(isFull: true)),
    "brief.txt": BriefRenderer(), "json": JSONRenderer(),
    "md": MarkdownRenderer(),
    "html": HTMLRenderer(), "xml": JUnitRenderer(), "github.txt": GitHubRenderer(),
    "prom": OpenMetricsRenderer(), "benchmark.json": BenchmarkActionRenderer(),
    "bmf.json": BencherRenderer(),
  ]

  /// The files in `SampleTraces/Reports`, by subject: the first screen of each, and one other form.
  private static let goldens: [String: [String]] = {
    let others = [
      "damaged": "json", "feed-commit-hitches": "full.txt", "feed-smooth": "brief.txt",
      "interactions": "html", "item-reload": "xml", "killed-mid-scroll": "github.txt",
      "panel-1-on-demand": "md", "rate-change": "json", "registration-per-cell": "bmf.json",
      "snapshot-reload": "prom", "stall-without-frames": "benchmark.json", comparison: "json",
    ]
    return Dictionary(
      uniqueKeysWithValues: subjects.map { ($0, ["txt"] + (others[$0].map { [$0] } ?? [])) })
  }()

  private static let comparison = "panel-1-with-3"
  private static let folder = SampleTests.folder.appendingPathComponent("Reports")

  /// Everything that there is a report on.
  static let subjects = SampleTests.names + [comparison]

  /// The report on a sample, or the comparison of two.
  private static func report(on subject: String) throws -> Report {
    switch subject {
    case comparison:
      let base = [try SampleTests.analysis("panel-1-on-demand")]
      let new = [try SampleTests.analysis("panel-3-background")]
      return Report(
        Comparison(base: base, new: new), verdict: Verdict(comparing: new, with: base))
    default: return Report([try SampleTests.analysis(subject)])
    }
  }

  @Test func `the reports on a sample match the golden files`() async {
    await forEachCase(of: Self.subjects, oneCase)
    @Sendable func oneCase(subject: String) throws {
      let report = try Self.report(on: subject)
      for form in try #require(Self.goldens[subject]) {
        let renderer = try #require(Self.forms[form])
        try expect(renderer.render(report), in: "\(subject).\(form)")
      }
    }
  }

  @Test func `a page has a lane of blank time, if cells were blank`() throws {
    func page(_ sample: String) throws -> String {
      HTMLRenderer().render(Report([try SampleTests.analysis(sample)]))
    }
    #expect(try page("captured-cell").contains("<path class=\"blank\" d=\"M"))
    #expect(try !page("panel-3-background").contains("class=\"blank\""))
  }

  @Test func `every golden report is in the list`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    let listed = Self.goldens.flatMap { subject, forms in forms.map { "\(subject).\($0)" } }
    #expect(Set(files) == Set(listed))
  }

  @Test func `every form of every report can be read by its consumer`() async {
    await forEachCase(of: ExtraCases.some(4, of: Self.subjects), oneCase)
    @Sendable func oneCase(subject: String) throws {
      let report = try Self.report(on: subject)
      for (form, renderer) in Self.forms {
        let text = renderer.render(report)
        // A page can be sent by mail.
        #expect(text.utf8.count < 1_000_000, "\(form)")
        switch form {
        case "json", "benchmark.json", "bmf.json":
          _ = try JSONSerialization.jsonObject(with: Data(text.utf8))
        case "xml", "html": #expect(XMLParser(data: Data(text.utf8)).parse(), "\(form)")
        case "prom":
          #expect(text.hasSuffix("# EOF\n"))
          for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            #expect(line.hasPrefix("scrolltrace_"))
            #expect(line.split(separator: " ").last.flatMap { Double($0) } != nil, "\(line)")
          }
        case "github.txt":
          #expect(text.split(separator: "\n").allSatisfy { $0.hasPrefix("::") })
        default: #expect(!text.isEmpty)
        }
      }
    }
  }

  /// Compares with a file, or records it and fails if RECORD_GOLDENS is set.
  private func expect(_ text: String, in file: String) throws {
    let url = Self.folder.appendingPathComponent(file)
    if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] != nil {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
      Issue.record("recorded \(file); run again without RECORD_GOLDENS")
      return
    }
    let recorded = String(decoding: try Data(contentsOf: url), as: UTF8.self)
    #expect(text == recorded, "RECORD_GOLDENS=1 swift test --filter SampleReportTests records it")
  }
}
