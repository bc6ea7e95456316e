import Foundation
import ScrollTraceTestSupport

/// The declarations of results, read from the sources: what JSON schema and page are made from.
struct ResultDeclarations {
  /// A value of an object.
  struct Member {
    let key: String
    /// The type as the source writes it.
    let type: String
    let text: String
  }

  /// A type that results contain.
  struct Declaration {
    let name: String
    let text: String
    /// The values of an object, in the order of its keys; empty for an enumeration.
    var members: [Member] = []
    /// The words of an enumeration.
    var words: [String] = []
  }

  private(set) var types: [String: Declaration] = [:]

  /// The folders and files with types that results contain.
  private static let sources = [
    "Sources/ScrollTraceReport/Results", "Sources/ScrollTraceAnalysis/Results",
    "Sources/ScrollTraceAnalysis/Evaluation", "Sources/ScrollTraceAnalysis/Causes",
    "Sources/ScrollTraceAnalysis/Comparison", "Sources/ScrollTraceAnalysis/Lists",
    "Sources/ScrollTraceAnalysis/Prediction", "Sources/ScrollTraceAnalysis/Samples",
    "Sources/ScrollTraceAnalysis/Work", "Sources/ScrollTraceGate/Verdict",
    "Sources/ScrollTraceModel",
  ]

  init() throws {
    for folder in Self.sources {
      let names = try FileManager.default.contentsOfDirectory(
        atPath: PackageFiles.url(folder).path)
      for name in names.sorted() where name.hasSuffix(".swift") {
        try read(try PackageFiles.text(folder + "/" + name))
      }
    }
  }

  /// Returns the type that a name means inside another.
  func type(_ name: String, in scope: String) -> Declaration? {
    var scope = scope.split(separator: ".")
    while true {
      if let found = types[(scope + [Substring(name)]).joined(separator: ".")] { return found }
      guard scope.popLast() != nil else { break }
    }
    let parts = name.split(separator: ".")
    return parts.count > 1 ? type(parts.dropFirst().joined(separator: "."), in: "") : nil
  }

  // MARK: - Reading

  /// A type whose body is being read.
  private struct Body {
    let indent: Int
    var declaration: Declaration
    let isObject: Bool
    let isEnumeration: Bool
    var properties: [(name: String, type: String, text: String)] = []
    var keys: [(name: String, key: String)]?
  }

  private mutating func read(_ text: String) throws {
    var bodies: [Body] = []
    var comment: [Substring] = []
    var isInKeys = false
    let kinds = "struct|enum|extension|class|protocol|actor"
    let type = try Regex<(Substring, Substring?, Substring, Substring, Substring)>(
      "^(?:(public|package|private|fileprivate) )?(?:final )?(\(kinds)) ([\\w.]+)(.*)$")
    let property =
      /^(?:public|package) (?:\w+\(set\) )?(?:let|var) (\w+)(?:: ([\w.\[\]?]+))?(?: = (\w*).*)?$/
    func close(_ body: Body) {
      guard body.isObject || body.isEnumeration else { return }
      var declaration = body.declaration
      let keys = body.keys ?? body.properties.map { ($0.name, $0.name) }
      let names = Dictionary(keys.map { ($0.name, $0.key) }) { first, _ in first }
      declaration.members = keys.compactMap { name, key in
        guard let found = body.properties.first(where: { $0.name == name }) else { return nil }
        return Member(key: key, type: found.type, text: Self.words(found.text, names))
      }
      types[declaration.name] = declaration
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let code = line.drop { $0 == " " }
      let indent = line.count - code.count
      if code.hasPrefix("///") {
        comment.append(code.dropFirst(3).drop { $0 == " " })
        continue
      }
      defer { if !code.hasPrefix("@") { comment = [] } }
      guard !code.isEmpty else { continue }
      while let body = bodies.last, body.indent >= indent, !code.hasPrefix(")") {
        close(body)
        bodies.removeLast()
      }
      if let match = code.firstMatch(of: type) {
        let name = String(match.3)
        if name == "CodingKeys" {
          isInKeys = true
          bodies[bodies.count - 1].keys = []
          readKeys(match.4, &bodies)
          if code.hasSuffix("}") { isInKeys = false }
          continue
        }
        isInKeys = false
        let outer = bodies.last.map { $0.declaration.name + "." } ?? ""
        let isOwn = match.1 == "public" && match.4.contains("Codable")
        bodies.append(
          Body(
            indent: indent,
            declaration: Declaration(name: outer + name, text: Self.words(comment, [:])),
            isObject: isOwn && match.2 == "struct", isEnumeration: isOwn && match.2 == "enum"))
        continue
      }
      guard let body = bodies.last else { continue }
      if isInKeys, code.hasPrefix("case ") {
        readKeys(code, &bodies)
      } else if isInKeys, code == "}" {
        isInKeys = false
      } else if body.isEnumeration, indent == body.indent + 2, code.hasPrefix("case ") {
        bodies[bodies.count - 1].declaration.words += Self.pairs(code).map(\.key)
      } else if body.isObject, indent == body.indent + 2,
        let match = code.firstMatch(of: property)
      {
        bodies[bodies.count - 1].properties.append(
          (String(match.1), String(match.2 ?? match.3 ?? ""), Self.words(comment, [:])))
      }
    }
    bodies.reversed().forEach(close)
  }

  private func readKeys(_ code: Substring, _ bodies: inout [Body]) {
    guard let start = code.firstRange(of: "case ") else { return }
    bodies[bodies.count - 1].keys? += Self.pairs(code[start.lowerBound...])
  }

  /// The names of cases, each with its raw value.
  private static func pairs(_ code: Substring) -> [(name: String, key: String)] {
    code.dropFirst("case ".count).split(separator: ",").map { part in
      let words = part.split { " =\"{}".contains($0) }.map(String.init)
      return (words[0], words.count > 1 ? words[1] : words[0])
    }
  }

  private static func words(_ comment: [Substring], _ names: [String: String]) -> String {
    let first = comment.prefix { !$0.isEmpty }.joined(separator: " ")
    return words(first, names)
  }

  /// A comment in the words of JSON: keys in place of the names in Swift.
  private static func words(_ comment: String, _ names: [String: String]) -> String {
    var text = comment.replacing("`nil`", with: "`null`")
    for (name, key) in names where name != key {
      text = text.replacing("`\(name)`", with: "`\(key)`")
    }
    return text
  }
}
