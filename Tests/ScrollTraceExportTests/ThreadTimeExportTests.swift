import ScrollTraceExport
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// What copies say of the time of threads.
struct ThreadTimeExportTests {
  /// Two threads of a host and one of another process, with cores and wakers.
  private static func trace(hasCores: Bool = true) -> Trace {
    var builder = TraceBuilder(format: "test")
    let host = builder.process(1)
    builder.setHost(host)
    let main = builder.track(10, of: host)
    let loader = builder.track(11, of: host)
    let other = builder.track(50, of: builder.process(5))
    for (track, name) in [(main, "main"), (loader, "loader"), (other, "other")] {
      builder.setName(name, of: track)
    }
    builder.setMain(main)
    let label = builder.label(category: "app", name: "work")
    func time(_ nanoseconds: Int64) -> Timestamp { Timestamp(clamping: nanoseconds) }
    builder.addSpan(on: main, from: time(100), to: time(400), label: label)
    func add(
      _ state: ThreadState, _ track: TrackID, _ start: Int64, _ end: Int64, core: Int16? = nil,
      waker: TrackID? = nil
    ) {
      builder.addThreadState(
        state, on: track, from: time(start), to: time(end), core: hasCores ? core : nil,
        waker: waker)
    }
    add(.running, main, 100, 150, core: 0)
    add(.ready, main, 150, 170)
    add(.running, main, 170, 200, core: 0)
    add(.blocked, main, 200, 260)
    add(.ready, main, 260, 280, waker: other)
    add(.running, main, 280, 400, core: 1)
    add(.running, other, 150, 170, core: 0)
    add(.ready, other, 170, 200)
    add(.running, other, 200, 300, core: 0)
    add(.running, loader, 120, 280, core: 1)
    add(.blocked, loader, 280, 400)
    for (at, cpu) in [(100, 5), (400, 205)] as [(Int64, Int64)] {
      var sample = ThreadTimeSample()
      sample.cpu = cpu
      builder.addThreadTime(sample, on: main, at: time(at))
    }
    var sample = ThreadTimeSample()
    (sample.cpu, sample.ready, sample.preemptions) = (9, 1, 2)
    (sample.waits, sample.faults, sample.diskFaults) = (3, 4, 5)
    builder.addThreadTime(sample, on: loader, at: time(300))
    return builder.finish()
  }

  @Test func `NDJSON has the thread times that it can express`() throws {
    let trace = Self.trace()
    let (copy, leftOut) = try trace.copied(as: .ndjson)
    // The slices of the other process, and that its thread woke one of the host.
    #expect(leftOut[.threadState] == 4)
    #expect(leftOut[.threadTime] == 0)
    #expect(copy.states(of: 11) == trace.states(of: 11))
    #expect(
      copy.states(of: 10).map { $0.replacing(" by 50", with: "") }
        == trace.states(of: 10).map { $0.replacing(" by 50", with: "") })
    #expect(copy.cpuTimes(of: 10) == trace.cpuTimes(of: 10))
    #expect(copy.tracks[1].threadTimes[0] == trace.tracks[1].threadTimes[0])
  }

  @Test func `a copy for Perfetto has the kernel's events and a counter`() throws {
    let trace = Self.trace()
    let (copy, leftOut) = try trace.copied(as: .perfetto)
    #expect(leftOut[.threadState] == 0)
    for thread in [10, 11, 50] as [UInt64] {
      #expect(copy.states(of: thread) == trace.states(of: thread))
      #expect(copy.cpuTimes(of: thread) == trace.cpuTimes(of: thread))
    }
    // Of the loader's sample one value has a place.
    #expect(leftOut[.threadTime] == 1)
    #expect(copy.counters.isEmpty)
  }

  @Test func `time without a core is a row of its own in a copy for Perfetto`() throws {
    let trace = Self.trace(hasCores: false)
    let (copy, leftOut) = try trace.copied(as: .perfetto)
    #expect(leftOut[.threadState] == 11)
    #expect(copy.asyncSpans.count == 11)
    #expect(copy.tracks.allSatisfy { $0.threadStates.isEmpty })
  }

  @Test func `a copy for Chrome has what spans can express`() throws {
    let trace = Self.trace()
    let (copy, leftOut) = try trace.copied(as: .chromeJSON)
    #expect(leftOut[.threadState] == 11)
    #expect(leftOut[.threadTime] == 1)
    #expect(copy.cpuTimes(of: 10) == ["100: 5", "400: 205"])
  }
}
