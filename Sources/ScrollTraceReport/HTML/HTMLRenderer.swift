import ScrollTraceSummary

/// Renders a report as a self-contained HTML page without network access or other files.
///
/// The page's policy allows only its own style and script by their hashes, so that no name from a
/// trace can act. The script only adds a zoom to the graphs.
public struct HTMLRenderer: ReportRenderer {
  /// The size in bytes above which a page has fewer rows and drawings, then less detail in the zoom.
  static let maximumSize = 120_000
  /// The maximum number of points of a graph that are stored for the zoom.
  private static let zoomPoints = 4_000

  /// Creates a renderer.
  public init() {}

  /// Renders the report.
  public func render(_ report: Report) -> String {
    func document(_ limits: RowLimits) -> Document {
      Document(report, limits: limits, for: .extended)
    }
    var page = render(document(.page), zoomPoints: Self.zoomPoints)
    guard page.utf8.count > Self.maximumSize else { return page }
    let small = document(.smallPage)
    for points in [Self.zoomPoints, Self.zoomPoints / 4, 0] where page.utf8.count > Self.maximumSize
    {
      page = render(small, zoomPoints: points)
    }
    return page
  }

  private func render(_ document: Document, zoomPoints: Int) -> String {
    let page = document.page([.gate, .verdict, .graph])
    let anchors = Set(page.flatMap(HTMLSection.anchors))
    let sections = page.enumerated().map { index, section in
      HTMLSection(section: section, number: index + 1, zoomPoints: zoomPoints, anchors: anchors)
        .text
    }
    let top = page.firstIndex { $0.isDetail } ?? 0
    let title = document.title.html
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8"/>
      <meta http-equiv="Content-Security-Policy" content="\(policy)"/>
      <meta name="viewport" content="width=device-width, initial-scale=1"/>
      <meta name="color-scheme" content="light dark"/>
      <meta name="referrer" content="no-referrer"/>
      <title>\(title) - \(ToolIdentity.name)</title>
      <style>\(HTMLStyle.text)</style>
      </head>
      <body>
      <header>
      <h1>\(title)</h1>
      <p class="tool">\(ToolIdentity.name) \(ToolIdentity.version)</p>
      </header>
      <main>
      \(sections[..<top].joined())\(contents(of: page))\(sections[top...].joined())</main>
      <script>\(HTMLScript.text)</script>
      </body>
      </html>

      """
  }

  private var policy: String {
    "default-src 'none'; style-src '\(HTMLStyle.hash)'; script-src '\(HTMLScript.hash)';"
      + " base-uri 'none'; form-action 'none'"
  }

  /// Links to the sections that have headings.
  private func contents(of page: [Document.Section]) -> String {
    let titled = page.enumerated().filter { $0.element.isDetail }
    guard titled.count > 2 else { return "" }
    let links = titled.map { index, section in
      "<li><a href=\"#section-\(index + 1)\">\(section.title.html)</a></li>"
    }
    return "<nav aria-label=\"Sections\"><ul>\(links.joined())</ul></nav>\n"
  }
}
