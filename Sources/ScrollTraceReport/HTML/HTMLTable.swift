/// A table of a page, under a caption.
struct HTMLTable {
  let caption: String
  let columns: [Document.Table.Column]
  /// Whether the caption is visible: not where the section has just said it.
  var isTitled = true

  /// Returns the table, which can be scrolled, also by keyboard, if it is too wide.
  func text(rows: [String]) -> String {
    let headings = columns.map { column in
      let title = column.title.isEmpty ? "<span class=\"hidden\">remark</span>" : column.title.html
      return "<th scope=\"col\"\(Self.alignment(of: column))>\(title)</th>"
    }
    return Self.text(
      caption, isTitled: isTitled, head: "<thead><tr>\(headings.joined())</tr></thead>\n",
      body: rows.joined())
  }

  func row(_ cells: [StyledText], id: String? = nil) -> String {
    let cells = zip(columns, cells).map { column, cell in
      let text = cell.text.html
      let inked = Self.name(of: cell.role).map { "<span class=\"\($0)\">\(text)</span>" } ?? text
      return "<td\(Self.alignment(of: column))>\(inked)</td>"
    }
    let id = id.map { " id=\"\($0)\"" } ?? ""
    return "<tr\(id)>\(cells.joined())</tr>\n"
  }

  /// Returns counts as bars, relative to the longest. Only a count of zero has no bar.
  static func bars(_ bars: Document.Bars, isTitled: Bool = true) -> String {
    let maximum = max(1, bars.rows.map(\.count).max() ?? 1)
    let rows = bars.rows.map { bar in
      let length = Double(bar.count) / Double(maximum) * 100
      let width = bar.count > 0 ? max(1, Int(length)) : 0
      return "<tr><th scope=\"row\">\(bar.label.html)</th>"
        + "<td class=\"number\">\((bar.value ?? String(bar.count)).html)</td><td class=\"bar\">"
        + "<svg viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
        + "<rect width=\"\(width)\" height=\"10\" class=\"\(bar.isLate ? "late" : "good")\"/>"
        + "</svg></td>"
        + (bar.remark.isEmpty ? "" : "<td>\(bar.remark.html)</td>")
        + "</tr>\n"
    }
    return text(bars.title, isTitled: isTitled, head: "", body: rows.joined())
  }

  /// The class of a role, or `nil` for that of the page.
  static func name(of role: TextRole) -> String? { role == .plain ? nil : role.rawValue }

  private static func text(
    _ caption: String, isTitled: Bool, head: String, body: String
  ) -> String {
    let caption = caption.html
    return "<div class=\"scroll\" role=\"region\" tabindex=\"0\""
      + " aria-label=\"\(caption)\"><table>\n"
      + "<caption\(isTitled ? "" : " class=\"hidden\"")>\(caption)</caption>\n"
      + "\(head)<tbody>\n\(body)</tbody>\n</table></div>\n"
  }

  private static func alignment(of column: Document.Table.Column) -> String {
    column.alignment == .right ? " class=\"number\"" : ""
  }
}
