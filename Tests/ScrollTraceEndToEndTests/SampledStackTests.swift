#if os(Linux)
  import Foundation
  import ScrollTraceImport
  import ScrollTraceModel
  import ScrollTraceRecorder
  import ScrollTraceTestSupport
  import Testing

  @testable import ScrollTraceCLI

  /// A feed whose every eighth frame is late by a function without a span.
  struct SampledFeed {
    let recorder: TraceRecorder

    func run() {
      let drag = recorder.beginInteraction(.drag)
      for number in 0..<48 {
        let start = recorder.now()
        makeFrame(number, at: start)
        while recorder.now() < start + 16_000_000 { usleep(1000) }
      }
      recorder.endInteraction(drag)
    }

    @inline(never)
    private func makeFrame(_ number: Int, at start: RecorderTime) {
      let frame = recorder.beginFrame(
        FrameTiming(
          start: start, deadline: start + 16_000_000, target: start + 32_000_000,
          refreshInterval: 16_000_000))
      frame.phases { $0.layout { _ = usleep(1000) } }
      if number % 8 == 7 { scoreRows(until: start + 60_000_000, width: number) }
      frame.end()
    }

    @inline(never)
    private func scoreRows(until end: RecorderTime, width: Int) {
      var texts: [String] = []
      while recorder.now() < end {
        texts.removeAll()
        for value in 0..<(100 + width) { texts.append("price \(value) of \(value * width)") }
      }
      withExtendedLifetime(texts) {}
    }
  }

  /// Stacks from the recorder through the file to the report.
  @Suite(.serialized, .needsTime) struct SampledStackTests {
    static func record(_ path: String, stacks: StackSampling?) throws {
      var options = RecorderOptions()
      options.stackSampling = stacks
      let recorder = try TraceRecorder(writingTo: path, options: options)
      SampledFeed(recorder: recorder).run()
      try recorder.finish()
    }

    static func analyze(_ path: String, _ options: String...) -> String {
      CommandRun(["analyze", path] + options).output
    }

    @Test
    func `the report names a function that no span covers, and the line that wraps it`() throws {
      let path = NSTemporaryDirectory() + "/stacks-\(UUID().uuidString).fxt"
      defer { try? FileManager.default.removeItem(atPath: path) }
      var text = ""
      for _ in 0..<8 {
        try? FileManager.default.removeItem(atPath: path)
        try Self.record(path, stacks: StackSampling(every: 1_000_000))
        text = Self.analyze(path, "--full", "--width", "200")
        // Without a free core for half of the late frames, no function is to blame.
        if !text.contains("MACHINE BUSY"), text.contains("makes frames late") { break }
      }
      // On a machine without a free core, that is the finding.
      guard !text.contains("MACHINE BUSY") else {
        return #expect(text.contains("the machine was overloaded"), "\(text)")
      }
      #expect(text.contains("not instrumented, mostly SampledFeed."), "\(text)")
      #expect(text.contains("SampledFeed.scoreRows(until:width:) makes frames late"), "\(text)")
      #expect(text.contains("recorder.withSpan(\"SampledFeed.scoreRows\")"), "\(text)")
      let brief = Self.analyze(path, "--format", "brief")
      #expect(brief.contains("Cause: not instrumented, mostly SampledFeed."), "\(brief)")
      let trace = try TraceFile.open(path)
      let frames = try #require(trace.surfaces.first).frames
      let late = try #require((0..<frames.count).map { frames[$0] }.dropFirst(7).first)
      let frame = Self.analyze(path, "--frame", "\(late.id)")
      #expect(frame.contains("not instrumented, mostly SampledFeed."), "\(frame)")
      let cost = try #require(trace.source.recorderCost?.sampling)
      #expect(cost.signalCount > 0 && cost.samplerNanoseconds > 0)
      // A signal takes from a microsecond to a millisecond of a loaded machine.
      let each = cost.nanoseconds / cost.signalCount
      #expect((500...1_000_000).contains(each), "\(each) ns")
    }

    /// A host that waits for something between two frames, which is not its next event.
    @inline(never)
    private static func holdBetweenFrames(_ recorder: TraceRecorder, saysSo: Bool) {
      if saysSo { recorder.setWorksBetweenFrames(true) }
      usleep(80_000)
      if saysSo { recorder.setWorksBetweenFrames(false) }
    }

    @Test(arguments: [true, false])
    func `a thread that sleeps between frames is sampled if it is said to work`(
      saysSo: Bool
    ) throws {
      var options = RecorderOptions()
      options.stackSampling = StackSampling(every: .milliseconds(1))
      let recorder = try TraceRecorder(to: .memory, options: options)
      let drag = recorder.beginInteraction(.drag)
      for _ in 0..<4 {
        let start = recorder.now()
        recorder.beginFrame(
          FrameTiming(start: start, deadline: start + 16_000_000, refreshInterval: 16_000_000)
        ).end()
        Self.holdBetweenFrames(recorder, saysSo: saysSo)
      }
      recorder.endInteraction(drag)
      try recorder.finish()
      let trace = try TraceFile.read(MemoryByteSource(try #require(recorder.recordedBytes)))
      let count = trace.samples.reduce(0) { $0 + $1.count }
      // Without it, the thread is seen working for an instant now and then.
      #expect(saysSo ? count > 20 : count < 20, "\(count)")
    }

    @Test func `a refresh interval without an end does no harm to a host that samples`() throws {
      var options = RecorderOptions()
      options.stackSampling = StackSampling()
      let recorder = try TraceRecorder(to: .memory, options: options)
      for interval in [Int64.max, .min] {
        recorder.beginFrame(FrameTiming(refreshInterval: interval)).end()
        recorder.beginFrame(FrameTiming(target: interval)).end()
      }
      try recorder.finish()
      #expect(recorder.losses.total == 0)
    }

    @Test func `without the option the report has no samples`() throws {
      let file = TemporaryFile("stacks.fxt")
      try Self.record(file.path, stacks: nil)
      let trace = try TraceFile.open(file.path)
      #expect(trace.samples.isEmpty && trace.source.recorderCost?.sampling == nil)
    }
  }
#endif
