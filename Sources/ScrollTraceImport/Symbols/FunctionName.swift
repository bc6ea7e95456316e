internal import CImportShims
import ScrollTraceModel
import ScrollTracePlatform

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
      + (components.count > 1 ? components.dropFirst() : components[...]).joined(separator: ".")
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

/// Names of functions in C++, and in Rust as far as they look the same.
package enum CPlusPlusName {
  private typealias Demangle =
    @convention(c) (
      UnsafePointer<CChar>, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?,
      UnsafeMutablePointer<CInt>?
    ) -> UnsafeMutablePointer<CChar>?

  /// The system's own function, or `nil` without any.
  private static let demangle: Demangle? = SystemFunctions(
    ["__cxa_demangle"], of: ["libstdc++.so.6", "libc++abi.so.1", "libc++abi.dylib"])?[0]

  /// Returns the name of a mangled symbol as in the source, without arguments, or `nil` if it is none or
  /// this system cannot read it.
  static func readable(_ symbol: String) -> String? {
    guard symbol.hasPrefix("_Z"), let demangle, let text = demangle(symbol, nil, nil, nil) else {
      return nil
    }
    defer { free(text) }
    return shortened(String(cString: text))
  }

  /// Returns a function's name without its result, arguments and template arguments:
  /// `Feed::decode` for `void Feed::decode<int>(int, char const*) const`.
  package static func shortened(_ name: String) -> String {
    var path: [UInt8] = []
    var rest = Array(name.utf8)[...]
    while let byte = rest.first {
      if let word = operatorName(at: rest, after: path) {
        path += rest.prefix(word)
        rest = rest.dropFirst(word)
        // What follows the name of an operator are its arguments.
        if rest.first != UInt8(ascii: "<") { break }
        continue
      }
      switch byte {
      case UInt8(ascii: "<"): rest = rest.dropFirst(length(ofBrackets: rest))
      case UInt8(ascii: "("), UInt8(ascii: "{"):
        let length = length(ofBrackets: rest)
        let isPart = byte == UInt8(ascii: "{") || rest.starts(with: "(anonymous namespace)".utf8)
        // The arguments: a function inside this one may follow.
        if isPart { path += rest.prefix(length) }
        rest = rest.dropFirst(length)
        if !isPart {
          let qualifiers = rest.prefix { $0 != UInt8(ascii: ":") }
          guard rest.dropFirst(qualifiers.count).starts(with: "::".utf8) else { rest = []; break }
          rest = rest.dropFirst(qualifiers.count)
        }
      case UInt8(ascii: " "):
        // The result is before the name, as far as it is known.
        path.removeAll()
        rest = rest.dropFirst()
      default:
        path.append(byte)
        rest = rest.dropFirst()
      }
    }
    let text = withoutHash(String(decoding: path, as: UTF8.self))
    return text.isEmpty ? name : text
  }

  /// The length of an operator's name, which brackets can be part of, or `nil` if there is none.
  private static func operatorName(at text: ArraySlice<UInt8>, after path: [UInt8]) -> Int? {
    let word = "operator"
    guard text.starts(with: word.utf8),
      path.last.map({ $0 == UInt8(ascii: ":") }) ?? true
    else { return nil }
    let behind = text.dropFirst(word.utf8.count)
    for sign in ["()", "<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "<", ">"]
    where behind.starts(with: sign.utf8) { return word.utf8.count + sign.utf8.count }
    // A conversion: the type is up to the arguments.
    guard behind.first == UInt8(ascii: " ") else { return nil }
    return word.utf8.count + behind.prefix { $0 != UInt8(ascii: "(") }.count
  }

  /// The length of the text up to the bracket that closes the one at the start.
  private static func length(ofBrackets text: ArraySlice<UInt8>) -> Int {
    var depth = 0
    var last: UInt8 = 0
    for (index, byte) in text.enumerated() {
      switch byte {
      case UInt8(ascii: "("), UInt8(ascii: "<"), UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ">") where last == UInt8(ascii: "-"): break
      case UInt8(ascii: ")"), UInt8(ascii: ">"), UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 { return index + 1 }
      default: break
      }
      last = byte
    }
    return text.count
  }

  /// The name without the hash at the end of Rust's.
  private static func withoutHash(_ name: String) -> String {
    let hash = name.utf8.suffix(19)
    let isHash =
      hash.count == 19 && hash.starts(with: "::h".utf8)
      && hash.dropFirst(3).allSatisfy { byte in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
      }
    return isHash ? String(decoding: name.utf8.dropLast(19), as: UTF8.self) : name
  }
}
