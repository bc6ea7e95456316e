import Dispatch
import ScrollTraceLayout
import Testing

@Suite struct LockedTests {
  @Test func `threads count one at a time`() {
    let count = Locked(0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<1000 { count.withLock { $0 += 1 } }
    }
    #expect(count.withLock { $0 } == 8000)
  }

  @Test func `an error leaves the lock free`() {
    struct Failure: Error {}
    let text = Locked("a")
    #expect(throws: Failure.self) { try text.withLock { _ in throw Failure() } }
    #expect(text.withLock { $0 } == "a")
  }
}
