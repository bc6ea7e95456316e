import Foundation
import ScrollTraceImport
import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceRecorder

/// The choice of the traces to keep, at the end of a recording.
struct KeptTraceTests {
  private static func options(oneIn count: Int = 100, draw: UInt64 = .max) -> RecorderOptions {
    var options = RecorderOptions()
    options.clock = .manual(start: 0)
    options.keptTraces = .oneIn(count, andAllOver: 10)
    options.draw = draw
    return options
  }

  /// A drag of a second at 100 Hz whose frame 50 ends `late` nanoseconds after its deadline.
  private static func scroll(_ recorder: TraceRecorder, late: Int64 = 0) {
    let refresh: Int64 = 10_000_000
    recorder.setTime(1_000_000_000)
    let drag = recorder.beginInteraction(.drag)
    var start: Int64 = 1_000_000_000
    for number in 0..<100 {
      recorder.setTime(start)
      let frame = recorder.beginFrame(
        FrameTiming(start: start, deadline: start + refresh, refreshInterval: refresh))
      let end = start + 4_000_000 + (number == 50 ? 6_000_000 + late : 0)
      recorder.setTime(end)
      frame.end()
      start += refresh * max(1, (end - start + refresh - 1) / refresh)
    }
    recorder.setTime(start)
    recorder.endInteraction(drag)
  }

  private static func weight(_ bytes: [UInt8]) throws -> UInt64? {
    try RingTests.read(bytes).source.weight
  }

  @Test func `a trace below the limit is deleted unless the draw is for it`() throws {
    for isDrawn in [false, true] {
      let path = TemporaryPath()
      // The smallest number that is not drawn is one more than 2⁶⁴ / 100.
      let options = Self.options(draw: isDrawn ? .max / 100 : .max / 100 + 1)
      let recorder = try TraceRecorder(writingTo: path.path, options: options)
      Self.scroll(recorder)
      #expect(recorder.isKept)
      try recorder.finish()
      #expect(recorder.isKept == isDrawn)
      #expect((path.size > 0) == isDrawn)
      if isDrawn { #expect(try Self.weight(path.read()) == 100) }
      try recorder.finish()
      #expect(recorder.isKept == isDrawn)
    }
  }

  @Test func `a trace over the limit is kept and stands for itself`() throws {
    let path = TemporaryPath()
    let recorder = try TraceRecorder(writingTo: path.path, options: Self.options())
    // One refresh of a hundred: 10 ms in about a second.
    Self.scroll(recorder, late: 10_000_001)
    try recorder.finish()
    #expect(try Self.weight(path.read()) == 1)
  }

  @Test func `a file written with ordinary writes is deleted too`() throws {
    let path = TemporaryPath()
    let recorder = try TraceRecorder(to: .file(path: path.path), options: Self.options())
    for _ in 0..<20 { Self.scroll(recorder) }
    try recorder.finish()
    #expect(path.size == -1)
    #expect(recorder.losses.total == 0)
  }

  @Test func `a recording in memory that is not kept has no bytes`() throws {
    let path = TemporaryPath()
    let recorder = try TraceRecorder(to: .memory, options: Self.options())
    Self.scroll(recorder)
    #expect(recorder.recordedBytes != nil)
    try recorder.finish()
    #expect(recorder.recordedBytes == nil)
    #expect(throws: RecorderError.self) { try recorder.dump(to: path.path) }
    #expect(path.size == -1)
  }

  @Test func `a file that was moved or replaced is never deleted`() throws {
    let (path, moved) = (TemporaryPath(), TemporaryPath())
    let recorder = try TraceRecorder(writingTo: path.path, options: Self.options())
    Self.scroll(recorder)
    #expect(rename(path.path, moved.path) == 0)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: path.path))
    try recorder.finish()
    #expect(recorder.isKept)
    #expect(try path.read() == Array("mine".utf8))
    #expect(try Self.weight(moved.read()) == 1)
  }

  @Test func `a trace whose process ended before the recording stands for itself`() throws {
    let path = TemporaryPath()
    let recorder = try TraceRecorder(writingTo: path.path, options: Self.options(draw: 0))
    Self.scroll(recorder)
    var killed = try path.read()
    #expect(try RingTests.read(killed).source.wasClosed == false)
    #expect(try Self.weight(killed) == nil)
    try recorder.finish()
    // Killed between writing the weight and marking the end.
    killed = try path.read()
    killed[RecordingLayout.sessionPayloadOffset + RecordingLayout.Session.state] = 0
    #expect(try Self.weight(killed) == nil)
  }

  @Test func `a damaged weight is a loss and does not count`() throws {
    let path = TemporaryPath()
    let recorder = try TraceRecorder(writingTo: path.path, options: Self.options(draw: 0))
    Self.scroll(recorder)
    try recorder.finish()
    let whole = try path.read()
    let start = RecordingLayout.sessionPayloadOffset + RecordingLayout.Session.weight
    for bit in stride(from: 0, to: 128, by: 7) {
      var bytes = whole
      bytes[start + bit / 8] ^= 1 << UInt8(bit % 8)
      let trace = try RingTests.read(bytes)
      #expect(trace.source.weight == nil)
      #expect(trace.losses.map(\.reason) == [.invalidValue])
    }
  }

  @Test func `a recording that samples no stacks has no cost of sampling`() throws {
    var options = Self.options(draw: 0)
    options.clock = .uptime
    let recorder = try TraceRecorder(to: .memory, options: options)
    recorder.withSpan("work") {}
    try recorder.finish()
    let source = try RingTests.read(#require(recorder.recordedBytes)).source
    #expect(source.weight == 100)
    #expect(source.recorderCost?.sampling == nil)
  }

  @Test func `a recorder that keeps all traces writes no weight`() throws {
    for kept in [KeptTraces.all, .oneIn(1, andAllOver: 0), .oneIn(-5, andAllOver: 0)] {
      var options = Self.options()
      options.keptTraces = kept
      let recorder = try TraceRecorder(to: .memory, options: options)
      Self.scroll(recorder)
      try recorder.finish()
      let bytes = try #require(recorder.recordedBytes)
      #expect(try StrictWalker(bytes).session.count == RecordingLayout.Session.extendedSize / 8)
      #expect(try Self.weight(bytes) == nil)
    }
  }

  @Test func `chance is fair, and limits are exact`() {
    let kept = KeptTraces.oneIn(7, andAllOver: 10)
    var generator = SeededGenerator(seed: 3)
    var count = 0
    for _ in 0..<70_000 {
      let weight = kept.weight(ofTraceWith: 10, draw: generator.next())
      #expect(weight == nil || weight == 7)
      count += weight == nil ? 0 : 1
    }
    // 10 000 with a standard deviation of 93.
    #expect(abs(count - 10_000) < 300)
    #expect(kept.weight(ofTraceWith: 10.000_001, draw: .max) == 1)
    #expect(kept.weight(ofTraceWith: .nan, draw: .max) == 1)
    let most = KeptTraces.oneIn(.max, andAllOver: .infinity)
    #expect(most.weight(ofTraceWith: 1e9, draw: 0) == 1_000_000_000)
  }
}

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
      meter.notePresentation(tick, at: picture, motion)
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
        meter.noteNothingRequested()
      } else {
        let tick = FrameTiming(start: start, deadline: start + refresh, refreshInterval: refresh)
        meter.noteCommit(tick, at: start + 5_000_000, motion)
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
      meter.notePresentation(tick, at: time, motion)
      meter.noteCommit(tick, at: .max, motion)
      meter.noteHitch(at: time, length: .max, motion)
    }
    motion.end(at: .max)
    #expect(meter.hitchTimeRatio(motion) == 0)
  }
}
