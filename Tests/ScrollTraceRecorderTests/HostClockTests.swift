import CRecorderShims
import Foundation
import ScrollTraceModel
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

/// Times of the display that cannot be on the recorder's clock (M-2).
struct HostClockTests {
  /// The recording's notices, whose frames have what `tick` gives.
  private static func notices(
    _ clock: RecorderClock = .monotonic, ring: Bool = false, threads: Int = 1,
    _ tick: @escaping @Sendable (TraceRecorder) -> (timing: FrameTiming, presented: RecorderTime?)
  ) throws -> [String] {
    var options = RecorderOptions()
    options.clock = clock
    if ring { options.ringBytes = 1 << 17 }
    let bytes = try RoundTripTests.record(options: options) { recorder in
      TestThread.run(threads) { _ in
        for _ in 0..<(ring ? 20_000 : 20) {
          let (timing, presented) = tick(recorder)
          let frame = recorder.beginFrame(timing)
          frame.end()
          if let presented { frame.markPresented(at: presented) }
        }
      }
    }
    return try Trace.read(bytes).notices.compactMap {
      // The reader finds wrong times by itself.
      if case .source(let text) = $0, !text.contains(" is not measurable: ") { text } else { nil }
    }
  }

  private static func now(_ clock: clockid_t) -> RecorderTime {
    .nanoseconds(Int64(scrolltrace_clock(clock)))
  }

  private static let advice =
    "record with the display's clock, or give nanoseconds on the recording's"

  @Test func `times on the recorder's clock, or of the host's own, are not noticed`() throws {
    for clock in [RecorderClock.uptime, .monotonic, .continuous] {
      let notices = try Self.notices(clock) { recorder in
        let now = recorder.now()
        let timing = FrameTiming(
          start: now - 900_000_000, deadline: now + 900_000_000, target: now + 900_000_000)
        return (timing, now - 900_000_000)
      }
      #expect(notices.isEmpty, "\(clock): \(notices)")
    }
    let time = RecorderTime.nanoseconds(1 << 60)
    let far = FrameTiming(start: time)
    #expect(try Self.notices(.manual(start: 5)) { _ in (far, time) }.isEmpty)
    #expect(try Self.notices(.custom { 5 }) { _ in (far, time) }.isEmpty)
    #expect(try Self.notices { _ in (FrameTiming(refreshInterval: 1), nil) }.isEmpty)
  }

  @Test func `the first frame's distance is noticed once, with both clocks`() throws {
    for (ring, threads) in [(false, 1), (false, 8), (true, 1)] {
      let notices = try Self.notices(ring: ring, threads: threads) { recorder in
        (FrameTiming(deadline: Self.now(CLOCK_REALTIME)), Self.now(CLOCK_REALTIME))
      }
      let notice = try #require(notices.first { $0.contains("clock") })
      #expect(notices.count { $0.contains("clock") } == 1)
      let distance =
        (Self.now(CLOCK_REALTIME) - Self.now(CLOCK_MONOTONIC)).nanoseconds / 1_000_000_000
      #expect(
        notice.hasPrefix(
          "the deadline of the first frame of \"display\" is \(distance / 100)"))
      #expect(
        notice.hasSuffix(
          " s ahead of the recording's clock, CLOCK_MONOTONIC; it seems to be on CLOCK_REALTIME: "
            + Self.advice), "\(notice)")
    }
  }

  @Test(arguments: [(1_000, "microseconds"), (1_000_000, "milliseconds")])
  func `another unit is named`(_ unit: Int64, _ name: String) throws {
    let notices = try Self.notices { _ in
      (FrameTiming(start: Self.now(CLOCK_REALTIME).nanoseconds / unit), nil)
    }
    #expect(notices.count == 1)
    #expect(
      notices[0].hasSuffix("; it seems to be in \(name) of CLOCK_REALTIME: give nanoseconds"),
      "\(notices)")
  }

  @Test func `a time that fits no clock is noticed, also one of presentation`() throws {
    let target = try Self.notices { recorder in
      (FrameTiming(start: recorder.now(), target: recorder.now() - 3_050_000_000), nil)
    }
    #expect(
      target == [
        "the target of the first frame of \"display\" is 3.0 s behind the recording's clock, "
          + "CLOCK_MONOTONIC; \(Self.advice)"
      ])
    let presented = try Self.notices { recorder in
      (FrameTiming(start: recorder.now()), recorder.now() + 2_050_000_000)
    }
    #expect(
      presented == [
        "the presentation of the first frame of \"display\" is 2.0 s ahead of the recording's clock, "
          + "CLOCK_MONOTONIC; \(Self.advice)"
      ])
    for count in [Int64.min, .min + 1, .max, -1] {
      let time = RecorderTime.nanoseconds(count)
      #expect(try Self.notices { _ in (FrameTiming(start: time), time) }.count == 1)
    }
  }
}
