import ScrollTraceModel

/// The labels of events with their meaning, each looked at once.
struct ChromeLabels {
  /// A label, and what its name means.
  struct Entry {
    var name: StringID
    var label: LabelID
    var meaning: ChromeName
    /// Whether the page itself says it, with `performance.mark` or `performance.measure`.
    var isUserTiming: Bool
    /// Whether the category is one of Chrome's verbose ones, which describe its internals.
    var isVerbose: Bool

    /// What `category` and `name` mean together.
    init(category: StringID, name: StringID, in builder: inout TraceBuilder) {
      let text = builder.name(of: name)
      let marked =
        WaitingNames.contains(text) ? builder.string("\(WaitingNames.category)") : category
      self.init(
        name: name, label: builder.label(category: marked, name: name),
        meaning: ChromeName(text),
        isUserTiming: builder.name(of: category).hasPrefix("blink.user_timing"),
        isVerbose: builder.name(of: category).hasPrefix("disabled-by-default-"))
    }

    fileprivate init(
      name: StringID, label: LabelID, meaning: ChromeName, isUserTiming: Bool, isVerbose: Bool
    ) {
      self.name = name
      self.label = label
      self.meaning = meaning
      self.isUserTiming = isUserTiming
      self.isVerbose = isVerbose
    }
  }

  /// A label that was met lately, by the bytes of its category and name.
  private struct Recent {
    var categoryCount = -1
    var nameCount = -1
    var entry = Entry(
      name: .empty, label: LabelID(rawValue: 0), meaning: .other, isUserTiming: false,
      isVerbose: false)
  }

  private static let cacheSize = 1024

  /// How many bytes of each recent label's category and name are kept.
  private static let keptCount = 256

  private var recent = Array(repeating: Recent(), count: cacheSize)
  private var kept = [UInt8](repeating: 0, count: cacheSize * keptCount)

  /// The label of `category` and `name`, which are UTF-8.
  @inline(__always)
  mutating func entry(
    category: UnsafeRawBufferPointer, name: UnsafeRawBufferPointer, in builder: inout TraceBuilder
  ) -> Entry {
    let slot = Self.slot(category, name)
    let known = recent[slot]
    if known.nameCount == name.count, known.categoryCount == category.count,
      passed(category, name, in: slot)
    {
      return known.entry
    }
    return newEntry(category, name, in: slot, &builder)
  }

  @inline(never)
  private mutating func newEntry(
    _ category: UnsafeRawBufferPointer, _ name: UnsafeRawBufferPointer, in slot: Int,
    _ builder: inout TraceBuilder
  ) -> Entry {
    let entry = Entry(
      category: builder.string(category.bindMemory(to: UInt8.self)),
      name: builder.string(name.bindMemory(to: UInt8.self)), in: &builder)
    guard category.count + name.count <= Self.keptCount else { return entry }
    recent[slot] = Recent(categoryCount: category.count, nameCount: name.count, entry: entry)
    kept.withUnsafeMutableBytes { all in
      let place = UnsafeMutableRawBufferPointer(rebasing: all[(slot * Self.keptCount)...])
      place.copyBytes(from: category)
      UnsafeMutableRawBufferPointer(rebasing: place[category.count...]).copyBytes(from: name)
    }
    return entry
  }

  /// Whether the bytes kept for `slot` are these.
  @inline(__always)
  private func passed(
    _ category: UnsafeRawBufferPointer, _ name: UnsafeRawBufferPointer, in slot: Int
  ) -> Bool {
    kept.withUnsafeBytes { all in
      guard let base = all.baseAddress else { return false }
      let place = base + slot &* Self.keptCount
      return category.hasBytes(at: place) && name.hasBytes(at: place + category.count)
    }
  }

  /// Where a label is kept: by its lengths, and where names of one length differ most.
  @inline(__always)
  private static func slot(
    _ category: UnsafeRawBufferPointer, _ name: UnsafeRawBufferPointer
  ) -> Int {
    var hash = UInt64(truncatingIfNeeded: name.count &* 64 &+ category.count)
    if name.count >= 8 {
      let first = name.loadUnaligned(as: UInt64.self)
      let last = name.loadUnaligned(fromByteOffset: name.count &- 8, as: UInt64.self)
      let middle = name.loadUnaligned(fromByteOffset: (name.count &- 8) / 2, as: UInt64.self)
      hash = (hash ^ first) &* 0x9E37_79B9_7F4A_7C15
      hash = (hash ^ last ^ middle &<< 1) &* 0xBF58_476D_1CE4_E5B9
    } else {
      for byte in name { hash = (hash ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15 }
    }
    return Int(truncatingIfNeeded: hash &>> 40) & (cacheSize &- 1)
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the same bytes are at `other`.
  @inline(__always)
  fileprivate func hasBytes(at other: UnsafeRawPointer) -> Bool {
    guard let base = baseAddress else { return true }
    var index = 0
    while index &+ 8 <= count {
      let mine = base.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      guard mine == other.loadUnaligned(fromByteOffset: index, as: UInt64.self) else {
        return false
      }
      index &+= 8
    }
    while index < count {
      let mine = base.load(fromByteOffset: index, as: UInt8.self)
      guard mine == other.load(fromByteOffset: index, as: UInt8.self) else { return false }
      index &+= 1
    }
    return true
  }
}

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
  case functionCall
  case evaluateScript
  case eventDispatch
  case scriptRun
  case flutterVsync
  case flutterBuild
  case flutterRaster
  case flutterLag

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
      case "FunctionCall": .functionCall
      case "EvaluateScript": .evaluateScript
      case "EventDispatch": .eventDispatch
      case "FireAnimationFrame", "FireIdleCallback", "TimerFire", "RunMicrotasks", "v8.run",
        "v8.callFunction":
        .scriptRun
      case "VsyncProcessCallback": .flutterVsync
      case "Animator::BeginFrame": .flutterBuild
      case "Rasterizer::DoDraw": .flutterRaster
      case "SceneDisplayLag": .flutterLag
      default: .other
      }
  }

  /// Whether it is a part of a frame of Flutter that begins and ends on a thread.
  var isFlutterStage: Bool {
    switch self {
    case .flutterVsync, .flutterBuild, .flutterRaster: true
    default: false
    }
  }

  /// Whether the thread runs scripts of the page in it.
  var runsScript: Bool {
    switch self {
    case .functionCall, .evaluateScript, .eventDispatch, .scriptRun: true
    default: false
    }
  }
}
