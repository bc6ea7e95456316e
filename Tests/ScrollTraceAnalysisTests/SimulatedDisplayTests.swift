import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// A display whose refreshes are all known, as a check of M-3 and M-23 by other means.
///
/// A frame starts at a refresh as soon as the thread is free, is due at the next one, and is shown at
/// the one after that, or as many later as its work takes longer. The rate changes between frames.
@Suite struct SimulatedDisplayTests {
  /// What a source knows of the frames.
  enum Source: CaseIterable {
    case targets, deadlines, presentations
  }

  @Test func `hitches and ledger are those of the refreshes without a new picture`() async {
    await forEachCase(of: ExtraCases.some(1, of: 0..<16), oneCase)
    @Sendable func oneCase(batch: Int) throws {
      for index in 0..<(ExtraCases.isThorough ? 12 : 6) {
        let seed = UInt64(batch * 100 + index)
        let simulated = Simulation(seed: seed)
        for source in Source.allCases { try check(simulated, source, seed) }
      }
    }
  }

  private func check(_ simulated: Simulation, _ source: Source, _ seed: UInt64) throws {
    let surface = try #require(
      TraceAnalyzer().analyze(simulated.trace(source)).surfaces.first, "\(seed)")
    let ledger = try #require(surface.ledger, "\(seed)")
    let longest = simulated.longestRefresh
    // Where the rate changes within a gap, its refreshes have two lengths.
    let allowed = Int64(simulated.changedGapCount) * longest + 100
    let found = try #require(surface.hitchTime, "\(seed)").nanoseconds
    #expect(abs(found - simulated.repeatedTime(source)) <= allowed, "\(seed) \(source)")
    #expect(ledger.unknown.nanoseconds <= allowed, "\(seed) \(source)")
    #expect(ledger.pictures == simulated.pictureCount, "\(seed) \(source)")
    let parts = ledger.new + ledger.repeated + ledger.unknown + ledger.settled
    #expect((ledger.owed - parts).magnitude.nanoseconds <= longest + allowed, "\(seed) \(source)")
    if simulated.changedGapCount == 0 {
      #expect(surface.hitchesInMotion == simulated.gapCount, "\(seed) \(source)")
    }
  }
}

/// One run of the display and of a list on it.
private struct Simulation {
  private struct Shown {
    var frame: Frame
    /// The positions of the refreshes at which it started and was shown.
    var start: Int
    var shown: Int
  }

  /// The times of the refreshes, and the length of each.
  private var refreshes: [Int64] = []
  private var lengths: [Int64] = []
  private var frames: [Shown] = []
  let longestRefresh: Int64
  /// The first frame whose picture is in the drag.
  private static let first = 5

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let rates: [Int64] = [8_333_333, 16_666_667, 11_111_111, 33_333_333]
    var length = rates[Int.random(in: 0..<3, using: &random)]
    var now: Int64 = 1_000_000_000
    for _ in 0..<400 {
      if Int.random(in: 0..<30, using: &random) == 0 {
        length = rates[Int.random(in: 0..<4, using: &random)]
      }
      refreshes.append(now)
      lengths.append(length)
      now += length
    }
    longestRefresh = lengths.max() ?? 0
    var at = 0
    while at < 380 {
      // The first frames are on time, so that the usual way is known.
      let isSlow = frames.count > 8 && Int.random(in: 0..<100, using: &random) < 6
      let more = isSlow ? Int64.random(in: 1...4, using: &random) * lengths[at] : 0
      let end = refreshes[at] + lengths[at] / 3 + more
      let next = refreshes.partitionPoint { $0 >= end }
      guard next + 1 < refreshes.count else { break }
      var frame = Frame(id: UInt64(frames.count))
      frame.start = Timestamp(clamping: refreshes[at])
      frame.commitStart = frame.start
      frame.commitEnd = Timestamp(clamping: end)
      frames.append(Shown(frame: frame, start: at, shown: next + 1))
      at = next
    }
  }

  /// The number of pictures in the drag.
  var pictureCount: Int { frames.count - Self.first }
  /// The number of gaps in which the display kept an old picture.
  var gapCount: Int { gaps.count }
  /// The number of those in which the rate changed.
  var changedGapCount: Int {
    gaps.count { Set(lengths[max(0, $0.before - 2)...$0.shown]).count > 1 }
  }

  /// The time in which an old picture stood, refresh by refresh.
  func repeatedTime(_ source: SimulatedDisplayTests.Source) -> Int64 {
    let shift = Self.shift(source)
    return gaps.reduce(0) { sum, gap in
      sum + lengths[(gap.before + 1 + shift)..<(gap.shown + shift)].reduce(0, +)
    }
  }

  private var gaps: [(before: Int, shown: Int)] {
    let pictures = frames.dropFirst(Self.first).map(\.shown)
    return zip(pictures, pictures.dropFirst()).filter { $1 - $0 > 1 }.map { ($0, $1) }
  }

  /// By its deadline a picture is placed a refresh earlier.
  private static func shift(_ source: SimulatedDisplayTests.Source) -> Int {
    source == .deadlines ? -1 : 0
  }

  func trace(_ source: SimulatedDisplayTests.Source) -> Trace {
    var builder = TraceBuilder(format: "drawn")
    let surface = builder.surface("display")
    let shift = Self.shift(source)
    builder.setMain(builder.track(1, of: builder.process(1)))
    for shown in frames {
      var frame = shown.frame
      // The rate at which its picture was to come.
      frame.refreshInterval = TimeSpan(nanoseconds: lengths[shown.shown + shift - 1])
      switch source {
      case .targets:
        frame.target = Timestamp(clamping: refreshes[shown.start + 2])
        frame.presented = Timestamp(clamping: refreshes[shown.shown])
      case .deadlines: frame.deadline = Timestamp(clamping: refreshes[shown.start + 1])
      case .presentations: frame.presented = Timestamp(clamping: refreshes[shown.shown])
      }
      builder.updateFrame(frame, of: surface)
    }
    let pictures = frames.dropFirst(Self.first).map { refreshes[$0.shown + shift] }
    builder.addInteraction(
      from: Timestamp(clamping: (pictures.first ?? 0) - 1),
      to: Timestamp(clamping: (pictures.last ?? 0) + 1))
    builder.extend(to: Timestamp(clamping: refreshes[refreshes.count - 1]))
    return builder.finish()
  }
}
