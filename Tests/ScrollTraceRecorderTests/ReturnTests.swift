import Foundation
import ScrollTraceModel
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

/// What threads that end and recordings that are finished give back.
@Suite(.serialized) struct ReturnTests {
  /// Threads one after the other, each with its own few events.
  private func runShortThreads(_ count: Int, _ recorder: TraceRecorder) {
    for index in 0..<count {
      TestThread.run {
        recorder.withSpan("outer") { recorder.withSpan("inner", item: ItemID(index)) {} }
        recorder.mark("end", item: ItemID(index))
      }
    }
  }

  @Test func `short threads share chunks, and each keeps what is its own`() throws {
    let count = 3_000
    for kind in RoundTripTests.SinkKind.allCases {
      let bytes = try RoundTripTests.record(kind) { recorder in
        recorder.mark("main")
        runShortThreads(count, recorder)
      }
      // 32 KiB each would be 98 MB.
      #expect(bytes.count < count * 400)
      let walker = try StrictWalker(bytes)
      #expect(walker.events.count == 3 * count + 1)
      var threads: [UInt64: Int] = [:]
      for event in walker.events { threads[event.thread, default: 0] += 1 }
      #expect(threads.count > count / 2)
      #expect(threads.values.allSatisfy { $0 % 3 == 0 || $0 == 1 })
      let trace = try Trace.read(bytes)
      #expect(trace.losses.isEmpty)
      #expect(trace.spanCount == 2 * count)
    }
  }

  @Test func `in a ring, short threads leave room for what came before`() throws {
    let path = TemporaryPath()
    let options = RecorderOptions.with { $0.ringBytes = 400_000 }
    let recorder = try TraceRecorder(writingTo: path.path, options: options)
    runShortThreads(1_500, recorder)
    try recorder.finish()
    let walker = try StrictWalker(path.read())
    let marks = walker.events.filter { $0.name == "end" }.map(\.time).sorted()
    // 12 chunks of one thread each would be 12 marks.
    #expect(marks.count > 1_000)
    #expect(try Trace.read(path.read()).losses.isEmpty)
  }

  #if os(Linux)
    @Test func `finished recordings give memory and address space back`() throws {
      let path = TemporaryPath()
      let count = 400
      func once() throws {
        let options = RecorderOptions.with { $0.replacesExistingFile = true }
        let recorder = try TraceRecorder(writingTo: path.path, options: options)
        recorder.withSpan("work", item: 1) { recorder.mark("here") }
        recorder.beginFrame().end()
        TestThread.run { recorder.withSpan("elsewhere") {} }
        try recorder.finish()
        recorder.mark("late")
        #expect(recorder.losses.afterFinish == 1)
      }
      for _ in 0..<20 { try once() }
      // Other tests allocate at the same time, so the least of several rounds counts.
      var (memory, space) = (Int.max, Int.max)
      for _ in 0..<8 where memory >= count * 24 || space >= count * 50_000 {
        let start = try (ProcessFacts.residentKilobytes(), ProcessFacts.addressKilobytes())
        for _ in 0..<count { try once() }
        memory = min(memory, try ProcessFacts.residentKilobytes() - start.0)
        space = min(space, try ProcessFacts.addressKilobytes() - start.1)
      }
      // A few KiB each: the recorder itself, so that late calls do no harm. A chunk has 32.
      #expect(memory < count * 24)
      // Not 1 GiB each.
      #expect(space < count * 50_000)
    }
  #endif

  @Test func `recordings are finished while others are inside, and give all back`() throws {
    for round in 0..<(ExtraCases.isThorough ? 40 : 6) {
      let path = TemporaryPath()
      let recorder = try TraceRecorder(writingTo: path.path)
      let open = recorder.beginSpan("open")
      let threads = (0..<3).map { _ in
        TestThreadHandle {
          for index in 0..<(20_000 + round * 100) {
            recorder.withSpan("work", item: ItemID(index)) {}
            if index % 100 == 0 {
              recorder.setState("state", to: "\(index % 7)")
              recorder.withSpan(recorder.registerName("name \(index)")) {}
            }
          }
          _ = recorder.losses
        }
      }
      usleep(UInt32(round * 50))
      try recorder.finish()
      recorder.endSpan(open)
      _ = recorder.now()
      for thread in threads { thread.join() }
      let walker = try StrictWalker(path.read())
      #expect(walker.session[20] == 1)
    }
  }

  @Test func `tokens of a finished recording do no harm to the next ones`() throws {
    let first = try TraceRecorder(to: .memory)
    let tokens = (0..<40).map { _ in first.beginSpan("open") }
    try first.finish()
    let second = try TraceRecorder(to: .memory)
    second.withSpan("around") {
      for token in tokens { second.endSpan(token) }
    }
    let third = first.makeSimulatedThread(id: 7, name: "late")
    third.withSpan("late") {}
    first.nameThread("late")
    first.withSpan(first.registerName("late")) {}
    #expect(first.dumpPaths.isEmpty)
    try second.finish()
    let walker = try StrictWalker(#require(second.recordedBytes))
    #expect(walker.events.map(\.name) == ["around"])
    #expect(try StrictWalker(#require(first.recordedBytes)).openSpans.count == 32)
  }
}
