import ScrollTraceTestSupport
import Foundation
import Testing

/// What the bindings declare of other languages' functions is what those languages declare. Nothing is
/// run here: a wrong declaration would crash a host, or do so only on some processors.
struct BindingDeclarationTests {
  private static func text(_ name: String) throws -> String {
    try String(
      contentsOf: Library.sources.appendingPathComponent("Bindings/\(name)"), encoding: .utf8)
  }

  @Test func `the header is read whole`() throws {
    let header = try CHeader()
    let names = Set(header.functions.keys.map { "scrolltrace_" + $0 })
    #expect(names == (try Library.declaredFunctions()))
    #expect(header.functions["frame_begin"]?.description == "(*, *, uint64, *tick) -> frame")
    #expect(header.functions["open"]?.description == "(*char, *options, **, *error) -> int32")
    #expect(header.functions["version"]?.description == "() -> uint32")
    #expect(header.functions["error_message"]?.result == "*char")
  }

  // MARK: Python

  /// The kind of a type of ctypes.
  private static func pythonKind(_ type: String) -> String {
    if let pointed = type.wholeMatch(of: /POINTER\((.*)\)/) {
      return "*" + pythonKind(String(pointed.1))
    }
    return switch type {
    case "None": "void"
    case "c_void_p": "*"
    case "c_char_p": "*char"
    case "c_size_t": "size"
    default: type.replacing(/^c_|^_/, with: "").lowercased()
    }
  }

  @Test func `the functions of the Python module are the header's`() throws {
    let header = try CHeader()
    let module = try Self.text("scrolltrace.py")
    let table = try #require(module.firstMatch(of: /_FUNCTIONS: .*? = \{\n([\s\S]*?)\n\}/))
    let rows = table.1.matches(of: /"(\w+)": \((.*)\),\n?/)
    #expect(rows.count == table.1.split(separator: "\n").count)
    for row in rows {
      let kinds = CHeader.split(row.2).map(Self.pythonKind)
      // There, an interaction is a span: both are four words.
      var expected = try #require(header.functions[String(row.1)])
      expected.result = expected.result.replacing("interaction", with: "span")
      expected.arguments = expected.arguments.map { $0.replacing("interaction", with: "span") }
      let declared = CHeader.Function(result: kinds[0], arguments: Array(kinds.dropFirst()))
      #expect(declared == expected, "scrolltrace_\(row.1)")
    }
  }

  // MARK: Kotlin

  @Test func `the functions of ScrollTrace kt are those of its library`() throws {
    let kotlin = try Self.text("ScrollTrace.kt")
    var declared: [String: [String]] = [:]
    for match in kotlin.matches(of: /external fun (\w+)\(([^)]*)\)(?:: (\w+))?/) {
      let types = CHeader.split(match.2).map {
        $0.replacing(/^\w+: |\?/, with: "")
      }
      declared[String(match.1)] = [match.3.map(String.init) ?? "Unit"] + types
    }
    let library = try Self.text("scrolltrace_jni.c")
    var defined: [String: [String]] = [:]
    let types = [
      "void": "Unit", "jlong": "Long", "jint": "Int", "jboolean": "Boolean", "jdouble": "Double",
      "jbyteArray": "ByteArray", "jlongArray": "LongArray",
    ]
    for match in library.matches(
      of: /EXPORT\((\w+)\) Java_scrolltrace_Native_(\w+)\(\s*JNIEnv \*env, jclass type([^)]*)\)/)
    {
      let arguments = CHeader.split(match.3).map { types[$0.replacing(/\s\w+$/, with: "")] ?? $0 }
      defined[String(match.2)] = [types[String(match.1)] ?? "?"] + arguments
    }
    #expect(declared.count == 29)
    #expect(declared == defined)
  }
}
