import Foundation
import ScrollTraceTestSupport
import Testing

/// What others see of the package: its public declarations, and its modules as a compiler outside sees them.
enum PublicInterface {
  /// A public declaration.
  struct Declaration {
    let target: String
    /// The keyword, such as `struct`.
    let kind: Substring
    /// The name without parameters; empty for initializers and subscripts.
    let name: Substring
    let isTopLevel: Bool
    /// A Boolean value indicating whether it is a value of a result, which the JSON report has too.
    let isInReport: Bool
    /// A Boolean value indicating whether it is a word of the vocabulary, such as `CellStep.size`.
    let isWord: Bool

    var isType: Bool { ["struct", "enum", "class", "protocol", "actor"].contains(kind) }
  }

  /// The public declarations in the sources of some targets.
  static func declarations(of targets: [String]) throws -> [Declaration] {
    let pattern =
      #/^( *)(?:@\w+(?:\([^)]*\))? )*public (?:[a-z]+(?:\([a-z]+\))? )*?/#
      .ignoresCase(false)
    let word = #/ static var \w+: (?:\w+Step|\w+Mark|InteractionKind|SpanCategory) {/#
    return try targets.flatMap { target in
      try files(in: "Sources/ScrollTrace\(target)", ending: ".swift").flatMap { _, text in
        var isInEncodedType = false
        return text.split(separator: "\n").compactMap { line -> Declaration? in
          guard let start = line.prefixMatch(of: pattern) else { return nil }
          let words = line[start.range.lowerBound...].split {
            !($0.isLetter || $0 == "_" || $0.isNumber)
          }
          guard let kind = words.firstIndex(where: { kinds.contains($0) }) else { return nil }
          let isNameless = words[kind] == "init" || words[kind] == "subscript"
          let name = isNameless || kind + 1 >= words.count ? "" : words[kind + 1]
          let isStored = words[kind] == "let" || line.contains("(set) var")
          let declaration = Declaration(
            target: target, kind: words[kind], name: name, isTopLevel: start.1.isEmpty,
            isInReport: isInEncodedType && isStored, isWord: line.contains(word))
          if declaration.isType { isInEncodedType = line.contains("Codable") }
          return declaration
        }
      }
    }
  }

  /// Whether a byte is a part of a name. Characters are slow to classify, and there are millions.
  static func isOfWord(_ byte: UInt8) -> Bool {
    let lower = byte | 0x20
    return lower >= 0x61 && lower <= 0x7A || byte >= 0x30 && byte <= 0x39 || byte == 0x5F
  }

  private static let kinds: Set<Substring> = [
    "struct", "enum", "class", "protocol", "actor", "func", "var", "let", "init", "subscript",
    "typealias",
  ]

  /// The files below a folder of the package, each with its path from there.
  static func files(in folder: String, ending: String) throws -> [(path: String, text: String)] {
    let root = PackageFiles.url(folder)
    let paths =
      FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
    return try paths.filter { $0.hasSuffix(ending) }.map {
      ($0, try String(contentsOf: root.appendingPathComponent($0), encoding: .utf8))
    }
  }

  // MARK: - A compiler outside of the package

  /// The folder in which the tests were built.
  static func modules() throws -> String {
    try PackageFiles.buildFolder(of: "Modules/ScrollTraceKit.swiftmodule")
  }

  /// Returns what the compiler says of a file that is not part of the package; empty if it compiles.
  static func typeCheck(_ file: URL, _ modules: String) throws -> String {
    let maps = ["CImportShims", "CRecorderShims"].map {
      " -Xcc -fmodule-map-file='\(modules)/\($0).build/module.modulemap'"
    }
    return try ShellRun(
      "swiftc -typecheck -swift-version 6 -I '\(modules)/Modules' '\(file.path)'" + maps.joined()
    ).output
  }
}

/// The public declarations are few, and each is used.
@Suite struct PublicInterfaceTests {
  private static let products: [(name: String, targets: [String], maximum: Int)] = [
    (
      "ScrollTraceKit",
      ["Model", "Import", "Export", "Analysis", "Gate", "Report", "Summary", "Kit"], .max
    ),
    ("ScrollTraceRecorder", ["Recorder"], 170), ("ScrollTraceTesting", ["Testing"], 20),
    ("ScrollTraceAdapters", ["Adapters"], 70),
  ]

  @Test func `each public declaration is used in an example or a test, and they are few`() throws {
    let uses =
      try PublicInterface.files(in: "Tests", ending: ".swift").map(\.text)
      + PublicInterface.files(in: "Sources", ending: ".md").map(\.text)
      + [PackageFiles.text("README.md")]
    let words = Set(
      uses.flatMap { $0.utf8.split { !PublicInterface.isOfWord($0) }.map { Substring($0) } })
    for product in Self.products {
      let all = try PublicInterface.declarations(of: product.targets)
      // Words may be added.
      let count = all.count { !$0.isWord }
      #expect(count > 0 && count <= product.maximum, "\(product.name): \(count)")
      // A type is used through its members, and a value of a result by the tests of its encoding.
      for declaration in all
      where !declaration.isType && !declaration.isInReport && !declaration.name.isEmpty {
        // Loops use it without its name.
        let isUsed = words.contains(declaration.name) || declaration.name == "makeIterator"
        #expect(isUsed, "\(product.name): \(declaration.name)")
      }
    }
  }

  @Test func `no two public types have one name`() throws {
    let targets = Self.products.flatMap(\.targets)
    let types = try PublicInterface.declarations(of: targets).filter { $0.isType && $0.isTopLevel }
    #expect(types.count > 60)
    let names = Dictionary(grouping: types, by: \.name)
    for (name, declarations) in names {
      // A host for each system is one type in conditional code.
      #expect(Set(declarations.map(\.target)).count == 1, "\(name)")
    }
  }
}
