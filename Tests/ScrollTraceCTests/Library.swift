import Foundation
import ScrollTraceTestSupport

/// Where the library and what belongs to it lie.
enum Library {
  /// The C target, which holds the header, the examples and the list of exports.
  static let sources = PackageFiles.url("Sources/CScrollTrace")
  /// Where the header is.
  static let include = sources.appendingPathComponent("include").path
  static let header = sources.appendingPathComponent("include/scrolltrace.h")
  /// The examples of the documentation.
  static let examples = sources.appendingPathComponent("Examples")
  /// Programs for tests only.
  static let programs = PackageFiles.url("Tests/ScrollTraceCTests/Programs")

  /// What the library's file is called.
  #if canImport(Darwin)
    static let name = "libCScrollTrace.dylib"
  #else
    static let name = "libCScrollTrace.so"
  #endif

  /// Where the library was built: beside the tests.
  static func folder() throws -> String {
    try PackageFiles.buildFolder(of: name)
  }

  /// The functions that the header declares.
  static func declaredFunctions() throws -> Set<String> {
    let text = try withoutComments(String(contentsOf: header, encoding: .utf8))
    let declarations = text.matches(of: /(?m)^(?!static|#)[a-z][\w \*]*?(scrolltrace_\w+)\(/)
    return Set(declarations.map { String($0.1) })
  }

  private static func withoutComments(_ text: String) -> String {
    text.replacing(/\/\*[\s\S]*?\*\//, with: "")
  }
}
