import Foundation
import ScrollTraceTestSupport
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
    #expect(
      header.structures["error"]?.map(\.description) == [
        "code: int32", "system_error: int32", "message: char[504]",
      ])
    #expect(header.structures["options"]?.count == 19)
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

  // MARK: Dart

  /// The kind of a native type of Dart, and the type with which Dart passes it.
  private static func dartKind(_ type: String) -> (kind: String, passedAs: String) {
    if let pointed = type.wholeMatch(of: /Pointer<(.*)>/) {
      return ("*" + dartKind("\(pointed.1)").kind, type)
    }
    return switch type {
    case "_Handle": ("*", type)
    case "Uint8": ("char", "int")
    case "Void", "Bool", "Double": (type.lowercased(), type.lowercased())
    case "Size", "Int32", "Int64", "Uint32", "Uint64": (type.lowercased(), "int")
    default: (type.replacing("_", with: "").lowercased(), type)
    }
  }

  @Test func `the functions of the Dart library are the header's`() throws {
    let header = try CHeader()
    let library = try Self.text("scrolltrace_ffi.dart").replacing(/\s+/, with: " ")
    let lookups = library.matches(
      of:
        /_library\.lookupFunction< ?(\w+) Function\( ?(.*?)\), (\w+) Function\( ?(.*?)\)>\( ?'scrolltrace_(\w+)'/
    )
    #expect(lookups.count == library.matches(of: /_library\.lookupFunction/).count)
    #expect(lookups.count == 30)
    for lookup in lookups {
      let native = [String(lookup.1)] + CHeader.split(lookup.2)
      let kinds = native.map { Self.dartKind($0).kind }
      let declared = CHeader.Function(result: kinds[0], arguments: Array(kinds.dropFirst()))
      #expect(declared == header.functions[String(lookup.5)], "scrolltrace_\(lookup.5)")
      #expect(
        [String(lookup.3)] + CHeader.split(lookup.4) == native.map { Self.dartKind($0).passedAs },
        "scrolltrace_\(lookup.5)")
    }
  }

  @Test func `the structures of the Dart library are the header's`() throws {
    let header = try CHeader()
    let library = try Self.text("scrolltrace_ffi.dart")
    let classes = library.matches(of: /final class _(\w+) extends Struct \{\n([\s\S]*?)\n\}/)
    #expect(classes.count == 9)
    for type in classes {
      let fields = type.2.split(separator: "\n").compactMap { line -> CHeader.Field? in
        guard let field = line.wholeMatch(of: /\s+(?:@(\w+)\((\d*)\) )?external ([\w<>]+) (\w+);/)
        else { return nil }
        let name = String(field.4).replacing(/[A-Z]/) { "_" + $0.0.lowercased() }
        if field.1 == "Array", let element = field.3.wholeMatch(of: /Array<(\w+)>/) {
          let kind = Self.dartKind(String(element.1)).kind
          return CHeader.Field(name: name, kind: "\(kind)[\(field.2 ?? "")]")
        }
        let (kind, passedAs) = Self.dartKind(String(field.1 ?? field.3))
        return passedAs == field.3 ? CHeader.Field(name: name, kind: kind) : nil
      }
      #expect(fields == header.structures[type.1.lowercased()], "\(type.1)")
    }
  }

  @Test(
    .needs(
      "Python's tree_sitter and tree_sitter_dart",
      if: (try? Shell.run("python3 -c 'import tree_sitter, tree_sitter_dart'")) != nil))
  func `the Dart library and the guide's Dart code have no syntax error`() throws {
    let script = """
      import re, sys, tree_sitter, tree_sitter_dart
      parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_dart.language()))
      for path in sys.argv[1:]:
          text = open(path).read()
          if path.endswith(".md"):
              blocks = re.findall("```dart\\n(.*?)```", text, re.S)
              text = "void main() {\\n" + "\\n".join(blocks) + "}\\n"
          print(path, parser.parse(text.encode()).root_node.has_error)
      """
    let bindings = Library.sources.appendingPathComponent("Bindings").path
    let guide =
      PackageFiles.folder.path
      + "/Sources/ScrollTraceRecorder/ScrollTraceRecorder.docc/OtherHosts.md"
    let files = [bindings + "/scrolltrace.dart", bindings + "/scrolltrace_ffi.dart", guide]
    let folder = ScratchFolder()
    try script.write(toFile: folder.path + "/check.py", atomically: true, encoding: .utf8)
    let output = try Shell.run(
      "python3 '\(folder.path)/check.py' \(files.map { "'\($0)'" }.joined(separator: " "))")
    #expect(output == files.map { $0 + " False\n" }.joined())
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
