import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// M-19: what is found of work that costs too much, or that nobody recorded, each with a near miss.
@Suite struct CostFindingTests {
  private static let configure = WorkName(category: "scrolltrace.cell", name: "configure")

  /// A list that configures one cell in each frame, for `length` milliseconds of a late one.
  private func list(late: Set<Int>, _ length: Double, usual: Double = 1) -> FindingTrace {
    var trace = FindingTrace(late: late)
    for number in 0..<60 where !late.contains(number - 1) {
      trace.span(
        "cell.configure", Double(number) * 10 + 0.5, late.contains(number) ? length : usual,
        ["item": .unsigned(UInt64(number))])
    }
    return trace
  }

  @Test func `cells that take most of the late frames are found, with the longest and the median`()
    throws
  {
    let late: Set = [10, 12, 14, 16, 20, 22, 24, 26, 30, 32, 34, 36]
    let finding = try #require(list(late: late, 12).findings().first)
    #expect(finding.id == .expensiveCells && finding.cause == .work(Self.configure))
    #expect(finding.fact("items") == .names(["10", "12", "14"]))
    #expect(finding.fact("calls") == .count(48))
    #expect(finding.fact("longestNs") == .time(.milliseconds(12)))
    #expect(finding.fact("medianNs") == .time(.milliseconds(12)))
    #expect(finding.measures.hitches == 12 && finding.measures.hitchTime == .milliseconds(120))
    #expect(finding.removable == .milliseconds(120))
  }

  @Test func `many cells of an ordinary cost are found, and that they are prepared on demand`() {
    func row(_ name: String, commit: Double) -> FindingTrace {
      var trace = FindingTrace(late: [20], commit: commit)
      for column in 0..<4 {
        trace.span(name, 200.5 + Double(column) * 3, 3, ["item": .unsigned(UInt64(column))])
      }
      return trace
    }
    // Idle time before would have been enough for them.
    #expect(
      row("cell.prepare", commit: 2).findings().map(\.id)
        == [.expensiveCells, .preparedOnDemandWhileIdle])
    #expect(row("cell.prepare", commit: 9.5).findings().map(\.id) == [.expensiveCells])
    #expect(row("cell.configure", commit: 2).findings().map(\.id) == [.expensiveCells])
  }

  @Test func `the cells of a frame are those of the frames that they make late`() throws {
    var trace = FindingTrace(late: [10, 20, 30])
    for number in [10, 20, 30] {
      let start = Double(number) * 10 + 0.5
      let length = number == 10 ? 3.0 : 0.9
      for cell in 0..<4 { trace.span("configure row", start + Double(cell) * length, length) }
      if number > 10 { trace.span("layout", start + 4, 10) }
    }
    let finding = try #require(trace.findings().first { $0.id == .expensiveCells })
    #expect(finding.measures.count == 1 && finding.words.title.parts.contains(.words("4")))
  }

  @Test func `one cell that takes longer than others is not called all of them`() throws {
    func title(others: Double) throws -> Phrase {
      var trace = FindingTrace(late: [20])
      for number in 0..<60 where number != 21 {
        trace.span("configure row", Double(number) * 10 + 0.5, number == 20 ? 12 : others)
      }
      let finding = try #require(trace.findings().first)
      #expect(finding.id == .expensiveCells)
      return finding.words.title
    }
    #expect(try title(others: 1).parts.contains(.words(", others ")))
    #expect(try title(others: 8).parts.contains(.words(" each")))
  }

  @Test func `one item that takes many times the median is found, a kind of items is not`() throws {
    let finding = try #require(list(late: [20], 12).findings().first)
    #expect(finding.id == .expensiveItem && finding.cause == .work(Self.configure))
    #expect(finding.fact("items") == .names(["20"]) && finding.fact("of") == .count(59))
    #expect(finding.fact("longestNs") == .time(.milliseconds(12)))
    #expect(finding.fact("medianNs") == .time(.milliseconds(1)))
    #expect(finding.measures.worst?.frame == 20)
    let kind: Set = [10, 14, 18, 22, 26, 30, 34, 38]
    #expect(list(late: kind, 12).findings().map(\.id) == [.expensiveCells])
    // Four times the median is not many times.
    #expect(
      list(late: [20], 12, usual: 3).findings().allSatisfy { $0.id != .expensiveItem })
  }

  @Test func `work inside the cells of a few items is found with these items`() throws {
    func finding(_ name: String) throws -> Finding {
      var trace = FindingTrace(late: [20])
      for number in 0..<60 where number != 21 {
        let (start, length) = (Double(number) * 10, number == 20 ? 12.0 : 1)
        trace.span(
          "cell.configure", start + 0.5, length + 0.5, ["item": .unsigned(UInt64(number))])
        trace.span(name, start + 0.7, length)
      }
      return try #require(trace.findings().first)
    }
    let markdown = try finding("markdown")
    #expect(markdown.id == .expensiveItem)
    #expect(markdown.cause == .work(WorkName(category: "host", name: "markdown")))
    #expect(markdown.fact("items") == .names(["20"]) && markdown.fact("of") == .count(59))
    // A collection comes when memory is used up, whatever the item is.
    #expect(try finding("MajorGC").id == .longTask)
  }

  @Test func `the names of other hosts' work say what it is about`() {
    func topic(_ name: String, _ category: String = "host") -> WorkTopic? {
      WorkTopic(WorkName(category: category, name: name))
    }
    #expect(topic("bind", "gtk") == .cells)
    #expect(topic("RV OnBindView") == .cells)
    #expect(topic("onCreateViewHolder", "cell") == .cells)
    #expect(topic("HarfBuzzShaper::shape text") == .text)
    #expect(topic("TextLayout") == .text)
    for name in ["QQuickTextPrivate::updateSize", "TextPainter.layout", "TextView.onMeasure"] {
      #expect(topic(name) == .text)
    }
    #expect(topic("TextStore.update") == nil)
    #expect(topic("UpdateLayoutTree") == .layout)
    #expect(topic("measure_children") == .layout)
    #expect(topic("readFile") == .files)
    #expect(topic("DateFormatter.init") == .formats)
    #expect(topic("format price") == .formats)
    #expect(topic("NumberFormatter.string") == .formats)
    for other in [
      "convertPixelFormat", "VkFormat query", "surface format change", "LogFormatter.write",
      "TextInputFormatter.formatEditUpdate",
    ] {
      #expect(topic(other) == nil, "\(other)")
    }
    #expect(topic("bindRow format time") == .cells)
    #expect(topic("layoutFormatted") == .layout)
    #expect(topic("sqlite3_step") == .files)
    #expect(topic("onCreateViewHolder") == .cells)
    #expect(topic("configure row") == .cells)
    #expect(topic("renderRow") == .cells && topic("drawRow") == nil)
    #expect(topic("app.Feed$onBindViewHolder$1$lambda$7.invoke (Feed.kt:398)") == .cells)
    #expect(topic("-[FeedCell layoutSubviews]") == .layout)
    #expect(topic("SQLiteDatabase.query: SELECT * FROM posts WHERE id = 7") == .files)
    #expect(topic("SELECT id FROM image_cells") == .files)
    #expect(topic("Realm.objects(Message.self)") == .files)
    #expect(topic("FeedDao.load") == .files && topic("UserDefaults.synchronize") == .files)
    #expect(topic("-[FeedCell configureWithModel:]") == .cells)
    #expect(topic("createView RCTText") == .views && topic("createViewModel") == nil)
    #expect(topic("ControlTemplate.LoadContent") == .views && topic("loadTemplateData") == nil)
    #expect(topic("LayoutRebuilder.Rebuild") == .layout && topic("LayoutCache.evict") == nil)
    #expect(topic("WebView.<init>") == .views && topic("ArrayList.<init>") == nil)
    #expect(topic("Landroid/widget/TextView;-><init>(Landroid/content/Context;)V") == .views)
    #expect(topic("loadFont") == .fonts && topic("UploadGlyphTextureAtlas") == .text)
    #expect(topic("Uploading texture") == .textures)
    #expect(topic("Upload 2400x3200 Texture") == .textures && topic("upload image") == nil)
    #expect(topic("reloadData") == .reloads && topic("reloadDataFromServer") == nil)
    #expect(topic("Feed.reloadData(animated:)") == .reloads && topic("preloadData") == nil)
    #expect(topic("QAbstractItemModel::endResetModel") == .reloads)
    // These bind, inflate and dequeue no cells.
    for other in ["glBindFramebuffer", "zlib inflate", "bindService", "dequeueBuffer"] {
      #expect(topic(other) == nil, "\(other)")
    }
    // A part of a word is no word.
    #expect(topic("rowing") == nil && topic("texture") == nil && topic("RunTask") == nil)
  }

  @Test(
    arguments: [
      ("send row-count metric", "analytics"), ("context.save", "Text messages"),
      ("std::__1::__function::__func<app::LayoutContext::lambda()>::operator()(Cell&)", "app"),
      ("LayoutContext::save", "app"), ("GET https://example.com/layout/file", "http"),
      ("Text.contextSave", "app"),
    ])
  func `categories, namespaces and arguments say nothing of what work does`(
    name: String, category: String
  ) {
    #expect(WorkTopic(WorkName(category: category, name: name)) == nil)
  }

  @Test(
    arguments: [
      "GC pause (stop the world)", "MajorGC", "MinorGC", "Alloc concurrent copying GC",
      "CollectOldGeneration", "CollectNewGeneration", "V8.GCScavenger", "Scavenge", "GC.Collect",
      "GC: Wait For Completion Alloc", "WaitForGcToComplete",
    ])
  func `runtimes name the collection of memory in many ways`(name: String) {
    #expect(WorkTopic(WorkName(category: "runtime", name: name)) == .collection)
    #expect(WorkTopic(WorkName(category: "gc", name: "GCDAsyncSocket read")) == nil)
  }

  @Test(
    arguments: [
      "Decode Image", "decodeBitmap", "ImageDecoder#decodeDrawable", "BitmapFactory.decodeStream",
      "jpeg_decompress", "downsample photo", "CGImage decompress", "UIImage.prepareForDisplay",
      "CGImageSourceCreateThumbnailAtIndex", "CGImageSourceCreateImageAtIndex", "UIImage(named:)",
      "+[UIImage imageNamed:]", "CA::Render::copy_image", "AVAssetImageGenerator copyCGImage",
      "vImageScale_ARGB8888", "gdk_pixbuf_new_from_file", "Glide decodeStream",
      "AppCompatResources.getDrawable", "decode thumbnail",
    ])
  func `names say that images are decoded`(name: String) {
    #expect(WorkTopic(WorkName(category: "app", name: name)) == .images)
    for name in [
      "decode JSON", "decode JSON image list", "JSONDecoder decode photo", "decodePictureMetadata",
      "Photo.urlDecode", "getDrawableState", "UIImageView.setHidden",
    ] {
      #expect(WorkTopic(WorkName(category: "app", name: name)) == nil)
    }
    #expect(WorkTopic(WorkName(category: "app", name: "draw image")) == nil)
  }

  @Test
  func `work that becomes longer throughout says so, other work of late frames does not`() throws {
    func finding(usual: (Int) -> Double) throws -> Finding {
      let late = Set(stride(from: 40, to: 60, by: 2))
      var trace = FindingTrace(late: late)
      for number in 0..<60 where !late.contains(number - 1) {
        trace.span("diff", Double(number) * 10 + 0.1, late.contains(number) ? 14 : usual(number))
      }
      return try #require(trace.findings().first)
    }
    func words(_ finding: Finding) -> String {
      finding.words.title.parts.map { if case .words(let words) = $0 { words } else { "…" } }
        .joined()
    }
    let growing = try finding { 1 + Double($0) * 0.2 }
    #expect(growing.id == .slowEveryFrame)
    #expect(growing.fact("lastNs") == .time(.milliseconds(14)))
    #expect(words(growing) == "'…' takes longer and longer: … at first, … at the end")
    let steady = try finding { _ in 12 }
    #expect(steady.fact("firstNs") == .time(nil))
    #expect(words(steady) == "every frame pays … for '…'")
    let sudden = try finding { _ in 1 }
    #expect(words(sudden) == "… in a row pay … for '…'")
    var trace = FindingTrace(late: Set(stride(from: 20, to: 40, by: 2)).union([44, 48]))
    for number in Array(stride(from: 20, to: 40, by: 2)) + [44, 48] {
      trace.span("diff", Double(number) * 10 + 0.1, 14)
    }
    let apart = try #require(trace.findings().first)
    #expect(apart.words.title.parts.first == .count(12, one: "late frame", many: "late frames"))
  }

  @Test func `work that is long in some frames only, and becomes longer there, says so`() throws {
    func title(_ last: Double) throws -> Phrase {
      let late: Set = [48, 51, 54, 57]
      var trace = FindingTrace(late: late)
      for number in 0..<60 where !late.contains(number - 1) {
        let share = Double(number) / 60
        trace.span(
          "update footer", Double(number) * 10 + 0.1,
          late.contains(number) ? 14 : number.isMultiple(of: 3) ? 2 + share * last : 0.5)
      }
      return try #require(trace.findings().first).words.title
    }
    let words = Phrase.Part.words(" takes longer and longer: ")
    #expect(try title(8).parts.contains(words))
    #expect(try !title(0).parts.contains(words))
  }

  @Test func `a few calls that become longer one after the other say so, others do not`() throws {
    func title(_ calls: Int, _ length: (Int) -> Double) throws -> Phrase {
      let late = Set((0..<calls).filter { length($0) > 10 }.map { $0 * 3 })
      var trace = FindingTrace(late: late)
      for call in 0..<calls { trace.span("sort", Double(call) * 30 + 0.1, length(call)) }
      return try #require(trace.findings().first).words.title
    }
    let words = Phrase.Part.words(" takes longer and longer: ")
    #expect(try title(16) { 2 + Double($0) * 0.8 }.parts.contains(words))
    #expect(try !title(10) { 3 + Double($0) * 1.2 }.parts.contains(words))
    // Twice as long from one call on, with no trend before and after.
    let steps = try title(16) {
      ($0 < 8 ? 5 : 12) + Double($0 / 4) * 0.1 + Double($0 * 3 % 4) * 0.3
    }
    #expect(!steps.parts.contains(words))
  }

  @Test func `long work about layout, text or files says so`() {
    for (name, topic) in [
      ("shape text", WorkTopic.text), ("layout", .layout), ("load file", .files),
    ] {
      var trace = FindingTrace(late: [20])
      trace.span(name, 201, 12)
      let finding = trace.findings().first
      #expect(finding?.id == .longTask && finding?.fact("topic") == .name(topic.rawValue))
    }
  }

  @Test func `the script of a browser extension is called that, and not moved elsewhere`() throws {
    func finding(late: Set<Int>, _ file: String) throws -> Finding {
      var trace = FindingTrace(late: late)
      for number in late {
        trace.span(
          category: "devtools.timeline", name: "scan (\(file):1)", Double(number) * 10 + 0.5, 13)
      }
      return try #require(trace.findings().first)
    }
    let title = Phrase.Part.words("a browser extension makes frames late (")
    for late in [Set([20, 23]), Set(stride(from: 20, to: 40, by: 2))] {
      let found = try finding(late: late, "extension content.js")
      #expect(found.id == .longTask && found.words.title.parts.contains(title))
      #expect(try !finding(late: late, "content.js").words.title.parts.contains(title))
      // What to do about a script of others comes first.
      let others = try finding(late: late, "widget.help.com/content.js").words.fix.parts
      #expect(others.starts(with: [.words("If the code of "), .name("widget.help.com")]))
    }
  }

  @Test func `work between frames is named with the work around it`() throws {
    var trace = FindingTrace(late: [20], hasPhases: false)
    trace.span("prefetch row", 199.7, 14.8)
    trace.span("body", 199.8, 14.4)
    let finding = try #require(trace.findings().first)
    #expect(finding.cause == .work(WorkName(category: "host", name: "body")))
    let parts = finding.words.title.parts
    #expect(parts.contains(.words(" inside ")), "\(parts)")
    #expect(parts.contains(.words(" runs between frames and makes them late")), "\(parts)")
  }

  @Test func `cells after a jump are found as that, not as cells to prepare ahead`() {
    func scroll(to position: UInt64) -> FindingTrace {
      var trace = FindingTrace(late: [20])
      for number in 0..<4 {
        let item = ArgumentValue.unsigned(UInt64(number))
        trace.mark("cell.willDisplay", 1, ["item": item])
        trace.span(
          "cell.prepare", 0.5 + 0.3 * Double(number), 0.3, ["item": item, "position": item])
      }
      for number in 0..<3 {
        let item = ArgumentValue.unsigned(position + UInt64(number))
        trace.span(
          "cell.prepare", 201 + 4 * Double(number), 4, ["item": item, "position": item])
      }
      return trace
    }
    let onDemand: [FindingID] = [.expensiveCells, .preparedOnDemandWhileIdle]
    #expect(scroll(to: 4).findings().map(\.id) == onDemand)
    #expect(scroll(to: 11).findings().map(\.id) == onDemand)
    let found = scroll(to: 500).findings()
    #expect(found.map(\.id) == [.jumps])
    #expect(found.first?.measures.count == 3)
  }

  @Test func `without positions, a whole view of new cells in one frame is a jump`() {
    func scroll(_ count: Int, firstNew: UInt64 = 500) -> [FindingID] {
      var trace = FindingTrace(late: [20])
      for number in 0..<4 {
        let item = ["item": ArgumentValue.unsigned(UInt64(number))]
        trace.span("cell.prepare", 0.5 + 0.3 * Double(number), 0.3, item)
        trace.mark("cell.willDisplay", 2, item)
      }
      for number in 0..<count {
        let item = ["item": ArgumentValue.unsigned(firstNew + UInt64(number))]
        trace.span("cell.prepare", 201 + 3 * Double(number), 3, item)
      }
      return trace.findings().map(\.id)
    }
    #expect(scroll(4) == [.jumps])
    #expect(scroll(3) == [.expensiveCells, .preparedOnDemandWhileIdle])
    // Cells that are there and get new content are no jump.
    #expect(scroll(4, firstNew: 0) == [.expensiveCells, .preparedOnDemandWhileIdle])
    // Nothing precedes the first cells.
    var first = FindingTrace(late: [20])
    for number in 0..<4 {
      let item = ["item": ArgumentValue.unsigned(UInt64(number))]
      first.span("cell.prepare", 201 + 3 * Double(number), 3, item)
      first.mark("cell.willDisplay", 214, item)
    }
    #expect(first.findings().map(\.id) == [.expensiveCells, .preparedOnDemandWhileIdle])
  }

  @Test func `late frames without spans inside are found, with the longest gap and its neighbors`()
  {
    let phases = FindingTrace(late: [20]).findings()
    #expect(phases.map(\.id) == [.unrecordedWork])
    #expect(phases.first?.fact("category") == .name("scrolltrace.phase"))
    #expect(phases.first?.fact("name") == .name("commit"))
    #expect(phases.first?.measures.hitchTime == .milliseconds(10))
    var builder = TraceBuilder(format: "built")
    let main = builder.mainThread(isHost: true)
    let surface = builder.surface("display")
    func time(_ milliseconds: Int64) -> Timestamp { .zero + .milliseconds(milliseconds) }
    for number in 0..<Int64(40) where number != 21 {
      builder.updateFrame(
        number, of: surface, start: time(number * 10), commitStart: time(number * 10),
        commitEnd: time(number * 10 + (number == 20 ? 19 : 2)), deadline: time(number * 10 + 10),
        refreshInterval: .milliseconds(10), track: main)
    }
    for (name, begin) in [("parse", 200), ("draw", 217)] as [(String, Int64)] {
      builder.addSpan(
        on: main, from: time(begin), to: time(begin + 2),
        label: builder.label(category: "host", name: name))
    }
    let found = TraceAnalyzer().analyze(builder.finish()).findings
    #expect(found.map(\.id) == [.unrecordedWork])
    #expect(found.first?.fact("gapNs") == .time(.milliseconds(15)))
    #expect(found.first?.fact("after") == .name("parse"))
    #expect(found.first?.fact("before") == .name("draw"))
  }

  @Test func `a stage of the frames that has nothing inside is named, with what it needs`() {
    func analysis(_ stage: String) -> Analysis {
      var builder = TraceBuilder(format: "gfxinfo")
      let main = builder.mainThread(isHost: true)
      let surface = builder.surface("display")
      let label = builder.label(category: "scrolltrace.phase", name: stage)
      func time(_ milliseconds: Int64) -> Timestamp { .zero + .milliseconds(milliseconds) }
      for number in 0..<Int64(60) where ![21, 41].contains(number) {
        let length: Int64 = [20, 40].contains(number) ? 18 : 2
        builder.updateFrame(
          number, of: surface, start: time(number * 10), commitStart: time(number * 10),
          commitEnd: time(number * 10 + length), deadline: time(number * 10 + 10),
          refreshInterval: .milliseconds(10), track: main)
        builder.addSpan(
          on: main, from: time(number * 10), to: time(number * 10 + length), label: label)
      }
      return TraceAnalyzer().analyze(builder.finish())
    }
    func words(_ stage: String) -> Finding.Words? {
      let found = analysis(stage).findings
      #expect(found.map(\.id) == [.unrecordedWork])
      return found.first?.words
    }
    for (stage, advice) in [
      ("handle input", "Make cells cheaper"), ("animation", "Make cells cheaper"),
      ("traversals", "Lay out less"), ("draw", "Draw less"),
    ] {
      let found = words(stage)
      let title: Phrase =
        "\(WorkName(category: "", name: stage)) takes \(TimeSpan.milliseconds(18)) in a late frame"
      #expect(found?.title == title, "\(stage)")
      guard case .words(let start) = found?.fix.parts.first else {
        Issue.record("\(stage): no advice")
        continue
      }
      #expect(start.hasPrefix(advice), "\(stage)")
    }
    let other: Phrase =
      "late frames are not instrumented (inside \(WorkName(category: "", name: "sync")))"
    #expect(words("sync")?.title == other)
    let change = Comparison(base: [analysis("traversals")], new: [analysis("animation")])
    #expect(change.findings.map(\.status) == [.gone, .appeared])
  }

  @Test
  func `a table of frames says that the CPU was busy where it was, and not which rows to read`() {
    func words(busy: Int64) -> Finding.Words? {
      var builder = TraceBuilder(format: "presentmon")
      let process = builder.process(1)
      builder.setHost(process)
      let main = builder.track(1, of: process)
      builder.setMain(main)
      let surface = builder.surface("game.exe")
      let label = builder.label(category: "scrolltrace.frame", name: "game.exe")
      func time(_ milliseconds: Int64) -> Timestamp {
        Timestamp(clamping: milliseconds * 1_000_000)
      }
      builder.addInteraction(Interaction(kind: "drag", start: .zero, end: time(700)))
      for number in 0..<Int64(60) {
        // From the 31st frame on, three refreshes later.
        let start = number * 10 + (number > 30 ? 30 : 0)
        let (begin, end) = (time(start), time(start + (number == 30 ? busy : 2)))
        builder.addSpan(on: main, from: begin, to: end, label: label)
        builder.updateFrame(
          number, of: surface, start: begin, commitStart: begin, commitEnd: end,
          presented: time(start + (number == 30 ? 50 : 20)), refreshInterval: .milliseconds(10),
          track: main)
      }
      return TraceAnalyzer().analyze(builder.finish()).findings
        .first { $0.id == .unrecordedWork }?.words
    }
    let busy: Phrase =
      "The CPU was busy with these frames until they were presented: record its work with a profiler"
    #expect(words(busy: 35)?.fix.parts.first == busy.parts.first)
    // Without the times of the GPU, what it did is unknown.
    #expect(words(busy: 3)?.fix.parts.first != busy.parts.first)
  }

  @Test
  func `a state of the device is found if it divides the late frames from the good ones`() throws {
    func run(
      _ key: String, _ value: String, late: Set<Int>, frames: Int = 200, before: String = "nominal"
    ) -> [Finding] {
      var trace = FindingTrace(frames: frames, late: late)
      for number in late { trace.span("draw feed", Double(number) * 10 + 0.5, 13) }
      // The adapter for power states sets one only while it limits.
      if value != "on" { trace.state(key, before, at: 0) }
      trace.state(key, value, at: 1000)
      return trace.findings()
    }
    let hot: Set = [110, 120, 130, 140, 150]
    let found = run("thermal", "serious", late: hot)
    #expect(Set(found.map(\.id)) == [.throttledDevice, .longTask])
    let first = try #require(found.first { $0.id == .throttledDevice })
    #expect(first.state == "thermal=serious")
    #expect(first.fact("otherRatioMsPerS") == .number(0))
    #expect(first.measures.hitches == 5 && first.measures.hitchTime == .milliseconds(50))
    for (key, value) in [("isLowPowerModeEnabled", "1"), ("lowPowerMode", "on")] {
      #expect(run(key, value, late: hot).contains { $0.id == .throttledDevice })
    }
    // A device that was warm from the start, and one that gets warm.
    for (before, value) in [("fair", "serious"), ("LIGHT", "severe"), ("nominal", "fair")] {
      let found = run("thermal", value, late: hot, before: before)
      #expect(found.first { $0.id == .throttledDevice }?.state == "thermal=\(value)")
    }
    // A single hitch, and two of which the ratio is good.
    func isFound(late: Set<Int>, frames: Int) -> Bool {
      run("thermal", "serious", late: late, frames: frames).contains { $0.id == .throttledDevice }
    }
    #expect(isFound(late: [150, 160], frames: 190))
    #expect(!isFound(late: [150], frames: 190))
    #expect(!isFound(late: [150, 160], frames: 500))
    // As many late frames before, another value that limits nothing, and a screen of the app.
    #expect(run("thermal", "serious", late: hot.union([10, 20, 30])).map(\.id) == [.longTask])
    #expect(run("thermal", "None", late: hot).map(\.id) == [.longTask])
    #expect(run("screen", "serious", late: hot).map(\.id) == [.longTask])
  }
}
