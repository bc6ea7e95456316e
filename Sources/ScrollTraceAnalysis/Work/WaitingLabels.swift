import ScrollTraceModel

/// Which labels of a trace name waits: spans of them occupy their track and are no work (M-11).
struct WaitingLabels {
  private let isWaiting: [Bool]
  /// Whether there are any.
  let isEmpty: Bool

  /// The waiting labels of `trace`.
  init(of trace: Trace) {
    let known = trace.labels.labels.map { label in
      Self.isWaiting(category: label.category, name: label.name, in: trace)
    }
    isWaiting = known
    isEmpty = !known.contains(true)
  }

  /// No labels.
  static var none: WaitingLabels { WaitingLabels() }

  private init() { (isWaiting, isEmpty) = ([], true) }

  /// Whether spans of `label` are waits.
  subscript(label: LabelID) -> Bool {
    !isEmpty && Int(label.rawValue) < isWaiting.count && isWaiting[Int(label.rawValue)]
  }

  private static func isWaiting(category: StringID, name: StringID, in trace: Trace) -> Bool {
    let strings = trace.strings
    if strings.matches(category, "scrolltrace.waiting") { return true }
    if strings.matches(category, "scrolltrace.image") { return strings.matches(name, "download") }
    // The other words of the vocabulary, and hosts' own spans of that prefix, are work.
    let word = strings[name]
    return names.contains(word) || prefixes.contains { word.hasPrefix($0) }
  }

  /// What systems call their waits for a vsync, a buffer, a lock, a request or another process.
  private static let names: Set<String> = [
    "WaitableEvent::Wait", "WaitableEvent::TimedWait", "WaitableEvent::WaitMany",
    "ConditionVariable::Wait", "ConditionVariable::TimedWait", "Lock::Acquire",
    "ThreadControllerImpl::WaitForWork", "MessagePump::WaitForWork", "MessagePumpEpoll::Wait",
    "SyncChannel::Wait", "WaitForVSync", "WaitForVsync", "waitForVsync", "Wait for vsync",
    "waitForNextVsync", "VsyncWait", "WaitForSwap", "WaitForSwapBuffers", "waitForever",
    "waitForFence", "Waiting for GPU", "Waiting for GPU completion",
    "waiting for GPU completion", "waiting for presentation", "dequeueBuffer wait",
    "futex_wait", "epoll_wait", "Suspended", "GC: Wait For Completion Alloc",
    "GC: Wait For Completion HeapTrim", "WaitForGcToComplete",
    "ResourceRequest", "URLRequest", "HTTP request", "Network request",
  ]

  private static let prefixes = [
    "Lock contention on ", "monitor contention with ", "Contending for ", "waiting for GPU ",
    "Waiting for fence ", "waitForFence ",
  ]
}
