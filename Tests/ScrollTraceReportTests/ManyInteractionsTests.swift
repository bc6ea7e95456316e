import ScrollTraceAnalysis
import ScrollTraceModel
import Testing

@testable import ScrollTraceReport

/// A recording with more interactions than a report lists.
@Suite struct ManyInteractionsTests {
  /// The feed, which lasts 10.28 s, with so many interactions.
  private func analysis(interactions: Int) -> Analysis {
    var options = AnalysisOptions()
    options.interactions = (0..<interactions).map { index in
      let from = Int64(index) * 10_000 / Int64(interactions)
      let to = Int64(index + 1) * 10_000 / Int64(interactions)
      return AnalysisOptions.NamedRange(
        name: "n\(index)", from: .milliseconds(from), to: .milliseconds(to))
    }
    return FeedTrace().analysis(options)
  }

  @Test func `few interactions have a row each, in their order`() throws {
    let rows = Renders.text(analysis(interactions: 24), width: 120).split(separator: "\n").filter {
      $0.hasPrefix("  named n")
    }
    #expect(rows.count == 24)
    #expect(rows[0].hasPrefix("  named n0 "))
  }

  @Test func `many interactions have a total per kind, and the worst ones first`() throws {
    let analysis = analysis(interactions: 100)
    let lines = Renders.text(analysis, width: 120).split(separator: "\n").map(String.init)
    let at = try #require(lines.firstIndex(of: "Interactions (100)"))
    let rows = lines[(at + 2)...].prefix { $0.hasPrefix("  ") }
    #expect(rows.first?.hasPrefix("  100 of named ") == true)
    #expect(rows.first?.contains(" 10.00 s ") == true)
    let all = try #require(analysis.evaluatedPrimarySurface?.interactions)
    let times = all.compactMap(\.hitchTime)
    let worst = try #require(all.first { $0.hitchTime == times.max() })
    #expect(rows.dropFirst().first?.hasPrefix("  named \(worst.name) ") == true)
    #expect(rows.count <= 10)
    #expect(rows.last?.contains("totals by kind, then the worst ") == true)
  }
}
