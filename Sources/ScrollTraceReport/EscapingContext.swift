/// The destination of a text from a trace, which determines what must be escaped.
///
/// Names come from files and can be anything: escape sequences, bidirectional text, commands of a
/// build server. Every name is escaped for one of these contexts.
package enum EscapingContext: Sendable {
  /// A terminal or log that displays UTF-8.
  case terminal
  /// A terminal or log that displays only ASCII.
  case asciiTerminal
  /// Between the quotes of a JSON string.
  case json
  /// Between the tags of an HTML page, or between the double quotes of an attribute.
  case html
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

  /// Returns `text` with everything made visible that would act, hide or mislead in this context.
  package func escape(_ text: String) -> String {
    if isHarmless(text) { return text }
    return switch self {
    case .terminal: Self.escapeForTerminal(text, keepsUnicode: true)
    case .asciiTerminal: Self.escapeForTerminal(text, keepsUnicode: false)
    case .json: Self.escapeForJSON(text)
    default:
      // Invisible characters are replaced first, so that only the syntax remains.
      Self.replace(Self.escapeForTerminal(text, keepsUnicode: true), by: replacement)
    }
  }

  /// Returns whether a text consists only of ASCII letters, digits and harmless characters.
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
      text.utf8.allSatisfy { $0.isLetterOrDigit || " -".utf8.contains($0) }
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

  /// Returns whether `scalar` completes a command for GitHub's runner: `##[` anywhere, `::` where a
  /// line could start.
  private static func isCommand(_ previous: [Unicode.Scalar], _ scalar: Unicode.Scalar) -> Bool {
    if scalar == "[" { return previous == ["#", "#"] }
    return scalar == ":" && previous[1] == ":"
      && (!isVisible(previous[0]) || previous[0].properties.isWhitespace)
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

  /// Returns `^[` for an ASCII control character, `<U+202E>` for any other character.
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

  /// The standard requires escaping controls. The rest is escaped so that a report is harmless in a
  /// terminal or a script.
  private static func mustEscapeInJSON(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: return true
    default: return false
    }
  }

  /// Returns `text` with some of its scalars replaced.
  ///
  /// - Parameter replacement: Returns the replacement of a scalar, given the previous one, or `nil` to keep
  ///   it.
  private static func replace(
    _ text: String, by replacement: (_ previous: Unicode.Scalar, Unicode.Scalar) -> String?
  ) -> String {
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

  private func replacement(_ previous: Unicode.Scalar, _ scalar: Unicode.Scalar) -> String? {
    switch self {
    case .terminal, .asciiTerminal, .json: nil
    case .html, .xml: Self.entity(scalar)
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

  /// Escapes Markdown's characters, so that nothing becomes a link, a mention or a formula.
  private static func markdown(_ previous: Unicode.Scalar, _ scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "&", "<", ">": entity(scalar)
    case "\\", "`", "*", "_", "{", "}", "[", "]", "|", "~": "\\" + String(scalar)
    case "$": "&#36;"
    // A comment separates the character from the name, because mentions are detected in the
    // finished page.
    case "@", "#": String(scalar) + "<!-- -->"
    case "/" where previous == ":": "&#47;"
    case "." where previous == "w" || previous == "W": "&#46;"
    default: nil
    }
  }
}

extension String {
  /// The text, escaped for HTML.
  var html: String { EscapingContext.html.escape(self) }
}

extension UInt8 {
  /// Whether the byte is an ASCII letter or digit.
  var isLetterOrDigit: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }
}
