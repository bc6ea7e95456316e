import ReferenceListEngine
import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// What the analysis finds in the samples (M-19): what each was made to show, and nothing in those that
/// were made to be smooth. Where data comes for a list at rest less than a refresh before the drag, the
/// drag begins with a hitch for which no work is to blame (M-3, the head).
@Suite struct FindingTests {
  private static let found: [String: [String]] = [
    "feed-smooth": [],
    "feed-commit-hitches": ["decodeOnMainThread", "lateData"],
    "rate-change": ["longTask"],
    "stall-without-frames": ["longTask"],
    "killed-mid-scroll": ["decodeOnMainThread", "lateData", "blankCells"],
    "damaged": ["decodeOnMainThread", "blankCells"],
    "panel-1-on-demand": ["loadOnMainThread", "preparedOnDemandWhileIdle"],
    "panel-2-spare-time": [],
    "panel-3-background": [],
    "cells-ahead": [],
    "fast-fling": ["lateData", "preparedNeverDisplayed"],
    "data-ahead-turn": [],
    "snapshot-reload": ["snapshotReload"],
    "snapshot-differences": [],
    "registration-per-cell": ["noReuse", "lateData"],
    "item-reload": ["reloadInsteadOfReconfigure"],
    "item-reconfigure": [],
    "captured-cell": ["lateData", "blankCells", "staleResultInReusedCell"],
    "image-thumbnails": [],
    "sizes-estimate": ["inaccurateSizeEstimates"],
    "sizes-average": [],
    "interactions": ["decodeOnMainThread", "preparedOnDemandWhileIdle"],
  ]

  private func finding(_ id: String, in name: String) throws -> Finding {
    let analysis = try SampleTests.analysis(name)
    return try #require(analysis.findings.first { $0.id.rawValue == id })
  }

  private func fact(_ key: String, of finding: Finding) -> Finding.Value? {
    finding.facts.first { $0.key == key }?.value
  }

  @Test func `each sample has exactly the findings it was made for`() async {
    await forEachCase(of: SampleTests.names, oneCase)
    @Sendable func oneCase(name: String) throws {
      let analysis = try SampleTests.analysis(name)
      let findings = analysis.findings
      #expect(findings.map(\.id.rawValue) == Self.found[name])
    }
  }

  @Test
  func `S-14: the images in late commits in motion, the longest with its frame and item`() throws {
    let finding = try finding("decodeOnMainThread", in: "feed-commit-hitches")
    #expect(finding.subject == .list("feed"))
    #expect(fact("item", of: finding) == .name("10115"))
    #expect(finding.measures.count == 5)
    #expect(finding.measures.hitches == 5)
    #expect(finding.measures.hitchTime.nanoseconds == 6 * 16_666_667)
    #expect(finding.measures.worst?.frame == 14)
  }

  @Test
  func `S-6: before each of eight rows of three cells lies more idle time than they took`() throws {
    let finding = try finding("preparedOnDemandWhileIdle", in: "panel-1-on-demand")
    #expect(finding.measures.count == 24)
    #expect(finding.measures.hitches == 8)
    guard case .time(let idle?)? = fact("idleNs", of: finding) else {
      Issue.record("no idle time")
      return
    }
    let taken = try #require(finding.measures.total)
    let headroom = try #require(SampleTests.analysis("panel-1-on-demand").surfaces.first?.headroom)
    #expect(idle > taken && idle < headroom)
  }

  @Test func `S-10, S-12: the items that got new cells are those that the engine reloaded`() throws
  {
    let items = try finding("reloadInsteadOfReconfigure", in: "item-reload")
    let sample = try #require(SampleTraces.all.first { $0.name == "item-reload" })
    #expect(try items.measures.count == sample.play().counters.cellsReloaded)
    #expect(items.measures.hitches == 5)
    let whole = try finding("snapshotReload", in: "snapshot-reload")
    #expect(whole.measures.count == 3 && fact("items", of: whole) == .count(28))
    #expect(whole.measures.hitches == 3)
  }
}
