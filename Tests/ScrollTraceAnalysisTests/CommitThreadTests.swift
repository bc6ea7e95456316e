import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// A host whose commits move between threads is measured as one whose commits do not (M-11, M-16).
@Suite struct CommitThreadTests {
  /// A feed of 60 frames at 60 Hz with late ones, and work around its commits. Each turn of its main work
  /// runs on the thread that a test chooses.
  private struct Feed {
    static let refresh: Int64 = 16_666_667
    var builder = TraceBuilder(format: "drawn")
    private let process: ProcessID
    private let surface: SurfaceID
    private var counted: [TrackID: Int64] = [:]

    init() {
      process = builder.process(1)
      builder.setHost(process)
      surface = builder.surface("display")
    }

    /// The thread of a number; thread 1 is called main.
    mutating func thread(_ number: UInt64) -> TrackID {
      let track = builder.track(number, of: process)
      builder.setName(number == 1 ? "main" : "worker \(number)", of: track)
      if number == 1 { builder.setMain(track) }
      return track
    }

    mutating func work(
      _ category: String, _ name: String, _ start: Int64, _ end: Int64, item: Int64? = nil,
      on thread: UInt64
    ) {
      var arguments = [
        Argument(key: builder.string("list"), value: .string(builder.string("feed")))
      ]
      if let item {
        arguments.append(Argument(key: builder.string("item"), value: .integer(item)))
      }
      builder.addSpan(
        on: self.thread(thread), from: Timestamp(clamping: start), to: Timestamp(clamping: end),
        label: builder.label(category: category, name: name),
        arguments: builder.argumentList(arguments))
    }

    /// Adds frame `number`, whose commit begins at `start` and prepares and decodes one row.
    mutating func draw(_ number: Int64, from start: Int64, milliseconds: Int64, on thread: UInt64) {
      let (tick, end) = (number * Self.refresh, start + milliseconds * 1_000_000)
      let late = max(0, (end - tick - 1) / Self.refresh)
      builder.updateFrame(
        number, of: surface, start: Timestamp(clamping: tick),
        commitStart: Timestamp(clamping: start), commitEnd: Timestamp(clamping: end),
        deadline: Timestamp(clamping: tick + Self.refresh),
        target: Timestamp(clamping: tick + 2 * Self.refresh),
        presented: Timestamp(clamping: tick + (2 + late) * Self.refresh),
        refreshInterval: TimeSpan(nanoseconds: Self.refresh), track: self.thread(thread))
      let decoded = start + (end - start) / 4 * 3
      work("scrolltrace.frame", "display", start, end, on: thread)
      work("scrolltrace.cell", "prepare", start, decoded, item: number, on: thread)
      work("scrolltrace.image", "decode", start + 100_000, decoded, item: number, on: thread)
      schedule(from: start, to: end, on: thread)
    }

    /// A thread's commit: a third of it without a core.
    private mutating func schedule(from start: Int64, to end: Int64, on thread: UInt64) {
      let ready = start + (end - start) / 3
      for (state, from, to) in [
        (ThreadState.ready, start, ready), (.running, ready, end),
      ] {
        builder.addThreadState(
          state, on: self.thread(thread), from: Timestamp(clamping: from),
          to: Timestamp(clamping: to))
      }
    }

    /// A session whose work before, in and after each frame runs on the threads that `threads` gives for
    /// the frame's position and number.
    static func analysis(
      threads: (Int, Int64) -> (before: UInt64, commit: UInt64, after: UInt64),
      adding: (inout Feed) -> Void = { _ in }
    ) -> Analysis {
      var feed = Feed()
      _ = feed.thread(1)
      var free: Int64 = 0
      var position = 0
      for number in 0..<60 as Range<Int64> where number * refresh >= free {
        let tick = number * refresh
        let on = threads(position, number)
        position += 1
        if number % 7 == 1 { feed.work("app", "diff", tick, tick + 2_000_000, on: on.before) }
        let length: Int64 = number % 20 == 9 ? 41 : 3
        feed.draw(number, from: tick + 2_000_000, milliseconds: length, on: on.commit)
        free = tick + (2 + length) * 1_000_000
        if number == 35 {
          feed.work("app", "parse", free, free + 50_000_000, on: on.after)
          free += 50_000_000
        }
        if number % 5 == 2 { feed.work("app", "log", free, free + 500_000, on: on.after) }
      }
      feed.builder.addInteraction(from: .zero, to: Timestamp(clamping: 60 * refresh))
      adding(&feed)
      return TraceAnalyzer().analyze(feed.builder.finish())
    }
  }

  private func compare(_ moved: Analysis, with twin: Analysis) throws {
    let (surface, other) = (try #require(moved.surfaces.first), try #require(twin.surfaces.first))
    try #require(other.hitches.count > 3 && !twin.findings.isEmpty)
    #expect(surface.hitches.map { "\($0)" } == other.hitches.map { "\($0)" })
    #expect(surface.causes == other.causes)
    #expect(surface.ratio == other.ratio)
    #expect(moved.findings == twin.findings)
    #expect(moved.work.sums == twin.work.sums)
    #expect(moved.work.longTasks?.count == twin.work.longTasks?.count)
    #expect(moved.notices == twin.notices)
    #expect(
      moved.lists.map(\.images.decodedOnMain.count) == twin.lists.map(\.images.decodedOnMain.count))
    #expect(moved.trace.mainTrack.map(moved.trace.displayName) == "main")
  }

  private var twin: Analysis { Feed.analysis { _, _ in (1, 1, 1) } }

  @Test
  func `M-16: a host whose commits alternate between two threads has its twin's report`() throws {
    try compare(
      Feed.analysis { position, _ in
        let thread = UInt64(1 + position % 2)
        return (thread, thread, thread)
      }, with: twin)
  }

  @Test func `M-16: work between commits counts on the threads of both`() throws {
    var random = SeededGenerator(seed: 3)
    let threads = (0...60).map { _ in UInt64.random(in: 1...4, using: &random) }
    let moved = Feed.analysis { position, _ in
      (threads[max(0, position - 1)], threads[position], threads[position + 1])
    }
    try compare(moved, with: twin)
  }

  @Test func `M-16: a thread to which a task moved counts until the next commit`() throws {
    func analysis(isTaskKnown: Bool) -> Analysis {
      Feed.analysis { position, number in
        let thread = UInt64(1 + position % 2)
        return (thread, thread, number == 35 ? 9 : thread)
      } adding: { feed in
        guard isTaskKnown else { return }
        let end = Timestamp(clamping: 35 * Feed.refresh + 5_000_000)
        let (from, to) = (feed.thread(2), feed.thread(9))
        feed.builder.addAsyncSpan(
          on: from, from: end, to: end,
          label: feed.builder.label(category: "scrolltrace.data", name: "wait"), endingOn: to)
      }
    }
    try compare(analysis(isTaskKnown: true), with: twin)
    func blames(_ analysis: Analysis) -> Bool {
      analysis.surfaces[0].causes.contains { $0.kind == .work(category: "app", name: "parse") }
    }
    #expect(blames(twin))
    #expect(!blames(analysis(isTaskKnown: false)))
  }

  @Test func `M-11: what a thread does during another one's commit is background work`() throws {
    let busy = Feed.analysis { position, _ in
      let thread = UInt64(1 + position % 2)
      return (thread, thread, thread)
    } adding: { feed in
      // Frame 9 commits on thread 2.
      let start = 9 * Feed.refresh + 10_000_000
      feed.work("pool", "decode", start, start + 20_000_000, on: 1)
    }
    let sums = busy.work.sums
    #expect(sums.mainBusy == twin.work.sums.mainBusy)
    #expect(sums.backgroundBusy == .milliseconds(20))
    #expect(busy.surfaces[0].causes == twin.surfaces[0].causes)
  }

  @Test func `M-11: threads that commit at the same time stay apart`() throws {
    let analysis = Feed.analysis { _, _ in
      (1, 1, 1)
    } adding: { feed in
      feed.draw(100, from: 9 * Feed.refresh + 5_000_000, milliseconds: 4, on: 2)
    }
    #expect(analysis.trace.mainTrack == TrackID(index: 0))
    #expect(analysis.work.tracks.count == 2)
  }
}
