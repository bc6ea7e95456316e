/// The number of columns that text takes in a terminal.
package enum ColumnWidth {
  /// Returns the columns of `text`, which must not contain control characters.
  package static func of(_ text: String) -> Int {
    text.utf8.count == text.unicodeScalars.count
      ? text.utf8.count : text.unicodeScalars.reduce(0) { $0 + of($1) }
  }

  /// Returns `text` if it fits into `columns`, otherwise its front and an ellipsis.
  package static func clip(_ text: String, to columns: Int, ellipsis: String) -> String {
    // Combining marks take no columns, so without a limit of their own they could accumulate.
    let scalars = text.unicodeScalars
    let limit = max(columns, 0) * 4
    if scalars.count <= limit, of(text) <= columns { return text }
    let room = columns - of(ellipsis)
    guard room >= 0 else { return String(ellipsis.prefix(max(0, columns))) }
    var result = String.UnicodeScalarView()
    var used = 0
    for (index, scalar) in scalars.enumerated() {
      used += of(scalar)
      guard used <= room, index < limit else { break }
      result.append(scalar)
    }
    return String(result) + ellipsis
  }

  /// Returns `text` with spaces after it, at least `columns` wide.
  package static func padded(_ text: String, to columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - of(text)))
  }

  /// Returns `text` with spaces before it, at least `columns` wide.
  package static func rightAligned(_ text: String, to columns: Int) -> String {
    String(repeating: " ", count: max(0, columns - of(text))) + text
  }

  private static func of(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: return isWide(scalar) ? 2 : 1
    }
  }

  /// Returns whether a character is East Asian wide, full-width, or displayed as a picture.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.isEmojiPresentation { return true }
    return switch scalar.value {
    case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF,
      0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF,
      0x1F200...0x1F2FF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
