import ScrollTraceModel

/// The names of a trace as JSON strings, each created once.
struct QuotedNames {
  private let strings: StringTable
  private var texts: [[UInt8]?]

  /// Creates the names of `trace`.
  init(_ trace: Trace) {
    strings = trace.strings
    texts = Array(repeating: nil, count: trace.strings.count)
  }

  /// A name as a quoted JSON string.
  subscript(id: StringID) -> [UInt8] {
    mutating get {
      guard Int(id.rawValue) < texts.count else { return ExportOutput.quoted(strings[id]) }
      if let known = texts[Int(id.rawValue)] { return known }
      let text = ExportOutput.quoted(strings[id])
      texts[Int(id.rawValue)] = text
      return text
    }
  }
}
