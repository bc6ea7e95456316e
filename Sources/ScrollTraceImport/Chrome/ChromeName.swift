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
