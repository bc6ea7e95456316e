import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// Values at a limit and a nanosecond beyond it.
@Suite struct EdgeTests {
  private static let refresh = TimeSpan.milliseconds(20)

  private static func frame(_ id: UInt64, target: Int64? = nil, presented: Int64) -> Frame {
    var frame = Frame(id: id)
    frame.refreshInterval = refresh
    frame.target = target.map { Timestamp(clamping: $0) }
    frame.presented = Timestamp(clamping: presented)
    return frame
  }

  private static func surface(
    _ frames: [Frame], tolerance: Int64 = 0, drag: ClosedRange<Int64>? = nil
  ) throws -> SurfaceAnalysis {
    var builder = TraceBuilder(format: "test")
    let display = builder.surface("display")
    builder.setPresentationTolerance(TimeSpan(nanoseconds: tolerance), of: display)
    for frame in frames { builder.updateFrame(frame, of: display) }
    if let drag {
      builder.addInteraction(
        from: Timestamp(clamping: drag.lowerBound), to: Timestamp(clamping: drag.upperBound))
    }
    return try #require(TraceAnalyzer().analyze(builder.finish()).surfaces.first)
  }

  @Test func `M-2: a frame is late from above the tolerance, and not at it`() async {
    // A twentieth of a refresh, or the source's tolerance if that is more.
    await forEachCase(of: [(Int64(0), Int64(1_000_000)), (2_000_000, 2_000_000)], oneCase)
    @Sendable func oneCase(source: Int64, tolerance: Int64) throws {
      func found(late: Int64) throws -> [Int64] {
        let late = Self.frame(1, target: 40_000_000, presented: 40_000_000 + late)
        let surface = try Self.surface([late], tolerance: source, drag: 0...60_000_000)
        return [Int64(surface.countsInMotion.lateWithoutHitch ?? -1)]
          + surface.hitches.map(\.length.nanoseconds)
      }
      #expect(try found(late: tolerance) == [0])
      #expect(try found(late: tolerance + 1) == [0, tolerance + 1])
    }
  }

  @Test func `M-2: what the glass leaves of a hitch counts from above the tolerance`() throws {
    func found(gap: Int64) throws -> [Int64] {
      let frames = [
        Self.frame(1, target: 20_000_000, presented: 20_000_000),
        Self.frame(2, target: 30_000_000, presented: 20_000_000 + gap),
      ]
      return try Self.surface(frames).hitches.map(\.length.nanoseconds)
    }
    #expect(try found(gap: 21_000_000) == [])
    #expect(try found(gap: 21_000_001) == [1_000_001])
  }

  @Test
  func `M-3: a gap misses a refresh from above 1.25 refreshes, or 1.5 of inexact times`() async {
    await forEachCase(of: [(Int64(0), Int64(25_000_000)), (1, 30_000_000)], oneCase)
    @Sendable func oneCase(tolerance: Int64, limit: Int64) throws {
      func found(gap: Int64) throws -> [Int64] {
        let times = [20_000_000, 40_000_000, 40_000_000 + gap, 60_000_000 + gap]
        let frames = times.enumerated().map { Self.frame(UInt64($0 + 1), presented: $1) }
        return try Self.surface(frames, tolerance: tolerance, drag: times[0]...times[3])
          .hitches.map(\.length.nanoseconds)
      }
      #expect(try found(gap: limit) == [])
      #expect(try found(gap: limit + 1) == [limit + 1 - 20_000_000])
    }
  }

  @Test func `M-7: a hitch of one refresh is low and one of two is moderate, within the tolerance`()
    async
  {
    let cases: [(Int64, HitchSeverity, Int)] = [
      (21_000_000, .low, 1), (21_000_001, .moderate, 2), (41_000_000, .moderate, 2),
      (41_000_001, .high, 3),
    ]
    await forEachCase(of: cases) { late, severity, missed in
      let surface = try Self.surface([
        Self.frame(1, target: 40_000_000, presented: 40_000_000 + late)
      ])
      #expect(surface.hitches.map(\.severity) == [severity])
      #expect(surface.hitches.map(\.refreshesMissed) == [missed])
    }
  }

  @Test func `M-23: each part of the owed time is limited to what the ones before it leave`() async
  {
    func draft(
      _ length: Int64, notYet: Int64 = 0, repeated: Int64 = 0, settled: Int64 = 0, idle: Int64 = 0,
      unknown: Int64 = 0, pictures: Int64 = 0
    ) -> LedgerDraft {
      LedgerDraft(
        length: length, notYet: notYet, repeated: repeated, notRequested: idle, settled: settled,
        unknown: unknown, pictures: (7, pictures), refresh: 10)
    }
    // Owed, repeated, settled, not requested, unknown, new.
    let cases: [(LedgerDraft, [Int64])] = [
      (
        draft(100, notYet: 10, repeated: 20, settled: 15, idle: 5, unknown: 8, pictures: 32),
        [90, 20, 15, 5, 8, 32]
      ),
      // Time without a picture beyond one refresh is unknown.
      (
        draft(100, notYet: 10, repeated: 20, settled: 15, idle: 5, unknown: 8, pictures: 31),
        [90, 20, 15, 5, 9, 31]
      ),
      (draft(100, notYet: 90, repeated: 20, settled: 5, pictures: 50), [20, 20, 0, 0, 0, 0]),
      (draft(50, repeated: 20, settled: 100, idle: 5, unknown: 5), [50, 20, 30, 0, 0, 0]),
      (draft(50, repeated: 20, settled: 10, idle: 100, unknown: 5), [50, 20, 10, 20, 0, 0]),
      (draft(50, repeated: 20, settled: 10, idle: 5, unknown: 100), [50, 20, 10, 5, 15, 0]),
      (draft(50, pictures: 100), [50, 0, 0, 0, 0, 50]),
    ]
    await forEachCase(of: cases) { draft, parts in
      let ledger = draft.ledger
      let found = [
        ledger.owed, ledger.repeated, ledger.settled, ledger.notRequested, ledger.unknown,
        ledger.new,
      ]
      #expect(found.map(\.nanoseconds) == parts)
      #expect(ledger.pictures == 7)
    }
  }

  // MARK: - Ratings

  private static func rated(
    hitchTime: Int64 = 0, duration: Int64 = 1_000_000_000, evaluated: Int = 60,
    unknown: Int64 = 0, ready: Int64 = 0, lowerBound: Int64? = nil
  ) -> RatedHitches {
    var ledger = RefreshLedger()
    ledger.owed = TimeSpan(nanoseconds: duration)
    ledger.unknown = TimeSpan(nanoseconds: unknown)
    var thread = ThreadTimes()
    thread.ready = TimeSpan(nanoseconds: ready)
    thread.ran = TimeSpan(nanoseconds: duration - ready)
    return RatedHitches(
      hitchTime: TimeSpan(nanoseconds: hitchTime), duration: TimeSpan(nanoseconds: duration),
      evaluated: evaluated, ledger: ledger, thread: thread,
      lowerBounds: lowerBound.map {
        LowerBounds(hitchTime: TimeSpan(nanoseconds: $0), deadlineMisses: nil)
      }, by: .scroll)
  }

  @Test func `M-24: thirty frames are enough for a rating, and so is one second`() {
    let short = Int64(999_999_999)
    #expect(Self.rated(duration: short, evaluated: 30).rating == .good)
    #expect(Self.rated(evaluated: 29).rating == .good)
    #expect(
      Self.rated(duration: short, evaluated: 29).reason
        == .fewFrames(count: 29, time: TimeSpan(nanoseconds: short)))
  }

  @Test func `M-24: a rating is uncertain if over 5% is unknown, unless it is critical anyway`() {
    let twentieth = Int64(50_000_000)
    #expect(Self.rated(unknown: twentieth).rating == .good)
    #expect(Self.rated(unknown: twentieth + 1).rating == .uncertain)
    #expect(Self.rated(hitchTime: 9_999_999, unknown: twentieth + 1).rating == .uncertain)
    #expect(Self.rated(hitchTime: 10_000_000, unknown: 900_000_000).rating == .critical)
  }

  @Test func `M-25: a thread that lacked a core for over 10% makes another rating uncertain`() {
    let tenth = Int64(100_000_000)
    #expect(Self.rated(hitchTime: 7_000_000, ready: tenth).rating == .warning)
    #expect(
      Self.rated(hitchTime: 7_000_000, ready: tenth + 1).reason
        == .starved(share: 0.100_000_001))
    // Without hitches, more time on a core changes nothing.
    #expect(Self.rated(ready: tenth + 1).rating == .good)
    // What is left without that time says more than its share.
    #expect(Self.rated(hitchTime: 7_000_000, ready: 1, lowerBound: 4_999_999).rating == .uncertain)
    #expect(
      Self.rated(hitchTime: 7_000_000, ready: tenth + 1, lowerBound: 5_000_000).rating == .warning)
  }
}
