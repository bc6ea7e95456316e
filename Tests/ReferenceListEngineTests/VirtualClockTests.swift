import ScrollTraceRecorder
import Testing

@testable import ReferenceListEngine

/// Threads in virtual time.
@Suite struct VirtualClockTests {
  private func job(_ number: UInt64, _ cost: Nanoseconds) -> LoadJob {
    LoadJob(
      item: ListItem(id: ItemID(number), kind: .photo, bytes: 1), view: nil, flow: 1,
      lead: 10,
      download: cost, decode: nil)
  }

  private func clock(loaders: Int) throws -> VirtualClock {
    let clock = VirtualClock(start: 1000)
    let recorder = try TraceRecorder(to: .memory, options: .virtual(clock.recorderClock))
    clock.startLoaders(loaders, recorder: recorder)
    return clock
  }

  @Test func `threads work concurrently and take jobs in order`() throws {
    let clock = try clock(loaders: 2)
    for (number, cost) in [(UInt64(1), Nanoseconds(100)), (2, 40), (3, 20), (4, 500)] {
      clock.start(job(number, cost))
    }
    clock.work(80)
    // 2 is done after 50 and 3 after 80; 1 after 110.
    #expect(clock.takeFinished().map(\.item.id.number) == [2, 3])
    clock.sleep(until: 1110)
    #expect(clock.takeFinished().map(\.item.id.number) == [1])
    #expect(clock.now == 1110)
    clock.sleep(until: 1000)
    #expect(clock.now == 1110)
    clock.stopLoaders()
    #expect(clock.takeFinished().map(\.item.id.number) == [4])
    #expect(clock.now == 1590)
  }

  @Test func `an alarm fires once, in the middle of work`() throws {
    let clock = try clock(loaders: 1)
    var rung: [Nanoseconds] = []
    clock.setAlarm(at: 1050) { rung.append(clock.now) }
    clock.work(200)
    clock.work(200)
    #expect(rung == [1050])
    #expect(clock.now == 1400)
  }
}
