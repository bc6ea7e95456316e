import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis

/// What a host builds its lists with, from what its trace says.
@Suite struct ToolkitTests {
  private func trace(format: String = "fxt", host: String? = nil, work: String? = nil) -> Trace {
    var builder = TraceBuilder(format: format)
    let process = builder.process(1)
    let main = builder.track(1, of: process)
    if let host {
      builder.addState(StateChange(time: .zero, key: Toolkit.stateKey, value: host))
    }
    if let work {
      builder.addSpan(
        on: main, from: .zero, to: Timestamp(clamping: 1),
        label: builder.label(category: "work", name: work))
    }
    return builder.finish()
  }

  @Test func `a host names its toolkit in any spelling`() {
    let names: [(String, Toolkit?)] = [
      ("UIKit", .uiKit), ("AppKit", .appKit), ("swift-ui", .swiftUI), ("Jetpack Compose", .compose),
      ("RecyclerView", .recyclerView), ("Android", .android), ("Flutter", .flutter),
      ("GTK 4", .gtk), ("Qt Quick", .qtQuick), ("React Native", .reactNative),
      ("web", .web), ("SDL3", .gameLoop), ("my own engine", nil), ("", nil),
    ]
    for (name, toolkit) in names { #expect(Toolkit(of: trace(host: name)) == toolkit, "\(name)") }
  }

  @Test func `a host that names no known toolkit is not guessed from its format`() {
    #expect(Toolkit(of: trace(format: "chrome-json", host: "my own engine")) == nil)
    #expect(Toolkit(of: trace(format: "chrome-json", host: "Qt")) == .qtQuick)
  }

  @Test func `formats and work of one toolkit name it, others do not`() {
    #expect(Toolkit(of: trace(format: "flutter")) == .flutter)
    #expect(Toolkit(of: trace(format: "gfxinfo")) == .android)
    #expect(Toolkit(of: trace(format: "presentmon")) == .gameLoop)
    // Instruments does not say whether an app is one of UIKit, AppKit or SwiftUI.
    #expect(Toolkit(of: trace(format: "xctrace")) == nil)
    #expect(Toolkit(of: trace(format: "perfetto")) == nil)
    #expect(Toolkit(of: trace(format: "perfetto", work: "Choreographer#doFrame")) == .android)
    #expect(Toolkit(of: trace(format: "perfetto", work: "RV OnBindView")) == .recyclerView)
    #expect(Toolkit(of: trace(work: "draw")) == nil)
    for format in ["perfetto", "chrome-json"] {
      #expect(Toolkit(of: trace(format: format, work: "Animator::BeginFrame")) == .flutter)
    }
    #expect(Toolkit(of: trace(format: "chrome-json", work: "Choreographer#doFrame")) == .web)
    #expect(Toolkit(of: trace(work: "PlayerLoop")) == .gameLoop)
  }

  @Test(
    arguments: [
      ("QQuickItemView::refill", Toolkit.qtQuick), ("QSGRenderer::render", .qtQuick),
      ("-[UICollectionView _updateVisibleCells]", .uiKit), ("UITableView.layout", .uiKit),
      ("-[NSTableView reloadData]", .appKit), ("ViewGraph.updateOutputs", .swiftUI),
    ])
  func `functions that only one toolkit has name it`(work: String, toolkit: Toolkit) {
    #expect(Toolkit(of: trace(work: work)) == toolkit)
    #expect(Toolkit(of: trace(work: "measure \(work)")) == nil)
  }

  @Test(
    arguments: [
      (["UICollectionView.layout", "ViewGraph.updateOutputs"], Toolkit.swiftUI),
      (["Choreographer#doFrame", "createView RCTView"], .reactNative),
      (["UITableView.layout", "-[RCTScrollView layoutSubviews]"], .reactNative),
    ])
  func `a host of one toolkit has work of the one below it`(names: [String], toolkit: Toolkit) {
    var builder = TraceBuilder(format: "xctrace")
    let main = builder.track(1, of: builder.process(1))
    for (start, name) in names.enumerated() {
      builder.addSpan(
        on: main, from: Timestamp(clamping: Int64(start)),
        to: Timestamp(clamping: Int64(start + 1)),
        label: builder.label(category: "work", name: name))
    }
    #expect(Toolkit(of: builder.finish()) == toolkit)
  }

  @Test func `how to see more is said for the tool that made the trace`() {
    let expected = [
      "xctrace": "time-profile", "gfxinfo": "Perfetto", "perfetto": "linux.perf",
      "chrome-json": "Performance panel", "flutter": "Timeline.timeSync", "presentmon": "GPUBusy",
      "mangohud": "gpu_load", "ndjson": "spans", "csv": "spans", "fxt": "spans", "other": "spans",
    ]
    for (format, word) in expected {
      let advice = RecordingAdvice(of: trace(format: format)).seeWork
      #expect(advice.contains(word), "\(format)")
      #expect(!advice.contains("stackSampling"), "\(format)")
    }
    // A row with CPUBusy leaves nothing else for the CPU but to wait.
    #expect(
      RecordingAdvice(of: trace(format: "presentmon"), isInCommits: false).seeWork
        .contains("CPUWait"))
    let page = trace(format: "perfetto", work: "ThreadControllerImpl::RunTask")
    #expect(RecordingAdvice(of: page).seeWork.contains("Performance panel"))
    let timeline = trace(format: "chrome-json", work: "Animator::BeginFrame")
    #expect(RecordingAdvice(of: timeline).seeWork.contains("Timeline.timeSync"))
    var own = TraceBuilder(format: "fxt")
    own.source.session = "1"
    #expect(RecordingAdvice(of: own.finish()).seeWork.contains("options.stackSampling"))
  }

  @Test func `the toolkit is no state that divides the frames`() {
    var named = FindingTrace()
    named.state("host", "GTK", at: 0)
    #expect(TraceAnalyzer().analyze(named.trace()).surfaces.first?.states.isEmpty == true)
    var other = FindingTrace()
    other.state("host", "server 1", at: 0)
    #expect(TraceAnalyzer().analyze(other.trace()).surfaces.first?.states.count == 1)
  }
}
