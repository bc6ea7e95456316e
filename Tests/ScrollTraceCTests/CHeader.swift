import Foundation

/// What the header declares, in words that declarations in other languages can be compared with.
///
/// A kind is the name of a number ("int64"), of a structure ("span"), or what an address points to
/// ("*tick"); "*" alone is one whose content is private, and "int32" also stands for enumerations.
struct CHeader {
  struct Function: Equatable, CustomStringConvertible {
    var result: String
    var arguments: [String]
    var description: String { "(\(arguments.joined(separator: ", "))) -> \(result)" }
  }

  /// The functions by their names without the prefix.
  let functions: [String: Function]

  init() throws {
    let text = try String(contentsOf: Library.header, encoding: .utf8)
      .replacing(/\/\*[\s\S]*?\*\//, with: "")
    var functions: [String: Function] = [:]
    let declarations = text.matches(
      of: /(?m)^(?!static|typedef)([a-z][\w ]*[ \*]+)scrolltrace_(\w+)\(([^)]*)\);/)
    for match in declarations {
      let arguments = match.3 == "void" ? [] : Self.split(match.3).map(Self.kindOfArgument)
      functions[String(match.2)] = Function(
        result: Self.kind(String(match.1)), arguments: arguments)
    }
    self.functions = functions
  }

  /// Parts between commas, without the space around them.
  static func split(_ list: some StringProtocol) -> [String] {
    list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
      .filter { !$0.isEmpty }
  }

  /// The kind of an argument with its name, as in `const scrolltrace_tick *tick`.
  private static func kindOfArgument(_ argument: String) -> String {
    kind(argument.replacing(/\w+$/, with: ""))
  }

  private static func kind(_ type: String) -> String {
    let base = type.replacing(/const|\*|scrolltrace_|_t\b|\s/, with: "")
    let stars = String(repeating: "*", count: type.filter { $0 == "*" }.count)
    let name =
      switch base {
      case "recorder", "surface": ""
      case "result": "int32"
      default: base
      }
    return stars + name
  }
}
