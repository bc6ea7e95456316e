import Foundation
import ScrollTraceLayout
import ScrollTraceTestSupport
import Testing

/// The page *File format* says of the vocabulary what the code says (F-4).
struct VocabularyPageTests {
  /// A row of a table of the page: its cells, of which the first names categories.
  private struct PageRow {
    let cells: [String]

    /// The words in backticks from cell `first` on.
    func words(from first: Int) -> Set<String> {
      Set(cells.dropFirst(first).flatMap(Self.words))
    }

    var categories: Set<String> {
      Set(Self.words(cells.first ?? "")).filter { $0.hasPrefix("scrolltrace.") }
    }

    private static func words(_ cell: String) -> [String] {
      let parts = cell.split(separator: "`", omittingEmptySubsequences: false)
      return parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
    }
  }

  private static let path = "Sources/ScrollTraceLayout/ScrollTraceLayout.docc/FileFormat.md"

  /// The rows of the first table behind `heading`.
  private static func rows(behind heading: String) throws -> [PageRow] {
    let page = try PackageFiles.text(path)
    let start = try #require(page.firstRange(of: heading)?.upperBound)
    let lines = page[start...].split(separator: "\n", omittingEmptySubsequences: false)
    let table = lines.drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }.dropFirst(2)
    return table.map { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst()
      return PageRow(cells: cells.map { String($0.drop { $0 == " " }) })
    }
  }

  private static let outcomes: Set<String> = [
    Vocabulary.Outcome.presented, Vocabulary.Outcome.presentedOnTime, Vocabulary.Outcome.dropped,
    Vocabulary.Outcome.notRequested,
  ].reduce(into: []) { $0.insert($1.description) }

  @Test func `the page has the categories of the code, each once`() throws {
    let named = try Self.rows(behind: "**F-4** The vocabulary:").flatMap(\.categories).sorted()
    #expect(named == Vocabulary.table.map(\.category.description).sorted())
  }

  @Test func `each category has the arguments and names that the page says`() throws {
    let rows = try Self.rows(behind: "**F-4** The vocabulary:")
    let allNames = Set(Vocabulary.table.flatMap(\.names).map(\.description))
    for category in Vocabulary.table {
      let name = category.category.description
      let mine = rows.filter { $0.categories.contains(name) }
      var keys = Set(category.keys.map(\.description))
      let said = mine.reduce(into: Set<String>()) { $0.formUnion($1.words(from: 1)) }
      let unknown = said.subtracting(keys).subtracting(allNames).subtracting(Self.outcomes)
        .filter { !$0.hasPrefix("scrolltrace.") }
      #expect(unknown.isEmpty, "\(name): on the page only: \(unknown.sorted())")
      if category.role != .thread, said.contains(Vocabulary.Category.thread.description) {
        keys.subtract(Vocabulary.threadCounts.map(\.description))
      }
      #expect(keys.isSubset(of: said), "\(name): \(keys.subtracting(said).sorted())")
      let text = mine.flatMap { $0.cells.dropFirst() }.joined(separator: " ")
      let words = Set(text.split { !$0.isLetter }.map(String.init))
      let names = Set(category.names.map(\.description))
      #expect(names.isSubset(of: words), "\(name): \(names.subtracting(words).sorted())")
    }
  }

  @Test func `the page lists the names of the code, spans and then marks`() throws {
    let list = /\w+(?:, \w+)+(?:; marks \w+(?:, \w+)*)?(?! ?\w)/
    let page = try PackageFiles.text(Self.path)
    var text = page
    for row in Vocabulary.table where row.names.count > 4 {
      let start = try #require(text.firstRange(of: "\n| `\(row.category)` | ")?.upperBound)
      let spans = row.names.dropLast(row.marks.count).map(\.description).joined(separator: ", ")
      let marks = row.marks.map(\.description).joined(separator: ", ")
      let found = try #require(text[start...].firstMatch(of: list))
      text.replaceSubrange(found.range, with: spans + (marks.isEmpty ? "" : "; marks " + marks))
    }
    if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] != nil {
      try Data(text.utf8).write(to: PackageFiles.url(Self.path))
      Issue.record("recorded the names; run again without RECORD_GOLDENS")
      return
    }
    #expect(page == text, "RECORD_GOLDENS=1 swift test --filter VocabularyPageTests")
  }

  @Test func `a key is spelled like its case, and the recorder's have fixed indices`() {
    #expect(Vocabulary.Key.commitStart.description == "commitStart")
    #expect(Vocabulary.Key.allCases.map(\.rawValue) == Array(1...Vocabulary.Key.allCases.count))
    #expect(Vocabulary.Key.frame.rawValue == 1)
    #expect(Vocabulary.Key.process.rawValue == 28)
    #expect(Vocabulary.Key.diskFaults.rawValue == 39)
  }
}
