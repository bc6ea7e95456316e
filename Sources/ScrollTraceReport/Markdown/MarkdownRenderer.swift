import ScrollTraceModel
import ScrollTraceSummary

/// Renders a report as GitHub-flavored Markdown, for a job summary or a comment.
///
/// GitHub accepts a summary of up to 1 MiB and drops a longer one entirely. The report stays below
/// `limit`: details are omitted first, with a remark.
public struct MarkdownRenderer: ReportRenderer {
  /// The maximum size of a report in bytes.
  package static let limit = 900 * 1024

  private let limit: Int

  /// Creates a renderer.
  public init() { self.init(limit: Self.limit) }

  init(limit: Int) {
    self.limit = limit
  }

  /// Renders the report.
  public func render(_ report: Report) -> String {
    let document = Document(report, limits: .summary, for: .extended)
    let heading = "### \(ToolIdentity.name): \(EscapingContext.markdown.escape(document.title))\n"
    var sections = document.page([.gate, .verdict, .limits]).map { section in
      (section, text: MarkdownSection(section: section).text)
    }
    var leftOut: [String] = []
    // Room for the remark about omitted details.
    let room = limit - 1_000
    while sections.reduce(heading.utf8.count, { $0 + $1.text.utf8.count }) > room,
      let last = sections.lastIndex(where: { $0.0.isDetail }) ?? sections.indices.last
    {
      leftOut.insert(sections.remove(at: last).0.title, at: 0)
    }
    return heading + sections.map(\.text).joined() + note(on: leftOut)
  }

  private func note(on leftOut: [String]) -> String {
    guard !leftOut.isEmpty else { return "" }
    let names = leftOut.map { title in
      EscapingContext.markdown.escape(
        title.isEmpty ? "the end" : String(title.unicodeScalars.prefix(40)))
    }
    return "\n**Omitted to stay below \(limit / 1024) KiB:** \(names.listed(maximum: 4))"
      + "; the JSON report is complete.\n"
  }
}
