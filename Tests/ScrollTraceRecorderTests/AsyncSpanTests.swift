import Dispatch
import Foundation
import ScrollTraceModel
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

/// Spans of code that is suspended: no work of a thread (F-6).
struct AsyncSpanTests {
  struct Refused: Error, Equatable {}

  /// The names of the spans on threads, and of those apart.
  private func names(_ bytes: [UInt8]) throws -> (work: Set<String>, apart: [String]) {
    let trace = try Trace.read(bytes)
    #expect(trace.losses.isEmpty)
    #expect(trace.openSpans.isEmpty)
    let work = trace.tracks.flatMap { track in
      (0..<track.spans.count).map { trace.name(of: track.spans[$0].label) }
    }
    return (Set(work), trace.asyncSpans.map { trace.name(of: $0.label) }.sorted())
  }

  private func record(
    isolation: isolated (any Actor)? = #isolation, _ body: (TraceRecorder) async throws -> Void
  ) async throws -> [UInt8] {
    let recorder = try TraceRecorder(to: .memory)
    try await body(recorder)
    try recorder.finish()
    #expect(recorder.losses.total == 0 && recorder.losses.endedTwice == 0)
    return try #require(recorder.recordedBytes)
  }

  @Test
  func `a suspending closure is a span of its task, any other of its thread`() async throws {
    let bytes = try await record { recorder in
      await recorder.withSpan("suspends") { await Task.yield() }
      recorder.withSpan("runs") {}
      let doubled = recorder.withSpan("computes") { 2 * 21 }
      #expect(doubled == 42)
      await recorder.withImageStep(.download, item: 7) { await Task.yield() }
      recorder.withImageStep(.decode, item: 7) {}
      await recorder.withDataStep(.load, list: nil, item: 8) { await Task.yield() }
      await recorder.withInteraction(.refresh) { await Task.yield() }
    }
    let (work, apart) = try names(bytes)
    #expect(work == ["runs", "computes", "decode"])
    #expect(apart == ["download", "load", "suspends"])
    #expect(try Trace.read(bytes).interactions.count == 1)
    // A task can go on in another thread, whose chunk is earlier in the file.
    let begins = try StrictWalker(bytes).events.filter { $0.type == 5 }.sorted { $0.time < $1.time }
    #expect(begins.compactMap { $0.arguments["item"] } == [.unsigned(7), .unsigned(8)])
  }

  @Test func `errors pass through with their type, and the span ends`() async throws {
    let bytes = try await record { recorder in
      do throws(Refused) {
        try await recorder.withSpan("fails") { () async throws(Refused) in
          await Task.yield()
          throw Refused()
        }
        Issue.record("no error")
      } catch {
        #expect(error == Refused())
      }
    }
    #expect(try names(bytes).apart == ["fails"])
  }

  @Test func `concurrent tasks have separate spans`() async throws {
    let bytes = try await record { recorder in
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<200 {
          group.addTask {
            await recorder.withSpan("task", item: ItemID(index)) {
              await Task.yield()
              recorder.withSpan("step", item: ItemID(index)) {}
              await Task.yield()
            }
          }
        }
      }
    }
    let trace = try Trace.read(bytes)
    #expect(trace.asyncSpans.count == 200)
    let walker = try StrictWalker(bytes)
    let begins = walker.events.filter { $0.type == 5 }
    #expect(Set(begins.map(\.tail)).count == 200)
    #expect(Set(begins.map { $0.arguments["item"] }).count == 200)
    #expect(Set(walker.events.filter { $0.type == 7 }.map(\.tail)) == Set(begins.map(\.tail)))
  }

  @MainActor @Test func `a token around a suspension that includes frames belongs to no thread`()
    async throws
  {
    let bytes = try await record { recorder in
      let token = recorder.beginSpan("waits", item: 3)
      let loop = Task { @MainActor in
        for _ in 0..<3 {
          let frame = recorder.beginFrame()
          frame.phases { $0.layout {} }
          frame.end()
          await Task.yield()
        }
      }
      await loop.value
      recorder.endSpan(token)
    }
    let (work, apart) = try names(bytes)
    #expect(!work.contains("waits"))
    #expect(work.contains("layout"))
    #expect(apart == ["waits"])
    #expect(try Trace.read(bytes).surfaces.first?.frames.count == 3)
  }

  @Test
  func `a closure around frames is work of its thread, a token around them is not`() throws {
    let bytes = try RoundTripTests.record { recorder in
      recorder.withSpan("closure") {
        recorder.withSpan("closure with item", item: 1) {
          let token = recorder.beginSpan("token")
          let inner = recorder.beginFrame()
          recorder.withSpan("in the frame") {}
          inner.end()
          recorder.endSpan(token)
        }
      }
      recorder.withCellStep(.configure) { recorder.beginFrame().end() }
      let after = recorder.beginSpan("after")
      recorder.endSpan(after)
      recorder.endSpan(after)
    }
    let (work, apart) = try names(bytes)
    #expect(
      work == [
        "closure", "closure with item", "in the frame", "configure", "after", "display",
      ])
    #expect(apart == ["token"])
    #expect(try StrictWalker(bytes).openSpans.isEmpty)
  }

  @Test func `a token that ends inside a later frame does not change that frame's commit`() throws {
    let walker = try StrictWalker { recorder in
      let token = recorder.beginSpan("left")
      let frame = recorder.beginFrame()
      recorder.endSpan(token)
      recorder.endSpan(token)
      #expect(recorder.losses.endedTwice == 1)
      recorder.withSpan("in the frame") {}
      frame.end()
      recorder.withSpan("next") {}
    }
    #expect(
      walker.events.filter { $0.type == 4 }.map(\.name) == ["in the frame", "display", "next"])
    #expect(walker.events.filter { $0.name == "left" }.map(\.type) == [5, 7])
    #expect(walker.openSpans.isEmpty)
  }

  @Test func `events written immediately differ from those recorded after the fact`() throws {
    let bytes = try RoundTripTests.record { recorder in
      recorder.recordSpan("later", from: 1, to: 2)
      let token = recorder.beginSpan("elsewhere")
      TestThread.run { recorder.endSpan(token) }
    }
    let (work, apart) = try names(bytes)
    #expect(work == ["later"])
    #expect(apart == ["elsewhere"])
  }

  @Test func `a task's span that never ends does not fill the thread it started on`() async throws {
    let recorder = try TraceRecorder(to: .memory)
    let task = Task {
      try? await recorder.withSpan("sleeps") {
        recorder.withSpan("works") {}
        try await Task.sleep(for: .seconds(3600))
      }
    }
    while try await !hasWorked(recorder) {}
    try recorder.finish()
    task.cancel()
    let trace = try Trace.read(#require(recorder.recordedBytes))
    #expect(trace.openSpans.map { trace.name(of: $0.label) } == ["sleeps"])
    #expect(trace.openSpans.allSatisfy { $0.until != nil })
  }

  private func hasWorked(_ recorder: TraceRecorder) async throws -> Bool {
    try await Task.sleep(for: .milliseconds(5))
    let bytes = try #require(recorder.recordedBytes)
    return try StrictWalker(bytes, mayEndInPad: true).events.contains { $0.name == "works" }
  }

  #if os(Linux)
    @Test
    func `a dispatch thread that makes frames is named main actor, or as the host says`()
      async throws
    {
      for name in ["", "renderer"] {
        let bytes = try await record { recorder in
          await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            DispatchQueue.global(qos: .userInitiated).async {
              recorder.withSpan("before") {}
              if !name.isEmpty { recorder.nameThread(name) }
              recorder.beginFrame().end()
              recorder.beginFrame().end()
              done.resume()
            }
          }
        }
        let walker = try StrictWalker(bytes)
        #expect(Array(walker.threadNames.values) == [name.isEmpty ? "main actor" : name])
        let trace = try Trace.read(bytes)
        #expect(trace.tracks.map(\.name) == [name.isEmpty ? "main actor" : name])
      }
    }
  #endif
}
