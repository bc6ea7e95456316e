internal import CRecorderShims
internal import ScrollTraceLayout

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What a span costs the host, found out when the recording begins.
extension RecorderStore {
  /// How many spans are timed together, and how many times at most.
  private static var spans: Int { 64 }
  private static var rounds: Int { 8 }
  /// When it is enough: 50 µs.
  private static var longest: UInt64 { 50_000 }

  /// Times some spans in memory of their own and writes what one costs into the first page; only
  /// where the clock is one of the system's.
  func measureCost(_ control: UnsafeMutablePointer<ControlBlock>) {
    guard options.clock.systemClock != nil else { return }
    let size = (Self.spans + 2) * 24
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    let slot = ThreadWriter.makeSlot()
    let writer = ThreadWriter.make(for: control, slot: slot, ordinal: 0)
    // The empty text, of which spans are timed, needs no definition.
    writer.pointee.defined[0] = 1
    writer.pointee.chunkEnd = memory + size
    writer.limit = UInt(bitPattern: memory + size)
    let before = scrolltrace_get_writer()
    scrolltrace_set_writer(writer)
    if let cost = time(writer, in: memory, size) {
      scrolltrace_store_release(
        session + RecordingLayout.Session.recordCost, cost.littleEndian)
    }
    scrolltrace_set_writer(before)
    ThreadWriter.discard(writer)
    slot.deallocate()
    memory.deallocate()
  }

  /// What a span of `writer` costs in picoseconds: the least of some rounds, since whatever comes
  /// between makes them longer.
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
    var least = UInt64.max
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
      least = min(least, now &- begin)
    }
    return least == .max ? nil : least * 1000 / UInt64(Self.spans)
  }
}
