/// The name of a function as traces spell it, in parts: `app.Feed$1.invoke (Feed.kt:3)`, `std::mutex::lock()`,
/// `-[NSLock lockBeforeDate:]`.
package struct QualifiedName {
  /// The name without what is in brackets: the arguments of templates and functions, and locations. The
  /// constructors of a JVM, `<init>`, lose only the brackets.
  package let plain: String
  /// The names of the namespaces and types of the function, outermost first, then its own; empty for an address
  /// on the web.
  ///
  /// What compilers call functions without a name is left out: they are a part of the function around them.
  package let path: [Substring]

  private static let longestName = 256
  private static let separators = Array(".:#$".utf8)

  private static let constructors = ["<init>", "<clinit>"]

  private static let functionsWithoutName: Set<Substring> = [
    "invoke", "invokeSuspend", "lambda", "operator",
  ]

  package init(_ name: String) {
    plain = Self.withoutArguments(name)
    path = Self.path(of: plain)
  }

  private static func path(of name: String) -> [Substring] {
    guard !name.includes("://") else { return [] }
    if name.hasPrefix("-[") || name.hasPrefix("+[") {
      return name.dropFirst(2).split { $0 == " " || $0 == "]" }
    }
    // What follows a colon and a space is the function's data.
    var rest = name.firstOccurrence(of: ": ").map { name[..<$0.lowerBound] } ?? name[...]
    while rest.last == " " { rest.removeLast() }
    var path = rest.utf8.split { separators.contains($0) }.map { Substring($0) }
    while let last = path.last, !isName(last) { path.removeLast() }
    return path
  }

  private static func isName(_ component: Substring) -> Bool {
    guard component.contains(where: \.isLetter) else { return false }
    return component.split(separator: " ").first.map { !functionsWithoutName.contains($0) } ?? false
  }

  private static func withoutArguments(_ name: String) -> String {
    var (plain, depth) = ([UInt8](), 0)
    var rest = name.utf8.prefix(longestName)
    while let byte = rest.first {
      if byte == UInt8(ascii: "<"), depth == 0,
        let constructor = constructors.first(where: { rest.starts(with: $0.utf8) })
      {
        plain += constructor.utf8.dropFirst().dropLast()
        rest.removeFirst(constructor.utf8.count)
        continue
      }
      rest.removeFirst()
      switch byte {
      case UInt8(ascii: ">") where depth == 0 && plain.last == UInt8(ascii: "-"):
        plain.removeLast()
        // A result follows, and not a member.
        if plain.last == UInt8(ascii: " ") { return String(decoding: plain, as: UTF8.self) }
        plain.append(UInt8(ascii: "."))
      case UInt8(ascii: "("), UInt8(ascii: "<"): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: ">"): depth = max(0, depth - 1)
      default: if depth == 0 { plain.append(byte) }
      }
    }
    return String(decoding: plain, as: UTF8.self)
  }

  /// The words of a name in lowercase: `RV OnBindView` has `rv`, `on`, `bind` and `view`.
  package static func words(of name: some StringProtocol) -> [String] {
    var words: [String] = []
    var (word, wasLowercase) = ("", false)
    func end() {
      if !word.isEmpty { words.append(word.lowercased()) }
      word = ""
    }
    for character in name.prefix(longestName) {
      if !character.isLetter || (character.isUppercase && wasLowercase) {
        end()
      } else if character.isLowercase, !wasLowercase, word.count > 1, word != "SQL",
        let last = word.popLast()
      {
        // The last letter of an acronym begins the next word: UIImage, JSONDecoder.
        end()
        word.append(last)
      }
      if character.isLetter { word.append(character) }
      wasLowercase = character.isLowercase
    }
    end()
    return words
  }
}
