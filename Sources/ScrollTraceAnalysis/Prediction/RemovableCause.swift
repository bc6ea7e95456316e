package import ScrollTraceModel

/// Something that a change of the app may take out of its late frames (M-17).
package enum RemovableCause: Hashable, Sendable {
  /// Work, with the waits in it.
  case work(WorkName)
  /// Work with all that is inside it.
  case whole(WorkName)
  case item(WorkName, String)
  case wait(Wait)
  /// Time without a span, or only with one around a whole frame, phase or loop.
  case unrecorded

  /// The time of the cause in a window, on a core or not.
  package func time(in attribution: Attribution) -> TimeSpan {
    switch self {
    case .work(let work): attribution.time { work.includes($0) }
    case .whole(let work):
      attribution.enclosing.first { $0.work == work }?.time
        ?? attribution.time { work.includes($0) }
    case .item(let work, let item):
      attribution.occupants.reduce(.zero) {
        let isOwn = !$1.isWait && work.includes($1.work) && $1.item == item
        let isAround = $1.around.map(work.includes) == true && $1.aroundItem == item
        return isOwn || isAround ? $0 + $1.time : $0
      }
    case .wait(let wait):
      attribution.occupants.reduce(.zero) { $1.wait == wait ? $0 + $1.waited : $0 }
    case .unrecorded:
      attribution.unrecorded
        + attribution.time { $0.isFrameOfOtherWork && $0.category != "scrolltrace.frame" }
    }
  }
}

extension Attribution {
  /// The time in work that fits, with the waits in it.
  fileprivate func time(where fits: (WorkName) -> Bool) -> TimeSpan {
    occupants.reduce(.zero) {
      !$1.isWait && fits($1.work) || $1.around.map(fits) == true ? $0 + $1.time : $0
    }
  }
}

extension WorkName {
  /// Whether the work is only a frame around other work: a phase, or the
  /// loop around all work of an app or a browser.
  var isFrameOfOtherWork: Bool {
    category == "scrolltrace.phase" || category == "scrolltrace.frame" || category == "runloop"
      || name.map(Self.isLoop) ?? false
  }

  /// Returns a Boolean value indicating whether a span of this name is around all work of a task or frame of
  /// a browser, of Android or of Core Animation.
  private static func isLoop(_ name: String) -> Bool {
    loops.contains(name) || startOfProfiler.contains(name)
      || name.hasPrefix("Choreographer#doFrame")
  }

  private static let loops: Set<String> = [
    "RunTask", "ThreadControllerImpl::RunTask", "FireAnimationFrame", "Animator::BeginFrame",
    "RunMicrotasks", "RV Scroll", "traversal", "performTraversals", "CA::Transaction::commit",
    "PageAnimator::serviceScriptedAnimations", "v8.callFunction", "V8.StackGuard",
    "V8.HandleInterrupts", "WidgetBaseInputHandler::OnHandleInputEvent", "LatencyInfo.Flow",
    "WebFrameWidgetImpl::HandleInputEvent", "VsyncProcessCallback", "VsyncFireCallback", "VSYNC",
    "Engine::BeginFrame", "PipelineProduce",
  ]

  /// What a browser does when its profiler starts to record.
  static let startOfProfiler: Set<String> = [
    "V8.InvokeApiInterruptCallbacks", "CpuProfiler::StartProfiling",
  ]

  /// Whether it is all work of a category, no part of which is long.
  var isCategory: Bool { name == nil && !category.isEmpty && !isHang }

  /// Whether the source reports a hang instead of work.
  var isHang: Bool { category == "hang" }

  /// Returns a Boolean value indicating whether other work has this name, or one of this category if that
  /// is all that this says.
  func includes(_ other: WorkName) -> Bool {
    category == other.category && (name == nil || name == other.name)
  }
}
