import CRecorderShims
import Foundation
import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

/// Recording from a signal handler, which may interrupt the recorder anywhere.
@Suite(.serialized) struct SignalTests {
  nonisolated(unsafe) private static var recorder: TraceRecorder?
  private nonisolated(unsafe) static let handled = makeWord()

  private static func makeWord() -> UnsafeMutablePointer<UInt64> {
    let word = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
    word.initialize(to: 0)
    return word
  }

  @Test func `a handler's events are recorded or refused and counted, and nothing hangs`() throws {
    // Threads of a pool may block signals.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGUSR2)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    let path = TemporaryPath()
    let recorder = try TraceRecorder(writingTo: path.path, options: .with { $0.ringBytes = nil })
    Self.recorder = recorder
    scrolltrace_store(Self.handled, 0)
    // The first of its kind, outside of a handler.
    recorder.withSpan("signal") {}
    recorder.mark("signal mark")
    var action = sigaction()
    var before = sigaction()
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = { _ in SignalTests.handle() }
    #else
      action.__sigaction_handler.sa_handler = { _ in SignalTests.handle() }
    #endif
    sigaction(SIGUSR2, &action, &before)
    defer { sigaction(SIGUSR2, &before, nil) }
    let isDone = Locked(false)
    let main = pthread_self()
    let target = Unmanaged.passRetained(Box(main))
    let source = TestThreadHandle { [target] in
      while !isDone.withLock({ $0 }) {
        pthread_kill(target.takeUnretainedValue().thread, SIGUSR2)
        usleep(20)
      }
    }
    var spans: UInt64 = 2
    var marks: UInt64 = 1
    let deadline = Date().addingTimeInterval(ExtraCases.isThorough ? 2 : 0.3)
    var round = 0
    while Date() < deadline {
      // New names take locks, full chunks too.
      recorder.withSpan(recorder.registerName("name \(round)")) {}
      for _ in 0..<50 {
        recorder.withSpan("work", item: 7) {}
        recorder.mark("here")
      }
      let frame = recorder.beginFrame()
      frame.phases { $0.layout {} }
      frame.end()
      spans += 1 + 50 + 2
      marks += 50 + 1
      round += 1
    }
    spans -= 1
    isDone.withLock { $0 = true }
    source.join()
    target.release()
    try recorder.finish()
    let walker = try StrictWalker(path.read())
    let handled = scrolltrace_load(Self.handled)
    let all = spans + marks + 2 * handled
    #expect(handled > (ExtraCases.isThorough ? 1_000 : 100))
    #expect(UInt64(walker.events.count) + recorder.losses.insideRecorder == all)
    let refused = recorder.losses.insideRecorder
    #expect(refused > 0)
    #expect(refused < all / 2)
    // What the interrupted thread itself recorded is all there.
    #expect(walker.events.count { $0.name == "here" } == round * 50)
    #expect(walker.events.count { $0.name == "work" } == round * 50)
    #expect(walker.openSpans.isEmpty)
    #expect(try Trace.read(path.read()).losses.map(\.count) == [refused])
  }

  private static func handle() {
    let error = errno
    scrolltrace_add(handled, 1)
    recorder?.withSpan("signal") {}
    recorder?.mark("signal mark")
    errno = error
  }

  private final class Box: @unchecked Sendable {
    let thread: pthread_t
    init(_ thread: pthread_t) { self.thread = thread }
  }
}

/// A real thread that runs beside its creator until it is joined.
final class TestThreadHandle {
  private let done = DispatchSemaphore(value: 0)

  init(_ body: @escaping @Sendable () -> Void) {
    let done = done
    Thread.detachNewThread {
      body()
      done.signal()
    }
  }

  func join() { done.wait() }
}
