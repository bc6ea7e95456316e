/// A line of text with inks, which knows how many columns it takes.
struct TextLine: Sendable {
  private var runs: [(text: String, ink: TextRole)] = []

  /// Whether the line is written whole although it is wider than the report.
  private var isUncut = false

  private(set) var width = 0

  init(_ text: String = "", _ ink: TextRole = .plain) {
    append(text, ink)
  }

  var plain: String { runs.map(\.text).joined() }

  /// What the line means as a whole: the ink it begins with.
  var ink: TextRole { runs.first?.ink ?? .plain }

  /// The line, to be written whole although it may be wider than the report.
  var uncut: TextLine {
    var line = self
    line.isUncut = true
    return line
  }

  mutating func append(_ text: String, _ ink: TextRole = .plain) {
    guard !text.isEmpty else { return }
    width += ColumnWidth.of(text)
    // Spaces show no ink, so they join what stands before them.
    if let last = runs.last, last.ink == ink || text.allSatisfy({ $0 == " " }) {
      runs[runs.count - 1].text += text
    } else {
      runs.append((text, ink))
    }
  }

  mutating func append(_ line: TextLine) {
    for run in line.runs { append(run.text, run.ink) }
  }

  static func + (left: TextLine, right: TextLine) -> TextLine {
    var line = left
    line.append(right)
    return line
  }

  /// Adds spaces until the line takes `columns`.
  mutating func pad(to columns: Int) {
    append(String(repeating: " ", count: max(0, columns - width)))
  }

  /// The line where it fits into `columns`, else its front and an ellipsis.
  func clipped(to columns: Int, ellipsis: String) -> TextLine {
    guard width > columns, !isUncut else { return self }
    var result = TextLine()
    for run in runs {
      let room = columns - result.width
      let cut = ColumnWidth.clip(run.text, to: room, ellipsis: ellipsis)
      result.append(cut, run.ink)
      if cut != run.text { return result }
    }
    return result
  }

  /// The same for a list with commas between its items: whole items, as many as fit.
  func clippedBetweenItems(to columns: Int, ellipsis: String) -> TextLine {
    guard width > columns else { return self }
    var text = plain
    while let comma = text.lastIndex(of: ",") {
      let isBoundary = text[comma...].hasPrefix(", ")
      text = String(text[..<comma])
      let shortened = text + ", " + ellipsis
      if isBoundary, ColumnWidth.of(shortened) <= columns { return TextLine(shortened, ink) }
    }
    return clipped(to: columns, ellipsis: ellipsis)
  }

  /// The line as it is written: every ink begins and ends in it, and no space is at its end.
  ///
  /// Logs of build servers forget colours at the end of a line.
  func text(in palette: Palette) -> String {
    var trimmed = runs
    while let last = trimmed.last {
      let text = String(last.text.reversed().drop { $0 == " " }.reversed())
      trimmed.removeLast()
      guard text.isEmpty else {
        trimmed.append((text, last.ink))
        break
      }
    }
    return trimmed.map { text, ink in
      ink.parameters(in: palette).map { "\u{1B}[\($0)m\(text)\u{1B}[0m" } ?? text
    }.joined()
  }
}

extension [TextLine] {
  /// `text` broken into lines of at most `width` columns; a number stays with its unit.
  ///
  /// - Parameters:
  ///   - first: The columns to the left of the first line.
  ///   - indent: The columns to the left of the others.
  static func wrapping(
    _ text: String, width: Int, first: Int = 0, indent: Int = 0, ink: TextRole = .plain,
    ellipsis: String
  ) -> [TextLine] {
    wrapping(
      words: splitIntoWords(text), width: width, first: first, indent: indent, ink: ink,
      ellipsis: ellipsis)
  }

  /// `pieces` in lines of at most `width` columns, broken between them where they are short enough.
  static func wrapping(
    pieces: [String], width: Int, ink: TextRole = .plain, ellipsis: String
  ) -> [TextLine] {
    let words = pieces.flatMap { ColumnWidth.of($0) <= width ? [$0] : splitIntoWords($0) }
    return wrapping(words: words, width: width, first: 0, indent: 0, ink: ink, ellipsis: ellipsis)
  }

  private static func wrapping(
    words: [String], width: Int, first: Int, indent: Int, ink: TextRole, ellipsis: String
  ) -> [TextLine] {
    var lines: [TextLine] = []
    var line = TextLine(String(repeating: " ", count: first))
    var isEmpty = true
    for word in words {
      if !isEmpty, line.width + 1 + ColumnWidth.of(word) > width {
        lines.append(line)
        line = TextLine(String(repeating: " ", count: indent))
      } else if !isEmpty {
        line.append(" ", ink)
      }
      let room = Swift.max(1, width - line.width)
      line.append(ColumnWidth.clip(word, to: room, ellipsis: ellipsis), ink)
      isEmpty = false
    }
    return isEmpty ? [] : lines + [line]
  }

  private static func splitIntoWords(_ text: String) -> [String] {
    let units: Set = ["ms", "s", "Hz", "ms/s", "%"]
    var words: [String] = []
    for word in text.split(separator: " ") {
      let bare = word.filter { !",;:.()".contains($0) }
      if units.contains(bare), let last = words.last {
        words[words.count - 1] = last + " " + word
      } else {
        words.append(String(word))
      }
    }
    return words
  }

  /// The lines behind `start`, each beginning where the first one does.
  func behind(_ start: TextLine) -> [TextLine] {
    enumerated().map { index, line in
      (index == 0 ? start : TextLine(String(repeating: " ", count: start.width))) + line
    }
  }
}

extension TextLine {
  /// Texts with separators between them, none parted in two if it fits, each line after `start`.
  static func pieces(_ texts: [String], after start: TextLine, _ style: TextStyle) -> [TextLine] {
    let pieces = texts.enumerated().map { index, text in
      index + 1 < texts.count ? text + style.glyphs.separator : text
    }
    let lines: [TextLine] = .wrapping(
      pieces: pieces, width: style.width - start.width, ink: .faint,
      ellipsis: style.glyphs.ellipsis)
    return lines.map { start + $0 }
  }
}
