import CRecorderShims
import CTestSupport
import Foundation
import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

/// What a frame says of its thread (M-25).
struct ThreadTimeTests {
  private typealias Event = StrictWalker.Event

  private static let keys = ["cpu", "ready", "preemptions", "waits", "faults", "diskFaults"]

  private static func options(_ threadTime: Bool) -> RecorderOptions {
    RecorderOptions.with { $0.recordsThreadTimes = threadTime }
  }

  /// The values of an event; `nil` where it has none.
  private func values(_ event: Event) -> [String: Int64] {
    event.arguments.compactMapValues { value in
      if case .signed(let number) = value { number } else { nil }
    }.filter { Self.keys.contains($0.key) }
  }

  /// Makes the processor work for about `milliseconds`.
  private func work(_ milliseconds: UInt64) {
    let end = scrolltrace_clock(CLOCK_THREAD_CPUTIME_ID) + milliseconds * 1_000_000
    while scrolltrace_clock(CLOCK_THREAD_CPUTIME_ID) < end {}
  }

  #if os(Linux)
    @Test func `a frame records the system's counts at its start and its end`() throws {
      let bytes = try RoundTripTests.record { recorder in
        for index in 0..<20 {
          let frame = recorder.beginFrame(FrameTiming(target: 5))
          let phase = frame.beginPhase("layout")
          work(1)
          if index % 2 == 0 {
            frame.end(endingPhase: phase)
          } else {
            recorder.endSpan(phase)
            frame.end()
          }
          recorder.withSpan("between") {}
        }
      }
      let events = try StrictWalker(bytes).events.filter { $0.category == "scrolltrace.frame" }
      let starts = events.filter { $0.type == 0 }
      let commits = events.filter { $0.type == 4 }
      #expect(starts.count == 20 && commits.count == 20)
      var last: [String: Int64] = [:]
      for (start, commit) in zip(starts, commits) {
        let (before, after) = (values(start), values(commit))
        #expect(before.keys.sorted() == Self.keys.sorted())
        #expect(after.keys.sorted() == Self.keys.sorted())
        for key in Self.keys {
          #expect(try #require(before[key]) >= last[key, default: 0])
          #expect(try #require(after[key]) >= #require(before[key]))
        }
        let wall = try Int64(#require(commit.tail) - commit.time)
        let cpu = try #require(after["cpu"]) - #require(before["cpu"])
        let ready = try #require(after["ready"]) - #require(before["ready"])
        #expect(cpu >= 990_000)
        #expect(cpu + ready <= wall + 1_000_000)
        #expect(start.time == commit.time)
        last = after
      }
      #expect(
        try StrictWalker(bytes).events.filter { $0.name == "between" }
          .allSatisfy { $0.arguments.isEmpty })
    }

    /// The thread's number of lost and given cores, and its ready time as the system's file says it.
    private func counts() -> (switches: Int, ready: Int64?) {
      let text = try? String(contentsOfFile: "/proc/thread-self/schedstat", encoding: .utf8)
      let numbers = (text ?? "").split(whereSeparator: \.isWhitespace).compactMap { Int64($0) }
      var usage = rusage()
      // Of the calling thread.
      getrusage(1, &usage)
      return (Int(usage.ru_nvcsw + usage.ru_nivcsw), numbers.count == 3 ? numbers[1] : nil)
    }

    @Test func `the time without a core is known although its file is not always read`() {
      var (equal, compared, changed) = (0, 0, 0)
      var last: Int64 = -1
      for index in 0..<2_000 {
        if index % 3 == 0 { usleep(20) }
        let before = counts()
        var times = scrolltrace_thread_times()
        scrolltrace_read_thread_times(&times)
        let after = counts()
        // Without the file, nothing can be compared; a thread that lost its core meanwhile has other counts.
        guard let ready = after.ready, before.switches == after.switches else { continue }
        compared += 1
        if times.ready == ready { equal += 1 }
        #expect(times.ready <= ready)
        if times.ready != last { changed += 1 }
        last = times.ready
      }
      // A reading that takes long is corrected to what was when it began.
      #expect(equal * 10 >= compared * 8, "\(equal) of \(compared)")
      #expect(compared == 0 || changed > 1)
    }

    @Test func `time asleep is neither on a core nor ready`() throws {
      let events = try StrictWalker { recorder in
        let frame = recorder.beginFrame()
        usleep(30_000)
        frame.end()
      }.events
      let (before, after) = (values(events[0]), values(events[1]))
      #expect(try #require(after["cpu"]) - #require(before["cpu"]) < 10_000_000)
      #expect(try #require(after["waits"]) - #require(before["waits"]) >= 1)
    }

    @Test func `each thread has its own file of counts, and closes it at its end`() throws {
      @Sendable func files() -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.filter {
          (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))?
            .hasSuffix("schedstat") == true
        }.count
      }
      let bytes = try RoundTripTests.record { recorder in
        for _ in 0..<50 {
          TestThread.run {
            recorder.beginFrame().end()
            #expect(files() >= 1)
          }
        }
      }
      // Other tests run at the same time, on far fewer threads.
      #expect(files() < 40)
      for event in try StrictWalker(bytes).events where event.type == 0 {
        #expect(try #require(values(event)["cpu"]) < 1_000_000_000)
      }
    }

    @Test func `a frame that ends on another thread has no counts at its end`() throws {
      let bytes = try RoundTripTests.record { recorder in
        let frame = recorder.beginFrame()
        TestThread.run { frame.end() }
      }
      let events = try StrictWalker(bytes).events
      #expect(values(events[0]).count == 6)
      #expect(events.map(\.type) == [0, 5, 7])
      #expect(values(events[1]).isEmpty && values(events[2]).isEmpty)
      let frames = try #require(Trace.read(bytes).surfaces.first).frames
      #expect(frames.count == 1 && frames[0].commitEnd != nil)
    }

    @Test func `the child of a fork does not read its parent's counts`() throws {
      let own = strdup("/proc/\(getpid())/task/\(scrolltrace_thread_id())/schedstat")
      // The child must not make strings: another thread may have held a lock of the runtime.
      let links = (3..<1024).map { strdup("/proc/self/fd/\($0)") }
      defer { for text in links + [own] { free(text) } }
      func isOpen() -> Bool {
        guard let own else { return false }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { target in
          guard let start = target.baseAddress else { return false }
          for case let link? in links {
            let count = readlink(link, start, 127)
            guard count > 0 else { continue }
            target[count] = 0
            if strcmp(start, own) == 0 { return true }
          }
          return false
        }
      }
      let recorder = try TraceRecorder(to: .memory)
      recorder.beginFrame().end()
      #expect(isOpen())
      let status = try ForkedChild.run {
        recorder.beginFrame().end()
        if isOpen() { _exit(3) }
      }
      #expect(status == 0)
      recorder.beginFrame().end()
      #expect(isOpen())
      try recorder.finish()
      #expect(try StrictWalker(#require(recorder.recordedBytes)).events.count == 4)
    }

    @Test func `the cost of a reading is in the first page`() throws {
      for isOn in [true, false] {
        let bytes = try RoundTripTests.record(options: Self.options(isOn)) { $0.mark("on") }
        let field = RecordingLayout.Session.threadTimeCost / 8
        let cost = try StrictWalker(bytes).session[field]
        #expect(isOn ? cost > 100_000 && cost < 1_000_000_000 : cost == 0)
      }
    }
  #endif

  @Test func `with thread times off, frames have no counts and the former bytes`() throws {
    let walker = try StrictWalker(options: Self.options(false)) { recorder in
      for _ in 0..<3 { recorder.beginFrame().end() }
    }
    #expect(walker.events.allSatisfy { values($0).isEmpty })
    #expect(walker.strings.values.allSatisfy { !Self.keys.contains($0) })
  }

  @Test func `in virtual time nothing is read, and numbers of strings do not change`() throws {
    func record(_ threadTime: Bool) throws -> [UInt8] {
      var options = VirtualTimeTests.options()
      options.recordsThreadTimes = threadTime
      return try RoundTripTests.record(options: options) { recorder in
        recorder.beginFrame(FrameTiming(target: 9)).end()
        recorder.makeSimulatedThread(id: 2, name: "other").beginFrame().end()
      }
    }
    let bytes = try record(true)
    #expect(try bytes == record(false))
    #expect(try StrictWalker(bytes).events.allSatisfy { values($0).isEmpty })
  }

  @Test func `simulated threads have no counts of the thread that records for them`() throws {
    let events = try StrictWalker(options: Self.options(true)) { recorder in
      recorder.makeSimulatedThread(id: 2, name: "other").beginFrame().end()
    }.events
    #expect(events.allSatisfy { values($0).isEmpty })
  }

  @Test(.enabled(if: scrolltrace_can_count_allocations()))
  func `frames with the counts of their thread allocate nothing`() throws {
    let path = TemporaryPath()
    let recorder = try TraceRecorder(writingTo: path.path, options: Self.options(true))
    var index = 0
    while index < 6_000 {
      if index == 1_000 { scrolltrace_begin_counting_allocations() }
      let frame = recorder.beginFrame()
      let phase = frame.beginPhase("layout", atFrameStart: true)
      frame.end(endingPhase: phase)
      recorder.beginFrame().end()
      index += 1
    }
    #expect(scrolltrace_end_counting_allocations() == 0)
    try recorder.finish()
    #expect(recorder.losses.total == 0)
  }
}
