import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis
@testable import ScrollTraceReport

/// What the first finding says is to be done about work, by its name, its place and the toolkit.
@Suite struct WorkAdviceTests {
  /// The first fix about two late frames of 15 ms, in each of which `work` runs inside `places`, outermost first.
  private static func fix(of work: String, in places: [String], host: String?) throws -> String {
    var drawn = FindingTrace(late: [20, 40])
    if let host { drawn.state(Toolkit.stateKey, host, at: 0) }
    for start in [200.0, 400] {
      for (depth, place) in places.enumerated() {
        drawn.span(
          category: "app", name: place, start + 0.1 * Double(depth + 1), 14.7 - 0.2 * Double(depth))
      }
      drawn.span(category: "app", name: work, start + 0.5, 14)
    }
    let analysis = TraceAnalyzer().analyze(drawn.trace())
    let finding = try #require(analysis.findings.first)
    return FindingText(of: analysis.trace).fix(of: finding)
  }

  struct Case: Sendable {
    let host: String?
    let places: [String]
    let work: String
    let fix: String

    init(_ host: String?, _ places: [String], _ work: String, _ fix: String) {
      (self.host, self.places, self.work, self.fix) = (host, places, work, fix)
    }
  }

  static let cases = [
    // Phases of the toolkit, by their own name
    Case("Android", ["RV Scroll"], "RV CreateView", "Inflate fewer and simpler views"),
    Case("Android", [], "RV Prefetch", "Make cells cheaper"),
    Case("Compose", [], "compose:lazy:prefetch:compose", "Make cells cheaper"),
    Case("Compose", ["Recomposer:recompose"], "Compose:applyChanges", "Recompose less"),
    Case("Android", ["traversal"], "Record View#draw()", "Draw less"),
    Case("Android", ["RV OnBindView"], "VerifyClass com.feed.Row", "Have this code compiled"),
    Case("Flutter", [], "build", "Rebuild less"),
    Case("Web", ["FunctionCall"], "Recalculate Style", "Change the style of fewer elements"),
    Case(nil, ["ViewGraph.updateOutputs"], "FeedRow.body", "Do less in body"),
    // What the work is about
    Case(nil, ["cellForItemAt"], "-[WKWebView initWithFrame:]", "Create fewer and simpler views"),
    Case(nil, ["cellForItemAt"], "+[UINib instantiateWithOwner:]", "Create fewer and simpler"),
    Case(nil, ["dispatchViewUpdates"], "createView RCTText", "Create fewer and simpler views"),
    Case(
      "React Native", ["dispatchViewUpdates"], "createView RCTText",
      "Create fewer and simpler views, reuse them (FlashList; FlatList: windowSize"),
    Case("Unity", ["Update"], "Instantiate", "Create fewer and simpler objects"),
    Case("GTK", ["layout"], "setup_listitem_cb", "Create fewer and simpler views"),
    Case("UIKit", ["searchText"], "-[UITableView reloadData]", "Apply the differences"),
    Case(nil, ["cellForItemAt"], "FeedCell.configure(with:)", "Compute text, sizes and images"),
    Case(nil, ["prepareLayout"], "sizeThatFits", "Lay out and measure only what is visible"),
    Case("GTK", ["layout"], "gtk_widget_size_allocate", "Lay out and measure only what is visible"),
    Case(nil, ["UpdateLayout"], "Grid.ArrangeOverride", "Lay out and measure only what is visible"),
    Case(nil, ["prepareLayout"], "boundingRect(with:options:)", "Shape and measure text ahead"),
    Case(
      nil, ["cellForItemAt"], "CTFontManagerRegisterFontsForURL", "Load and register fonts once"),
    Case(
      "Flutter", ["LAYOUT"], "FontCollection::MatchFallbackFont",
      "Load and register fonts once, before the scroll (FontLoader)"),
    Case(
      "Flutter", ["LAYOUT"], "Paragraph::layoutText", "Shape and measure text ahead, when nothing"),
    Case(nil, ["PostLateUpdate"], "Shader.CreateGPUProgram", "Have shaders ready before"),
    Case(nil, ["cellForItemAt"], "CGImageSourceCreateImageAtIndex", "Decode images in"),
    Case(nil, ["cellForItemAt"], "UIImage(contentsOfFile:)", "Decode images in the background"),
    Case("Android", ["RV OnBindView"], "VectorDrawable inflate", "Decode images in"),
    Case(nil, ["GetElement"], "DataTemplate.Build ChartCard", "Create fewer and simpler views"),
    Case(
      nil, ["QQuickItemView::refill"], "QQmlComponent::create FeedDelegate.qml",
      "Create fewer and simpler views, reuse them (reuseItems)"),
    Case("Unity", ["PostLateUpdate"], "LayoutRebuilder.Rebuild", "Lay out and measure only what"),
    // Where the work is, if its name says nothing
    Case("Flutter", ["BUILD"], "FeedRow", "Rebuild less"),
    Case("Flutter", ["BUILD", "FeedPage"], "SliverList", "Rebuild less"),
    Case("Flutter", ["BUILD"], "parse feed", "Move it off the main thread (Isolate.run)"),
    Case(nil, ["cellForItemAt"], "NSDataDetector matches", "Do it when the data arrives, in the"),
    Case(nil, ["cellForItemAt", "header"], "matches", "Do it when the data arrives"),
    Case(
      "Android", ["RV OnBindView"], "Gson.fromJson",
      "Do it when the data arrives, in the background (Dispatchers.Default), not in the cell"),
    Case("Android", ["RV OnBindView"], "WebView.<init>", "Create fewer and simpler views"),
    Case(
      "Android", ["RV OnBindView"], "WebViewFactory.getProvider", "Create what it needs once"),
    Case(
      nil, ["cellForItemAt"], "AVPlayer.replaceCurrentItem(with:)", "Create what it needs once"),
    Case(nil, ["cellForItemAt"], "GradientRing.drawRect", "Draw only what is new or changed"),
    // Views need the main thread, other work does not
    Case(nil, ["didScroll"], "UIVisualEffectView setEffect", "Do less of it, or do it in parts"),
    Case(nil, ["didScroll"], "CATransaction flush", "Do less of it"),
    Case(nil, ["didScroll"], "Blur.snapshot", "Do less of it"),
    Case(nil, ["didScroll"], "parallax update", "Do less of it"),
    Case(nil, ["didScroll"], "QQmlCompilationUnit bindings", "Do less of it"),
    Case("Web", ["didScroll"], "parse feed", "Move it off the main thread (a Web Worker)"),
    Case(nil, ["drawList"], "GlyphAtlas.grow", "Make it large enough before the scroll"),
    Case(nil, ["didScroll"], "parse feed", "Move it off the main thread, postpone it"),
  ]

  @Test(arguments: cases.indices)
  func `the advice on work fits what it is about, where it runs and which thread it needs`(
    index: Int
  ) throws {
    let one = Self.cases[index]
    let fix = try Self.fix(of: one.work, in: one.places, host: one.host)
    #expect(fix.hasPrefix(one.fix), "\(one.work): \(fix)")
  }

  @Test func `the phases of a frame have the advice on the largest of them, other parts have none`()
    throws
  {
    func fix(_ parts: [(String, Double)]) throws -> String {
      var drawn = FindingTrace(late: [20, 40])
      drawn.state(Toolkit.stateKey, "Web", at: 0)
      for begin in [200.0, 400] {
        var start = begin + 0.1
        for (name, length) in parts {
          drawn.span(category: "page", name: name, start, length)
          start += length
        }
        // Other work, so that no part takes a quarter of the frame.
        drawn.span("score", start, 2)
        drawn.span("rank", start + 2, 2)
      }
      let analysis = TraceAnalyzer().analyze(drawn.trace())
      let finding = try #require(analysis.findings.first)
      return FindingText(of: analysis.trace).fix(of: finding)
    }
    let phases = [("UpdateLayoutTree", 3.7), ("Layout", 3.6), ("Paint", 3.4)]
    #expect(try fix(phases).hasPrefix("Change the style of fewer elements"))
    let parts = ["a", "b", "c", "d", "e"].map { ($0, 2.1) }
    #expect(try fix(parts).hasPrefix("Do less of them in each frame"))
  }

  @Test(arguments: [
    ("MajorGC", "Allocate less in these frames"), ("readDatabase", "Read and write files"),
    ("diff", "Do less of it in each frame"),
  ])
  func `work of many late frames in a row has the advice on what it is about too`(
    work: String, expected: String
  ) throws {
    let late = Array(stride(from: 20, to: 40, by: 2))
    var drawn = FindingTrace(late: Set(late))
    for number in late { drawn.span(category: "app", name: work, Double(number) * 10 + 0.1, 14) }
    let analysis = TraceAnalyzer().analyze(drawn.trace())
    let finding = try #require(analysis.findings.first)
    #expect(finding.id == .slowEveryFrame)
    #expect(FindingText(of: analysis.trace).fix(of: finding).hasPrefix(expected))
  }

  @Test(arguments: [("RunTask", "every frame pays"), ("showAll (app.js:4)", " forces ")])
  func `updates of a page that all come late pay for the same work, unless a script forces it`(
    place: String, expected: String
  ) throws {
    var builder = TraceBuilder(format: "chrome-json")
    let main = builder.mainThread(isHost: true)
    builder.setCompletelyRecorded(main)
    let updates = builder.surface("Main thread updates")
    let labels = [place, "Layout"].map { builder.label(category: "devtools.timeline", name: $0) }
    func time(_ milliseconds: Int64) -> Timestamp { .zero + .milliseconds(milliseconds) }
    for index in Int64(0)..<30 {
      let start = index * 20
      builder.addSpan(on: main, from: time(start), to: time(start + 15), label: labels[0])
      builder.addSpan(on: main, from: time(start + 1), to: time(start + 14), label: labels[1])
      builder.updateFrame(
        index, of: updates, start: time(start), refreshInterval: .milliseconds(10), track: main)
    }
    builder.addInteraction("scroll", from: .zero, to: time(600))
    let analysis = TraceAnalyzer().analyze(builder.finish())
    let title = try #require(analysis.findings.first).words.title
    #expect("\(title)".contains(expected), "\(title)")
  }
}
