/// Names from traces as reports can show them: visible and of limited length.
enum VisibleName {
  private static let ellipsis = "…"

  /// The front of a name, in at most `columns`. What stands for an invisible character is not cut.
  static func front(of text: String, _ columns: Int, ellipsis: String = ellipsis) -> String {
    // A long name is truncated before it is escaped, so that a malicious one takes no time. Combining marks
    // take no columns, so without a limit of their own they could accumulate.
    let limit = max(0, columns) * 4
    let scalars = Array(text.unicodeScalars.prefix(limit + 1))
    let whole = escaped(scalars[...])
    if scalars.count <= limit, ColumnWidth.of(whole) <= columns { return whole }
    let room = columns - ColumnWidth.of(ellipsis)
    guard room >= 0 else { return String(ellipsis.prefix(max(0, columns))) }
    return longest(of: scalars.prefix(limit), fitting: room) { $0.prefix($1) } + ellipsis
  }

  /// The start and the end of a name, in at most `columns`. Names that start alike often end differently.
  static func ends(of text: String, _ columns: Int) -> String {
    let whole = front(of: text, columns)
    guard whole.hasSuffix(ellipsis), !text.hasSuffix(ellipsis), columns > 12 else { return whole }
    let front = front(of: text, columns / 3, ellipsis: "")
    return front + end(of: text, columns - ColumnWidth.of(front))
  }

  /// The end of a name, which identifies a path best, in at most `columns`.
  static func end(of text: String, _ columns: Int, ellipsis: String = ellipsis) -> String {
    let scalars = Array(text.unicodeScalars.suffix(max(0, columns) * 4 + 1))
    let tail = escaped(scalars[...])
    guard ColumnWidth.of(tail) > columns else { return tail }
    let room = columns - ColumnWidth.of(ellipsis)
    return ellipsis + longest(of: scalars[...], fitting: room) { $0.suffix($1) }
  }

  /// The longest part that takes at most `room` columns.
  private static func longest(
    of scalars: ArraySlice<Unicode.Scalar>, fitting room: Int,
    _ part: (ArraySlice<Unicode.Scalar>, Int) -> ArraySlice<Unicode.Scalar>
  ) -> String {
    // Half of the rest at a time: what stands for a character may depend on those before it.
    var (fits, exceeds) = (0, scalars.count + 1)
    while exceeds - fits > 1 {
      let middle = (fits + exceeds) / 2
      if ColumnWidth.of(escaped(part(scalars, middle))) <= room {
        fits = middle
      } else {
        exceeds = middle
      }
    }
    return fits > 0 ? escaped(part(scalars, fits)) : ""
  }

  private static func escaped(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    EscapingContext.terminal.escape(String(String.UnicodeScalarView(scalars)))
  }

  /// A sentence that may contain names.
  static func sentence(_ text: String) -> String {
    EscapingContext.terminal.escape(String(text.unicodeScalars.prefix(2_000)))
  }
}
