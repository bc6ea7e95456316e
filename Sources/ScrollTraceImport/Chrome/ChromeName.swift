import ScrollTraceModel

/// The names of Chrome's events that mean more than work on a thread.
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
  case scrollInputLatency
  case task

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
      case "InputLatency::MouseWheel", "InputLatency::GestureScrollUpdate",
        "InputLatency::TouchMove":
        .scrollInputLatency
      case "RunTask", "ThreadControllerImpl::RunTask", "MessageLoop::RunTask",
        "TaskQueueManager::ProcessTaskFromWorkQueue":
        .task
      default: .other
      }
  }
}

/// The labels of events with their meaning, each looked at once.
struct ChromeLabels {
  /// A label, and what its name means.
  struct Entry {
    var category: StringID
    var name: StringID
    var label: LabelID
    var meaning: ChromeName
    /// Whether the page itself says it, with `performance.mark` or `performance.measure`.
    var isUserTiming: Bool
    /// Whether the category is one of Chrome's verbose ones, which tell of its own inner life.
    var isVerbose: Bool
  }

  private static let cacheSize: UInt32 = 1024

  private var recent: [Entry?] = Array(repeating: nil, count: Int(cacheSize))

  /// The label of `category` and `name`.
  mutating func entry(
    category: StringID, name: StringID, in builder: inout TraceBuilder
  ) -> Entry {
    let slot = Int((category.rawValue &* 97 &+ name.rawValue) % Self.cacheSize)
    if let hit = recent[slot], hit.category == category, hit.name == name { return hit }
    let text = builder.name(of: category)
    let entry = Entry(
      category: category, name: name, label: builder.label(category: category, name: name),
      meaning: ChromeName(builder.name(of: name)),
      isUserTiming: text.hasPrefix("blink.user_timing"),
      isVerbose: text.hasPrefix("disabled-by-default-"))
    recent[slot] = entry
    return entry
  }
}
