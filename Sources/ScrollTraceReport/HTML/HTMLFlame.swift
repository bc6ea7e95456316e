/// A flame graph of a page: bars as SVG for the eye, and the same as nested lists for the keyboard,
/// for screen readers and for search. Nothing needs a script.
struct HTMLFlame {
  private static let rowHeight = 18
  /// The width below which a bar is not drawn, as a share of the whole.
  private static let narrowest = 0.0005

  let flame: Document.Flame

  var text: String {
    guard !flame.nodes.isEmpty else { return "" }
    let title = flame.title.html
    let shown = flame.nodes.filter { $0.width >= Self.narrowest }
    let rows = (shown.map(\.depth).max() ?? 0) + 1
    let bars = shown.map(bar).joined()
    return "<div role=\"group\" aria-label=\"\(title)\">\n<p class=\"faint\">\(title)</p>\n"
      + "<div class=\"scroll\"><svg class=\"flame\" height=\"\(rows * Self.rowHeight)\""
      + " aria-hidden=\"true\">\n\(bars)</svg></div>\n"
      + "<details class=\"stacks\"><summary>The same as a list</summary>\n\(list)</details>\n"
      + "</div>\n"
  }

  private func bar(_ node: Document.Flame.Node) -> String {
    let role = HTMLTable.name(of: node.role) ?? "plain"
    return "<svg x=\"\(percent(node.start))\" y=\"\(node.depth * Self.rowHeight)\""
      + " width=\"\(percent(node.width))\" height=\"\(Self.rowHeight - 1)\">"
      + "<title>\(node.text.html)</title>"
      + "<rect class=\"\(role)\" width=\"100%\" height=\"100%\"/>"
      + "<text x=\"3\" y=\"13\">\(node.name.html)</text></svg>\n"
  }

  private func percent(_ share: Double) -> String {
    let scaled = (min(max(share, 0), 1) * 100_000).rounded()
    return "\(scaled / 1000)%"
  }

  /// The nodes as nested lists, each item followed by the list of those inside it.
  private var list: String {
    var text = ""
    var depth = -1
    for node in flame.nodes {
      if node.depth > depth {
        text += "<ul>\n"
        depth += 1
      } else {
        while depth > node.depth {
          text += "</li></ul>\n"
          depth -= 1
        }
        text += "</li>\n"
      }
      text += "<li>\(node.text.html)"
    }
    while depth >= 0 {
      text += "</li></ul>\n"
      depth -= 1
    }
    return text
  }
}
