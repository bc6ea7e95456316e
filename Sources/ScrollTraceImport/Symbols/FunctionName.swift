internal import CImportShims
import ScrollTraceModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Names of functions as a reader knows them from the source.
package enum FunctionName {
  /// Returns a symbol's name without mangling if it is of Swift or C++; others only lose their version.
  static func readable(_ symbol: String) -> String {
    guard symbol.hasPrefix("$s") || symbol.hasPrefix("$S") else {
      // `poll@GLIBC_2.2.5`
      let plain = symbol.prefix { $0 != "@" }
      let name = plain.isEmpty ? symbol : String(plain)
      return CPlusPlusName.readable(name) ?? name
    }
    var copy = symbol
    let demangled = copy.withUTF8 { bytes -> String? in
      bytes.withMemoryRebound(to: CChar.self) { name -> String? in
        guard let start = name.baseAddress,
          let text = swift_demangle(start, name.count, nil, nil, 0)
        else { return nil }
        defer { free(text) }
        return String(cString: text)
      }
    }
    return demangled.map(shortened) ?? symbol
  }

  /// Returns the demangled name without modules, types and generic arguments:
  /// `Feed.decode(_:width:)` for `App.Feed.decode(Swift.Int, width: Swift.Int) -> ()`.
  package static func shortened(_ name: String) -> String {
    var prefix = ""
    var rest = Substring(name)
    while let (kind, content) = specialization(rest) {
      if prefix.isEmpty { prefix = kind }
      rest = content
    }
    // A closure is in a function: each is shortened.
    var parts: [String] = []
    for part in split(rest, at: " in ") { parts.append(shortenedPart(part)) }
    return prefix + parts.joined(separator: " in ")
  }

  /// What is specialized or merged, and the word for it; `nil` if nothing is.
  private static func specialization(_ name: Substring) -> (String, Substring)? {
    let kinds = [
      ("generic specialization <", "specialized "),
      ("function signature specialization <", "specialized "),
      ("generic not re-abstracted specialization <", "specialized "),
      ("generic partial specialization <", "specialized "),
    ]
    for (start, word) in kinds where name.hasPrefix(start) {
      let arguments = name.dropFirst(start.count - 1)
      guard let end = closing(arguments), arguments[end...].hasPrefix("> of ") else { return nil }
      return (word, arguments[end...].dropFirst(5))
    }
    return name.hasPrefix("merged ") ? ("", name.dropFirst(7)) : nil
  }

  /// The position of the bracket that closes the one at the start.
  private static func closing(_ text: Substring) -> Substring.Index? {
    var depth = 0
    var last: Character = " "
    for index in text.indices {
      let character = text[index]
      switch character {
      case "(", "<", "[": depth += 1
      // The arrow of a function type closes nothing.
      case ">" where last == "-": break
      case ")", ">", "]":
        depth -= 1
        if depth == 0 { return index }
      default: break
      }
      last = character
    }
    return nil
  }

  /// Splits the text at a separator that is in no brackets.
  private static func split(_ text: Substring, at separator: String) -> [Substring] {
    var parts: [Substring] = []
    var start = text.startIndex
    var index = text.startIndex
    while index < text.endIndex {
      if "(<[".contains(text[index]), let end = closing(text[index...]) {
        index = text.index(after: end)
      } else if text[index...].hasPrefix(separator) {
        parts.append(text[start..<index])
        index = text.index(index, offsetBy: separator.count)
        start = index
      } else {
        index = text.index(after: index)
      }
    }
    return parts + [text[start...]]
  }

  /// Shortens one function: its path and the labels of its arguments.
  private static func shortenedPart(_ part: Substring) -> String {
    var text = part
    // `(extension in Module):`
    if text.hasPrefix("(extension in "), let end = closing(text) {
      text = text[text.index(after: end)...].drop { $0 == ":" }
    }
    let isClosure = text.hasPrefix("closure #") || text.hasPrefix("implicit closure #")
    if isClosure { return String(split(text, at: " (").first ?? text) }
    let signature = text.firstIndex(of: "(").flatMap { open -> Substring.Index? in
      // A private function: `(decode in _1234)(Swift.Int)`.
      guard text[open...].dropFirst().prefix(while: { $0 != ")" }).includes(" in _") else {
        return open
      }
      let behind = closing(text[open...]).map { text.index(after: $0) } ?? text.endIndex
      return text[behind...].firstIndex(of: "(")
    }
    let path = text[..<(signature ?? split(text, at: " : ").first?.endIndex ?? text.endIndex)]
    var name = shortenedPath(path)
    if let signature { name += labels(text[signature...]) }
    return name
  }

  /// The path without its module, generic arguments and the marks of private names.
  private static func shortenedPath(_ path: Substring) -> String {
    var words = path.split(separator: " ", maxSplits: 1)
    let kind = words.first == "static" ? "static " : ""
    if !kind.isEmpty { words.removeFirst() }
    var plain = ""
    var rest = words.joined(separator: " ")[...]
    while let character = rest.first {
      if character == "<", let end = closing(rest) {
        rest = rest[rest.index(after: end)...]
      } else if character == "(", let end = closing(rest) {
        plain += rest.dropFirst().prefix { $0 != " " }
        rest = rest[rest.index(after: end)...]
      } else {
        plain.append(character)
        rest.removeFirst()
      }
    }
    let components = plain.split(separator: ".", omittingEmptySubsequences: true)
    return kind
      + (components.count > 1 ? components.dropFirst() : components[...])
      .joined(separator: ".")
  }

  /// The labels of a signature: `(_:width:)`.
  private static func labels(_ signature: Substring) -> String {
    guard let end = closing(signature) else { return "(…)" }
    let arguments = signature[signature.index(after: signature.startIndex)..<end]
    guard !arguments.isEmpty else { return "()" }
    let labels = split(arguments, at: ", ").map { argument in
      let label = argument.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      return argument[label.endIndex...].hasPrefix(": ") && !label.isEmpty ? "\(label):" : "_:"
    }
    return "(\(labels.joined()))"
  }
}
