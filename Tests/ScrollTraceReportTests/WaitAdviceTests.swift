import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceAnalysis
@testable import ScrollTraceReport

/// What the first finding says of a wait: whom for, and what to do.
@Suite struct WaitAdviceTests {
  private static let starts = [200.0, 400]

  /// The first finding about two late frames of 15 ms.
  private static func first(
    _ plant: (inout FindingTrace, Double) -> Void
  ) throws -> (title: String, fix: String, worth: String?) {
    var drawn = FindingTrace(late: [20, 40])
    for start in starts { plant(&drawn, start) }
    let analysis = TraceAnalyzer().analyze(drawn.trace())
    let texts = FindingText(of: analysis.trace)
    let finding = try #require(analysis.findings.first)
    return (texts.title(of: finding), texts.fix(of: finding), texts.worth(of: finding))
  }

  @Test func `work that begins after the wait is what was asked for and holds no lock`() throws {
    let first = try Self.first { trace, start in
      trace.nameLoader("decoder")
      trace.span("waiting.await image", start + 0.5, 14)
      trace.span("decode jpeg", start + 1.5, 12.9, isOnMain: false)
    }
    #expect(
      first.title == "the main thread waits in 'await image' for 'decode jpeg' (thread decoder)")
    #expect(first.fix.hasPrefix("Do not wait for it on the main thread"))
  }

  @Test func `work that began before the wait holds the lock`() throws {
    let first = try Self.first { trace, start in
      trace.span("waiting.cache lock", start + 0.5, 14)
      trace.span("compact cache", start - 3, 17.4, isOnMain: false)
    }
    #expect(first.title == "the main thread waits in 'cache lock' for 'compact cache' (thread 2)")
    #expect(first.fix.hasPrefix("Hold that lock for less time"))
  }

  @Test func `waits for the same work of one thread are one, whenever that began`() throws {
    func first(_ second: String) throws -> (title: String, fix: String, worth: String?) {
      try Self.first { trace, start in
        trace.nameLoader("loader")
        if start == 200 {
          trace.span("waiting.flush loads", start + 0.5, 13)
          trace.span("read package", start + 0.2, 13.3, isOnMain: false)
        } else {
          trace.span("waiting.flush loads", start + 0.5, 14)
          trace.span(second, start + 1, 13.5, isOnMain: false)
        }
      }
    }
    let same = try first("read package")
    #expect(
      same.title == "the main thread waits in 'flush loads' for 'read package' (thread loader)")
    #expect(same.fix.hasPrefix("Do not wait for it on the main thread"))
    #expect(same.worth?.hasPrefix("Saves up to all") == true)
    let other = try first("decode package")
    #expect(
      other.title == "the main thread waits in 'flush loads' for 'read package' (thread loader)")
    #expect(other.worth?.hasPrefix("Saves up to all") == false)
  }

  @Test func `the part of a work that ends the wait does not make it a result`() throws {
    let first = try Self.first { trace, start in
      trace.span("bind", start + 0.5, 14)
      trace.span("compact cache", start - 3, 17, isOnMain: false)
      trace.span("write page", start + 8, 6, isOnMain: false)
      trace.slice(.running, start, start + 1)
      trace.slice(.blocked, start + 1, start + 14)
      trace.slice(.ready, start + 14, start + 14.1, isWokenByLoader: true)
      trace.slice(.running, start + 14.1, start + 15)
    }
    #expect(first.title == "the main thread waits in 'bind' for 'write page' (thread 2)")
    #expect(first.fix.hasPrefix("Hold that lock for less time"))
  }

  @Test func `a thread that is always busy is beside every wait and holds no lock`() throws {
    let first = try Self.first { trace, start in
      if start == 200 {
        for number in 0..<6 {
          trace.span("upload", Double(number) * 100 + 2, 95, isOnMain: false)
        }
      }
      trace.span("load row", start + 0.5, 14)
      trace.slice(.running, start, start + 1)
      trace.slice(.blocked, start + 1, start + 14)
      trace.slice(.running, start + 14, start + 15)
    }
    #expect(first.title == "the main thread waits in 'load row'")
    #expect(!first.fix.contains("lock"))
  }

  @Test func `a wait for the thread that draws says what that has to do`() throws {
    let first = try Self.first { trace, start in
      trace.nameLoader("RenderThread")
      trace.span("waiting.sync", start + 0.5, 14)
      trace.span("sync", start + 0.6, 13.9, isOnMain: false)
    }
    #expect(first.title == "the main thread waits in 'sync' for the render thread")
    #expect(first.fix.contains("prepareToDraw()"))
    let handover = try Self.first { trace, start in
      trace.span(category: "atrace", name: "postAndWait", start + 0.5, 14)
    }
    #expect(handover.title == "the main thread waits in 'postAndWait' for the render thread")
  }

  @Test func `a wait for a buffer of the display is no work of the main thread`() throws {
    for name in ["dequeueBuffer", "glFinish", "nextDrawable"] {
      let first = try Self.first { trace, start in
        trace.span(category: "app", name: name, start + 0.5, 14)
      }
      #expect(first.title.contains("the main thread waits in '\(name)'"))
    }
  }

  @Test(
    arguments: [
      ("NSLock.lock", " for a lock", "Hold that lock for less time"),
      ("Lock::Acquire", " for a lock", "Hold that lock for less time"),
      ("CountDownLatch.await", "", "Do not wait for it on the main thread"),
      ("DispatchSemaphore.wait", "", "Do not wait for it on the main thread"),
      ("performBlockAndWait:", "", "Do not wait for it on the main thread"),
      ("AIDL::java::IFile::read::client", " for another process", "Ask before the answer"),
      ("g_dbus_connection_call_sync", " for another process", "Ask before the answer"),
    ])
  func `a function that only waits says what is to be done about the wait`(
    name: String, reason: String, fix: String
  ) throws {
    let first = try Self.first { trace, start in
      trace.span(category: "app", name: "cellForItemAt", start + 0.2, 14.6)
      trace.span(category: "app", name: name, start + 0.5, 14)
    }
    #expect(first.title == "the main thread waits in '\(name)' inside 'cellForItemAt'\(reason)")
    #expect(first.fix.hasPrefix(fix))
  }

  @Test func `who holds a lock is named, whatever function takes it`() throws {
    let first = try Self.first { trace, start in
      trace.span(category: "app", name: "os_unfair_lock_lock", start + 0.5, 14)
      trace.span(
        category: "app", name: "ImageCache.trimToSize", start - 3, 17.4, isOnMain: false)
    }
    #expect(
      first.title
        == "the main thread waits in 'os_unfair_lock_lock' for 'ImageCache.trimToSize' (thread 2)")
  }

  @Test
  func `of waits inside each other, the outermost is named, unless only another has an owner`()
    throws
  {
    func title(_ outer: String, _ inner: String) throws -> String {
      try Self.first { trace, start in
        trace.span(category: "app", name: "onBind", start + 0.2, 14.6)
        trace.span(category: "atrace", name: outer, start + 0.4, 14.2)
        trace.span(category: "atrace", name: inner, start + 0.5, 14)
      }.title
    }
    #expect(
      try title("AIDL::java::IFeed::load::client", "binder transaction")
        == "the main thread waits in 'AIDL::java::IFeed::load::client' inside 'onBind' for another"
        + " process")
    #expect(
      try title("Suspended", "Lock::Acquire")
        == "the main thread waits in 'Suspended' inside 'onBind' for a lock")
    let contention =
      "monitor contention with owner worker (7) at void app.Cache.trim(int)(C.java:8)"
    #expect(
      try title("runBlocking", contention)
        == "the main thread waits in 'monitor contention' inside 'onBind' for 'Cache.trim (C.java:8)'"
        + " (thread worker)")
  }

  @Test func `a buffer that is asked for before the work is a reason to draw less`() throws {
    let first = try Self.first { trace, start in
      trace.span(category: "app", name: "CAMetalLayer nextDrawable", start + 0.1, 9.8)
      trace.span(category: "app", name: "draw", start + 10, 4.6)
    }
    #expect(
      first.title == "the main thread waits in 'CAMetalLayer nextDrawable' for the display")
    #expect(first.fix.hasPrefix("Draw less"))
  }

  @Test func `what the main thread joins is a result, also if it began before`() throws {
    let first = try Self.first { trace, start in
      trace.span("waiting.join layout", start + 0.5, 14)
      trace.span("measure text", start + 0.2, 14.3, isOnMain: false)
    }
    #expect(first.title.contains("for 'measure text'"))
    #expect(!first.fix.contains("lock"))
  }

  @Test func `what the main thread waits for waits for another thread itself`() throws {
    func first(_ inner: String) throws -> String {
      try Self.first { trace, start in
        trace.nameLoader("store")
        trace.span("waiting.store lock", start + 0.5, 14)
        trace.span("save feed", start - 3, 17.5, isOnMain: false)
        trace.span(inner, start - 2, 16.4, isOnMain: false)
        trace.span(onThread: "db", "VACUUM", start - 5, 19.4)
      }.title
    }
    #expect(
      try first("waiting.db lock")
        == "the main thread waits in 'store lock' for 'save feed' (thread store), which waits in"
        + " 'db lock' for 'VACUUM' of db")
    #expect(
      try first("encode")
        == "the main thread waits in 'store lock' for 'save feed' (thread store)")
  }

  @Test func `what the main thread waits for had no core itself`() throws {
    func first(ready: Double) throws -> (title: String, fix: String, worth: String?) {
      try Self.first { trace, start in
        trace.nameLoader("worker")
        trace.span("join layout", start + 0.5, 14)
        trace.span("measure text", start + 1, 13.2, isOnMain: false)
        trace.slice(.running, start, start + 1)
        trace.slice(.blocked, start + 1, start + 14)
        trace.slice(.ready, start + 14, start + 14.1, isWokenByLoader: true)
        trace.slice(.running, start + 14.1, start + 15)
        trace.slice(.ready, start + 1, start + 1 + ready, isOnMain: false)
        trace.slice(.running, start + 1 + ready, start + 14.2, isOnMain: false)
      }
    }
    let starved = try first(ready: 10)
    #expect(
      starved.title
        == "the main thread waits in 'join layout' for 'measure text' (thread worker), which had no"
        + " core")
    #expect(starved.fix.hasPrefix("Run fewer background jobs at once"))
    #expect(starved.fix.contains("Do not wait for it on the main thread"))
    let busy = try first(ready: 2)
    #expect(
      busy.title == "the main thread waits in 'join layout' for 'measure text' (thread worker)")
    #expect(busy.fix.hasPrefix("Do not wait for it on the main thread"))
  }

  @Test func `a wait nobody knows the reason of is not the item's fault`() throws {
    let first = try Self.first { trace, start in
      for number in 0..<20 where Double(number) * 100 != start {
        trace.span("cell.configure", Double(number) * 10 + 2, 0.5)
      }
      trace.span("cell.configure", start + 0.5, 14, ["item": .unsigned(UInt64(start))])
      trace.slice(.running, start, start + 1)
      trace.slice(.blocked, start + 1, start + 14)
      trace.slice(.running, start + 14, start + 15)
    }
    #expect(first.title == "the main thread waits in 'configure'")
  }

  @Test func `a wait that nothing interrupts is for the disk, whoever woke the thread`() throws {
    let first = try Self.first { trace, start in
      trace.span("bind", start + 0.5, 14)
      trace.slice(.running, start, start + 1)
      trace.slice(.blocked, start + 1, start + 14, isUninterruptible: true)
      trace.slice(.ready, start + 14, start + 14.1, isWokenByLoader: true)
      trace.slice(.running, start + 14.1, start + 15)
    }
    #expect(first.title == "the main thread waits in 'bind' for the disk")
  }

  @Test func `a thread that answers other processes is named`() throws {
    let first = try Self.first { trace, start in
      trace.span("bind", start + 0.5, 14)
      trace.slice(.running, start, start + 1)
      trace.slice(.blocked, start + 1, start + 14)
      trace.slice(.ready, start + 14, start + 14.1, wokenByOther: "binder:1000_3")
      trace.slice(.running, start + 14.1, start + 15)
    }
    #expect(
      first.title == "the main thread waits in 'bind' for another process (binder:1000_3)")
  }

  @Test func `writes to a stream wait for whoever reads it, and many are counted`() throws {
    let first = try Self.first { trace, start in
      for number in 0..<5 {
        let begin = start + 0.5 + Double(number) * 2.8
        trace.span("write(stdout)", begin, 2.7)
        trace.slice(.running, begin, begin + 0.3)
        trace.slice(.blocked, begin + 0.3, begin + 2.5)
        trace.slice(.running, begin + 2.5, begin + 2.8)
      }
    }
    #expect(
      first.title
        == "the main thread waits in 'write(stdout)' for another process: 5 times in a frame, 2.70 ms"
        + " each")
    #expect(first.fix.hasPrefix("Write less there, such as logs, or from another thread"))
  }

  @Test func `Android's name of a wait for a monitor says who has it, and where`() throws {
    let name =
      "monitor contention with owner DefaultDispatcher-worker-3 (4260) at com.example.Result"
      + " com.example.feed.PostCache.trim(int)(PostCache.kt:88) waiters=0 blocking from"
      + " com.example.Post com.example.feed.PostCache.get(long)(PostCache.kt:31)"
    let first = try Self.first { trace, start in
      trace.span(category: "atrace", name: "onBind", start + 0.2, 14.6)
      trace.span(category: "atrace", name: name, start + 0.5, 14)
    }
    #expect(
      first.title
        == "the main thread waits in 'PostCache.get' inside 'onBind' for"
        + " 'PostCache.trim (PostCache.kt:88)' (thread DefaultDispatcher-worker-3)")
    let other = try Self.first { trace, start in
      trace.nameLoader("worker")
      trace.span(
        category: "atrace", name: "Lock contention on a monitor lock (owner tid: 2)", start + 0.5,
        14)
    }
    #expect(
      other.title
        == "the main thread waits in 'Lock contention on a monitor lock' for thread worker")
    for broken in ["monitor contention with owner ", "Lock contention on a (owner tid: x)"] {
      let first = try Self.first { trace, start in
        trace.span(category: "atrace", name: broken, start + 0.5, 14)
      }
      #expect(first.title.hasPrefix("the main thread waits in"))
    }
  }

  @Test func `pages read from disk are why a thread did not run`() throws {
    let first = try Self.first { trace, start in
      trace.span("read thumbnail", start + 0.5, 14)
      trace.count(start, start + 15, cpu: 2, diskFaults: 100)
    }
    #expect(first.title == "the main thread waits in 'read thumbnail' for the disk")
    // One page does not take that long.
    var one = FindingTrace(late: [20, 40])
    for start in Self.starts {
      one.span("read thumbnail", start + 0.5, 14)
      one.count(start, start + 15, cpu: 2, diskFaults: 1)
    }
    #expect(TraceAnalyzer().analyze(one.trace()).findings.allSatisfy { $0.id != .waitOnMainThread })
  }

  @Test
  func `a wait for a buffer after the work is the display's, and nothing goes without it`() throws {
    let first = try Self.first { trace, start in
      trace.span("draw", start + 0.1, 3)
      trace.span("waiting.nextDrawable", start + 3.1, 11.8)
    }
    #expect(first.title == "the display is behind: the main thread waits in 'nextDrawable'")
    #expect(first.fix.hasPrefix("The GPU or the compositor has not returned a buffer"))
    #expect(first.worth == nil)
    let before = try Self.first { trace, start in
      trace.span("waiting.nextDrawable", start + 0.1, 10)
      trace.span("draw", start + 10.1, 4.8)
    }
    #expect(before.title == "the main thread waits in 'nextDrawable' for the display")
    #expect(before.worth != nil)
  }

  @Test func `the collection of memory is to be caused less often, not moved`() throws {
    let first = try Self.first { trace, start in
      trace.span("bind row", start + 0.2, 14.6)
      trace.span("GC pause", start + 0.5, 14)
    }
    #expect(first.title == "'GC pause' makes frames late")
    #expect(
      first.fix == "Allocate less in these frames: reuse objects and buffers; the work around it is"
        + " 'bind row'.")
    let wait = try Self.first { trace, start in
      trace.span("bind row", start + 0.2, 14.6)
      trace.span("waiting.GC: Wait For Completion Alloc", start + 0.5, 14)
    }
    #expect(
      wait.title == "the main thread waits in 'GC: Wait For Completion Alloc' inside 'bind row'")
    #expect(wait.fix == "Allocate less in these frames: reuse objects and buffers.")
  }
}
