internal import CRecorderShims
internal import ScrollTraceLayout
internal import ScrollTracePlatform

/// The cost of a span for the host, measured when the recording begins.
extension RecorderStore {
  /// The number of spans that are timed together, and the maximum number of rounds.
  private static var spans: Int { 64 }
  private static var rounds: Int { 8 }
  /// The time after which the measurement ends: 50 µs.
  private static var longest: UInt64 { 50_000 }

  /// Times some spans in separate memory and writes the cost of one to the first page, if the clock
  /// is a system clock.
  func measureCost(_ control: UnsafeMutablePointer<ControlBlock>) {
    guard options.clock.systemClock != nil else { return }
    let size = (Self.spans + 2) * 24
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    let writer = ThreadWriter.make(for: control, ordinal: 0)
    // The empty text, which the timed spans use, needs no definition.
    writer.pointee.defined[0] = 1
    writer.pointee.chunkEnd = memory + size
    writer.limit = UInt(bitPattern: memory + size)
    let before = scrolltrace_get_writer()
    scrolltrace_leave(writer)
    if let cost = time(writer, in: memory, size) {
      scrolltrace_store_release(session + RecordingLayout.Session.recordCost, cost.littleEndian)
    }
    scrolltrace_leave(before)
    measureThreadTimes()
    ProcessMemory.give(writer)
    memory.deallocate()
  }

  /// Times some readings of the calling thread's counts and writes what one costs into the first page,
  /// if frames have them: the minimum, of a frame before which the thread waited and in which it did not.
  /// The first reading opens a file.
  private func measureThreadTimes() {
    guard threadTimeKeys != 0 else { return }
    var (start, end) = (UInt64.max, UInt64.max)
    for _ in 0...Self.rounds {
      scrolltrace_forget_ready_time()
      let begin = scrolltrace_clock(CLOCK_MONOTONIC)
      _ = ThreadTimes.now()
      let middle = scrolltrace_clock(CLOCK_MONOTONIC)
      _ = ThreadTimes.now()
      start = min(start, middle &- begin)
      end = min(end, scrolltrace_clock(CLOCK_MONOTONIC) &- middle)
    }
    // The thread may never record, and so nobody would know of its end.
    scrolltrace_close_thread_times()
    let cost = min(start / 2 + end / 2, .max / 1000) * 1000
    scrolltrace_store_release(session + RecordingLayout.Session.threadTimeCost, cost.littleEndian)
  }

  /// The cost of a span of `writer` in picoseconds: the minimum of several rounds, because any
  /// interruption makes a round longer.
  private func time(
    _ writer: UnsafeMutablePointer<ThreadWriter>, in memory: UnsafeMutableRawPointer, _ size: Int
  ) -> UInt64? {
    let control = writer.pointee.control
    let name: RecordedName = "span"
    let category = SpanCategory.work.name
    let (nameAddress, categoryAddress) = (
      UInt(bitPattern: name.start), UInt(bitPattern: category.start)
    )
    writer.headerEntry(nameAddress, categoryAddress).pointee = HeaderEntry(
      name: nameAddress, category: categoryAddress, header: FXTWord.plainSpan)
    _ = writer.readClock()
    var minimum = UInt64.max
    let start = scrolltrace_clock(CLOCK_MONOTONIC)
    var now = start
    for _ in 0..<Self.rounds where now &- start < Self.longest {
      writer.pointee.cursor = memory
      RecordBuilder.writePad(from: memory, to: memory + size)
      let begin = scrolltrace_clock(CLOCK_MONOTONIC)
      for _ in 0..<Self.spans {
        if let span = control.openSpan(name.start, category.start) {
          span.end()
        } else {
          let span = writer.beginSpan(NameReference(header: FXTWord.plainSpan), item: nil)
          writer.endSpan(span, depth: 0, at: nil, details: NoDetails())
        }
      }
      now = scrolltrace_clock(CLOCK_MONOTONIC)
      guard writer.pointee.cursor == memory + Self.spans * 24 else { return nil }
      minimum = min(minimum, now &- begin)
    }
    return minimum == .max ? nil : minimum * 1000 / UInt64(Self.spans)
  }
}
