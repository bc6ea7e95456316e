import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// What makes frames late although the main thread did its work in time (M-16, M-19).
@Suite struct AfterMainThreadTests {
  private static let interval: Int64 = 10_000_000

  private func time(_ frame: Int, plus milliseconds: Double = 0) -> Timestamp {
    Timestamp(clamping: Int64(frame) * Self.interval + Int64(milliseconds * 1_000_000))
  }

  /// A drag at 100 Hz. Each tenth frame ends after 15 ms, and the main thread works on each for 3 ms.
  private struct Drag {
    /// How long the main thread works on a late frame, in milliseconds.
    var mainWork = 3.0
    /// The thread that works on it behind that, or `nil`.
    var thread: String?
    /// What that thread does in late frames by the scheduler, or `nil` if it does not say.
    var threadState: ThreadState?
    /// Whether the thread waits so that nothing interrupts it.
    var isUninterruptible = false
    /// The name of that thread's work.
    var drawing = "DrawFrames"
    /// The names of equally long parts of that work, one after the other.
    var parts: [String] = []
    /// Whether the display has frames of its own that are as late.
    var hasDisplay = false
    /// Whether the app's frames end on time.
    var isOnTime = false
    /// Whether frames have the times at which they were shown, and the commit ends before the drawing.
    var isShown = false
  }

  private func trace(_ drag: Drag) -> Trace {
    var builder = TraceBuilder(format: "built")
    let main = builder.mainThread(isHost: true)
    let other = builder.track(2, of: builder.process(1))
    if let thread = drag.thread { builder.setName(thread, of: other) }
    let app = builder.surface("app")
    let display = drag.hasDisplay ? builder.surface("display") : nil
    let layout = builder.label(category: "app", name: "layout")
    let draw = builder.label(category: "app", name: drag.drawing)
    for index in 0..<60 {
      let isLate = index % 10 == 5
      // The frame after a late one has no time of its own.
      let isSkipped = index % 10 == 6
      var frame = Frame(id: UInt64(index))
      frame.start = time(index)
      frame.commitStart = time(index)
      frame.commitEnd = time(index, plus: drag.isShown ? 3 : isLate && !drag.isOnTime ? 15 : 5)
      if drag.isShown {
        frame.target = time(index + 1)
        frame.presented = time(index + (isLate ? 2 : 1))
      }
      frame.deadline = time(index + 1)
      frame.refreshInterval = TimeSpan(nanoseconds: Self.interval)
      if let display, !isSkipped {
        var shown = frame
        shown.commitEnd = time(index, plus: isLate ? 15 : 5)
        shown.target = time(index + 2)
        shown.presented = time(index + (isLate ? 3 : 2))
        shown.sourceLabel = isLate ? builder.string("compositor was late") : nil
        builder.updateFrame(shown, of: display)
      }
      if isSkipped, !drag.isOnTime { continue }
      frame.track = main
      builder.updateFrame(frame, of: app)
      let work = isLate ? drag.mainWork : 3
      builder.addSpan(on: main, from: time(index), to: time(index, plus: work), label: layout)
      if drag.thread != nil {
        let end = isLate && !drag.isOnTime ? 15.0 : 5
        builder.addSpan(
          on: other, from: time(index, plus: work), to: time(index, plus: end), label: draw)
        for (position, name) in drag.parts.enumerated() {
          let length = (end - work) / Double(drag.parts.count)
          let start = work + length * Double(position)
          builder.addSpan(
            on: other, from: time(index, plus: start), to: time(index, plus: start + length),
            label: builder.label(category: "app", name: name))
        }
        if isLate, let state = drag.threadState {
          builder.addThreadState(
            state, on: other, from: time(index, plus: work), to: time(index, plus: end),
            isUninterruptible: drag.isUninterruptible)
        }
      }
    }
    builder.addInteraction(from: .zero, to: time(60))
    return builder.finish()
  }

  private func findings(_ drag: Drag) -> [Finding] {
    TraceAnalyzer().analyze(trace(drag)).findings
  }

  @Test func `a lateness of less than half of a refresh may be that of the times`() throws {
    func title(lateBy milliseconds: Double) throws -> Phrase {
      var builder = TraceBuilder(format: "built")
      let display = builder.surface("display")
      for index in 0..<60 {
        let isLate = index % 10 == 5 || index % 10 == 6
        builder.updateFrame(
          index, of: display, start: time(index), commitStart: time(index),
          commitEnd: time(index, plus: 3), deadline: time(index + 1), target: time(index + 2),
          presented: time(index + 2, plus: isLate ? milliseconds : 0),
          refreshInterval: TimeSpan(nanoseconds: Self.interval))
      }
      builder.addInteraction(Interaction(kind: "drag", start: .zero, end: time(60)))
      let finding = try #require(TraceAnalyzer().analyze(builder.finish()).findings.first)
      #expect(finding.id == .renderHitches && finding.measures.hitches == 6)
      return finding.words.title
    }
    let limit = TimeSpan.milliseconds(3)
    #expect(
      try title(lateBy: 3)
        == "pictures are reported late by less than half of a refresh, \(limit) at most")
    #expect(try title(lateBy: 6) == "frames are ready on time and presented late")
  }

  @Test func `drawing that ends a frame late is named, and nothing on the main thread`() throws {
    let analysis = TraceAnalyzer().analyze(trace(Drag(thread: "RenderThread")))
    let surface = try #require(analysis.surfaces.first)
    #expect(surface.hitchesInMotion == 6)
    #expect(surface.causes.map(\.kind) == [.render])
    let finding = try #require(analysis.findings.first)
    #expect(analysis.findings.map(\.id) == [.renderHitches])
    #expect(
      finding.words.title
        == "'\(name: "DrawFrames")' on \(name: "RenderThread") makes frames late")
    #expect(finding.removable == nil)
    #expect(analysis.predictions.allSatisfy { $0.upTo == .zero })
  }

  @Test
  func `drawing that ends late is named where frames have the times at which they were shown`() {
    let found = findings(Drag(thread: "RenderThread", isShown: true))
    #expect(found.map(\.id) == [.renderHitches])
    #expect(
      found.first?.words.title
        == "'\(name: "DrawFrames")' on \(name: "RenderThread") makes frames late")
    #expect(findings(Drag(isShown: true)).map(\.id) == [.renderHitches])
  }

  @Test func `what a thread draws says what is to be ready before it`() throws {
    func fix(_ drawing: String) throws -> Phrase {
      try #require(findings(Drag(thread: "RenderThread", drawing: drawing)).first).words.fix
    }
    #expect(try fix("shader_compile") == WorkTopic.warmUpShaders)
    #expect(try fix("Upload 2400x3200 Texture") == WorkTopic.uploadLess(in: nil))
    #expect(try fix("DrawFrames") != WorkTopic.warmUpShaders)
  }

  @Test func `after a change, other work of the thread that draws is another finding`() {
    func run(_ drawing: String) -> Analysis {
      TraceAnalyzer().analyze(trace(Drag(thread: "RenderThread", drawing: drawing)))
    }
    func statuses(_ base: String, _ new: String) -> [FindingStatus] {
      Comparison(base: [run(base)], new: [run(new)]).findings.map(\.status)
    }
    #expect(statuses("Upload 1620x2160 Texture", "shader_compile") == [.gone, .appeared])
    #expect(statuses("Upload 1620x2160 Texture", "Upload 810x1080 Texture") == [.unchanged])
  }

  @Test
  func `drawing is named by what takes at least half of it, with the number of its parts`() throws {
    func title(_ parts: [String]) throws -> Phrase {
      try #require(findings(Drag(thread: "RenderThread", parts: parts)).first).words.title
    }
    func expected(_ work: String, _ end: Phrase = "") -> Phrase {
      "'\(name: work)' on \(name: "RenderThread") makes frames late" + end
    }
    #expect(
      try title(["Canvas::saveLayer", "clip", "Canvas::saveLayer"])
        == expected("Canvas::saveLayer", ": up to \(2) in a frame"))
    // Images have several sizes.
    #expect(
      try title(["flush", "Upload 1620x2160 Texture", "Upload 800x600 Texture"])
        == expected("Upload 1620x2160 Texture", ": up to \(2) in a frame"))
    #expect(try title(["a", "b", "c"]) == expected("DrawFrames"))
    let upload = Drag(
      thread: "RenderThread", parts: ["Upload 1620x2160 Texture", "Upload 800x600 Texture"])
    #expect(findings(upload).first?.words.fix == WorkTopic.uploadLess(in: nil))
  }

  @Test func `drawing took as long as its longest work, without that of the frame before`() throws {
    var builder = TraceBuilder(format: "built")
    _ = builder.mainThread(isHost: true)
    let thread = builder.track(2, of: builder.process(1))
    builder.setName("RenderThread", of: thread)
    let display = builder.surface("display")
    let draw = builder.label(category: "app", name: "DrawFrames")
    for index in 0..<60 where index % 10 != 6 {
      let isLate = index % 10 == 5
      builder.updateFrame(
        index, of: display, start: time(index), commitStart: time(index),
        commitEnd: time(index, plus: 3), deadline: time(index + 1), target: time(index + 2),
        presented: time(index + (isLate ? 3 : 2)),
        refreshInterval: TimeSpan(nanoseconds: Self.interval))
      guard isLate else { continue }
      for (from, to) in [(0.0, 8.0), (8, 24)] {
        builder.addSpan(
          on: thread, from: time(index, plus: from), to: time(index, plus: to), label: draw)
      }
    }
    builder.addInteraction(Interaction(kind: "drag", start: .zero, end: time(60)))
    let finding = try #require(TraceAnalyzer().analyze(builder.finish()).findings.first)
    #expect(finding.id == .renderHitches && finding.measures.hitches == 6)
  }

  @Test func `a drawing thread without a core, or that waits for the disk or the GPU, says so`() {
    func title(_ drag: Drag) -> Phrase? { findings(drag).first?.words.title }
    let thread = "RenderThread"
    #expect(
      title(Drag(thread: thread, threadState: .ready)) == "\(name: thread) had no core to draw on")
    #expect(
      title(Drag(thread: thread, threadState: .blocked, isUninterruptible: true))
        == "'\(name: "DrawFrames")' on \(name: thread) waits for the disk")
    #expect(
      title(Drag(thread: thread, threadState: .blocked))
        == "'\(name: "DrawFrames")' on \(name: thread) waits")
    #expect(
      title(Drag(thread: thread, threadState: .running))
        == "'\(name: "DrawFrames")' on \(name: thread) makes frames late")
    #expect(
      title(Drag(thread: "GPU completion", drawing: "waiting for GPU completion 7"))
        == "the GPU makes frames late")
    #expect(
      title(Drag(thread: thread, drawing: "dequeueBuffer"))
        == "'\(name: "dequeueBuffer")' on \(name: thread) waits")
  }

  @Test func `a thread that does not draw, and work that itself was late, explain nothing`() {
    #expect(findings(Drag(thread: "worker")).map(\.id) == [.unrecordedWork])
    #expect(findings(Drag()).map(\.id) == [.unrecordedWork])
    // Drawing at the end of a long window did not make it long.
    let short = findings(Drag(mainWork: 9, thread: "RenderThread"))
    #expect(!short.contains { $0.id == .renderHitches })
    let busy = findings(Drag(mainWork: 12, thread: "RenderThread"))
    #expect(busy.map(\.id) == [.longTask])
  }

  @Test func `a game's own thread made its late frames, unless the main thread was busy`() {
    let game = findings(Drag(thread: "UnityMain", drawing: "sort vertices"))
    #expect(game.map(\.id) == [.longTask])
    #expect(game.first?.words.title.parts.contains(.name("sort vertices")) == true)
    let app = findings(Drag(mainWork: 12, thread: "UnityMain", drawing: "sort vertices"))
    #expect(app.map(\.id) == [.longTask])
    #expect(app.first?.words.title.parts.contains(.name("layout")) == true)
  }

  @Test func `a late frame of the display alone is not work of the app that is not recorded`() {
    let found = findings(Drag(hasDisplay: true, isOnTime: true))
    #expect(found.map(\.id) == [.renderHitches])
    let late = TimeSpan.milliseconds(60)
    let source: Phrase = "; the source says: \(name: "compositor was late")"
    #expect(found.first?.words.evidence == ["\(6, "frame") came \(late) late in all\(source)"])
    // If the app was late, the display only repeats it.
    let echo = findings(Drag(mainWork: 14, hasDisplay: true))
    #expect(echo.map(\.id) == [.longTask])
  }

  /// Frames of which each tenth is dropped, with work of this length in milliseconds for those.
  private func withDroppedFrames(work: Double) -> Analysis {
    var builder = TraceBuilder(format: "built")
    let display = builder.surface("display")
    let main = builder.mainThread()
    let bind = builder.label(category: "app", name: "bind")
    for index in 0..<60 {
      let length = index % 10 == 5 ? work : 3
      let begin = time(index, plus: index % 10 == 6 ? max(0, work - 15) : 0)
      let end = begin + TimeSpan(nanoseconds: Int64(length * 1_000_000))
      builder.addSpan(on: main, from: begin, to: end, label: bind)
      var frame = Frame(id: UInt64(index))
      frame.start = begin
      frame.commitEnd = end
      frame.deadline = time(index + 1)
      frame.target = time(index + 2)
      frame.refreshInterval = TimeSpan(nanoseconds: Self.interval)
      if index % 10 == 5 { frame.outcome = .dropped } else { frame.presented = time(index + 2) }
      builder.updateFrame(frame, of: display)
    }
    builder.addInteraction(from: .zero, to: time(60))
    return TraceAnalyzer().analyze(builder.finish())
  }

  @Test func `a frame that was done in time and dropped is late after the main thread`() {
    let analysis = withDroppedFrames(work: 3)
    #expect(analysis.surfaces.first?.hitchesInMotion == 6)
    #expect(analysis.findings.map(\.id) == [.renderHitches])
    #expect(analysis.findings.first?.words.title == "finished frames are dropped")
    // One that was not done is the main thread's.
    let slow = withDroppedFrames(work: 12)
    #expect(slow.surfaces.first?.hitchesInMotion == 6)
    #expect(slow.findings.allSatisfy { $0.id != .renderHitches })
  }

  @Test func `work of a frame that was late and dropped is the cause of the lost refresh`() throws {
    let analysis = withDroppedFrames(work: 20)
    let surface = try #require(analysis.surfaces.first)
    #expect(surface.hitchesInMotion == 6)
    for hitch in surface.hitches {
      #expect(hitch.attribution?.window.length == .milliseconds(20))
      #expect(hitch.attribution?.unrecorded == .zero)
    }
    #expect(analysis.findings.map(\.id) == [.expensiveCells])
  }

  @Test(arguments: [
    ("GPU Process", "GPUTask"), ("GPU Process", "RunTask"), ("Browser", "GPUTask"),
  ])
  func `long work of a browser's own drawing process makes the display late`(
    name: String, work: String
  ) {
    var builder = TraceBuilder(format: "built")
    let main = builder.mainThread(isHost: true)
    let other = builder.process(2)
    builder.setName(name, of: other)
    let drawing = builder.track(2, of: other)
    builder.setName("CrGpuMain", of: drawing)
    let display = builder.surface("Display")
    builder[display].isDisplayStream = true
    let layout = builder.label(category: "app", name: "layout")
    let task = builder.label(category: "gpu", name: work)
    for index in 0..<60 {
      builder.addSpan(on: main, from: time(index), to: time(index, plus: 3), label: layout)
      if index % 10 == 5 {
        builder.addSpan(
          on: drawing, from: time(index, plus: 5), to: time(index, plus: 31), label: task)
        continue
      }
      builder.updateFrame(
        index, of: display, presented: time(index + 1),
        refreshInterval: TimeSpan(nanoseconds: Self.interval))
    }
    builder.addInteraction("scroll", from: .zero, to: time(60))
    let titles = TraceAnalyzer().analyze(builder.finish()).findings.map(\.words.title)
    // A task is only around the work.
    let subject: Phrase = work == "RunTask" ? "" : "'\(name: work)' on "
    let expected: Phrase = "\(subject)\(name: "CrGpuMain") makes frames late"
    #expect(titles.contains(expected) == (name == "GPU Process"))
  }

  @Test(arguments: [20.0, 6])
  func `drawing between two updates of a page is why the second one is begun late`(
    length: Double
  ) {
    var builder = TraceBuilder(format: "built")
    let main = builder.mainThread(isHost: true)
    builder.setCompletelyRecorded(main)
    let other = builder.process(2)
    builder.setName("GPU Process", of: other)
    let drawing = builder.track(2, of: other)
    builder.setName("CrGpuMain", of: drawing)
    let updates = builder.surface("updates")
    let layout = builder.label(category: "app", name: "layout")
    let task = builder.label(category: "gpu", name: "GPUTask")
    for index in 0..<60 where ![6, 7].contains(index % 10) {
      builder.addSpan(on: main, from: time(index), to: time(index, plus: 3), label: layout)
      if index % 10 == 5 {
        builder.addSpan(
          on: drawing, from: time(index, plus: 4), to: time(index, plus: 4 + length), label: task)
      }
      builder.updateFrame(
        index, of: updates, start: time(index),
        refreshInterval: TimeSpan(nanoseconds: Self.interval), track: main)
    }
    builder.addInteraction("scroll", from: .zero, to: time(60))
    let titles = TraceAnalyzer().analyze(builder.finish()).findings.map(\.words.title)
    let upTo: Phrase = "up to \(TimeSpan.milliseconds(30))"
    let expected: Phrase =
      length > 10
      ? "'\(name: "GPUTask")' on \(name: "CrGpuMain") makes frames late"
      : "no frame is begun for \(upTo)"
    #expect(titles.contains(expected), "\(titles)")
  }

  @Test(arguments: [3, 17])
  func `a main thread that is off its core while a browser's GPU process works waits for that`(
    cpu: Int64
  ) {
    var builder = TraceBuilder(format: "built")
    let main = builder.mainThread(isHost: true)
    let other = builder.process(2)
    builder.setName("GPU Process", of: other)
    let drawing = builder.track(2, of: other)
    builder.setName("CrGpuMain", of: drawing)
    let page = builder.surface("page")
    let task = builder.label(category: "cc", name: "RunTask")
    let work = builder.label(category: "gpu", name: "GPUTask")
    var counted = ThreadTimeSample()
    var ran: Int64 = 0
    for index in 0..<60 where index % 10 != 6 {
      let isLate = index % 10 == 5
      let end = time(index, plus: isLate ? 19 : 3)
      builder.addSpan(on: main, from: time(index), to: end, label: task)
      counted.cpu = ran
      builder.addThreadTime(counted, on: main, at: time(index))
      ran += (isLate ? cpu : 3) * 1_000_000
      counted.cpu = ran
      builder.addThreadTime(counted, on: main, at: end)
      if isLate { builder.addSpan(on: drawing, from: time(index, plus: 1), to: end, label: work) }
      builder.updateFrame(
        index, of: page, start: time(index), commitStart: time(index), commitEnd: end,
        deadline: time(index + 1), refreshInterval: TimeSpan(nanoseconds: Self.interval),
        track: main)
    }
    builder.addInteraction("scroll", from: .zero, to: time(60))
    let titles = TraceAnalyzer().analyze(builder.finish()).findings.map(\.words.title)
    #expect(titles.contains("the GPU makes frames late") == (cpu == 3), "\(titles)")
  }

  /// The causes of a display's late pictures, each of which follows an update of the app that takes this many
  /// milliseconds.
  private func causesOfDisplay(update length: Double) throws -> [CauseSummary.Kind] {
    var builder = TraceBuilder(format: "built")
    let main = builder.mainThread(isHost: true)
    builder.setCompletelyRecorded(main)
    let display = builder.surface("Display")
    builder[display].isDisplayStream = true
    builder.setBasis(.cadence, of: display)
    let updates = builder.surface("updates")
    let layout = builder.label(category: "app", name: "layout")
    let interval = TimeSpan(nanoseconds: Self.interval)
    for index in 0..<60 {
      let isLate = index % 10 == 5
      guard index % 10 != 6 else { continue }
      builder.addSpan(
        on: main, from: time(index), to: time(index, plus: isLate ? length : 3), label: layout)
      builder.updateFrame(
        index, of: updates, start: time(index), refreshInterval: interval, track: main)
      builder.updateFrame(
        index, of: display, presented: time(index + (isLate ? 2 : 1), plus: 2),
        refreshInterval: interval)
    }
    builder.addInteraction("scroll", from: .zero, to: time(60))
    let surfaces = TraceAnalyzer().analyze(builder.finish()).surfaces
    let surface = try #require(surfaces.first { $0.name == "Display" })
    #expect(surface.counts.hitches == 6)
    return surface.causes.map(\.kind)
  }

  @Test
  func `until a browser's picture is displayed after a long update, nothing is a cause`() throws {
    #expect(try causesOfDisplay(update: 12) == [.work(category: "app", name: "layout")])
    #expect(try causesOfDisplay(update: 4).first == .idle)
  }

  @Test(arguments: [24.0, 15, 3])
  func `work through the refresh at which the next frame was to begin is why that is late`(
    length: Double
  ) throws {
    var builder = TraceBuilder(format: "built")
    let display = builder.surface("display")
    let main = builder.mainThread()
    let parse = builder.label(category: "app", name: "parse")
    for index in 0..<60 where index % 10 != 6 && (index % 10 != 7 || length < 20) {
      let isLong = index % 10 == 5
      // Frames have two refreshes, and the next one begins at the first refresh after the work.
      let end = time(index, plus: isLong ? length : 3)
      builder.addSpan(on: main, from: time(index), to: end, label: parse)
      builder.updateFrame(
        index, of: display, start: time(index), commitStart: time(index), commitEnd: end,
        deadline: time(index + 2), target: time(index + 2),
        presented: time(index + (isLong && length > 20 ? 3 : 2)),
        refreshInterval: TimeSpan(nanoseconds: Self.interval))
    }
    builder.addInteraction(from: .zero, to: time(60))
    let analysis = TraceAnalyzer().analyze(builder.finish())
    let surface = try #require(analysis.surfaces.first)
    #expect(surface.counts.hitches == (length > 20 ? 12 : 6))
    let isCause = length > 10
    let causes: [CauseSummary.Kind] =
      isCause ? [.work(category: "app", name: "parse")] : [.render]
    #expect(surface.causes.map(\.kind) == causes)
    let origin: UInt64? = isCause ? 55 : nil
    #expect(surface.hitches.last?.delayedByFrame == origin)
    let removable = isCause ? surface.hitchTime : nil
    #expect(analysis.findings.first?.removable == removable)
  }

  /// The titles of findings on a table of a game at 100 Hz: each tenth frame keeps the GPU busy for 15 ms, and
  /// the CPU for `busy`.
  private func titlesOfTable(busy: Double) -> [Phrase] {
    var builder = TraceBuilder(format: "presentmon")
    let process = builder.process(1)
    builder.setHost(process)
    let main = builder.track(1, of: process)
    builder.setMain(main)
    let gpu = builder.track(2, of: process)
    builder.setName("GPU of game.exe", of: gpu)
    let game = builder.surface("game.exe")
    let commit = builder.label(category: "scrolltrace.frame", name: "game.exe")
    let drawing = builder.label(category: "PresentMon", name: "GPU")
    var refresh = 0
    for index in 0..<60 {
      let isLate = index % 10 == 5
      let (start, end) = (time(refresh), time(refresh, plus: isLate ? busy : 3))
      builder.addSpan(on: main, from: start, to: end, label: commit)
      builder.addSpan(
        on: gpu, from: time(refresh, plus: 1), to: time(refresh, plus: isLate ? 16 : 6),
        label: drawing)
      refresh += isLate ? 2 : 1
      builder.updateFrame(
        index, of: game, start: start, commitStart: start, commitEnd: end,
        presented: time(refresh + 1), refreshInterval: TimeSpan(nanoseconds: Self.interval),
        track: main)
    }
    builder.addInteraction(Interaction(kind: "drag", start: .zero, end: time(refresh)))
    return TraceAnalyzer().analyze(builder.finish()).findings.map(\.words.title)
  }

  @Test func `work of the GPU for more than a refresh is named, unless the CPU took as long`() {
    let title: Phrase = "the GPU makes frames late"
    #expect(titlesOfTable(busy: 3).first == title)
    #expect(!titlesOfTable(busy: 14).contains(title))
  }

  @Test(arguments: [0, 6])
  func `frames that the app's own clock begins are no missing work`(jitter: Int) throws {
    var builder = TraceBuilder(format: "built")
    let display = builder.surface("display")
    let main = builder.mainThread()
    let tick = builder.label(category: "app", name: "tick")
    for index in 0..<60 {
      let start = index * 16 + index % 2 * jitter
      builder.updateFrame(
        index, of: display, start: time(0, plus: Double(start)),
        commitStart: time(0, plus: Double(start)), commitEnd: time(0, plus: Double(start + 4)),
        presented: time((start + 4) / 10 + 2),
        refreshInterval: TimeSpan(nanoseconds: Self.interval))
      builder.addSpan(
        on: main, from: time(0, plus: Double(start)), to: time(0, plus: Double(start + 4)),
        label: tick)
    }
    builder.addInteraction(from: .zero, to: time(96))
    let finding = try #require(TraceAnalyzer().analyze(builder.finish()).findings.first)
    guard jitter == 0 else {
      #expect(finding.id == .unrecordedWork)
      return
    }
    #expect(finding.id == .renderHitches && finding.removable == nil)
    let (spacing, refresh) = (TimeSpan.milliseconds(16), TimeSpan.milliseconds(10))
    #expect(
      finding.words.title
        == "frames start every \(interval: spacing), but the display refreshes every \(interval: refresh)"
    )
  }

  @Test func `half the display's rate with all frames in time is a rate, not missing work`() {
    var builder = TraceBuilder(format: "built")
    let display = builder.surface("display")
    let main = builder.mainThread()
    let layout = builder.label(category: "app", name: "layout")
    for index in stride(from: 0, to: 120, by: 2) {
      builder.updateFrame(
        index / 2, of: display, start: time(index), commitStart: time(index),
        commitEnd: time(index, plus: 4), deadline: time(index + 1), target: time(index + 2),
        presented: time(index + 2), refreshInterval: TimeSpan(nanoseconds: Self.interval))
      builder.addSpan(on: main, from: time(index), to: time(index, plus: 4), label: layout)
    }
    builder.addInteraction(from: .zero, to: time(120))
    let found = TraceAnalyzer().analyze(builder.finish()).findings
    #expect(found.map(\.id) == [.steadilySlowFrames])
    // The first screen has the first sentence alone.
    #expect(
      found.first?.words.fix.parts.first
        == .words("Look for what limits the frame rate, such as a timer or a requested rate"))
  }

  @Test func `a GPU that is busy at a lower clock in late frames is slowed down`() {
    func found(clock: Double, load: Double) -> [FindingID] {
      var builder = TraceBuilder(format: "mangohud")
      let display = builder.surface("display")
      let clocks = builder.label(category: "counter", name: "gpu_core_clock")
      let loads = builder.label(category: "counter", name: "gpu_load")
      var refresh = 0
      for index in 0..<60 {
        let isLate = index >= 30
        refresh += isLate ? 2 : 1
        builder.updateFrame(
          index, of: display, start: time(refresh),
          refreshInterval: TimeSpan(nanoseconds: Self.interval))
        builder.addSample(isLate ? clock : 1800, of: clocks, at: time(refresh))
        builder.addSample(isLate ? load : 70, of: loads, at: time(refresh))
      }
      builder.addInteraction(from: .zero, to: time(refresh))
      return TraceAnalyzer().analyze(builder.finish()).findings.map(\.id)
    }
    #expect(found(clock: 700, load: 99).first == .throttledDevice)
    // A clock that changes little, and one that is low because there is little to do.
    #expect(!found(clock: 1600, load: 99).contains(.throttledDevice))
    #expect(!found(clock: 700, load: 40).contains(.throttledDevice))
  }

  @Test func `a given rate that no picture comes at is doubted first`() {
    /// The finding on pictures at an even spacing on a display of 100 Hz.
    func found(spacing: Double, isGiven: Bool = true) -> Finding? {
      var builder = TraceBuilder(format: "mangohud")
      let display = builder.surface("display")
      for index in 0..<60 {
        builder.updateFrame(
          index, of: display, start: time(0, plus: Double(index) * spacing),
          presented: time(2, plus: Double(index) * spacing),
          refreshInterval: isGiven ? nil : TimeSpan(nanoseconds: Self.interval))
      }
      builder.addInteraction(from: .zero, to: time(2, plus: 59 * spacing))
      var options = AnalysisOptions()
      if isGiven { options.refreshInterval = TimeSpan(nanoseconds: Self.interval) }
      let found = TraceAnalyzer(options).analyze(builder.finish()).findings
      return found.first { $0.id == .steadilySlowFrames }
    }
    let doubt = Phrase.Part.words("Check --refresh-rate first: the pictures came every ")
    let doubted = found(spacing: 16.667)
    #expect(doubted?.words.fix.parts.first == doubt && doubted?.certainty == .named)
    // A display of this rate can show every second refresh, and a source can know its display.
    for other in [found(spacing: 20), found(spacing: 16.667, isGiven: false)] {
      #expect(other?.words.fix.parts.first != doubt && other?.certainty == .organization)
    }
  }
}
