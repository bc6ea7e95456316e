/// Names from traces as reports can show them: visible and of limited length.
enum VisibleName {
  private static let ellipsis = "…"

  /// The front of a name, in at most `columns`.
  static func front(of text: String, _ columns: Int) -> String {
    // A long name is truncated before it is escaped, so that a malicious one takes no time.
    let front = String(text.unicodeScalars.prefix(columns * 4 + 1))
    return ColumnWidth.clip(
      EscapingContext.terminal.escape(front), to: columns, ellipsis: ellipsis)
  }

  /// The start and the end of a name, in at most `columns`. Names that start alike often end differently.
  static func ends(of text: String, _ columns: Int) -> String {
    let whole = front(of: text, columns)
    guard whole.hasSuffix(ellipsis), !text.hasSuffix(ellipsis), columns > 12 else { return whole }
    let front = ColumnWidth.clip(whole, to: columns / 3, ellipsis: "")
    return front + end(of: text, columns - ColumnWidth.of(front))
  }

  /// The end of a name, which identifies a path best, in at most `columns`.
  static func end(of text: String, _ columns: Int, ellipsis: String = ellipsis) -> String {
    let tail = EscapingContext.terminal.escape(
      String(text.unicodeScalars.suffix(max(0, columns) * 4 + 1)))
    guard ColumnWidth.of(tail) > columns else { return tail }
    let room = columns - ColumnWidth.of(ellipsis)
    var kept = String.UnicodeScalarView()
    for scalar in tail.unicodeScalars.reversed() {
      guard ColumnWidth.of(String(kept)) + ColumnWidth.of(String(scalar)) <= room else { break }
      kept.append(scalar)
    }
    return ellipsis + String(String.UnicodeScalarView(kept.reversed()))
  }

  /// A sentence that may contain names.
  static func sentence(_ text: String) -> String {
    EscapingContext.terminal.escape(String(text.unicodeScalars.prefix(2_000)))
  }
}
