/// Where a text from a trace is about to go, and so what must not get there unchanged.
///
/// Names come from files and may be anything: escape sequences, text that runs backwards, commands
/// of a build server. Every name passes through one of these on its way out.
package enum EscapingContext: Sendable {
  /// A terminal or a log that shows UTF-8.
  case terminal
  /// A terminal or a log that shows ASCII only.
  case asciiTerminal
  /// Between the quotes of a JSON string.
  case json
  /// Between the quotes of a JSON string inside of a `script` element.
  case jsonInScript
  /// Between the tags of an HTML page.
  case html
  /// Between the double quotes of an attribute of an HTML page.
  case htmlAttribute
  /// A paragraph, a list or a table of Markdown as GitHub reads it, all on one line.
  case markdown
  /// Text or an attribute of XML 1.0.
  case xml
  /// The message of a workflow command of GitHub.
  case gitHubMessage
  /// A property of a workflow command of GitHub.
  case gitHubProperty
  /// Between the quotes of a label of OpenMetrics.
  case openMetricsLabel

  /// `text` with everything that would act, hide or mislead there made visible.
  package func escape(_ text: String) -> String {
    if isHarmless(text) { return text }
    return switch self {
    case .terminal: Self.escapeForTerminal(text, keepsUnicode: true)
    case .asciiTerminal: Self.escapeForTerminal(text, keepsUnicode: false)
    case .json: Self.escapeForJSON(text)
    case .jsonInScript: Self.replace(Self.escapeForJSON(text), by: jsonInScript)
    default:
      // What cannot be seen is made visible first; that leaves only the signs of the syntax.
      Self.replace(Self.escapeForTerminal(text, keepsUnicode: true), by: replacement)
    }
  }

  /// Whether there is no need to look closer: ASCII letters, digits and harmless signs.
  private func isHarmless(_ text: String) -> Bool {
    switch self {
    case .terminal, .asciiTerminal, .json:
      text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "["), UInt8(ascii: ":"): false
        default: (0x20...0x7E).contains(byte)
        }
      }
    default:
      text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: " "), UInt8(ascii: "-"):
          true
        default: false
        }
      }
    }
  }

  private static func escapeForTerminal(_ text: String, keepsUnicode: Bool) -> String {
    var result = String.UnicodeScalarView()
    var previous: [Unicode.Scalar] = [" ", " "]
    for scalar in text.unicodeScalars {
      if isCommand(previous, scalar) || !isVisible(scalar) || (!keepsUnicode && !scalar.isASCII) {
        result.append(contentsOf: visible(scalar).unicodeScalars)
      } else {
        result.append(scalar)
      }
      previous = [previous[1], scalar]
    }
    return String(result)
  }

  /// Whether `scalar` completes what GitHub's runner takes for a command: `##[` anywhere, `::` where
  /// a line could begin.
  private static func isCommand(_ previous: [Unicode.Scalar], _ scalar: Unicode.Scalar) -> Bool {
    if scalar == "[" { return previous == ["#", "#"] }
    return scalar == ":" && previous[1] == ":" && !isVisibleInk(previous[0])
  }

  private static func isVisibleInk(_ scalar: Unicode.Scalar) -> Bool {
    isVisible(scalar) && !scalar.properties.isWhitespace
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return (0x20...0x7E).contains(scalar.value) }
    if scalar.properties.isDefaultIgnorableCodePoint { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      return false
    default:
      return true
    }
  }

  /// `^[` for an ASCII control, `<U+202E>` for everything else.
  private static func visible(_ scalar: Unicode.Scalar) -> String {
    if scalar.value < 0x20 || scalar.value == 0x7F {
      return "^" + String(Unicode.Scalar(UInt8(truncatingIfNeeded: scalar.value ^ 0x40)))
    }
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "<U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + ">"
  }

  private static func escapeForJSON(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var previous: [Unicode.Scalar] = ["\"", "\""]
    for scalar in text.unicodeScalars {
      defer { previous = [previous[1], scalar] }
      switch scalar {
      case "\"", "\\":
        result.append("\\")
        result.append(scalar)
      case "\n": result.append(contentsOf: "\\n".unicodeScalars)
      case "\r": result.append(contentsOf: "\\r".unicodeScalars)
      case "\t": result.append(contentsOf: "\\t".unicodeScalars)
      case _ where mustEscapeInJSON(scalar) || isCommand(previous, scalar):
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          let padding = String(repeating: "0", count: 4 - digits.count)
          result.append(contentsOf: ("\\u" + padding + digits).unicodeScalars)
        }
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// Controls must be escaped by the standard; the rest so that a report shown in a terminal or
  /// pasted into a script stays harmless.
  private static func mustEscapeInJSON(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: return true
    default: return false
    }
  }
}
extension EscapingContext {
  /// Makes of a scalar and the one before it what is to stand in its place, or `nil` if it stays.
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
