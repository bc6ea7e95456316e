import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// M-23 on random traces: every refresh once.
@Suite struct LedgerPropertyTests {
  private static let batches = 16
  /// `SCROLLTRACE_RANDOM_TRACES` sets another number, such as 100000.
  private static let tracesInBatch =
    ExtraCases.randomTraces(ExtraCases.isThorough ? 6_400 : 96) / batches

  @Test func `the totals balance, and the hitches of one motion never overlap`() async {
    await forEachCase(of: 0..<Self.batches, oneCase)
    @Sendable func oneCase(batch: Int) throws {
      for index in 0..<Self.tracesInBatch {
        let seed = UInt64(batch * Self.tracesInBatch + index)
        var random = SeededGenerator(seed: seed)
        try check(RandomMotion(&random).trace(), seed)
      }
    }
  }

  private func check(_ trace: Trace, _ seed: UInt64) throws {
    let pass = try #require(Self.pass(of: trace))
    let frames = pass.frames
    let owed = frames.filter { $0.isOwed && $0.frame.outcome != .dropped }
    let known = owed.count { $0.frame.presented != nil }
    // Where presentations are known of some frames only, two clocks meet.
    let isMixed = pass.surface.basis == .deadline && known > 0 && known < owed.count
    let interval = try #require(frames.first?.refreshInterval)
    var inside = TimeSpan.zero
    for (index, motion) in pass.evaluatedMotions.enumerated() {
      let ledger = motion.ledger
      let parts = [
        ledger.new, ledger.repeated, ledger.notRequested, ledger.settled, ledger.unknown,
      ].reduce(TimeSpan.zero, +)
      #expect((ledger.owed - parts).magnitude <= interval, "\(seed) does not balance")
      let length = motion.motion.ranges.reduce(TimeSpan.zero) { $0 + $1.length }
      inside += ledger.repeated
      guard !isMixed else { continue }
      #expect(ledger.repeated <= length, "\(seed): more than was owed")
      let pieces = (motion.hitches.flatMap(\.pieces) + (motion.tail?.pieces ?? []))
        .sorted { $0.start < $1.start }
      for (first, second) in zip(pieces, pieces.dropFirst()) {
        #expect(first.end <= second.start, "\(seed): hitches overlap")
      }
      let pictures = frames.filter { $0.motion == index }.compactMap(\.shown).sorted()
      // On the refresh grid a gap counts in whole refreshes, which may be half a one more.
      guard !pass.surface.timesLieOnRefreshGrid else { continue }
      for piece in pieces where piece.start > motion.motion.start {
        let from = pictures.partitionPoint {
          $0 > piece.start - interval + TimeSpan(nanoseconds: 2)
        }
        guard from < pictures.count else { continue }
        #expect(
          pictures[from] >= piece.end, "\(seed): a hitch sooner than a refresh after a picture")
      }
    }
    // The whole analysis takes longer than the walks.
    // Without a motion, late frames of the whole recording count.
    guard seed % 16 == 0, !pass.evaluatedMotions.isEmpty else { return }
    let surface = try #require(TraceAnalyzer().analyze(trace).surfaces.first)
    // Without a frame in motion there is nothing to measure.
    let isMeasured = surface.countsInMotion.evaluated != 0 || inside > .zero
    if surface.isEvaluated { #expect(surface.hitchTime == (isMeasured ? inside : nil), "\(seed)") }
    #expect(surface.hitches.reduce(TimeSpan.zero) { $0 + $1.lengthInMotion } == inside, "\(seed)")
  }

  private static func pass(of trace: Trace) -> SurfacePass? {
    let resolution = InteractionResolution(of: trace, options: AnalysisOptions())
    let workload = TrackWorkload(of: trace, in: TimeRangeSet(union: []), timestamps: [])
    return trace.numberedSurfaces.first.map { id, surface in
      SurfacePass(
        id: id, surface: surface, interactions: resolution.interactions(of: id), trace: trace,
        options: AnalysisOptions(), workload: workload)
    }
  }
}

/// A random scroll at one refresh rate: frames, gaps, hangs, and interactions that start and end
/// anywhere.
private struct RandomMotion {
  private var builder = TraceBuilder(format: "drawn")

  init(_ random: inout SeededGenerator) {
    func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &random)] }
    func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
    let refresh = pick([16_666_667, 8_333_333, 20_000_000] as [Int64])
    let kind = pick(["target", "deadline", "deadline-p", "cadence-p", "cadence-b"])
    let surface = builder.surface("display")
    if chance(25) { builder[surface].timesLieOnRefreshGrid = true }
    if chance(25) { builder.setPresentationTolerance(.milliseconds(1), of: surface) }
    let main = builder.mainThread(isHost: true)
    let label = builder.label(category: "work", name: "hang")
    var begin = Int64.random(in: 0..<300_000_000, using: &random)
    var places: [Int64] = [0, begin]
    var (late, free, shown): (Int64, Int64, Int64) = (0, 0, 0)
    for index in 0..<Int.random(in: 1..<60, using: &random) {
      if chance(8) { begin += pick([refresh, 3 * refresh, 400_000_000, 2_000_000_000]) }
      var frame = Frame(id: UInt64(index))
      frame.refreshInterval = TimeSpan(nanoseconds: refresh)
      frame.start = Timestamp(clamping: begin)
      let work = chance(80) ? 5_000_000 : Int64.random(in: 1_000_000..<120_000_000, using: &random)
      if chance(4) {
        frame.outcome = .dropped
      } else if chance(4) {
        frame.outcome = .notRequested
      }
      if frame.outcome != .notRequested, chance(96) {
        // A thread makes one commit after the other.
        frame.commitStart = Timestamp(clamping: max(begin, free))
        free = max(begin, free) + work
        frame.commitEnd = Timestamp(clamping: free)
      }
      if kind.hasPrefix("deadline") { frame.deadline = Timestamp(clamping: begin + refresh) }
      if kind == "target" { frame.target = Timestamp(clamping: begin + 2 * refresh) }
      if chance(10) { late = pick([0, refresh, 2 * refresh, 7_000_000]) }
      if ["target", "deadline-p", "cadence-p"].contains(kind), frame.outcome == .unknown,
        chance(96)
      {
        // No picture comes before the one before it.
        shown = max(shown, begin + 2 * refresh + late)
        frame.presented = Timestamp(clamping: shown)
      }
      builder.updateFrame(frame, of: surface)
      places += [begin, begin + work, begin + 2 * refresh + late]
      begin += refresh
    }
    let end = begin + pick([0, refresh, 100_000_000, 1_500_000_000])
    builder.extend(to: Timestamp(clamping: end))
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let first = pick(places) + pick([0, 0, -1, 1, refresh, refresh / 2])
      let second = pick(places) + pick([0, 0, -1, 1, refresh, refresh / 2])
      let range = (max(0, min(first, second)), min(end, max(first, second)))
      guard range.0 < range.1 else { continue }
      builder.addInteraction(
        from: Timestamp(clamping: range.0), to: chance(10) ? nil : Timestamp(clamping: range.1))
    }
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let from = pick(places)
      let length = Int64.random(in: 0..<900_000_000, using: &random)
      builder.addSpan(
        on: main, from: Timestamp(clamping: from),
        to: Timestamp(clamping: min(end, from + length)), label: label)
    }
  }

  consuming func trace() -> Trace { builder.finish() }
}
