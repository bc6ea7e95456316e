import ScrollTraceModel
import Testing

/// M-11: names that say that a thread only waits.
@Suite struct WaitingNamesTests {
  @Test(
    arguments: [
      // Locks
      "os_unfair_lock_lock", "NSLock.lock", "-[NSLock lock]", "Foundation.NSLock.lock() -> ()",
      "-[NSConditionLock lockWhenCondition:]", "-[NSRecursiveLock lockBeforeDate:]",
      "ReentrantLock.lock", "java.util.concurrent.locks.ReentrantLock.lock()",
      "ReentrantReadWriteLock$ReadLock.lock", "std::mutex::lock()", "parking_lot::Mutex<T>::lock",
      "g_mutex_lock", "pthread_mutex_lock", "Lock::Acquire", "Semaphore.acquire",
      "QReadWriteLock::lockForRead", "monitor contention with owner main (7)",
      // What another thread does
      "DispatchSemaphore.wait", "semaphore.wait()", "sem->wait()", "x.semaphore.wait", "wait()",
      "load sync semaphore.wait", "DispatchGroup.wait", "dispatch_group_wait", "DispatchQueue.sync",
      "DispatchQueue.main.sync", "queue.sync", "dispatch_sync", "dispatch_barrier_sync",
      "-[NSManagedObjectContext performBlockAndWait:]", "performAndWait", "postAndWait",
      "CountDownLatch.await", "SharedPreferencesImpl.awaitLoadedLocked", "runBlocking",
      "Thread.join", "pthread_join", "CompletableFuture.get", "std::future<int>::get()",
      "void java.lang.Object.wait(long)", "java.util.concurrent.locks.LockSupport.parkNanos",
      "g_cond_wait_until", "pthread_cond_timedwait", "ConditionVariable::TimedWait",
      "WaitableEvent::WaitMany", "WaitHandle.WaitOne", "Semaphore.WaitForSignal",
      "WaitForJobGroupID", "LayerTreeHost::WaitForCommitCompletion",
      // Other processes
      "AIDL::java::IFoo::getBar::client", "AIDL::cpp::IFoo::getBar::cppClient",
      "binder transaction", "g_dbus_connection_call_sync",
      "xpc_connection_send_message_with_reply_sync", "epoll_wait",
      // The display, and timers
      "CAMetalLayer nextDrawable", "-[CAMetalLayer nextDrawable]", "CAMetalLayer.nextDrawable()",
      "Gfx.WaitForPresentOnGfxThread", "WaitForTargetFPS", "WaitForVSync", "waitForFence",
      "Surface::dequeueBuffer",
      "waitForFence 12", "waitForever", "MTLCommandBuffer.waitUntilCompleted", "Thread.sleep",
      "SystemClock.sleep(long)",
    ])
  func `a function that only waits is known by its name and what it belongs to`(name: String) {
    #expect(WaitingNames.contains(name))
  }

  @Test(
    arguments: [
      // A word alone, or a part of a word
      "lock", "wait", "sync", "join", "park", "acquire", "await", "lock screen layout",
      "joinNames", "awaitingApproval row", "waitlist row", "waiter.update", "blockquote.layout",
      "lock_screen_draw", "Loading... wait", "estimate_wait", "AsyncWaitForVsync",
      // What it belongs to has nothing to wait for
      "Array.join", "Path.join", "MessageThread.join", "chat_thread_join", "ScreenLock.lock",
      "scrollLock.lock()", "PowerManager.WakeLock.acquire", "Car.park", "Map.get",
      "AccountManager.sync", "OfflineQueue.sync", "account_sync", "phone_call_sync",
      // More than the wait
      "Restaurant.waitTime", "ReentrantLock.unlock", "cache.withLock", "RowLock.lockAndLoad",
      "fadeAndWait", "render and wait", "Semaphore.wait for image layout", "SyncChannel::Send",
      "LayoutLock::layout", "std::unique_lock<std::mutex>::unlock",
      "PurgeLRUWithLockAcquiredUntilUsageIsWithin", "GPUSurfaceMetalImpeller::AcquireFrame",
      // What answers, and does not wait itself
      "binder reply", "binder transaction async", "AIDL::java::IFoo::getBar::server",
      // Scripts compute, and addresses are no functions
      "wait (feed.js:10)", "Queue.wait (feed.js:3)", "GET https://example.com/lock.wait",
    ])
  func `work whose name contains a word of a wait is work`(name: String) {
    #expect(!WaitingNames.contains(name))
  }
}
