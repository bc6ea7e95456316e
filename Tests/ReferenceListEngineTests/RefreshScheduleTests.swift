import ScrollTraceRecorder
import Testing

@testable import ReferenceListEngine

/// The grid of refreshes and the display that shows frames on it.
@Suite struct RefreshScheduleTests {
  static let changing = RefreshSchedule(
    start: 1000, rates: [.init(from: 0, hertz: 100), .init(from: 95_000_000, hertz: 50)])

  @Test func `a new rate starts at the first refresh at or after its time`() {
    let schedule = Self.changing
    #expect((0...3).map { schedule.time(of: $0) } == [1000, 10_001_000, 20_001_000, 30_001_000])
    #expect(
      (9...12).map { schedule.time(of: $0) - 1000 }
        == [90_000_000, 100_000_000, 120_000_000, 140_000_000])
  }

  @Test func `every time lies between two consecutive refreshes`() {
    let schedule = Self.changing
    for time in stride(from: Nanoseconds(1000), to: 300_000_000, by: 1_234_567) {
      let before = schedule.index(atOrBefore: time)
      let after = schedule.index(atOrAfter: time)
      #expect(schedule.time(of: before) <= time && time <= schedule.time(of: after))
      #expect(after - before == (schedule.time(of: before) == time ? 0 : 1))
    }
    for index in 0..<30 {
      #expect(schedule.index(atOrAfter: schedule.time(of: index)) == index)
      #expect(schedule.index(atOrBefore: schedule.time(of: index)) == index)
    }
  }

  // refresh   0    1    2    3    4    5
  // begin     |1              |2
  // done           .  1       .2
  // shown               due 1 |1   |2      frame 1 is one refresh late, frame 2 is not
  @Test func `a slightly late commit costs one refresh`() {
    var display = SimulatedDisplay()
    let schedule = RefreshSchedule(start: 0, rates: [.init(from: 0, hertz: 100)])
    #expect(display.present(0, of: schedule, committedAt: 10_000_001, isMoving: true) == 30_000_000)
    #expect(display.present(2, of: schedule, committedAt: 21_000_000, isMoving: true) == 40_000_000)
    #expect(display.deadlineMisses == 1)
    #expect(display.hitches == 1)
    #expect(display.hitchTime == 10_000_000)
  }

  @Test func `a commit that ends at its deadline is on time`() {
    var display = SimulatedDisplay()
    let schedule = RefreshSchedule(start: 0, rates: [.init(from: 0, hertz: 100)])
    #expect(display.present(0, of: schedule, committedAt: 10_000_000, isMoving: true) == 20_000_000)
    #expect(display.deadlineMisses == 0)
  }

  @Test func `refreshes without a frame count in motion but not at rest`() {
    let schedule = RefreshSchedule(start: 0, rates: [.init(from: 0, hertz: 100)])
    var moving = SimulatedDisplay()
    moving.move(at: 0)
    _ = moving.present(0, of: schedule, committedAt: 1, isMoving: true)
    _ = moving.present(5, of: schedule, committedAt: 50_000_001, isMoving: true)
    #expect(moving.hitchTime == 40_000_000)
    #expect(moving.deadlineMisses == 0)
    var resting = SimulatedDisplay()
    _ = resting.present(0, of: schedule, committedAt: 1, isMoving: true)
    resting.rest()
    _ = resting.present(5, of: schedule, committedAt: 50_000_001, isMoving: true)
    #expect(resting.hitchTime == 0)
  }
}
