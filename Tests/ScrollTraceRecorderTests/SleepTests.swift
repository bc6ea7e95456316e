import ScrollTraceModel
import Testing

@testable import ScrollTraceRecorder

/// A machine that sleeps while it is recorded.
struct SleepTests {
  private func reading(_ awake: UInt64, slept: UInt64, took: UInt64) -> SleepWatch.Reading {
    SleepWatch.Reading(before: awake, all: awake + took / 2 + slept, after: awake + took)
  }

  @Test func `sleep is reported once with its length, even to a delayed thread`() {
    var watch = SleepWatch(reading(1_000, slept: 7_000_000, took: 2_000_000_000))
    #expect(watch.sleep(until: reading(3_000_000_000, slept: 7_000_000, took: 100)) == 0)
    #expect(watch.sleep(until: reading(4_000_000_000, slept: 7_000_000, took: 900_000_000)) == 0)
    let slept = watch.sleep(until: reading(5_000_000_000, slept: 3_007_000_000, took: 100))
    #expect((2_999_999_000...3_000_000_000).contains(slept))
    #expect(watch.sleep(until: reading(6_000_000_000, slept: 3_007_000_000, took: 100)) == 0)
    let again = watch.sleep(until: reading(6_000_000_000, slept: 3_057_000_000, took: 100))
    #expect((49_999_000...50_000_000).contains(again))
  }

  @Test func `clocks with a negative difference, as in a time namespace, are not sleep`() {
    var watch = SleepWatch(SleepWatch.Reading(before: 900, all: 100, after: 910))
    #expect(watch.sleep(until: SleepWatch.Reading(before: 2900, all: 2100, after: 2910)) == 0)
  }

  @Test func `the trace states how long the machine slept, and when that was noticed`() throws {
    let bytes = try RoundTripTests.record { recorder in
      recorder.mark("before")
      guard let writer = recorder.pointer.enter() else { return }
      writer.writeSleep(3_000_000_000)
      writer.writeSleep(250_000_000)
      recorder.pointer.leave(writer)
      recorder.mark("after")
    }
    let walker = try StrictWalker(bytes)
    #expect(walker.events.map(\.name) == ["before", "sleep", "sleep", "after"])
    #expect(walker.events[1].category == "scrolltrace.machine")
    #expect(walker.events[1].arguments == ["duration": .unsigned(3_000_000_000)])
    let trace = try Trace.read(bytes)
    #expect(trace.notices.contains(.source("the machine slept for 3.250 s during the recording")))
    #expect(trace.losses.isEmpty)
  }

  @Test func `a machine that stays awake records no sleep`() throws {
    let walker = try StrictWalker { recorder in
      for _ in 0..<10_000 { recorder.withSpan("step") {} }
    }
    #expect(walker.events.allSatisfy { $0.category == "scrolltrace.work" })
  }
}
