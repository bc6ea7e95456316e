extension EscapingContext {
  /// Makes of a scalar and the one before it what is to stand in its place; `nil` where it stays.
  typealias Replacement = (_ previous: Unicode.Scalar, _ scalar: Unicode.Scalar) -> String?

  /// `text` with some of its scalars replaced.
  static func replace(_ text: String, by replacement: Replacement) -> String {
    var result = String.UnicodeScalarView()
    var previous: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      if let text = replacement(previous, scalar) {
        result.append(contentsOf: text.unicodeScalars)
      } else {
        result.append(scalar)
      }
      previous = scalar
    }
    return String(result)
  }

  /// What must not end the element, nor begin a comment in it.
  func jsonInScript(_ previous: Unicode.Scalar, _ scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "<": "\\u003c"
    case ">": "\\u003e"
    case "&": "\\u0026"
    default: nil
    }
  }

  /// What stands for a sign of the sink's syntax.
  func replacement(_ previous: Unicode.Scalar, _ scalar: Unicode.Scalar) -> String? {
    switch self {
    case .terminal, .asciiTerminal, .json, .jsonInScript: nil
    case .html, .htmlAttribute, .xml: Self.entity(scalar)
    case .markdown: Self.markdown(previous, scalar)
    case .gitHubMessage: scalar == "%" ? "%25" : nil
    case .gitHubProperty:
      scalar == "%" ? "%25" : scalar == ":" ? "%3A" : scalar == "," ? "%2C" : nil
    case .openMetricsLabel: scalar == "\\" ? "\\\\" : scalar == "\"" ? "\\\"" : nil
    }
  }

  private static func entity(_ scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    case "\"": "&quot;"
    case "'": "&#39;"
    default: nil
    }
  }

  /// Signs of Markdown lose their meaning, and nothing becomes a link, a mention or a formula.
  private static func markdown(_ previous: Unicode.Scalar, _ scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "&", "<", ">": entity(scalar)
    case "\\", "`", "*", "_", "{", "}", "[", "]", "|", "~": "\\" + String(scalar)
    case "$": "&#36;"
    // A comment parts the sign from its name: mentions are looked for in the finished page.
    case "@", "#": String(scalar) + "<!-- -->"
    case "/" where previous == ":": "&#47;"
    case "." where previous == "w" || previous == "W": "&#46;"
    default: nil
    }
  }
}
