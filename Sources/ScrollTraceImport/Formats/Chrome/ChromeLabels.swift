internal import ScrollTraceLayout
import ScrollTraceModel

/// The labels of events with their meanings, each resolved once.
struct ChromeLabels {
  /// A label with the meaning of its name.
  struct Entry {
    var name: StringID
    var label: LabelID
    var meaning: ChromeName
    /// Whether the page itself recorded it, with `performance.mark` or `performance.measure`.
    var isUserTiming: Bool
    /// Whether the category is one of Chrome's verbose ones, which describe its internals.
    var isVerbose: Bool
    /// Whether it is work of a list, whose arguments have a meaning, or was written by our exporters.
    var hasArguments: Bool
    /// Whether asynchronous spans are work of their threads that overlaps other work there.
    var overlaps: Bool
    /// Whether it is the name of the call in which a page learns that it was scrolled.
    var isScrollEvent: Bool

    private static let overlapMark = ",\(Vocabulary.Category.overlap)"

    init(category: StringID, name: StringID, in builder: inout TraceBuilder) {
      self.name = name
      let text = builder.name(of: category)
      isScrollEvent = Self.isScrollEvent(name, in: builder)
      overlaps = text.hasSuffix(Self.overlapMark)
      guard !overlaps else {
        let rest = text.utf8.dropLast(Self.overlapMark.utf8.count)
        let category = builder.string(String(decoding: rest, as: UTF8.self))
        label = builder.label(category: category, name: name)
        meaning = .other
        isUserTiming = false
        isVerbose = false
        hasArguments = true
        return
      }
      label = builder.label(category: category, name: name)
      meaning = ChromeName(category: text) ?? ChromeName(builder.name(of: name))
      isUserTiming = text.hasPrefix("blink.user_timing")
      isVerbose = text.hasPrefix("disabled-by-default-")
      hasArguments = text.hasPrefix("scrolltrace.")
    }

    static func isScrollEvent(_ name: StringID, in builder: TraceBuilder) -> Bool {
      builder.name(of: name) == "EventDispatch (scroll)"
    }
  }

  private var recent = RecentValues<RecentTexts, Entry>(count: 1024)

  /// Returns the label of `category` and `name`, which are UTF-8.
  @inline(__always)
  mutating func entry(
    category: UnsafeRawBufferPointer, name: UnsafeRawBufferPointer, in builder: inout TraceBuilder
  ) -> Entry {
    let key = RecentTexts(name, category)
    if let known = recent.find(key) { return known }
    let entry = Entry(
      category: builder.string(category.bindMemory(to: UInt8.self)),
      name: builder.string(name.bindMemory(to: UInt8.self)), in: &builder)
    recent.keep(entry, for: key)
    return entry
  }
}

/// The events with a meaning beyond work on a thread.
enum ChromeName: UInt8 {
  case other
  case pipelineReporter
  case sendBeginMainFrame
  case reporterCommit
  case beginFrame
  case schedulerBeginFrame
  case animationFrame
  case proxyMainBeginMainFrame
  case beginMainThreadFrame
  case threadProxyBeginMainFrame
  case drawFrame
  case eventLatency
  case scrollBegin
  case scrollUpdate
  case scrollEnd
  case wheelOrTouch
  case task
  case functionCall
  case evaluateScript
  case eventDispatch
  /// The run of a script, which has the script's file.
  case scriptFile
  case scriptRun
  case flutterVsync
  case flutterBuild
  case flutterRaster
  case flutterLag
  case recordedFrame
  case recordedInteraction
  case recordedState
  /// The event that names the frames of the page that is recorded.
  case tracingStart

  /// Whether it is an event of our own categories.
  var isRecorded: Bool {
    switch self {
    case .recordedFrame, .recordedInteraction, .recordedState: true
    default: false
    }
  }

  /// The meaning of all events of a category, or `nil` if their names decide.
  init?(category: String) {
    switch category {
    case Vocabulary.Category.frame.description: self = .recordedFrame
    case Vocabulary.Category.interaction.description: self = .recordedInteraction
    case Vocabulary.Category.state.description: self = .recordedState
    default: return nil
    }
  }

  init(_ name: String) {
    self =
      switch name {
      case "PipelineReporter": .pipelineReporter
      case "SendBeginMainFrameToCommit": .sendBeginMainFrame
      case "Commit": .reporterCommit
      case "BeginFrame": .beginFrame
      case "Scheduler::BeginFrame": .schedulerBeginFrame
      case "AnimationFrame": .animationFrame
      case "ProxyMain::BeginMainFrame": .proxyMainBeginMainFrame
      case "BeginMainThreadFrame": .beginMainThreadFrame
      case "ThreadProxy::BeginMainFrame": .threadProxyBeginMainFrame
      case "DrawFrame": .drawFrame
      case "EventLatency": .eventLatency
      case "InputLatency::GestureScrollBegin": .scrollBegin
      case "InputLatency::GestureScrollUpdate": .scrollUpdate
      case "InputLatency::GestureScrollEnd": .scrollEnd
      case "InputLatency::MouseWheel", "InputLatency::TouchMove": .wheelOrTouch
      case "RunTask", "ThreadControllerImpl::RunTask", "MessageLoop::RunTask",
        "TaskQueueManager::ProcessTaskFromWorkQueue":
        .task
      case "FunctionCall": .functionCall
      case "EvaluateScript": .evaluateScript
      case "EventDispatch": .eventDispatch
      case "v8.run": .scriptFile
      case "FireAnimationFrame", "FireIdleCallback", "TimerFire", "RunMicrotasks",
        "v8.callFunction":
        .scriptRun
      case "VsyncProcessCallback": .flutterVsync
      case "Animator::BeginFrame": .flutterBuild
      case "Rasterizer::DoDraw": .flutterRaster
      case "SceneDisplayLag": .flutterLag
      case "TracingStartedInBrowser": .tracingStart
      default: .other
      }
  }

  /// Whether it is a stage of a Flutter frame that starts and ends on one thread.
  var isFlutterStage: Bool {
    switch self {
    case .flutterVsync, .flutterBuild, .flutterRaster: true
    default: false
    }
  }

  /// Whether the thread runs scripts of the page in it.
  var runsScript: Bool {
    switch self {
    case .functionCall, .evaluateScript, .eventDispatch, .scriptFile, .scriptRun: true
    default: false
    }
  }
}
