import Foundation
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// The one list of metrics.
@Suite struct MetricTests {
  private static let hitching = TraceAnalyzer().analyze(WorkedExamples.e1().trace())

  @Test func `every metric has its own name and label, and the name includes the unit`() {
    #expect(Set(Metric.all.map(\.name)).count == Metric.all.count)
    #expect(Set(Metric.all.map(\.label)).count == Metric.all.count)
    for metric in Metric.all {
      #expect(!metric.documentation.isEmpty && metric.documentation.last != ".")
      #expect((metric.unit == .ns) == metric.name.contains("Ns"), "\(metric.name)")
      #expect((metric.unit == .msPerS) == metric.name.hasSuffix("MsPerS"), "\(metric.name)")
      #expect((metric.unit == .share) == metric.name.hasSuffix("Share"), "\(metric.name)")
      #expect(Metric.named(metric.name) == metric)
    }
  }

  @Test func `a value has the unit its metric declares`() throws {
    let surface = try #require(Self.hitching.primarySurface)
    let context = MetricContext(surface, in: Self.hitching)
    var known = 0
    for metric in Metric.all {
      guard let value = metric.value(context) else { continue }
      known += 1
      let unit: Metric.Unit =
        switch value {
        case .time: .ns
        case .count: .count
        case .share: .share
        case .factor: .factor
        case .millisecondsPerSecond: .msPerS
        case .perSecond: .perS
        }
      #expect(unit == metric.unit, "\(metric.name)")
    }
    #expect(known > 10)
  }

  @Test
  func `hitches cover the whole recording, hitches in motion only the interactions`() throws {
    let surface = try #require(Self.hitching.primarySurface)
    let context = MetricContext(surface, in: Self.hitching)
    let all = try #require(Metric.named("hitches"))
    #expect(all.number(in: context) == surface.counts.hitches.map(Double.init))
    #expect(all.scope == .recording && all.inMotion == .hitchesInMotion)
    #expect(Metric.hitchesInMotion.number(in: context) == Double(surface.hitchesInMotion))
  }

  @Test func `a program reads a value by its metric and the part of the recording`() throws {
    let run = Self.hitching
    let surface = try #require(run.primarySurface)
    #expect(run.value(of: .hitchTime) == surface.hitchTime.map { Double($0.nanoseconds) })
    #expect(
      run.value(of: .hitches, for: .surface(surface.name))
        == surface.counts.hitches.map(Double.init))
    #expect(run.value(of: .hitchTimeRatio, for: .interaction("no such kind")) == nil)
    #expect(run.value(of: .commitP95, for: .interaction("*")) == nil)
  }

  @Test func `the guide lists the metrics of the code`() throws {
    let path = "Sources/ScrollTraceAnalysis/ScrollTraceAnalysis.docc/Gate.md"
    let page = try PackageFiles.text(path)
    let start = try #require(page.range(of: "| Metric | Unit |"))
    let rest = page[start.lowerBound...]
    let end = try #require(rest.range(of: "\n\n"))
    let table =
      (["| Metric | Unit | Better | Covers | Of | Meaning |", "|---|---|---|---|---|---|"]
      + Metric.all.map(Self.row)).joined(separator: "\n")
    guard ProcessInfo.processInfo.environment["RECORD_GOLDENS"] == nil else {
      try (page[..<start.lowerBound] + table + page[end.lowerBound...]).write(
        to: PackageFiles.url(path), atomically: true, encoding: .utf8)
      Issue.record("recorded the list; run again without RECORD_GOLDENS")
      return
    }
    #expect(rest[..<end.lowerBound] == table, "RECORD_GOLDENS=1 swift test --filter MetricTests")
  }

  /// A row of the guide's table.
  private static func row(_ metric: Metric) -> String {
    let subjects =
      switch metric.subjects {
      case .all: "surfaces, interactions, states"
      case .work: "surfaces, interactions"
      case .surfaces: "surfaces"
      case .lists: "all lists together"
      }
    let cells = [
      "`\(metric.name)`", metric.unit.rawValue, metric.better.rawValue,
      metric.scope == .interactions ? "measured time" : "recording", subjects,
      metric.documentation,
    ]
    return "| " + cells.joined(separator: " | ") + " |"
  }

  @Test func `every surface has the same headline metrics in a stable order`() {
    #expect(
      Metric.headline.map(\.name) == [
        "hitchTimeRatioMsPerS", "hitchTimeNs", "hitchesInMotion", "longestHitchNs", "frames",
        "deadlineMisses", "refreshesMissed", "commitNs.p95",
        "framesPerSecond.slowest1Percent", "framesPerSecond.slowest01Percent", "headroomNs",
        "commitBlockedNs.perFrame", "commitBlockedNs.longest",
      ])
  }

  @Test func `M-24, M-25: some metrics need frames, some are independent of load`() {
    let families = ["refreshesMissed", "picturesInMotion", "ledgerNs.", "framesPerSecond."]
    let ofFrames = Metric.all.filter { metric in
      // A frame that is late without a hitch took no refresh.
      metric.name.lowercased().replacing("withouthitch", with: "").contains("hitch")
        || families.contains(where: metric.name.hasPrefix)
    }
    #expect(ofFrames.filter { !$0.needsFrames }.map(\.name) == [])
    let both = Metric.all.filter { $0.needsFrames && $0.isIndependentOfLoad }
    #expect(both.map(\.name) == [] && !Metric.mainCPU.needsFrames)
    let independent = Metric.all.filter(\.isIndependentOfLoad).map(\.name)
    let others = independent.filter { !$0.hasPrefix("lists.") }
    #expect(
      others == [
        "frames", "mainCpuPerFrameNs", "commitBlockedNs.perFrame", "commitBlockedNs.longest",
        "mainCpuNs", "mainReadyNs", "mainReadyShare",
      ])
    let lists = Metric.all.filter { $0.name.hasPrefix("lists.") }
    #expect(lists.count { !$0.isIndependentOfLoad } == 0)
  }
}
