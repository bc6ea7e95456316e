/// A report as one HTML page that needs nothing else: no network, no other file, no script.
///
/// The page's policy allows its own style and its own script by their hashes and nothing besides,
/// so that no name from a trace can act. The script only adds a zoom to the graphs.
public struct HTMLRenderer: ReportRenderer {
  /// The most runs of which each has graphs that can be zoomed.
  private static let zoomedRuns = 4

  /// The number of the frame that is looked at closely, in place of all; `nil` for the whole report.
  package let frame: UInt64?

  /// A renderer.
  public init(frame: UInt64? = nil) {
    self.frame = frame
  }

  private var style: TextStyle {
    var style = TextStyle(width: 100, tier: .basic, hitchLimit: 200)
    style.limits = .page
    return style
  }

  /// The report as a page.
  public func render(_ report: Report) -> String {
    let page = ReportPage(report, style: style, frame: frame)
    let hasZoom = report.runs.count <= Self.zoomedRuns
    let sections = page.sections.enumerated().map { index, section in
      HTMLSection(section, number: index + 1, hasZoom: hasZoom).text
    }
    let title = EscapingContext.html.escape(page.title)
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
      <p class="tool">\(ToolIdentity.name) \(ToolIdentity.version)</p>
      <h1>\(title)</h1>
      </header>
      \(contents(of: page))<main>
      \(sections.joined())</main>
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
  private func contents(of page: ReportPage) -> String {
    let titled = page.sections.enumerated().filter { !$0.element.title.isEmpty }
    guard titled.count > 2 else { return "" }
    let links = titled.map { index, section in
      "<li><a href=\"#section-\(index + 1)\">\(EscapingContext.html.escape(section.title))</a></li>"
    }
    return "<nav aria-label=\"Sections\"><ul>\(links.joined())</ul></nav>\n"
  }
}
