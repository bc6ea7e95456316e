import ScrollTraceRecorder
import ReferenceListEngine
import ScrollTraceLayout
import Foundation
import ScrollTraceKit
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceCLI
@testable import ScrollTraceTerminal

/// `scrolltrace watch`: figures, lines and screen.
@Suite struct WatchTests {
  let console = CapturedConsole()

  // MARK: - The figures since the start

  /// The figures of a whole trace, as `analyze` has them.
  private static func expectSame(
    _ totals: LiveTotals, _ analysis: Analysis, _ comment: Comment
  ) {
    for surface in analysis.surfaces {
      let figures = totals.surfaces[surface.name] ?? LiveTotals.Surface()
      #expect(figures.frames == surface.counts.total ?? 0, comment)
      #expect(figures.deadlineMisses == surface.counts.deadlineMisses ?? 0, comment)
      #expect(figures.hitches == surface.counts.hitches, comment)
      #expect(figures.refreshesMissed == surface.counts.refreshesMissed ?? 0, comment)
      #expect(totals.ratio(of: surface.name) == surface.ratio, comment)
      if surface.measuredTime.kind == .interaction {
        #expect(figures.movingTime == surface.measuredTime.duration, comment)
        #expect(figures.hitchTimeInside == surface.hitchTime ?? .zero, comment)
        #expect(figures.evaluatedInMotion == surface.countsInMotion.evaluated ?? 0, comment)
        // What is new fills what the others leave of a range, and is not shown.
        var ledger = figures.ledger
        ledger?.new = surface.ledger?.new ?? .zero
        #expect(ledger == surface.ledger, comment)
      }
    }
    #expect(totals.surfaces.count == analysis.surfaces.count, comment)
    #expect(totals.evaluatedPrimarySurface == analysis.primarySurface?.name, comment)
    #expect(totals.reportedWork.main == analysis.work.sums.mainBusy ?? .zero, comment)
    #expect(totals.reportedWork.background == analysis.work.sums.backgroundBusy ?? .zero, comment)
  }

  /// Reads the file at `path` chunk by chunk, settling as soon as can be.
  private static func watch(
    _ path: String, retention: WatchedRecording.Retention, maximum limit: Int
  ) throws -> WatchedRecording {
    var recording = WatchedRecording(try LiveTraceReader(path: path), retention: retention)
    recording.reader.end()
    repeat { _ = try recording.readOn(maximum: limit) } while recording.reader.hasMore
    recording.look()
    return recording
  }

  @Test func `the numbers for a whole file are those of analyze`() async {
    await forEachCase(of: ExtraCases.some(4, of: PackageFiles.recordings), oneCase)
    @Sendable func oneCase(name: String) throws {
      let path = PackageFiles.sample(name)
      let analysis = TraceAnalyzer().analyze(try TraceFile.open(path))
      // Short times, so that a part is settled and forgotten before the next is read.
      let short = WatchedRecording.Retention(
        settlingTime: .milliseconds(300), longestHold: .milliseconds(1_000),
        overlap: .milliseconds(200))
      for retention in [WatchedRecording.Retention(), short] {
        for limit in ExtraCases.some(2, of: [1, 100_000, Int.max]) {
          let recording = try Self.watch(path, retention: retention, maximum: limit)
          Self.expectSame(recording.total, analysis, "\(name), \(limit) bytes at a time")
          #expect(
            Set(recording.reader.trace().losses.map { "\($0.reason) \($0.count)" })
              == Set(analysis.trace.losses.map { "\($0.reason) \($0.count)" }))
        }
      }
    }
  }

  @Test func `the blank time of a whole file is that of analyze`() throws {
    var known = 0
    for name in PackageFiles.recordings {
      let trace = try TraceFile.open(PackageFiles.sample(name))
      let lists = TraceAnalyzer().analyze(trace).lists.compactMap(\.blank)
      let blank = LiveAnalysis(of: trace).totals(from: trace.range.start, to: nil).blankRatio
      guard let most = lists.max(by: { $0.time < $1.time }), most.ratio != nil else {
        #expect(blank == nil, "\(name)")
        continue
      }
      #expect(blank?.millisecondsPerSecond == most.ratio, "\(name)")
      known += 1
    }
    #expect(known > 3)
    let messages = WatchMessages(sink: .terminal)
    #expect(messages.text(ofBlank: nil) == "")
    let ratio = HitchTimeRatio(hitchTime: .milliseconds(30), duration: .milliseconds(250))
    #expect(messages.text(ofBlank: ratio) == ", blank 120 ms/s")
  }

  @Test func `the numbers for a recording of any length are those of analyze`() async {
    let recordings = [
      (60, "cells=on-demand"), (120, "best"), (80, "cells=idle,images=thumbnails"),
    ]
    await forEachCase(of: ExtraCases.some(1, of: recordings)) { try oneCase($0, $1) }
    @Sendable func oneCase(_ hertz: Int, _ policies: String) throws {
      let console = CapturedConsole()
      let path = console.folder + "/long.fxt"
      #expect(
        console.run(
          "demo", "--record", path, "--virtual-time", "--duration",
          ExtraCases.isThorough ? "60s" : "12s", "--refresh-rate", "\(hertz)",
          "--policy", policies) == .done)
      let analysis = TraceAnalyzer().analyze(try TraceFile.open(path))
      for limit in [1, 200_000] {
        var retention = WatchedRecording.Retention()
        let settling: Int64 = limit == 1 ? (ExtraCases.isThorough ? 10_000 : 5_000) : 1_000
        retention.settlingTime = .milliseconds(settling)
        retention.overlap = .milliseconds(settling / 2)
        let recording = try Self.watch(path, retention: retention, maximum: limit)
        Self.expectSame(recording.total, analysis, "\(hertz) Hz, \(policies), \(limit)")
        // It holds no more than a part of it.
        let all = analysis.trace.tracks.reduce(0) { $0 + $1.spans.count }
        #expect(recording.reader.itemCount < all)
        let worst = analysis.surfaces.flatMap(\.hitches).map(\.length).max()
        #expect(recording.worst.first?.length == worst)
      }
    }
  }

  // MARK: - Lines

  @Test func `a finished recording is reported and not waited for`() throws {
    let path = PackageFiles.sample("feed-commit-hitches.fxt")
    #expect(console.run("watch", path) == .done)
    #expect(
      console.output == """
        \(path): finished
        so far 3.32 s: missed 6/185, hitch 31.88 ms/s critical, main 417.0 ms, background 1.12 ms, blank 36 ms/s
          hitch at 0.100 s: frame 2, 33.3 ms (2 refreshes), commit: 74.9% image/decode (2 items, longest 10117), 22.8% cell/configure (2 items, longest 10118)
          hitch at 0.383 s: frame 14, 33.3 ms (2 refreshes), commit: 88.5% image/decode (10115)
          hitch at 0.283 s: frame 9, 16.7 ms (1 refresh), commit: 78.8% image/decode (10116), 17.2% cell/configure (10116)
          hitch at 0.650 s: frame 28, 16.7 ms (1 refresh), commit: 74.9% image/decode (10109), 20.5% cell/configure (10109)
          hitch at 0.833 s: frame 38, 16.7 ms (1 refresh), commit: 74.4% image/decode (10107), 21.0% cell/configure (10107)
          and 1 more hitch
        finished: 3.32 s, missed 6/185, hitch 31.88 ms/s critical, main 417.0 ms, background 1.12 ms, blank 36 ms/s
        Next: scrolltrace analyze \(path)

        """)
  }

  @Test func `lines are no longer than the terminal is wide, and whole without one`() throws {
    let path = PackageFiles.sample("feed-commit-hitches.fxt")
    func words() throws -> [Substring] {
      #expect(console.run("watch", "--plain", path) == .done)
      return console.output.split(whereSeparator: \.isWhitespace)
    }
    let whole = try words()
    console.environment.terminalWidth = 80
    #expect(try words() == whole)
    for line in console.output.split(separator: "\n") where !line.contains(path) {
      #expect(ColumnWidth.of(String(line)) <= 80, "\(line)")
    }
    #expect(console.output.contains("\n  hitch at 0.100 s") && console.output.contains("\n    "))
  }

  @Test func `each hitch has a line or is counted`() async {
    await forEachCase(of: ExtraCases.some(4, of: PackageFiles.recordings), oneCase)
    @Sendable func oneCase(name: String) throws {
      let path = PackageFiles.sample(name)
      let analysis = TraceAnalyzer().analyze(try TraceFile.open(path))
      var file = try WatchedFile(path: path, now: 0)
      try file.step(now: 0)
      try file.end()
      var lines = WatchLines(sink: .terminal)
      let text = lines.opening(of: file) + lines.rest(of: file)
      let hitches = text.split(separator: "\n").filter { $0.contains("hitch at ") }
      let more = text.firstMatch(of: #/and (\d+) more hitch/#).flatMap { Int($0.1) } ?? 0
      let count = analysis.surfaces.reduce(0) { $0 + ($1.counts.hitches ?? 0) }
      #expect(hitches.count + more == count, "\(name)")
      let again = lines.rest(of: file)
      #expect(again.isEmpty)
    }
  }

  @Test func `lost data is reported and has its own exit status`() throws {
    let path = PackageFiles.sample("damaged.fxt")
    #expect(console.run("watch", path) == .lossy)
    #expect(console.output.contains("lost: "))
    #expect(console.run("watch", path, "--allow-loss") == .done)
  }

  @Test func `a file that cannot be watched is rejected`() throws {
    #expect(console.run("watch", console.folder + "/none.fxt") == .notEvaluated)
    #expect(console.errors.contains("wait for it with --wait"))
    #expect(console.output.isEmpty)
    #expect(console.run("watch", try console.trace("chrome.json")) == .notEvaluated)
    #expect(console.errors.contains("only ScrollTrace's recordings can"))
    #expect(console.run("watch", console.folder) == .notEvaluated)
    #expect(console.run("watch") == .usage)
    #expect(console.run("watch", "a", "b") == .usage)
    #expect(console.run("watch", "a", "--duration", "soon") == .usage)
  }

  @Test func `a recording without its first page is damaged, not empty`() throws {
    let whole = try PackageFiles.bytes(of: "feed-smooth.fxt")
    // All of the page, and the magic number alone.
    for count in [RecordingLayout.pageSize, 8] {
      var bytes = whole
      bytes.replaceSubrange(..<count, with: repeatElement(0, count: count))
      let path = try console.file("page.fxt", bytes)
      #expect(console.run("watch", path) == .notEvaluated)
      #expect(console.errors.contains("has a damaged first page"))
    }
  }

  @Test func `a file with two recordings is rejected as such, not called damaged`() throws {
    // The first one is finished, or was killed and has chunks that were never used.
    for name in ["feed-smooth", "killed-mid-scroll"] {
      let one = try PackageFiles.bytes(of: name + ".fxt")
      let path = try console.file("two.fxt", one + one)
      #expect(console.run("watch", path) == .notEvaluated)
      #expect(console.errors.contains("a second recording follows at byte \(one.count)"))
      #expect(console.output.isEmpty)
      _ = console.run("inspect", path)
      #expect(console.output.contains("the file holds several recordings"))
      #expect(console.output.contains("Lost     no data"))
    }
  }

  @Test func `standard input cannot be watched`() throws {
    #expect(console.run("watch", "--wait", "-") == .notEvaluated)
    #expect(console.errors.contains("standard input: cannot be watched"))
    #expect(!console.errors.contains("--wait"))
    #expect(console.output.isEmpty)
  }

  @Test func `without time to wait, what the file holds is reported`() throws {
    let path = PackageFiles.sample("feed-smooth.fxt")
    #expect(console.run("watch", path) == .done)
    let whole = console.output
    #expect(console.run("watch", path, "--duration", "0s") == .done)
    #expect(console.output == whole)
  }

  @Test func `a file that was not read to its end says so`() throws {
    var file = try WatchedFile(path: PackageFiles.sample("feed-smooth.fxt"), now: 0)
    try file.step(now: 0, maximum: 1)
    #expect(file.isBehind)
    #expect(WatchLines(sink: .terminal).closing(of: file).contains("\nnot read: at least "))
    while file.isBehind { try file.step(now: 0) }
    #expect(!WatchLines(sink: .terminal).closing(of: file).contains("not read"))
  }

  @Test
  func `waiting for a recording ends at the time limit and reports that none started`() throws {
    let path = console.folder + "/none.fxt"
    #expect(console.run("watch", "--wait", "--duration", "60ms", path) == .notEvaluated)
    #expect(console.output == "waiting for \(path)\n")
    #expect(console.errors.contains("did not start in time"))
  }

  /// A recording that grows as its host goes on: its first records, those of each thread up to an
  /// instant.
  private static func bytes(_ whole: [UInt8], until time: UInt64, isClosed: Bool) -> [UInt8] {
    var bytes = whole
    func word(_ position: Int) -> UInt64 {
      (0..<8).reduce(0) { $0 | UInt64(whole[position + $1]) << UInt64(8 * $1) }
    }
    let chunks = stride(
      from: RecordingLayout.pageSize, to: bytes.count, by: RecordingLayout.chunkSize)
    // A thread goes on in another chunk only when one is full.
    var cut: Set<UInt64> = []
    for chunk in chunks {
      let thread = word(
        chunk + RecordingLayout.chunkPayloadOffset + RecordingLayout.Chunk.thread)
      let end = min(chunk + RecordingLayout.chunkSize, bytes.count)
      var position = chunk
      while position < end {
        let header = word(position)
        let size = Int(header >> 4 & 0xfff) * 8
        let isEvent = header & 0xf == 4
        // The time at which it was written: its end, if it has one.
        let last = isEvent && header >> 16 & 0xf == 4 ? position + size - 8 : position + 8
        let isLater = isEvent && word(last) > time
        // A seal covers what has not been written yet.
        let isSeal = header & 0xf == 5 && header >> 16 & 0xffff == 0x8010
        guard !isLater, !isSeal || isClosed, thread == 0 || !cut.contains(thread) else { break }
        position += size
      }
      guard position < end else { continue }
      if word(position) >> 16 & 0xffff != 0 { cut.insert(thread) }
      let isEmpty = position <= chunk + RecordingLayout.chunkPreambleSize + 24
      let start = isEmpty && chunk > RecordingLayout.pageSize ? chunk : position
      var pad = FXTWriter()
      pad.appendPad(words: (end - start) / 8)
      bytes.replaceSubrange(start..<(start + 8), with: pad.bytes.prefix(8))
    }
    if !isClosed {
      bytes[RecordingLayout.sessionPayloadOffset + RecordingLayout.Session.state] = 0
    }
    return bytes
  }

  @Test func `each second and each hitch of a running recording is a line`() throws {
    let whole = try PackageFiles.bytes(of: "feed-commit-hitches.fxt")
    let start = UInt64(
      try TraceFile.read(MemoryByteSource(whole)).range.start.nanoseconds)
    let path = console.folder + "/run.fxt"
    func write(_ milliseconds: UInt64, isClosed: Bool = false) throws {
      let bytes =
        isClosed
        ? whole : Self.bytes(whole, until: start + milliseconds * 1_000_000, isClosed: false)
      if !FileManager.default.fileExists(atPath: path) {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
      }
      let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
      try handle.write(contentsOf: Data(bytes))
      try handle.close()
    }
    try write(250)
    var file = try WatchedFile(path: path, now: 0)
    var lines = WatchLines(sink: .terminal)
    var text = ""
    try file.step(now: 0)
    text += lines.opening(of: file)
    for time in stride(from: UInt64(500), through: 3_250, by: 250) {
      try write(time)
      try file.step(now: Int64(time))
      text += lines.news(of: file, now: Int64(time))
    }
    #expect(!file.isOver(now: 3_500))
    try write(4_000, isClosed: true)
    try file.step(now: 4_000)
    text += lines.news(of: file, now: 4_000)
    #expect(file.isOver(now: 4_000))
    try file.end()
    text += lines.rest(of: file) + lines.closing(of: file)
    #expect(text.replacingOccurrences(of: path, with: "run.fxt") == Self.expectedLines)
    Self.expectSame(
      file.recording.total, TraceAnalyzer().analyze(try TraceFile.open(path)), "in steps")
  }

  private static let expectedLines = """
    run.fxt: not finished
    so far 237.8 ms: missed 1/8, hitch 0.00 ms/s uncertain, main 13.7 ms, background 0.080 ms, blank 76 ms/s
    hitch at 0.100 s: frame 2, 33.3 ms (2 refreshes), commit: 74.9% image/decode (2 items, longest 10117), 22.8% cell/configure (2 items, longest 10118)
    hitch at 0.283 s: frame 9, 16.7 ms (1 refresh), commit: 78.8% image/decode (10116), 17.2% cell/configure (10116)
    hitch at 0.383 s: frame 14, 33.3 ms (2 refreshes), commit: 88.5% image/decode (10115)
    hitch at 0.650 s: frame 28, 16.7 ms (1 refresh), commit: 74.9% image/decode (10109), 20.5% cell/configure (10109)
    hitch at 0.833 s: frame 38, 16.7 ms (1 refresh), commit: 74.4% image/decode (10107), 21.0% cell/configure (10107)
    1 s: missed 5/46, hitch 98.04 ms/s critical, main 306 ms/s, background 1 ms/s, blank 104 ms/s, deceleration for 1.4 s, screen=feed
    2 s: missed 1/59, hitch 16.67 ms/s critical, main 104 ms/s, background 0 ms/s, blank 19 ms/s, no interaction, screen=feed
    3 s: missed 0/60, hitch 0.00 ms/s good, main 67 ms/s, background 0 ms/s, blank 0 ms/s, no interaction, screen=feed
    and 1 more hitch
    finished: 3.32 s, missed 6/185, hitch 31.88 ms/s critical, main 417.0 ms, background 1.12 ms, blank 36 ms/s
    Next: scrolltrace analyze run.fxt

    """

  // MARK: - The screen

  private static func view(of sample: String) throws -> WatchView {
    var file = try WatchedFile(path: PackageFiles.sample(sample), now: 0)
    try file.step(now: 0)
    return WatchView(of: file, messages: WatchMessages(sink: .terminal), now: 0)
  }

  @Test
  func `no line of the screen is wider than the terminal, and no more lines are printed than fit`()
    throws
  {
    let view = try Self.view(of: "killed-mid-scroll.fxt")
    for (columns, rows) in [(80, 24), (200, 60), (40, 12), (20, 5), (1, 1), (0, 0), (-1, 3)] {
      for palette in [Palette.none, .sixteen, .full] {
        let lines = WatchScreen.lines(of: view, size: (columns, rows), color: palette)
        #expect(lines.count == max(0, rows))
        guard palette == .none else { continue }
        for line in lines { #expect(ColumnWidth.of(line) <= max(0, columns)) }
      }
    }
  }

  @Test func `the screen lists hitches, open spans, and the numbers`() throws {
    let view = try Self.view(of: "killed-mid-scroll.fxt")
    let lines = WatchScreen.lines(of: view, size: (100, 40), color: .none)
    let text = lines.joined(separator: "\n")
    #expect(lines[0].hasPrefix(" killed-mid-scroll.fxt  not finished, 1.2 s"))
    #expect(text.contains("Latest hitches"))
    // A hitch is listed once.
    #expect(text.split(separator: "\n").count { $0.contains("   0.383 s ") } == 1)
    #expect(text.contains("0.383 s   33.3 ms   2  commit  88.5% image/decode (10115)"))
    #expect(text.contains("total       missed 5/60   hitch 80.1 ms/s critical"))
    #expect(text.contains("main thread of 16.67 ms"))
    #expect(text.contains("q quit"))
  }

  @Test func `an ongoing hitch is reported while it lasts (M-3)`() throws {
    // E-16: two smooth seconds of a drag, then a hang.
    let analysis = LiveAnalysis(of: WorkedExamples.e16().trace())
    let hang = Timestamp(clamping: 120 * 16_666_667)
    #expect(analysis.stall(at: hang + .milliseconds(100)) == nil)
    let stall = try #require(analysis.stall(at: hang + .milliseconds(1_217)))
    #expect(abs(stall.length.milliseconds - 1_200) < 1)
    #expect(stall.refreshesMissed == 72 || stall.refreshesMissed == 71)
    let words = WatchMessages(sink: .terminal)
    #expect(
      words.text(of: stall, in: analysis).hasPrefix("stalled for 1.2 s (\(stall.refreshesMissed) "))
  }

  @Test func `a resting surface without a started frame waits for nothing`() throws {
    // E-7: a gap outside of any interaction.
    let trace = WorkedExamples.e7().trace()
    #expect(LiveAnalysis(of: trace).stall(at: trace.range.end + .milliseconds(5_000)) == nil)
  }

  @Test func `the screen shows a stall above everything and explains itself`() {
    var view = WatchView()
    view.stall = "stalled for 1.2 s (72 refreshes), in display > layout"
    let lines = WatchScreen.lines(of: view, size: (100, 40), color: .none)
    #expect(lines[2].hasPrefix(" stalled for 1.2 s (72 refreshes), in display > layout"))
    #expect(!lines.contains { $0.contains(" help ") && $0.contains("╭") })
    view.panel.isHelpShown = true
    let help = WatchScreen.lines(of: view, size: (100, 40), color: .none)
    #expect(help.contains { $0.contains("an ongoing hitch") })
  }

  #if os(Linux)
    @Test func `a stopped process is recognized`() throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sleep")
      process.arguments = ["60"]
      try process.run()
      defer {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
      }
      let number = UInt64(process.processIdentifier)
      #expect(!HostState.isStopped(process: number))
      kill(process.processIdentifier, SIGSTOP)
      // The system takes its time.
      for _ in 0..<500 where !HostState.isStopped(process: number) { usleep(10_000) }
      #expect(HostState.isStopped(process: number))
      #expect(!HostState.isStopped(process: .max))
    }
  #endif

  @Test func `a graph has one column per refresh, and open work counts until now`() throws {
    let path = PackageFiles.sample("killed-mid-scroll.fxt")
    let analysis = LiveAnalysis(of: try TraceFile.open(path))
    let name = try #require(analysis.surfaces.first?.name)
    let end = analysis.trace.range.end
    let refreshes = analysis.refreshes(of: name, last: 600, until: end)
    for (one, next) in zip(refreshes, refreshes.dropFirst()) {
      let gap = (next.start - one.start - one.refreshInterval).magnitude
      #expect(gap < .milliseconds(1))
    }
    let missed = refreshes.count { $0.missedDeadline }
    #expect(missed == analysis.totals(from: .zero, to: nil).surfaces[name]?.deadlineMisses)
    // It died while it decoded: as long as nobody knows that, the main thread works on.
    let later = analysis.refreshes(of: name, last: 600, until: end + .milliseconds(100))
    #expect(later.suffix(5).allSatisfy { $0.mainBusy == $0.refreshInterval })
    #expect(analysis.refreshes(of: name, last: 10, until: end).count == 10)
  }

  @Test func `a late commit is one column, and each of its nanoseconds counts once`() throws {
    let trace = try TraceFile.open(PackageFiles.sample("feed-commit-hitches.fxt"))
    let analysis = LiveAnalysis(of: trace)
    let name = try #require(analysis.surfaces.first?.name)
    let refreshes = analysis.refreshes(of: name, last: 600, until: trace.range.end)
    let late = refreshes.filter { $0.mainBusy > $0.refreshInterval }
    #expect(!late.isEmpty && late.allSatisfy(\.missedDeadline))
    let longest = try #require(late.map(\.mainBusy).max())
    #expect(longest > .milliseconds(39) && longest < .milliseconds(46))
    // The refreshes that passed meanwhile have nothing left.
    let skipped = refreshes.filter(\.isSkipped)
    #expect(!skipped.isEmpty && skipped.allSatisfy { $0.mainBusy == .zero })
    let sum = refreshes.reduce(into: TimeSpan.zero) { $0 += $1.mainBusy + $1.mainWaiting }
    let first = try #require(refreshes.first?.start)
    let main = try #require(trace.mainTrack)
    var covered = TimeSpan.zero
    var end = first
    for index in 0..<trace.tracks[main.index].spans.count {
      let range = trace.tracks[main.index].spans[index].range
      covered += max(.zero, range.end - max(end, range.start))
      end = max(end, range.end)
    }
    #expect((covered - sum).magnitude < .milliseconds(1))
  }
}
