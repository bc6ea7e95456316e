import ScrollTraceModel

/// Series of values as lines of one drawing; a stratum that changed is drawn in the color of lateness.
struct HTMLLines {
  let lines: Document.Lines
  private static let size = (width: 720, height: 240)
  private static let margin = 8

  /// The figure with a caption, or an empty text without values.
  var text: String {
    let highest = lines.rows.flatMap(\.values).compactMap { $0 }.max() ?? 0
    guard highest > 0, lines.labels.count > 1 else { return "" }
    let drawn = lines.rows.map { series($0, highest: highest) }
    let names = lines.rows.map { (name: $0.name, end: $0.values.compactMap(\.self).last ?? 0) }
      .sorted { ($1.end, $0.name) < ($0.end, $1.name) }.map(\.name)
    let caption =
      "\(lines.title): 0 to \(lines.maximum), from \(lines.labels.first ?? "")"
      + " to \(lines.labels.last ?? ""); at their ends from the top: \(names.listed())"
    return "<figure><svg viewBox=\"0 0 \(Self.size.width) \(Self.size.height)\" role=\"img\""
      + " aria-label=\"\(caption.html)\">\(drawn.joined())</svg>"
      + "<figcaption>\(caption.html)</figcaption></figure>\n"
  }

  private func series(_ row: Document.Lines.Row, highest: Double) -> String {
    func point(_ index: Int, _ value: Double) -> String {
      let width = Double(Self.size.width - 2 * Self.margin)
      let height = Double(Self.size.height - 2 * Self.margin)
      let x = Double(Self.margin) + width * Double(index) / Double(lines.labels.count - 1)
      let y = Double(Self.margin) + height * (1 - max(0, min(1, value / highest)))
      return "\(Quantity.fixed(x, decimals: 1)),\(Quantity.fixed(y, decimals: 1))"
    }
    let points = row.values.enumerated().compactMap { index, value in
      value.map { point(index, $0) }
    }
    let role = row.marks.isEmpty ? "faint" : "late"
    return "<polyline class=\"\(role)\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"2\""
      + " points=\"\(points.joined(separator: " "))\"><title>\(row.name.html)</title></polyline>"
  }
}
