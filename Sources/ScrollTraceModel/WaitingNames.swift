/// The names that systems and engines use for waiting: for a vsync, a buffer, a lock, another
/// process or a request.
///
/// Readers and the analysis share this list, so that they agree on what is not work (M-11).
package enum WaitingNames {
  package static let category: StaticString = "scrolltrace.waiting"

  private static let names: Set<String> = [
    // Chromium
    "WaitableEvent::Wait", "WaitableEvent::TimedWait", "WaitableEvent::WaitMany",
    "ConditionVariable::Wait", "ConditionVariable::TimedWait", "Lock::Acquire",
    "ThreadControllerImpl::WaitForWork", "MessagePump::WaitForWork", "MessagePumpEpoll::Wait",
    "SyncChannel::Wait", "v8.parseOnBackgroundWaiting", "WaitForSwap", "WaitForSwapBuffers",
    // Android
    "waitForVsync", "waitForNextVsync", "Waiting for GPU", "Waiting for GPU completion",
    "waiting for GPU completion", "waiting for presentation", "postAndWait", "Suspended",
    "WaitForGcToComplete",
    "binder transaction", "GC: Wait For Completion Alloc", "GC: Wait For Completion HeapTrim",
    // Games, Flutter and drivers
    "WaitForVSync", "WaitForVsync", "Wait for vsync", "VsyncWait", "VSync wait", "swap wait",
    "dequeueBuffer wait", "futex_wait", "epoll_wait",
    // Functions that only wait
    "pthread_mutex_lock", "pthread_cond_wait", "pthread_cond_timedwait", "pthread_join",
    "sem_wait", "semaphore_wait", "dispatch_semaphore_wait", "dispatch_group_wait",
    "dispatch_sync", "Thread.sleep", "usleep", "nanosleep", "Future.get", "recv", "recvmsg",
    "poll",
    // Requests under way
    "ResourceRequest", "URLRequest", "HTTP request", "Network request",
  ]

  /// Calls that return when the GPU is done, or when the display returns a buffer, by the word of who
  /// defines them. The article *Traces of Perfetto* cites it.
  private static let ofDisplay: Set<String> = [
    "dequeueBuffer", "waitForBufferRelease", "waitForFence", "waitForever", "glFinish",
    "vkAcquireNextImageKHR", "vkAcquireNextImage2KHR", "vkWaitForFences", "vkQueueWaitIdle",
    "vkDeviceWaitIdle", "nextDrawable", "DwmFlush",
  ]

  private static let prefixes = [
    "Lock contention on ", "monitor contention with ", "Contending for ", "waiting for GPU ",
    "Waiting for fence ", "waitForFence ",
  ]

  package static func contains(_ name: String) -> Bool {
    names.contains(name) || isOfDisplay(name) || prefixes.contains { name.hasPrefix($0) }
  }

  /// Returns whether a span with this name waits for the GPU, or for a buffer of the display.
  package static func isOfDisplay(_ name: String) -> Bool { ofDisplay.contains(name) }
}
