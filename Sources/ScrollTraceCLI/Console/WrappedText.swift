import ScrollTraceKit

/// Text broken into lines.
package enum WrappedText {
  /// Breaks `text` at spaces. The first line begins with `start`, which replaces leading spaces of
  /// `text`, and the others are indented; a word longer than `width` stays whole.
  package static func lines(
    of text: String, start: String = "", indent: Int, width: Int
  ) -> [String] {
    let margin = String(repeating: " ", count: indent)
    var lines = [start]
    var isEmpty = true
    for word in text.split(separator: " ") {
      let line = lines[lines.count - 1]
      if isEmpty {
        lines[lines.count - 1] += word
      } else if ColumnWidth.of(line) + 1 + ColumnWidth.of(String(word)) > width {
        lines.append(margin + word)
      } else {
        lines[lines.count - 1] += " " + word
      }
      isEmpty = false
    }
    return lines
  }
}
