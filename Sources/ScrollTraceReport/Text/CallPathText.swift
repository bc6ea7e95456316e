import ScrollTraceModel

/// Call paths as narrow forms show them.
enum CallPathText {
  private static let separators = [" › ", " > ", " … ", " ... "]
  /// The columns to which the names of called functions are shortened before that of the first one is.
  private static let minimumColumns = 12

  /// Returns a call path in at most `columns`: its longest names are shortened, so that each function that it
  /// names is still there, and the first one, which is the app's, keeps most.
  static func shortened(_ path: String, to columns: Int, _ ellipsis: String) -> String {
    let indent = path.prefix { $0 == " " }
    var (names, between) = ([String](), [String]())
    var rest = path.dropFirst(indent.count)
    while let (range, separator) = next(in: rest) {
      names.append(String(rest[..<range.lowerBound]))
      between.append(separator)
      rest = rest[range.upperBound...]
    }
    names.append(String(rest))
    let room = columns - indent.count - between.reduce(0) { $0 + ColumnWidth.of($1) }
    var widths = names.map { ColumnWidth.of($0) }
    while widths.reduce(0, +) > room, let index = longest(of: widths) { widths[index] -= 1 }
    var text = String(indent)
    for (index, name) in names.enumerated() {
      text += ColumnWidth.clip(name, to: widths[index], ellipsis: ellipsis)
      if index < between.count { text += between[index] }
    }
    return ColumnWidth.clip(text, to: columns, ellipsis: ellipsis)
  }

  /// The first separator of a path.
  private static func next(in path: Substring) -> (Range<Substring.Index>, String)? {
    separators.compactMap { separator in
      path.firstOccurrence(of: separator).map { ($0, separator) }
    }.min { $0.0.lowerBound < $1.0.lowerBound }
  }

  /// The position of the name that gives way next, or `nil` if none can.
  private static func longest(of widths: [Int]) -> Int? {
    let called = widths.indices.dropFirst().filter { widths[$0] > minimumColumns }
    let candidates = called.isEmpty ? widths.indices.filter { widths[$0] > 1 } : called
    return candidates.max { widths[$0] < widths[$1] }
  }
}
