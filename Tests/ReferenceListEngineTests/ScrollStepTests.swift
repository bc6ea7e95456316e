import ReferenceListEngine
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

/// How the content moves.
@Suite struct ScrollStepTests {
  @Test
  func `a deceleration loses 0.2% of its speed per millisecond and ends at 10 points per second`() {
    let step = ScrollStep.deceleration(velocity: 2_000_000)
    // 0.998^n <= 10 / 2000 from n = 2647 on; whole thousandths of a point end it a little earlier.
    #expect((2_600_000_000...2_647_000_000).contains(step.duration))
    // The whole way is v / (1 - 0.998) per millisecond, less what ten points a second had left.
    let way = step.distance(after: step.duration)
    #expect((985_000...1_000_000).contains(way))
    // The velocity halves about every 346 ms.
    let first = step.distance(after: 10_000_000)
    let later = step.distance(after: 356_000_000) - step.distance(after: 346_000_000)
    #expect((48...52).contains(later * 100 / first))
  }

  @Test func `content never jumps and never reverses within a step`() async {
    await forEachCase(
      of: [
        ScrollStep.drag(velocity: 1_234_567, for: 700_000_000),
        .drag(velocity: -500_000, for: 700_000_000), .deceleration(velocity: 1_500_000),
        .deceleration(velocity: -1_500_000), .animation(distance: 900_000, for: 450_000_000),
        .animation(distance: -900_000, for: 450_000_000), .rest(5),
      ], oneCase)
    @Sendable func oneCase(step: ScrollStep) throws {
      let end = step.distance(after: step.duration)
      let direction = end.signum()
      var last: Millipoints = 0
      #expect(step.distance(after: 0) == 0)
      #expect(step.distance(after: -5) == 0)
      for time in stride(from: Nanoseconds(0), through: step.duration, by: 1_700_000) {
        let place = step.distance(after: time)
        #expect((place - last) * direction >= 0)
        #expect(abs(place - last) < 10_000)
        last = place
      }
      #expect(step.distance(after: step.duration + 1_000_000_000) == end)
    }
  }

  @Test func `an animation ends at its target`() {
    let step = ScrollStep.animation(distance: 900_000, for: 333_333_333)
    #expect(step.distance(after: step.duration) == 900_000)
    #expect((440_000...460_000).contains(step.distance(after: step.duration / 2)))
  }

  @Test func `a reading session lasts as long as requested`() async {
    await forEachCase(of: UInt64(1)...6, oneCase)
    @Sendable func oneCase(seed: UInt64) throws {
      let session = ScrollScript.reading(for: 5_000_000_000, seed: seed)
      #expect(session.duration == 5_000_000_000)
      #expect(session == .reading(for: 5_000_000_000, seed: seed))
      #expect(session != .reading(for: 5_000_000_000, seed: seed + 100))
    }
  }
}
