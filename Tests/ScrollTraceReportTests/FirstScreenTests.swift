import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceReport

/// What a person reads first.
@Suite struct FirstScreenTests {
  private static let refresh: Int64 = 16_666_667

  /// The first screen, each run of white space as a space.
  private func text(_ builder: TraceBuilder, _ options: AnalysisOptions = AnalysisOptions())
    -> String
  {
    return Renders.text(TraceAnalyzer(options).analyze(builder.finish()), isFull: false)
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private func time(_ refreshes: Int, plus offset: Int64 = 0) -> Timestamp {
    Timestamp(clamping: Int64(refreshes) * Self.refresh + offset)
  }

  /// A builder with a main thread and a drag of `refreshes`.
  private func builder(
    _ refreshes: Int, from start: Int = 0, format: String = "drawn"
  ) -> (TraceBuilder, main: TrackID) {
    var builder = TraceBuilder(format: format)
    builder.source.path = "a.fxt"
    let main = builder.mainThread(isHost: true)
    builder.addInteraction(from: time(start), to: time(start + refreshes))
    return (builder, main)
  }

  @Test func `damaged records come before the longest picture`() {
    for reason in [Loss.Reason.malformedRecord, .invalidValue, .timeOutOfRange] {
      var (builder, _) = builder(120)
      let surface = builder.surface("display")
      for id in 0..<120 where !(40..<80).contains(id) {
        builder.updateFrame(frame(id, at: id, shown: id + 2), of: surface)
      }
      #expect(text(builder).contains("NO NEW PICTURE"))
      builder.countLoss(reason)
      let screen = text(builder)
      #expect(
        screen.contains("RECORDING INCOMPLETE") && !screen.contains("NO NEW PICTURE"), "\(screen)")
      #expect(screen.contains("; no frame from 0.650 s to 1.333 s"), "\(screen)")
    }
  }

  @Test func `the rate to give is that of pictures that come evenly, else a word to replace`() {
    func text(every interval: Int64, jitter: Int64, at rate: Int64? = nil) -> String {
      var (builder, _) = builder(60)
      let surface = builder.surface("game.exe")
      for index in 0..<40 as Range<Int64> {
        let shown = Timestamp(clamping: index * interval + index % 2 * jitter)
        builder.updateFrame(index, of: surface, presented: shown)
      }
      var options = AnalysisOptions()
      options.refreshInterval = rate.map { TimeSpan(nanoseconds: 1_000_000_000 / $0) }
      return self.text(builder, options)
    }
    #expect(text(every: 16_607_000, jitter: 100_000).contains("--refresh-rate 60"))
    #expect(text(every: 16_607_000, jitter: 2_000_000).contains("--refresh-rate HZ"))
    #expect(text(every: 20_000_000, jitter: 0).contains("--refresh-rate HZ"))
    let remark = "as at 60 Hz: check --refresh-rate."
    #expect(text(every: 16_607_000, jitter: 0, at: 144).contains(remark))
    #expect(!text(every: 16_607_000, jitter: 0, at: 120).contains(remark))
    let doubt =
      "If the display has 120 Hz, give that: the pictures come at every second refresh then."
    #expect(text(every: 16_607_000, jitter: 0, at: 60).contains(doubt))
    #expect(!text(every: 16_607_000, jitter: 0, at: 120).contains(doubt))
    #expect(!text(every: 8_333_000, jitter: 0, at: 120).contains(doubt))
  }

  @Test func `what the user says moves all the time need not scroll`() {
    var (builder, _) = builder(120)
    let surface = builder.surface("display")
    for id in 0..<120 { builder.updateFrame(frame(id, at: id, shown: id + 2), of: surface) }
    var options = AnalysisOptions()
    #expect(text(builder, options).contains(" frames on time while scrolling"))
    options.isAlwaysMoving = true
    #expect(text(builder, options).contains(" frames on time in 2 s"), "\(text(builder, options))")
  }

  private func frame(
    _ id: Int, at refresh: Int, commit length: Int64 = 5_000_000, shown: Int? = nil
  ) -> Frame {
    var frame = Frame(id: UInt64(id))
    frame.start = time(refresh)
    frame.commitStart = time(refresh)
    frame.commitEnd = time(refresh, plus: length)
    frame.deadline = time(refresh + 1)
    if let shown {
      frame.target = time(refresh + 2)
      frame.presented = time(shown)
    }
    frame.refreshInterval = TimeSpan(nanoseconds: Self.refresh)
    return frame
  }

  @Test func `a main thread that is busy between frames is told, with how to count these frames`() {
    var builder = TraceBuilder(format: "drawn")
    builder.source.path = "a.fxt"
    let main = builder.mainThread(isHost: true)
    let surface = builder.surface("display")
    for id in 0..<60 where !(30..<35).contains(id) {
      var next = frame(id, at: id)
      next.track = main
      builder.updateFrame(next, of: surface)
    }
    builder.addSpan(
      on: main, from: time(29, plus: 6_000_000), to: time(34, plus: 1_000_000),
      label: builder.label(category: "app", name: "diff"))
    let text = text(builder)
    let remark =
      "but skipped refreshes do not. The main thread was busy for 78 ms between two frames ('diff'): if something"
      + " moved then, add --always-moving."
    #expect(text.contains("GOOD 0 ms/s") && text.contains(remark), "\(text)")
    #expect(text.contains("Next scrolltrace analyze a.fxt --always-moving"), "\(text)")
  }

  /// A display with late frames at these refreshes of a drag, and updates of its content that are all late.
  private func lateUpdates(_ refreshes: Int, late: Set<Int> = []) -> TraceBuilder {
    var (builder, main) = builder(refreshes)
    let (display, updates) = (builder.surface("display"), builder.surface("updates"))
    for index in 0..<(refreshes - 2) where !late.contains(index - 1) {
      let shown = index + (late.contains(index) ? 3 : 2)
      builder.updateFrame(frame(index, at: index, shown: shown), of: display)
    }
    for index in 0..<(refreshes / 2 - 2) {
      var late = frame(index, at: 2 * index, commit: 2 * Self.refresh - 1)
      late.track = main
      builder.updateFrame(late, of: updates)
      builder.addSpan(
        on: main, from: time(2 * index), to: time(2 * index, plus: 30_000_000),
        label: builder.label(category: "app", name: "buildRow"))
    }
    return builder
  }

  @Test func `if the display is smooth and another surface is not, the causes of that are shown`() {
    let text = text(lateUpdates(80))
    let verdict =
      "GOOD 0 ms/s of hitch time (good: below 5) The picture moved smoothly, but its content came"
      + " late. CRITICAL 475 ms/s of hitch time in 'updates', estimated (good: below 5) 38 frames came late"
    #expect(text.contains(verdict), "\(text)")
    #expect(text.contains("; the worst by 17 ms.") && !text.contains("held the picture"))
    #expect(text.contains("Why buildRow "))
    #expect(text.contains("--surface updates --frame"))
    #expect(!text.contains("baseline"))
  }

  @Test func `a surface with a worse rating than a display with hitches is what is explained`() {
    let text = text(lateUpdates(150, late: [40]))
    let verdict =
      "WARNING 7 ms/s of hitch time (good: below 5) 1 frame came late while scrolling and held the"
      + " picture for 17 ms. The content of the picture came even later. CRITICAL"
    #expect(text.contains(verdict), "\(text)")
    #expect(text.contains("; the worst by 17 ms.") && text.contains("of 73 hitches"), "\(text)")
  }

  @Test func `beside the causes of another surface, a fix says which it is of, and is next`() {
    // Both are critical, so the display is explained.
    let text = text(lateUpdates(80, late: [20, 40, 60]))
    #expect(text.contains("CRITICAL") && text.contains("of 3 hitches"), "\(text)")
    #expect(text.contains("That is of 'updates'."), "\(text)")
    #expect(text.contains("Next scrolltrace analyze a.fxt --surface updates --frame"), "\(text)")
  }

  @Test func `what would go is of the surface that is explained`() {
    // Both are critical, so it is the display, also if the first fix is of the updates.
    let both = lateUpdates(80, late: [20, 40, 60]).finish()
    #expect(PredictionReport(of: TraceAnalyzer().analyze(both)).surface?.name == "display")
    let report = PredictionReport(
      of: TraceAnalyzer().analyze(lateUpdates(150, late: [40]).finish()))
    #expect(report.surface?.name == "updates")
    #expect(report.predictions.first?.whole == report.surface?.hitchTime)
    let style = TextStyle(width: 80, tier: .basic, palette: .none, isFull: false)
    let text = TextRenderer(style).render(Report(predictions: [report]))
    #expect(text.contains(" of hitch time in 'updates', estimated (good: below 5)"), "\(text)")
    #expect(text.contains("LARGEST  without app/buildRow, up to"), "\(text)")
  }

  @Test func `unknown work that would have to go is looked up in samples, or else recorded`() {
    func text(isSampled: Bool) -> String {
      var (builder, main) = builder(80)
      let updates = builder.surface("updates")
      for index in 0..<38 {
        var late = frame(index, at: 2 * index, commit: 2 * Self.refresh - 1)
        late.track = main
        builder.updateFrame(late, of: updates)
      }
      if isSampled {
        let series = builder.sampleSeries(of: main, reach: .middle)
        let load = builder.sampledFunction(builder.string("load"), in: builder.string("feed.js"))
        let stack = builder.stack(of: load, calledBy: .empty) ?? .empty
        for index in 0..<80 {
          builder.addSample(of: stack, at: time(index, plus: 1_000_000), to: series)
        }
      }
      let report = PredictionReport(of: TraceAnalyzer().analyze(builder.finish()))
      let style = TextStyle(width: 80, tier: .basic, palette: .none, isFull: false)
      return TextRenderer(style).render(Report(predictions: [report]))
    }
    #expect(text(isSampled: true).contains("Next: scrolltrace analyze a.fxt --full"))
    #expect(text(isSampled: false).contains("Next: record spans around the main thread's work"))
  }

  /// A surface whose frames are on time, beside a worse one.
  private func beside(worse name: String, ofOtherApp isOfOtherApp: Bool) -> String {
    var (builder, main) = builder(80)
    let (first, second) = (builder.surface(name), builder.surface("Z header"))
    let other = builder.track(77, of: builder.process(isOfOtherApp ? 2 : 1))
    for index in 0..<78 {
      var next = frame(index, at: index, shown: index + 2)
      next.track = main
      builder.updateFrame(next, of: second)
    }
    for index in 0..<38 {
      var late = frame(index, at: 2 * index, commit: 2 * Self.refresh - 1, shown: 2 * index + 3)
      late.track = isOfOtherApp ? other : main
      builder.updateFrame(late, of: first)
    }
    return text(builder)
  }

  @Test func `a surface of another app is mentioned, and does not lead`() {
    let text = beside(worse: "home screen", ofOtherApp: true)
    #expect(text.contains("GOOD 0 ms/s of hitch time (good: below 5)"), "\(text)")
    #expect(text.contains("'home screen', another app, is CRITICAL ("), "\(text)")
  }

  @Test func `of two surfaces that people see, the worse one comes first`() throws {
    let text = beside(worse: "A list", ofOtherApp: false)
    let bad = try #require(text.firstRange(of: "of hitch time in 'A list'"))
    let good = try #require(text.firstRange(of: "GOOD 0 ms/s of hitch time in 'Z header'"))
    #expect(bad.lowerBound < good.lowerBound)
  }

  @Test
  func `what is found word for word of two surfaces is one finding with two pieces of evidence`() {
    var (builder, main) = builder(80)
    builder.setCompletelyRecorded(main)
    for (name, late) in [("display", [20, 40, 60]), ("updates", [10, 30, 50, 70])] {
      let surface = builder.surface(name)
      for index in 0..<78 where !late.contains(index - 1) {
        let isLate = late.contains(index)
        var next = frame(
          index, at: index, commit: isLate ? 25_000_000 : 5_000_000,
          shown: index + (isLate ? 3 : 2))
        next.track = main
        builder.updateFrame(next, of: surface)
      }
    }
    let analysis = TraceAnalyzer().analyze(builder.finish())
    #expect(analysis.findings.filter { $0.id == .hitchesWhileIdle }.count == 2)
    let text = Renders.text(analysis, width: 120)
    #expect(text.contains("the main thread has nothing to do (updates, display)\n"), "\(text)")
    #expect(text.contains("in 4 hitches the main") && text.contains("in 3 hitches the main"))
    let screen = Renders.text(analysis, isFull: false)
    #expect(screen.split(separator: "while the main thread has nothing to do").count == 2)
    let style = TextStyle(width: 140, tier: .basic, isFull: false)
    let compared = TextRenderer(style).render(
      Report(Comparison(base: [analysis], new: [analysis])))
    #expect(compared.contains("66.7 ms, 50.0 ms  66.7 ms, 50.0 ms  frames are late"), "\(compared)")
    #expect(compared.contains("the main thread has nothing to do (updates, display)"))
    #expect(compared.split(separator: "while the main thread has nothing to do").count == 2)
  }

  @Test func `two waits for the same lock are named by the work that held it`() {
    func text(_ second: String) -> String {
      var trace = FindingTrace(late: [20, 40])
      for (start, owner) in [(200.0, "trim cache"), (400, second)] {
        trace.span("waiting.cache lock", start + 0.5, 14)
        trace.span(owner, start - 3, 17.4, isOnMain: false)
      }
      return Renders.text(TraceAnalyzer().analyze(trace.trace()), isFull: false)
    }
    let two = text("write cache")
    #expect(two.contains("waiting for trim cache ") && two.contains("waiting for write cache "))
    let one = text("trim cache")
    #expect(one.contains("Why    waiting in 'cache lock' ") && !one.contains("waiting for"))
  }

  @Test func `work has its category among the causes only if another cause has its name`() {
    func screen(_ spans: [(category: String, name: String)]) -> String {
      var trace = FindingTrace(late: [10, 20, 30, 40])
      for (index, start) in [100.0, 200, 300, 400].enumerated() {
        let span = spans[index % spans.count]
        trace.span(category: span.category, name: span.name, start + 0.5, 14)
      }
      return Renders.text(TraceAnalyzer().analyze(trace.trace()), isFull: false)
    }
    let one = screen([("blink,devtools.timeline", "UpdateLayoutTree")])
    #expect(one.contains("Why    UpdateLayoutTree ") && one.contains("U = UpdateLayoutTree"))
    let two = screen([("ui", "draw"), ("raster", "draw")])
    #expect(two.contains(" ui/draw ") && two.contains(" raster/draw "), "\(two)")
    #expect(screen([("scrolltrace.image", "decode")]).contains("Why    image/decode "))
  }

  /// A drag with three causes of a third of its hitches each.
  private func threeCauses(_ names: [String], more: String? = nil) -> Analysis {
    var trace = FindingTrace(late: [5, 10, 15, 20, 25, 30])
    for (index, start) in [50.0, 100, 150, 200, 250, 300].enumerated() {
      trace.span(names[index % names.count], start + 0.5, 13)
      if let more { trace.span(more, start + 13.6, 1) }
    }
    return TraceAnalyzer().analyze(trace.trace())
  }

  @Test func `a fix of a third of the hitch time is worth more than rows of the graph`() {
    let analysis = threeCauses(["a", "b", "c"])
    let screen = Renders.text(analysis, isFull: false)
    #expect(screen.contains("\n 3  'c' makes frames late") && !screen.contains(" more: --full"))
    #expect(screen.contains("\n 20 ms ┤      ▄") && !screen.contains("┤▄▄▄▄▄"), "\(screen)")
    #expect(screen.count(where: { $0 == "\n" }) <= FirstScreen.lines)
    // A page has them above its graph too.
    let page = HTMLRenderer().render(Report([analysis])).split(separator: "<figure", maxSplits: 1)
    #expect(page.count == 2 && page[0].split(separator: "<strong>Fix:").count == 4)
  }

  @Test func `large fixes for which there is no room are counted`() {
    let name = " function with a long name that needs two lines of a terminal of eighty columns"
    let analysis = threeCauses(["a", "b", "c"].map { $0 + name }, more: "draw")
    let screen = Renders.text(analysis, isFull: false)
    #expect(screen.contains("\n 2  'b function") && !screen.contains("\n 3  "), "\(screen)")
    #expect(screen.contains("\n    1 more: --full\nNext"), "\(screen)")
    #expect(screen.count(where: { $0 == "\n" }) <= FirstScreen.lines)
  }

  @Test func `refresh rates less than a hundredth apart are one`() {
    var builder = TraceBuilder(format: "drawn")
    let surface = builder.surface("display")
    var start = Timestamp.zero
    for index in 0..<60 as Range<Int64> {
      let interval = TimeSpan(nanoseconds: Self.refresh + (index % 4 == 3 ? 40_000 : 0))
      builder.updateFrame(
        index, of: surface, start: start, commitStart: start, commitEnd: start + .milliseconds(5),
        deadline: start + interval, target: start + interval * 2, presented: start + interval * 2,
        refreshInterval: interval)
      start = start + interval
    }
    let text = text(builder)
    #expect(text.contains(" · 60 Hz ") && !text.contains("59.9 Hz"), "\(text)")
  }

  @Test
  func `the first screen says that an unusual refresh rate is estimated, unless it was given`() {
    let sentence = "The refresh rate is estimated from the frames; --refresh-rate sets it."
    /// A display with a refresh interval that is as much longer than that of 60 Hz.
    func display(by factor: Double, isEstimated: Bool = true) -> TraceBuilder {
      let interval = TimeSpan(nanoseconds: Int64(Double(Self.refresh) * factor))
      var builder = TraceBuilder(format: "drawn")
      let surface = builder.surface("display")
      for index in 0..<118 as Range<Int64> {
        let start = Timestamp(clamping: index * interval.nanoseconds)
        builder.updateFrame(
          index, of: surface, start: start, commitStart: start,
          commitEnd: start + .milliseconds(5), deadline: start + interval,
          target: start + interval * 2, presented: start + interval * 2, refreshInterval: interval)
      }
      builder.addInteraction(from: .zero, to: .zero + interval * 120)
      if isEstimated { builder[surface].derivesRefreshInterval = true }
      return builder
    }
    #expect(text(display(by: 1.5)).contains(sentence))
    #expect(!text(display(by: 1.5, isEstimated: false)).contains(sentence))
    #expect(!text(display(by: 1.005)).contains(sentence))
    var options = AnalysisOptions()
    options.refreshInterval = TimeSpan(nanoseconds: Self.refresh * 3 / 2)
    #expect(!text(display(by: 1.5), options).contains(sentence))
    // The full report says it of every rate.
    let full = Renders.text(TraceAnalyzer().analyze(display(by: 1.005).finish()), width: 200)
    #expect(full.contains(" ms), estimated from the frames"), "\(full)")
  }

  @Test func `if the trace has no work, the first screen says how to record it`() {
    var builder = TraceBuilder(format: "ndjson")
    let display = builder.surface("display")
    for index in 0..<40 {
      let late = frame(index, at: 2 * index, commit: 2 * Self.refresh - 1, shown: 2 * index + 3)
      builder.updateFrame(late, of: display)
    }
    let text = text(builder)
    #expect(text.contains("The causes are unknown"))
    #expect(text.contains("Write lines for spans around the main thread's work too (NDJSON)."))
  }

  @Test func `without a frame, the longest work is said, and which fields frames have`() {
    var (builder, main) = builder(60, format: "ndjson")
    for (name, category, start, end) in [
      ("layout", "app", 0, 1), ("onBind", "app", 6, 8), ("frame", "scrolltrace.frame", 5, 20),
      ("wait", "scrolltrace.waiting", 30, 40),
    ] {
      builder.addSpan(
        on: main, from: time(start), to: time(end),
        label: builder.label(category: category, name: name))
    }
    let text = text(builder)
    #expect(text.contains("NOT MEASURABLE the trace contains no frames"))
    #expect(
      text.contains("The longest work of the main thread is app/onBind: 33 ms, at 0.100 s."))
    #expect(text.contains("Next write a line for each frame: frame, begin, commitStart"))
  }

  @Test func `of the longest work, the part that fills half of it is said, and how often`() {
    func sentence(_ category: String, _ name: String) -> String {
      var (builder, main) = builder(60)
      for start in [5, 20, 40] {
        builder.addSpan(
          on: main, from: time(start), to: time(start + 3),
          label: builder.label(category: "app", name: "onLayout"))
        builder.addSpan(
          on: main, from: time(start, plus: 1_000_000), to: time(start + 2),
          label: builder.label(category: category, name: name))
      }
      builder.addSpan(
        on: main, from: time(50), to: time(51), label: builder.label(category: category, name: name)
      )
      return text(builder)
    }
    let inflate = sentence("app", "inflate")
    #expect(
      inflate.contains(
        "is app/inflate: 32 ms, at 0.084 s; 3 more take half of that or longer."), "\(inflate)")
    for part in ["V8.Execute", "V8.GC_MC_MARK"] {
      #expect(sentence("v8", part).contains("is app/onLayout: 50 ms, at 0.083 s"))
    }
    let lock = sentence("scrolltrace.waiting", "lock")
    #expect(lock.contains("The longest work of the main thread waits in "), "\(lock)")
    #expect(lock.contains("lock inside app/onLayout: 32 ms"), "\(lock)")
  }

  @Test
  func `a long task with nothing in it is the longest work, but not if a profiler starts in it`() {
    func text(_ name: String, in task: String = "RunTask") -> String {
      var (builder, main) = builder(60)
      for (name, start, end) in [(task, 0, 12), (name, 0, 12), ("layout", 20, 22)] {
        builder.addSpan(
          on: main, from: time(start), to: time(end),
          label: builder.label(category: "app", name: name))
      }
      return self.text(builder)
    }
    #expect(
      text("RunMicrotasks").contains("The longest work of the main thread is app/RunTask: 200 ms"))
    for task in ["RunTask", "onLoad"] {
      #expect(
        text("CpuProfiler::StartProfiling", in: task)
          .contains("The longest work of the main thread is app/layout: 33 ms"))
    }
  }

  @Test func `without a frame and work, the function that most samples are in is said`() {
    var (builder, main) = builder(60)
    let series = builder.sampleSeries(of: main, reach: .middle)
    let script = builder.string("feed.js")
    let (load, scroll) = (
      builder.sampledFunction(builder.string("main"), in: script),
      builder.sampledFunction(builder.string("onScroll"), in: script)
    )
    for index in Int64(0)..<40 {
      var stack = builder.stack(of: load, calledBy: .empty) ?? .empty
      if index < 10 { stack = builder.stack(of: scroll, calledBy: stack) ?? .empty }
      builder.addSample(
        of: stack, at: Timestamp(clamping: index * 10_000_000 + 5_000_000), to: series)
    }
    #expect(text(builder).contains("The sampled thread was in 'onScroll' for 100 ms of "))
  }

  @Test func `if a converted trace of Android has no frame, the next step is to record them`() {
    for (name, step) in [
      ("Choreographer#doFrame 8000", "record with Perfetto and android.surfaceflinger"),
      ("RunTask", "record the start and commit of each frame"),
    ] {
      var (builder, main) = builder(60, format: "chrome-json")
      builder.addSpan(
        on: main, from: time(0), to: time(1), label: builder.label(category: "view", name: name))
      #expect(text(builder).contains("Next \(step)"))
    }
  }

  @Test func `a browser's trace without a scroll is recorded again, and no rest in it is a hitch`()
  {
    func text(frames: Int, hasScroll: Bool) -> String {
      var builder = TraceBuilder(format: "chrome-json")
      builder.source.path = "a.json"
      builder.setName("CrRendererMain", of: builder.mainThread(isHost: true))
      let display = builder.surface("Display")
      for index in 0..<frames {
        builder.updateFrame(
          UInt64(index), of: display, presented: time(10 * index),
          refreshInterval: TimeSpan(nanoseconds: Self.refresh))
      }
      if hasScroll { builder.addInteraction(from: time(902), to: time(908)) }
      builder.extend(to: time(1000))
      return self.text(builder)
    }
    let still = text(frames: 40, hasScroll: false)
    #expect(
      still.contains(
        "NOT MEASURABLE none of 40 frames can be evaluated: no scroll was recorded Next record again while"
          + " you scroll; if something moves all the time, add --always-moving"), "\(still)")
    let short = text(frames: 40, hasScroll: true)
    #expect(
      short.hasSuffix(
        ": none is in the 100 ms of motion Next record again while you scroll, for longer"),
      "\(short)")
    #expect(text(frames: 0, hasScroll: false).contains("Next record in DevTools > Performance"))
  }

  @Test func `without frames, the sections around the work for them are compared with a refresh`() {
    /// The screen of sections with these milliseconds, signals to the app and milliseconds of other work.
    func screen(_ sections: [Int], signals: Int = 0, others: Int = 0) -> String {
      var (builder, main) = builder(60, format: "systrace")
      func add(_ name: String, _ from: Int64, _ to: Int64, at refresh: Int) {
        builder.addSpan(
          on: main, from: time(refresh, plus: from * 1_000_000),
          to: time(refresh, plus: to * 1_000_000),
          label: builder.label(category: "atrace", name: name))
      }
      for (index, length) in sections.enumerated() {
        add("Choreographer#doFrame", 0, Int64(length), at: 4 * index)
        add("obtainView", 1, Int64(length) - 1, at: 4 * index)
      }
      if others > 0 { add("onCreate", 0, Int64(others), at: 30) }
      let label = builder.label(category: "atrace", name: "VSYNC-app")
      for index in 0..<signals {
        builder.addSample(
          Double(index % 2), of: label, at: Timestamp(clamping: Int64(index) * 8_333_333))
      }
      return text(builder)
    }
    let longest = "the longest 35 ms, at 0.000 s, 33 ms of it in atrace/obtainView."
    let slow = screen([35, 12, 20])
    #expect(
      slow.contains(
        "2 of 3 'Choreographer#doFrame' took longer than a refresh (16.7 ms at 60 Hz); \(longest)"),
      "\(slow)")
    #expect(!slow.contains("The longest work"))
    #expect(
      screen([35, 12, 20], signals: 40).contains(
        "3 of 3 'Choreographer#doFrame' took longer than a refresh (8.33 ms); "))
    let fast = screen([12, 5], others: 90)
    #expect(fast.contains("None of 2 'Choreographer#doFrame' took longer than"), "\(fast)")
    #expect(fast.contains("The longest work of the main thread is atrace/onCreate: 90 ms, at "))
  }

  @Test func `if no frame lies in the interactions, the next step is to do without them`() {
    var (builder, main) = builder(100, from: 100)
    let display = builder.surface("display")
    for index in 0..<40 { builder.updateFrame(frame(index, at: index), of: display) }
    builder.addSpan(
      on: main, from: time(3), to: time(5), label: builder.label(category: "app", name: "onBind"))
    let text = text(builder)
    #expect(text.contains("NOT MEASURABLE no frame was evaluated in 1.67 s of interaction"))
    #expect(
      text.contains("The longest work of the main thread is app/onBind: 33 ms, at 0.050 s."))
    #expect(text.contains("Next scrolltrace analyze a.fxt --always-moving"))
  }

  @Test func `two recordings in one file stay unjudged if a refresh rate is given`() {
    var (builder, _) = builder(80)
    let display = builder.surface("display")
    for first in [0, 2] {
      for index in 0..<40 { builder.updateFrame(frame(index, at: first + index), of: display) }
    }
    var options = AnalysisOptions()
    options.refreshInterval = TimeSpan(nanoseconds: Self.refresh)
    let text = text(builder, options)
    #expect(text.contains("NOT MEASURABLE"))
    #expect(text.contains("several recordings"))
    #expect(text.hasSuffix("Next give each recording its own file"))
  }

  @Test func `presentations on another clock need one clock, not one file for each recording`() {
    var (builder, _) = builder(80)
    let display = builder.surface("display")
    for index in 0..<40 {
      builder.updateFrame(frame(index, at: index, shown: index + 60_000), of: display)
    }
    let text = text(builder)
    #expect(text.contains("the display's times are on another clock"))
    #expect(text.hasSuffix("Next record again, with all times in nanoseconds of one clock"))
  }

  @Test func `lines in another unit need its name in the first line`() {
    var (builder, _) = builder(80, format: "ndjson")
    let display = builder.surface("display")
    for index in 0..<40 {
      var made = frame(index, at: index, shown: index + 2)
      made.refreshInterval = TimeSpan(nanoseconds: 16_667)
      builder.updateFrame(made, of: display)
    }
    let text = text(builder)
    #expect(text.contains("in nanoseconds"))
    #expect(
      text.hasSuffix(
        #"Next name the unit in the first line: {"scrolltrace":"ndjson/1","unit":"us"}"#))
  }

  @Test func `frames that are late behind a late one are counted beside it`() {
    var (builder, _) = builder(80)
    let display = builder.surface("display")
    for index in 0..<60 {
      let isLate = index > 9
      builder.updateFrame(
        frame(
          index, at: index, commit: isLate ? Self.refresh + 3_000_000 : 5_000_000,
          shown: index + (isLate ? 3 : 2)), of: display)
    }
    #expect(text(builder).contains("held the picture for 17 ms; 50 missed their deadline."))
  }

  @Test func `hitches beside lost time are said to be what is known of them`() {
    func text(hasHole: Bool) -> String {
      var (builder, _) = builder(80)
      let display = builder.surface("display")
      for index in 0..<(hasHole ? 30 : 75) {
        let at = index + (index > 10 ? 2 : 0)
        let late = index == 10 ? 2 : 0
        builder.updateFrame(
          frame(
            index, at: at, commit: 5_000_000 + Int64(late) * Self.refresh, shown: at + 2 + late),
          of: display)
      }
      if hasHole { builder.addHole(from: time(35), to: time(80)) }
      return self.text(builder)
    }
    let words = "of the refreshes in motion are unknown, so there may be more."
    #expect(text(hasHole: true).contains("CRITICAL") && text(hasHole: true).contains(words))
    #expect(text(hasHole: false).contains("CRITICAL") && !text(hasHole: false).contains(words))
  }

  @Test func `if all hitches are in one of several interactions, it is named beside their number`()
  {
    /// A drag of 60 refreshes, others from the 70th on, and one late frame at each of these refreshes.
    func screen(
      _ late: [Int], _ others: [(String, String, Int, Int)]
    ) -> String {
      var (builder, _) = builder(60)
      for (kind, name, from, to) in others {
        builder.addInteraction(
          Interaction(kind: kind, name: name, start: time(from), end: time(to)))
      }
      let display = builder.surface("display")
      for index in 0..<200 where !late.contains(index - 1) {
        let shown = index + (late.contains(index) ? 3 : 2)
        builder.updateFrame(frame(index, at: index, shown: shown), of: display)
      }
      return text(builder)
    }
    let count = "3 frames came late while scrolling"
    let two = [("reorder", "", 70, 120), ("drag", "", 130, 190)]
    #expect(
      screen([80, 90, 100], two).contains("\(count), all in the reorder at 1.167 s; the worst"))
    let named = [
      ("drag", "videos", 70, 90), ("deceleration", "videos", 100, 120), ("drag", "", 130, 190),
    ]
    #expect(screen([75, 80, 110], named).contains("\(count), all in 'videos'; the worst"))
    let kinds = [("refresh", "", 70, 90), ("drag", "", 100, 120), ("refresh", "", 130, 150)]
    #expect(
      screen([75, 80, 140], kinds).contains("\(count), all in the 2 'refresh' interactions;"))
    // One hitch elsewhere, two interactions, and the interaction that lasts longest.
    for (late, others) in [
      ([20, 80, 90], two), ([80, 90, 100], [two[0]]),
      ([80, 90, 100], [("reorder", "", 70, 180), ("drag", "", 185, 190)]),
    ] {
      #expect(screen(late, others).contains("\(count); the worst"))
    }
  }

  @Test func `dropped frames are not on time, and many of them are work for nothing`() {
    func screen(dropped each: Int) -> String {
      var (builder, _) = builder(80)
      let display = builder.surface("display")
      for index in 0..<78 {
        builder.updateFrame(frame(2 * index, at: index, shown: index + 2), of: display)
        guard index % each == 1 else { continue }
        var dropped = frame(2 * index + 1, at: index)
        dropped.start = time(index, plus: 6_000_000)
        dropped.commitStart = dropped.start
        dropped.commitEnd = time(index, plus: 11_000_000)
        dropped.outcome = .dropped
        builder.updateFrame(dropped, of: display)
      }
      return text(builder)
    }
    let many = screen(dropped: 2)
    #expect(many.contains("78 of 78 frames on time while scrolling"))
    #expect(many.contains("; 39 more were dropped: begin one frame for each refresh."))
    #expect(screen(dropped: 100).contains("; 1 more was dropped."))
  }

  @Test func `hitches that have their time, state or interactions in common are said to`() {
    /// The number of hitches and where they are: late frames at these refreshes of drags of some refreshes, one
    /// of 300 if none are given.
    func screen(
      _ late: [Int], _ drags: [(String, Int, Int)] = [], state: (from: Int, to: Int)? = nil
    ) -> String {
      var builder = TraceBuilder(format: "drawn")
      builder.source.path = "a.fxt"
      _ = builder.mainThread(isHost: true)
      for (name, from, to) in drags.isEmpty ? [("", 0, 300)] : drags {
        builder.addInteraction(
          Interaction(kind: "drag", name: name, start: time(from), end: time(to)))
      }
      if let state {
        builder.addState(StateChange(time: time(state.from), key: "VoiceOver", value: "on"))
        builder.addState(StateChange(time: time(state.to), key: "VoiceOver", value: "off"))
      }
      let display = builder.surface("display")
      for index in 0..<310 where !late.contains(index - 1) {
        let shown = index + (late.contains(index) ? 3 : 2)
        builder.updateFrame(frame(index, at: index, shown: shown), of: display)
      }
      return text(builder)
    }
    func place(_ words: String) -> String { "frames came late while scrolling\(words); the worst" }
    // Hitches make the drags in which they are longer than half of the time.
    let named = [("home", 0, 60), ("search", 80, 147), ("home", 160, 220), ("search", 230, 297)]
    let often = [85, 95, 105, 115, 125, 135, 235, 245, 255, 265, 275, 285]
    #expect(screen(often, named).contains(place(", all in 'search'")))
    let drags = [0, 100, 200].map { ("", $0, $0 + 80) }
    #expect(
      screen([1, 100, 102, 203], drags).contains(place(", all at the start of 'drag' interactions"))
    )
    #expect(
      screen([1, 100, 102, 203], drags.map { ("feed", $0.1, $0.2) }).contains(
        place(", all at the start of 'feed'")))
    #expect(
      screen([110, 150, 190], state: (100, 200)).contains(place(", all with VoiceOver=on")))
    #expect(screen([5, 15, 40]).contains(place(", all in the first 717 ms")))
    let later = Array(stride(from: 174, to: 290, by: 10))
    #expect(screen(later).contains(place(", all in the last 2.1 s")))
    let between = Array(stride(from: 174, to: 214, by: 4))
    #expect(screen(between).contains(place(", all from 2.933 s to 3.550 s")))
    // One hitch elsewhere, a state that lasts, and few hitches.
    #expect(screen([1, 100, 102, 240], drags).contains(place("")))
    #expect(screen([110, 150, 210], state: (100, 200)).contains(place("")))
    #expect(screen([50, 150, 250], state: (0, 290)).contains(place("")))
    #expect(screen([5, 15, 200]).contains(place("")))
    #expect(screen([5, 15]).contains(place("")))
    #expect(screen([5] + later).contains(place("")))
    #expect(screen(Array(later.suffix(8))).contains(place("")))
  }

  @Test func `a debug build is named beside its verdict`() {
    var (builder, _) = builder(80)
    let display = builder.surface("display")
    for index in 0..<60 {
      builder.updateFrame(frame(index, at: index, shown: index + 2), of: display)
    }
    builder.addState(StateChange(time: .zero, key: "configuration", value: "debug"))
    #expect(text(builder).contains("This is a debug build"))
  }

  @Test func `a time without frames is drawn where it was`() throws {
    var (builder, _) = builder(200)
    let display = builder.surface("display")
    for index in 0..<60 {
      builder.updateFrame(frame(index, at: index, shown: index + 2), of: display)
      builder.updateFrame(frame(300 + index, at: 201 + index, shown: 203 + index), of: display)
    }
    let analysis = TraceAnalyzer().analyze(builder.finish())
    let surface = try #require(analysis.primarySurface)
    let hitch = try #require(surface.hitches.first)
    let series = try #require(FrameSeries(surface, in: analysis.trace))
    #expect(hitch.frameIndex == nil)
    #expect(hitch.range.start >= time(59))
    #expect(series.points.filter(\.isLate).map(\.range) == [hitch.range])
  }

  @Test func `without work of the main thread, what the source calls its hitches is shown`() {
    func screen(_ label: (Int) -> String) -> String {
      var builder = TraceBuilder(format: "drawn")
      let display = builder.surface("display")
      builder.addInteraction(from: time(0), to: time(80))
      for index in 0..<4 {
        builder.addListedHitch(
          ListedHitch(
            start: time(10 * index), length: TimeSpan(nanoseconds: 2 * Self.refresh),
            refreshInterval: nil, sourceLabel: builder.string(label(index))),
          of: display)
      }
      return text(builder)
    }
    let commit = screen { "Expensive commit, \($0)" }
    #expect(commit.contains("The source says: Expensive commit in 4 of 4 hitches. Record spans"))
    let render = screen { _ in "Potentially expensive render, 64 offscreen passes" }
    #expect(
      render.contains(
        "Potentially expensive render, 64 offscreen passes in 4 of 4 hitches. Draw less"))
    #expect(!render.contains("main thread's work"))
  }
}
