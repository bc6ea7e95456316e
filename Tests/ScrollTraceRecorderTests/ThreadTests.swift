import ScrollTraceLayout
import Foundation
import ScrollTraceModel
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

/// Threads come and go.
struct ThreadTests {
  @Test func `300 threads at once record everything and return their slots`() throws {
    let path = TemporaryPath()
    let recorder = try TraceRecorder(writingTo: path.path)
    TestThread.run(300) { index in
      for step in 0..<20 { recorder.withSpan("step", item: ItemID(index * 100 + step)) {} }
    }
    recorder.mark("all have ended")
    try recorder.finish()
    let walker = try StrictWalker(path.read())
    var items = Set<StrictWalker.Value>()
    for event in walker.events { if let item = event.arguments["item"] { items.insert(item) } }
    #expect(items.count == 6000)
    #expect(walker.openSpans.isEmpty)
    #expect(recorder.losses.total == 0)
    #expect(walker.chunks.filter { $0.flags & 2 == 0 }.allSatisfy { $0.sealedRecords != nil })
  }

  @Test func `an ended thread passes its slot to the next, so one stack chunk is enough`() throws {
    let walker = try StrictWalker { recorder in
      for index in 0..<100 {
        TestThread.run { recorder.withSpan("short", item: ItemID(index)) {} }
      }
    }
    #expect(walker.chunks.filter { $0.flags & 2 != 0 }.count == 1)
    #expect(walker.events.count == 100)
  }

  @Test func `a span that outlives its thread ends, even if another thread ran in between`() throws
  {
    let recorder = try TraceRecorder(to: .memory)
    let token = Locked<SpanToken?>(nil)
    TestThread.run { token.withLock { $0 = recorder.beginSpan("outlives", item: 1) } }
    // A writer of the ended thread would be reused here, and confused with this thread's.
    TestThread.run {
      recorder.withSpan("next") {}
      if let token = token.withLock({ $0 }) { recorder.endSpan(token) }
    }
    #expect(recorder.losses.endedTwice == 0)
    try recorder.finish()
    let trace = try Trace.read(#require(recorder.recordedBytes))
    #expect(trace.openSpans.isEmpty)
    #expect(trace.asyncSpans.map { trace.name(of: $0.label) } == ["outlives"])
  }

  @Test func `spans that a thread leaves open at its end stay open in the file`() throws {
    let path = TemporaryPath()
    let recorder = try TraceRecorder(writingTo: path.path)
    TestThread.run {
      _ = recorder.beginSpan("left")
      recorder.withSpan("ended") {}
    }
    TestThread.run { recorder.withSpan("other") {} }
    try recorder.finish()
    let walker = try StrictWalker(path.read())
    #expect(walker.openSpans.map(\.name) == ["left"])
    #expect(walker.events.map(\.name) == ["ended", "other"])
    #expect(recorder.losses.total == 0)
  }

  @Test
  func `a recording is finished while other threads are inside spans, which stay open`() throws {
    let path = TemporaryPath()
    let recorder = try TraceRecorder(writingTo: path.path)
    let inside = Locked(0)
    let isFinished = Locked(false)
    TestThread.run(4) { index in
      if index == 0 {
        while inside.withLock({ $0 }) < 3 { sched_yield() }
        #expect(throws: Never.self) { try recorder.finish() }
        isFinished.withLock { $0 = true }
      } else {
        recorder.withSpan("worker", item: ItemID(index)) {
          inside.withLock { $0 += 1 }
          while !isFinished.withLock({ $0 }) { sched_yield() }
        }
      }
    }
    #expect(recorder.losses.total == 0)
    let bytes = try path.read()
    let walker = try StrictWalker(bytes)
    #expect(walker.openSpans.map(\.name) == ["worker", "worker", "worker"])
    let trace = try Trace.read(bytes)
    #expect(trace.losses.isEmpty)
    #expect(trace.source.wasClosed == true)
    #expect(trace.openSpans.count == 3)
  }

  @Test func `several recorders on one thread stay separate`() throws {
    let first = try TraceRecorder(to: .memory)
    let second = try TraceRecorder(to: .memory)
    first.withSpan("outer") {
      second.withSpan("other") { first.withSpan("inner") {} }
    }
    try first.finish()
    try second.finish()
    let names = try [first, second].map {
      try StrictWalker(#require($0.recordedBytes)).events.map(\.name)
    }
    #expect(names == [["inner", "outer"], ["other"]])
  }

  @Test func `a span that another recorder is asked to end ends in its own`() throws {
    let first = try TraceRecorder(to: .memory)
    let second = try TraceRecorder(to: .memory)
    for index in 0..<100 { first.mark(first.registerName("name \(index)")) }
    let late = first.registerName("late")
    let span = first.beginSpan(late)
    let straggler = first.beginSpan(late)
    second.endSpan(straggler)
    second.endSpan(span)
    let lost = first.beginSpan(late)
    try first.finish()
    second.endSpan(lost)
    try second.finish()
    let names = try [first, second].map {
      try StrictWalker(#require($0.recordedBytes)).events.map(\.name).filter { $0 == "late" }
    }
    #expect(names[0].count >= 2)
    #expect(names[1].isEmpty)
    #expect(first.losses.total == 0)
  }

  @Test func `a million spans of four threads are all in the trace or counted`() throws {
    let path = TemporaryPath()
    var options = RecorderOptions()
    // Room for about half of them.
    options.maximumBytes = ExtraCases.isThorough ? 20 << 20 : 2 << 20
    let recorder = try TraceRecorder(writingTo: path.path, options: options)
    let count = ExtraCases.isThorough ? 250_000 : 25_000
    TestThread.run(4) { _ in
      for step in 0..<count { recorder.withSpan("step", item: ItemID(step)) {} }
    }
    try recorder.finish()
    let losses = recorder.losses
    let trace = try Trace.read(path.read())
    #expect(losses.outOfSpace > 0)
    #expect(losses.total == losses.outOfSpace)
    #expect(UInt64(trace.spanCount) + losses.outOfSpace == 4 * UInt64(count))
    #expect(trace.losses.map(\.reason) == [.recorderOutOfSpace])
    #expect(trace.losses.map(\.count) == [losses.outOfSpace])
    #expect(trace.tracks.count { $0.spans.count > 0 } == 4)
  }

  @Test func `spans passed between threads are all recorded, whoever ends them`() throws {
    let recorder = try TraceRecorder(to: .memory)
    let rounds = 2_000
    let handed = HandedSpans()
    let taken = Locked(0)
    TestThread.run(4) { index in
      if index < 2 {
        for _ in 0..<rounds {
          let token = recorder.beginSpan("handed", item: ItemID(index))
          recorder.withSpan("inner") {}
          handed.push(token)
        }
        // While its spans are ended by others, the thread goes on.
        while taken.withLock({ $0 }) < 2 * rounds { recorder.withSpan("own") {} }
      } else {
        while taken.withLock({ $0 }) < 2 * rounds {
          guard let token = handed.pop() else { continue }
          recorder.endSpan(token)
          taken.withLock { $0 += 1 }
        }
      }
    }
    try recorder.finish()
    #expect(recorder.losses.total == 0)
    let walker = try StrictWalker(#require(recorder.recordedBytes))
    #expect(walker.events.count { $0.name == "handed" && $0.type == 5 } == 2 * rounds)
    #expect(walker.events.count { $0.name == "handed" && $0.type == 7 } == 2 * rounds)
    #expect(walker.events.count { $0.name == "inner" } == 2 * rounds)
  }

  @Test
  func `a recording finished while other threads record is valid with correct seals (W9)`() throws {
    for _ in 0..<(ExtraCases.isThorough ? 10 : 4) {
      let path = TemporaryPath()
      let recorder = try TraceRecorder(writingTo: path.path)
      let failed = Locked(false)
      TestThread.run(4) { index in
        if index > 0 {
          while recorder.losses.afterFinish == 0 { recorder.withSpan("busy", item: 1) {} }
        } else {
          for step in 0..<3000 { recorder.withSpan("last", item: ItemID(step)) {} }
          do { try recorder.finish() } catch { failed.withLock { $0 = true } }
          recorder.mark("late")
        }
      }
      #expect(!failed.withLock { $0 })
      let walker = try StrictWalker(path.read())
      #expect(walker.events.filter { $0.name == "last" }.count == 3000)
      #expect(walker.chunks.contains { $0.sealedRecords != nil })
    }
  }

  @Test func `names of threads and of the process are in the file`() throws {
    var options = RecorderOptions()
    options.processName = "Feed"
    options.creatingThread = ThreadIdentity(id: 77, name: "first")
    let walker = try StrictWalker(options: options) { recorder in
      recorder.mark("now")
      recorder.nameThread("renamed")
      let simulated = recorder.makeSimulatedThread(id: 2, name: "decode 1")
      simulated.mark("there")
    }
    #expect(walker.processName == "Feed")
    #expect(walker.threadNames == [77: "renamed", 2: "decode 1"])
    #expect(walker.chunks.filter { $0.thread == 77 }.allSatisfy { $0.flags & 1 == 1 })
    #expect(walker.chunks.filter { $0.thread == 2 }.allSatisfy { $0.flags == 4 })
  }
}

/// Open spans on their way from thread to thread.
final class HandedSpans: @unchecked Sendable {
  // The thread sanitizer does not know the lock of a Mutex.
  private let lock = NSLock()
  private var tokens: [SpanToken] = []

  func push(_ token: SpanToken) { lock.withLock { tokens.append(token) } }
  func pop() -> SpanToken? { lock.withLock { tokens.popLast() } }
  var count: Int { lock.withLock { tokens.count } }
}
