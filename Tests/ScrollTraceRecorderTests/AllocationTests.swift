import CTestSupport
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

/// What events cost in memory: nothing, once each has been recorded.
struct AllocationTests {
  private static let isOptimized: Bool = {
    var isDebug = false
    func note() -> Bool {
      isDebug = true
      return true
    }
    assert(note())
    return !isDebug
  }()

  /// One event of every kind that a host records per frame.
  private func record(_ recorder: TraceRecorder, _ number: UInt64, _ list: ListID) {
    let item = ItemID(number)
    let drag = recorder.beginInteraction(.drag)
    // Functions within functions allocate where nothing is optimized.
    let frame = Self.isOptimized ? recorder.beginFrame() : nil
    let phase = frame?.beginPhase("layout")
    recorder.withSpan("work") {}
    recorder.withSpan("work", .data, item: item) {}
    recorder.withCellStep(.configure, CellDetails(list: list, item: item, position: 3, viewID: 9)) {
    }
    recorder.markCell(.willDisplay, CellDetails(list: list, item: item))
    recorder.withImageStep(.decode, item: item) {}
    if let frame, let phase { frame.end(endingPhase: frame.switchPhase(phase, to: "commit")) }
    recorder.markPresented(number, at: 99)
    recorder.recordSpan("late", from: 1, to: 2, item: item)
    recorder.mark("mark", item: item)
    recorder.recordCounter("offset", 12.5)
    recorder.endInteraction(drag)
  }

  @Test(
    .enabled(
      if: scrolltrace_can_count_allocations(),
      "only a sanitizer counts allocations; to run it: .ci/sanitize"))
  func `after the first of its kind no event allocates`() throws {
    try countAllocations(nil)
    try countAllocations(TraceSampling(keepingOneIn: 100, alwaysAboveHitchRatio: -1))
    RanTests.note("allocations")
  }

  private func countAllocations(_ sampling: TraceSampling?) throws {
    let path = TemporaryPath()
    let options = RecorderOptions.with { $0.traceSampling = sampling }
    let recorder = try TraceRecorder(writingTo: path.path, options: options)
    let list = recorder.registerList(named: "feed")
    // The first change of chunks is part of it.
    for index in 0..<200 as Range<UInt64> { record(recorder, index, list) }
    scrolltrace_begin_counting_allocations()
    // No `for`: where nothing is optimized, iterators of ranges allocate.
    var index: UInt64 = 0
    while index < 20_000 {
      record(recorder, index, list)
      index += 1
    }
    let counted = scrolltrace_end_counting_allocations()
    try recorder.finish()
    let chunks = try StrictWalker(path.read()).chunks.count
    #expect(chunks > 100)
    #expect(counted == 0)
    #expect(recorder.losses.total == 0)
  }
}
