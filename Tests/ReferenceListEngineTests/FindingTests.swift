import ReferenceListEngine
import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTracePrediction
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
    "panel-1-on-demand": ["preparedOnDemandWhileIdle", "loadOnMainThread"],
    "panel-2-spare-time": [],
    "panel-3-background": [],
    "cells-ahead": [],
    "fast-fling": ["lateData", "preparedNeverDisplayed"],
    "data-ahead-turn": [],
    "snapshot-reload": ["snapshotReload"],
    "snapshot-differences": [],
    "registration-per-cell": ["preparedOnDemandWhileIdle", "noReuse", "lateData"],
    "item-reload": ["reloadInsteadOfReconfigure"],
    "item-reconfigure": [],
    "captured-cell": ["lateData", "blankCells", "staleResultInReusedCell"],
    "image-thumbnails": [],
    "sizes-estimate": ["inaccurateSizeEstimates"],
    "sizes-average": [],
    "interactions": ["decodeOnMainThread", "loadOnMainThread", "preparedOnDemandWhileIdle"],
  ]

  private func finding(_ id: String, in name: String) throws -> Finding {
    let analysis = try SampleTests.analysis(name)
    return try #require(analysis.findings.first { $0.id.rawValue == id })
  }

  @Test func `each sample has exactly the findings it was made for`() async {
    await forEachCase(of: SampleTests.names, oneCase)
    @Sendable func oneCase(name: String) throws {
      let analysis = try SampleTests.analysis(name)
      let findings = PredictionRanking(of: analysis).analysis.findings
      #expect(findings.map(\.id.rawValue) == Self.found[name])
    }
  }

  @Test func `S-14: the seven images in late commits, the longest with its frame and its item`()
    throws
  {
    let finding = try finding("decodeOnMainThread", in: "feed-commit-hitches")
    #expect(finding.subject == .list("feed"))
    #expect(finding.details.item == "10115")
    #expect(finding.evidence.count == 7)
    #expect(finding.evidence.hitches == 6)
    #expect(finding.evidence.hitchTime.nanoseconds == 6 * 16_666_667)
    #expect(finding.evidence.worst?.frame == 14)
  }

  @Test func `S-6: before each of eight rows of three cells lies more idle time than they took`()
    throws
  {
    let finding = try finding("preparedOnDemandWhileIdle", in: "panel-1-on-demand")
    #expect(finding.evidence.count == 24)
    #expect(finding.evidence.hitches == 8)
    let idle = try #require(finding.details.time)
    let taken = try #require(finding.evidence.total)
    let headroom = try #require(SampleTests.analysis("panel-1-on-demand").surfaces.first?.headroom)
    #expect(idle > taken && idle < headroom)
  }

  @Test func `S-10, S-12: the items that got new cells are those that the engine reloaded`() throws
  {
    let items = try finding("reloadInsteadOfReconfigure", in: "item-reload")
    let sample = try #require(SampleTraces.all.first { $0.name == "item-reload" })
    #expect(try items.evidence.count == sample.play().counters.cellsReloaded)
    #expect(items.evidence.hitches == 5)
    let whole = try finding("snapshotReload", in: "snapshot-reload")
    #expect(whole.evidence.count == 3 && whole.details.of == 28)
    #expect(whole.evidence.hitches == 3)
  }
}
