import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// What changes where a piece of work is done on another thread, and what does not (M-11, M-16).
@Suite struct MovedSpanTests {
  /// Work that has nothing inside of it.
  private struct Leaf {
    var start: Int64
    var end: Int64
    var category: String
    var name: String
    /// The category of what it lies in; `nil` at the top.
    var parent: String?
  }

  /// Frames with work of random lengths, of which the leaf of one number can be done elsewhere.
  private struct Session {
    private(set) var leaves: [Leaf] = []
    private(set) var outer: [Leaf] = []
    private var frames: [Frame] = []
    private var end: Int64 = 0

    init(_ seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      let refreshInterval: Int64 = 16_666_667
      var free: Int64 = 0
      for number in 0..<40 as Range<Int64> {
        let begin = number * refreshInterval
        var time = max(begin, free) + Int64.random(in: 0...50_000, using: &random)
        var frame = Frame(id: UInt64(number))
        frame.start = Timestamp(clamping: begin)
        frame.commitStart = Timestamp(clamping: time)
        for _ in 0..<Int.random(in: 0...4, using: &random) {
          time += Int64.random(in: 0...20_000, using: &random)
          time = addWork(from: time, parent: nil, depth: 0, &random)
        }
        frame.commitEnd = Timestamp(clamping: time)
        let due = begin + refreshInterval
        let late = time > due ? (time - due - 1) / refreshInterval + 1 : 0
        frame.deadline = Timestamp(clamping: due)
        frame.target = Timestamp(clamping: due + refreshInterval)
        frame.presented = Timestamp(clamping: due + refreshInterval * (late + 1))
        frame.refreshInterval = TimeSpan(nanoseconds: refreshInterval)
        frames.append(frame)
        free = time
        end = max(end, time + refreshInterval * 4)
      }
    }

    private mutating func addWork(
      from start: Int64, parent: String?, depth: Int, _ random: inout SeededGenerator
    ) -> Int64 {
      let category = ["a", "b", "scrolltrace.cell"].randomElement(using: &random) ?? "a"
      let name = ["x", "y"].randomElement(using: &random) ?? "x"
      let count = depth < 3 ? Int.random(in: -2...3, using: &random) : 0
      var time = start
      for _ in 0..<max(0, count) {
        time += Int64.random(in: 0...300_000, using: &random)
        time = addWork(from: time, parent: category, depth: depth + 1, &random)
      }
      time += Int64.random(in: 1...6_000_000, using: &random) / (count > 0 ? 4 : 1)
      let work = Leaf(start: start, end: time, category: category, name: name, parent: parent)
      if count > 0 { outer.append(work) } else { leaves.append(work) }
      return time
    }

    /// The session's analysis, with the leaf `moved` on a thread of its own.
    func analysis(moving moved: Int?) -> Analysis {
      var builder = TraceBuilder(format: "drawn")
      let process = builder.process(1)
      let (main, other) = (builder.track(1, of: process), builder.track(2, of: process))
      builder.setMain(main)
      builder.setCompletelyRecorded(main)
      // Outer work comes first, as it does where spans are recorded.
      let works =
        outer.reversed().map { ($0, main) }
        + leaves.enumerated().map { ($1, $0 == moved ? other : main) }
      for (work, track) in works {
        builder.addSpan(
          on: track, from: Timestamp(clamping: work.start), to: Timestamp(clamping: work.end),
          label: builder.label(category: work.category, name: work.name))
      }
      let surface = builder.surface("display")
      for frame in frames { builder.updateFrame(frame, of: surface) }
      builder.addInteraction(from: .zero, to: Timestamp(clamping: end))
      return TraceAnalyzer().analyze(builder.finish())
    }
  }

  private func time(of category: String, isMain: Bool, in analysis: Analysis) -> TimeSpan {
    analysis.work.tracks.filter { $0.isMain == isMain }.flatMap(\.byCategory)
      .filter { $0.category == category }.reduce(.zero) { $0 + $1.selfTime }
  }

  @Test func `M-11: moved work takes exactly its own time along`() async {
    await forEachCase(of: ExtraCases.some(1, of: 1...24), oneCase)
    @Sendable func oneCase(seed: UInt64) throws {
      let session = Session(seed)
      let before = session.analysis(moving: nil)
      let indices = Array(stride(from: 0, to: session.leaves.count, by: 5))
      for index in ExtraCases.some(6, of: indices) {
        let leaf = session.leaves[index]
        let length = TimeSpan(nanoseconds: leaf.end - leaf.start)
        let after = session.analysis(moving: index)
        // What it lay in was busy anyway, and has that time itself now.
        let isTop = leaf.parent == nil
        let (busy, busyAfter) = (before.work.sums, after.work.sums)
        let mainBusy = try #require(busy.mainBusy)
        #expect(busyAfter.mainBusy == mainBusy - (isTop ? length : .zero))
        let backgroundBusy = try #require(busy.backgroundBusy)
        #expect(busyAfter.backgroundBusy == backgroundBusy + length)
        #expect(busyAfter.unionBusy == busy.unionBusy)
        for category in ["a", "b", "scrolltrace.cell"] {
          let gone = category == leaf.category ? length : .zero
          let come = category == leaf.parent ? length : .zero
          #expect(
            time(of: category, isMain: true, in: after)
              == time(of: category, isMain: true, in: before) - gone + come)
          #expect(
            time(of: category, isMain: false, in: after)
              == time(of: category, isMain: false, in: before) + gone)
        }
      }
    }
  }

  @Test func `M-16: hitches lose exactly the moved work`() async {
    await forEachCase(of: ExtraCases.some(1, of: 1...24), oneCase)
    @Sendable func oneCase(seed: UInt64) throws {
      let session = Session(seed)
      let before = try #require(session.analysis(moving: nil).surfaces.first)
      try #require(!before.hitches.isEmpty)
      let indices = Array(stride(from: 0, to: session.leaves.count, by: 5))
      for index in ExtraCases.some(6, of: indices) {
        let leaf = session.leaves[index]
        let range = TimeRange(
          start: Timestamp(clamping: leaf.start), end: Timestamp(clamping: leaf.end))
        let after = try #require(session.analysis(moving: index).surfaces.first)
        #expect(after.hitchTime == before.hitchTime)
        #expect(after.hitches.map(\.range) == before.hitches.map(\.range))
        for (old, new) in zip(before.hitches, after.hitches) {
          let (was, now) = (try #require(old.attribution), try #require(new.attribution))
          #expect(now.window == was.window)
          let moved = was.window.intersection(range).length
          func time(_ attribution: Attribution) -> TimeSpan {
            attribution.causes.filter { $0.category == leaf.category && $0.name == leaf.name }
              .reduce(.zero) { $0 + $1.selfTime }
          }
          func all(_ attribution: Attribution) -> TimeSpan {
            attribution.causes.reduce(.zero) { $0 + $1.selfTime }
          }
          if let parent = leaf.parent {
            #expect(all(now) == all(was))
            #expect(now.idle == was.idle)
            // The same work inside the same work only changes its place.
            if parent != leaf.category { #expect(time(now) == time(was) - moved) }
          } else {
            #expect(time(now) == time(was) - moved)
            #expect(all(now) == all(was) - moved)
            #expect(now.idle == was.idle + moved)
          }
        }
      }
    }
  }
}
