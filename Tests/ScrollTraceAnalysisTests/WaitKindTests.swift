import Testing

@testable import ScrollTraceAnalysis

/// M-16: what a thread waited for, by the function that its samples end in.
@Suite struct WaitKindTests {
  @Test(
    arguments: [
      ("__GI___libc_recv", nil, .process), ("poll", nil, .process), ("fsync", false, .disk),
      ("pread64", false, .disk), ("read", nil, .disk), ("read", true, .disk),
      ("read", false, .process), ("clock_nanosleep", nil, .timer),
      ("__lll_lock_wait_private", nil, .lock), ("memcpy", true, nil),
      ("write(stdout)", nil, .process),
      ("write(int, void const*)", nil, .disk), ("read(socket, 4)", nil, .process),
      ("_pthread_mutex_firstfit_lock_slow", nil, .lock), ("__psynch_mutexwait", nil, .lock),
    ] as [(String, Bool?, Wait.Kind?)])
  func `a function says what was waited for, and read what was read`(
    function: String, readsFromDisk: Bool?, kind: Wait.Kind?
  ) {
    #expect(WaitResolver.kind(ofFunction: function, readsFromDisk: readsFromDisk) == kind)
  }

  @Test(
    arguments: [
      ("ReentrantLock.lock", .lock), ("Lock::Acquire", .lock), ("cache lock", .lock),
      ("Semaphore.acquire", .result), ("dispatch_group_wait", .result), ("runBlocking", .result),
      ("performAndWait", .result), ("WaitForJobGroupID", .result), ("await response", .process),
      ("AIDL::java::IFile::present::client", .process), ("binder transaction", .process),
      ("xpc_connection_send_message_with_reply_sync", .process), ("socket", .process),
      ("CAMetalLayer nextDrawable", .display), ("Gfx.WaitForPresentOnGfxThread", .display),
      ("WaitForTargetFPS", .display), ("dequeueBuffer wait", .display), ("Thread.sleep", .timer),
      ("LockSupport.park", nil), ("Object.wait", nil),
    ] as [(String, Wait.Kind?)])
  func `the name of a wait says what it is for`(name: String, kind: Wait.Kind?) {
    #expect(WaitResolver.kind(ofName: name) == kind)
  }
}
