import ScrollTraceKit

/// Text in lines that end before the terminal does.
enum WrappedText {
  /// `text` broken at spaces.
  ///
  /// - Parameters:
  ///   - start: What begins the first line, in place of the spaces that `text` begins with.
  ///   - indent: The columns before all other lines.
  ///   - width: The columns there are; a longer word stays whole.
  static func lines(
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
