import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceRecorder

/// The hitch time that a recorder sees while it records.
struct HitchMeterTests {
  private let refresh: Int64 = 10_000_000

  /// Frames whose pictures come at `pictures`, each `late` refreshes after its target, in one motion from
  /// `start` to `end`.
  private func ratio(
    _ pictures: [Int64], motion range: (start: Int64, end: Int64?), late: [Int: Int64] = [:]
  ) -> Double {
    let (meter, motion) = (HitchMeter(), MotionMeter())
    motion.begin(at: range.start)
    for (index, picture) in pictures.enumerated() {
      if let end = range.end, picture > end { motion.end(at: end) }
      let due = picture - (late[index] ?? 0) * refresh
      let tick = FrameTiming(
        start: due - 2 * refresh, target: due, refreshInterval: refresh)
      meter.addPresentation(tick, at: picture, motion)
    }
    if let end = range.end { motion.end(at: end) }
    return meter.hitchTimeRatio(motion)
  }

  /// Times of 100 refreshes from `start` on, without those in `missed`.
  private func pictures(from start: Int64, missed: Range<Int> = 0..<0) -> [Int64] {
    (0..<100).filter { !missed.contains($0) }.map { start + Int64($0) * refresh }
  }

  @Test func `a motion with a picture at each refresh has no hitch time`() {
    let smooth = pictures(from: 1_020_000_000)
    #expect(ratio(smooth, motion: (1_000_000_000, 2_000_000_000)) == 0)
    #expect(ratio(smooth, motion: (1_000_000_000, nil)) == 0)
  }

  @Test func `missed refreshes count once, whether or not their frame was late`() {
    let gap = pictures(from: 1_020_000_000, missed: 40..<45)
    #expect(ratio(gap, motion: (1_000_000_000, 2_000_000_000)) == 50)
    #expect(ratio(gap, motion: (1_000_000_000, 2_000_000_000), late: [40: 5]) == 50)
    // Frames that stay as late as the one before are late no more.
    let late = Dictionary(uniqueKeysWithValues: (40..<95).map { ($0, Int64(5)) })
    #expect(ratio(gap, motion: (1_000_000_000, 2_000_000_000), late: late) == 50)
  }

  @Test func `a rest before and after a motion is no hitch time`() {
    let (first, second) = (pictures(from: 1_000_000_000), pictures(from: 5_020_000_000))
    #expect(ratio(first + second, motion: (5_000_000_000, 6_000_000_000)) == 0)
    #expect(ratio(first + second, motion: (1_000_000_000, 2_150_000_000)) == 0)
  }

  @Test func `a late first picture is hitch time, as far as it is in motion`() {
    #expect(ratio(pictures(from: 1_130_000_000), motion: (1_000_000_000, 2_000_000_000)) == 100)
  }

  @Test func `refreshes for which nothing was requested are not missed`() {
    let (meter, motion) = (HitchMeter(), MotionMeter())
    motion.begin(at: 1_000_000_000)
    for index in 0..<100 as Range<Int64> {
      let start = 1_000_000_000 + index * refresh
      if 30..<60 ~= index {
        meter.addNothingRequested()
      } else {
        let tick = FrameTiming(start: start, deadline: start + refresh, refreshInterval: refresh)
        meter.addCommit(tick, at: start + 5_000_000, motion)
      }
    }
    motion.end(at: 2_000_000_000)
    #expect(meter.hitchTimeRatio(motion) == 0)
  }

  @Test func `impossible times count nothing`() {
    let (meter, motion) = (HitchMeter(), MotionMeter())
    motion.begin(at: .min)
    motion.begin(at: 5)
    for time in [Int64.min, -1, .max, 1 << 61] {
      let tick = FrameTiming(
        start: time, deadline: time, target: .max, refreshInterval: time)
      meter.addPresentation(tick, at: time, motion)
      meter.addCommit(tick, at: .max, motion)
      meter.addHitch(at: time, length: .max, motion)
    }
    motion.end(at: .max)
    #expect(meter.hitchTimeRatio(motion) == 0)
  }
}
