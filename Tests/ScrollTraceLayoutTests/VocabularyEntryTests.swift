import ScrollTraceLayout
import ScrollTraceTestSupport
import Testing

/// A word is an entry of the vocabulary, and what hosts write in Swift and C is what the entries say.
struct VocabularyEntryTests {
  /// The categories whose names a host records, with the words of the header and of the recorder.
  private static let groups: [(category: StaticString, header: String, recorder: String)] = [
    (Vocabulary.Category.phase, "PHASE", "Phase"),
    (Vocabulary.Category.cell, "CELL", "Cell"),
    (Vocabulary.Category.image, "IMAGE", "Image"),
    (Vocabulary.Category.data, "DATA", "Data"),
    (Vocabulary.Category.interaction, "INTERACTION", "Interaction"),
  ]

  private static func names(of category: StaticString) -> [String] {
    let row = Vocabulary.table.first { $0.category.description == category.description }
    return (row?.names ?? []).map(\.description)
  }

  /// A name in capitals: `willDisplay` is `WILL_DISPLAY`.
  private static func capitals(_ name: String) -> String {
    name.reduce(into: "") { $0 += ($1.isUppercase ? "_" : "") + $1.uppercased() }
  }

  @Test func `the header has a macro for each name, and no others`() throws {
    let header = try PackageFiles.text("Sources/CScrollTrace/include/scrolltrace.h")
    let definitions = header.split(separator: "\n").filter { $0.contains(" SCROLLTRACE_NAME(\"") }
    for group in Self.groups {
      let prefix = "#define SCROLLTRACE_\(group.header)_"
      let found = definitions.filter { $0.hasPrefix(prefix) }.map {
        String($0.prefix { $0 != ")" }.dropFirst(prefix.count))
      }
      let expected = Self.names(of: group.category).map {
        "\(Self.capitals($0)) SCROLLTRACE_NAME(\"\($0)\""
      }
      #expect(!expected.isEmpty)
      #expect(found.sorted() == expected.sorted(), "\(group.header)")
    }
  }

  @Test func `the outcomes of the header are those of the vocabulary`() throws {
    let header = try PackageFiles.text("Sources/CScrollTrace/include/scrolltrace.h")
    let outcomes = [
      Vocabulary.Outcome.presented, Vocabulary.Outcome.dropped, Vocabulary.Outcome.notRequested,
    ].map(\.description)
    let definitions = header.split(separator: "\n").filter {
      $0.hasPrefix("#define SCROLLTRACE_OUTCOME_")
    }
    #expect(
      definitions.map { String($0.dropFirst("#define SCROLLTRACE_OUTCOME_".count)) }
        == outcomes.map { "\(Self.capitals($0)) SCROLLTRACE_NAME(\"\($0)\")" })
  }

  @Test
  func `the recorder has a member for each name, and takes its text from the vocabulary`() throws {
    let sources = try ["Frames", "Cells", "ImagesAndData", "Interactions"]
      .map { try PackageFiles.text("Sources/ScrollTraceRecorder/API/\($0).swift") }.joined()
    for group in Self.groups {
      let parts = sources.split(separator: "Vocabulary.\(group.recorder).").dropFirst()
      let used = Set(parts.map { String($0.prefix { $0.isLetter }) })
      #expect(used == Set(Self.names(of: group.category)), "\(group.recorder)")
    }
  }

  @Test func `the categories of the header and the bindings are the vocabulary's`() throws {
    let categories = Set(Vocabulary.table.map(\.category.description))
    let files = [
      "include/scrolltrace.h", "Bindings/ScrollTrace.kt", "Bindings/scrolltrace.py",
      "Bindings/scrolltrace.js", "Bindings/scrolltrace.hpp",
    ]
    for file in files {
      let text = try PackageFiles.text("Sources/CScrollTrace/\(file)")
      let used = text.split(separator: "\"scrolltrace.").dropFirst().compactMap { part in
        // A file's name, such as "scrolltrace.h", is no category.
        let word = part.prefix { $0.isLetter }
        return part.dropFirst(word.count).first == "\"" && word.count > 1
          ? "scrolltrace.\(word)" : nil
      }
      #expect(Set(used).isSubset(of: categories), "\(file): \(Set(used).subtracting(categories))")
    }
  }
}
