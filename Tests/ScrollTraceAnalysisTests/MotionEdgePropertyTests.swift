import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// No rule turns on a few nanoseconds (M-3): on a list at rest, a motion that starts or ends up to an
/// eighth of a refresh earlier or later has the same figures to within one refresh.
@Suite struct MotionEdgePropertyTests {
  private enum Source: CaseIterable {
    case target, deadline, cadencePresented, cadenceStart
  }

  @Test func `the edges of a motion move figures by one refresh at most`() async {
    await forEachCase(of: ExtraCases.some(1, of: 0..<16), oneCase)
    @Sendable func oneCase(batch: Int) throws {
      for index in 0..<(ExtraCases.isThorough ? 12 : 6) { check(seed: UInt64(batch * 100 + index)) }
    }
  }

  private func check(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let refresh: Int64 = [8_333_333, 16_666_667][Int.random(in: 0...1, using: &random)]
    let source = Source.allCases[Int.random(in: 0..<4, using: &random)]
    let plan = Plan(refresh: refresh, &random)
    let expected = figures(of: plan, source, from: 0, to: 0)
    #expect(!expected.isEmpty, "\(seed)")
    for _ in 0..<6 {
      let from = Int64.random(in: -refresh / 8...refresh / 8, using: &random)
      let to = Int64.random(in: -refresh / 8...refresh / 8, using: &random)
      let found = figures(of: plan, source, from: from, to: to)
      for (name, value) in expected {
        let difference = abs(value - (found[name] ?? 0))
        #expect(difference <= refresh, "\(seed) \(source): \(name) by \(from) and \(to)")
      }
    }
  }

  /// A list that rests, is dragged, and rests again.
  private struct Plan {
    let refresh: Int64
    let start: Int64
    let end: Int64
    /// When each frame starts, how long its commit takes, and how much later than usual it is shown.
    var frames: [(start: Int64, work: Int64, late: Int64)] = []

    init(refresh: Int64, _ random: inout SeededGenerator) {
      self.refresh = refresh
      var next: Int64 = 500_000_000
      for _ in 0..<20 {
        frames.append((next, refresh / 3, 0))
        next += refresh
      }
      // Nothing is in flight when the finger comes.
      start = next + 5 * refresh + Int64.random(in: 0...20 * refresh, using: &random)
      next = start + Int64.random(in: 0...3 * refresh, using: &random)
      for _ in 0..<Int.random(in: 5...60, using: &random) {
        let isSlow = Int.random(in: 0..<12, using: &random) == 0
        let late = isSlow ? Int64.random(in: 1...3, using: &random) * refresh : 0
        frames.append((next, refresh / 3 + late, late))
        next += refresh + late
      }
      end = next + 5 * refresh + Int64.random(in: 0...5 * refresh, using: &random)
    }
  }

  private func figures(
    of plan: Plan, _ source: Source, from: Int64, to: Int64
  ) -> [String: Int64] {
    var builder = TraceBuilder(format: "drawn")
    let surface = builder.surface("display")
    builder.setMain(builder.track(1, of: builder.process(1)))
    for (index, planned) in plan.frames.enumerated() {
      var frame = Frame(id: UInt64(index))
      frame.refreshInterval = TimeSpan(nanoseconds: plan.refresh)
      frame.start = Timestamp(clamping: planned.start)
      frame.commitStart = frame.start
      frame.commitEnd = Timestamp(clamping: planned.start + planned.work)
      let target = planned.start + 2 * plan.refresh
      if source == .target { frame.target = Timestamp(clamping: target) }
      if source == .deadline { frame.deadline = Timestamp(clamping: planned.start + plan.refresh) }
      if source == .target || source == .cadencePresented {
        frame.presented = Timestamp(clamping: target + planned.late)
      }
      builder.updateFrame(frame, of: surface)
    }
    builder.addInteraction(
      from: Timestamp(clamping: plan.start + from), to: Timestamp(clamping: plan.end + to))
    builder.extend(to: Timestamp(clamping: plan.end + 2_000_000_000))
    guard let surface = TraceAnalyzer().analyze(builder.finish()).surfaces.first,
      let ledger = surface.ledger
    else { return [:] }
    let counts = surface.countsInMotion
    return [
      "hitch time": surface.hitchTime?.nanoseconds ?? 0,
      "longest hitch": surface.longestHitch?.nanoseconds ?? 0,
      "outside": surface.hitchTimeOutsideInteractions?.nanoseconds ?? 0,
      "hitches": Int64(surface.hitchesInMotion) * plan.refresh,
      "refreshes missed": Int64(counts.refreshesMissed ?? 0) * plan.refresh,
      "deadline misses": Int64(counts.deadlineMisses ?? 0) * plan.refresh,
      "late without hitch": Int64(counts.lateWithoutHitch ?? 0) * plan.refresh,
      "pictures": Int64(ledger.pictures) * plan.refresh, "owed": ledger.owed.nanoseconds,
      "new": ledger.new.nanoseconds, "repeated": ledger.repeated.nanoseconds,
      "settled": ledger.settled.nanoseconds, "unknown": ledger.unknown.nanoseconds,
    ]
  }
}
