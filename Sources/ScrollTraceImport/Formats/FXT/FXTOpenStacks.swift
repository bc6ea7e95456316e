internal import ScrollTraceLayout
internal import ScrollTraceModel

/// The stacks of spans that were open when the recording ended (F-5).
struct FXTOpenStacks {
  /// An open span, as encoded in the file.
  private struct Entry {
    let start: UInt64
    let category: UInt16
    let name: UInt16
    let item: UInt64?
    let offset: UInt64
  }

  private var entries: [UInt32: [Entry]] = [:]
  /// The number of spans deeper than the recorder keeps.
  private var deeperCount = 0
  private(set) var hasSlots = false
  /// The maximum number of open spans of a thread; the recorder follows no more.
  private static let maximumDepth = Int(UInt16.max)

  /// Reads the blob of a chunk of stacks.
  mutating func read(_ record: FXTRecord, of process: UInt64?, _ trace: inout FXTTrace) {
    typealias Layout = RecordingLayout.Stacks
    let start = RecordingLayout.stacksPayloadOffset - RecordingLayout.chunkPreambleSize
    guard let process, record.bytes.count >= start + Layout.headerSize else {
      return trace.lose(.malformedRecord, at: record.offset)
    }
    let payload = UnsafeRawBufferPointer(rebasing: record.bytes[start...])
    let slotSize = Int(payload.word32(at: Layout.slotSize))
    let depth = Int(payload.word32(at: Layout.depth))
    let room = RecordingLayout.Entry.size * min(depth, Int(UInt16.max))
    guard slotSize >= RecordingLayout.Slot.entries + room else {
      return trace.lose(.malformedRecord, at: record.offset)
    }
    for slot in 0..<Int(payload.word32(at: Layout.slots)) {
      let begin = Layout.headerSize + slot * slotSize
      guard begin + slotSize <= payload.count else {
        return trace.lose(.malformedRecord, at: record.offset)
      }
      readSlot(
        UnsafeRawBufferPointer(rebasing: payload[begin..<(begin + slotSize)]),
        entryCount: depth, process: process, at: record.offset + UInt64(start + begin), &trace)
    }
  }

  private mutating func readSlot(
    _ slot: UnsafeRawBufferPointer, entryCount: Int, process: UInt64, at offset: UInt64,
    _ trace: inout FXTTrace
  ) {
    typealias Layout = RecordingLayout.Slot
    let systemID = slot.word(at: Layout.thread)
    let depth = Int(slot.word32(at: Layout.depth))
    guard systemID != 0, depth > 0 else { return }
    // Nobody knows which of the entries were open.
    guard depth <= Self.maximumDepth else {
      return trace.lose(.invalidValue, at: offset + UInt64(Layout.depth))
    }
    let thread = trace.thread(process: process, thread: systemID)
    if slot.word32(at: Layout.flags) & RecordingLayout.ChunkFlag.mainThread != 0 {
      trace.builder.setMain(trace.track(of: thread))
    }
    hasSlots = true
    deeperCount += max(0, depth - entryCount)
    for index in 0..<min(depth, entryCount) {
      let at = Layout.entries + index * RecordingLayout.Entry.size
      let begin = slot.word(at: at + RecordingLayout.Entry.begin)
      guard begin != 0 else { continue }
      let flags = slot.word32(at: at + RecordingLayout.Entry.flags)
      let hasItem = flags & RecordingLayout.Entry.hasItem != 0
      entries[thread, default: []].append(
        Entry(
          start: begin, category: slot.word16(at: at + RecordingLayout.Entry.category),
          name: slot.word16(at: at + RecordingLayout.Entry.name),
          item: hasItem ? slot.word(at: at + RecordingLayout.Entry.item) : nil,
          offset: offset + UInt64(at)))
    }
  }

  // MARK: - At the end of the file

  /// Adds the open spans, except those whose event reached the file, and returns whether there are
  /// any.
  ///
  /// - Parameter times: The possible starts; a span with another one is damaged.
  func resolve(
    within times: ClosedRange<Int64>, _ tables: inout FXTTables, _ trace: inout FXTTrace
  ) -> Bool {
    let before = trace.builder.openSpanCount
    for (thread, entries) in entries.sorted(by: { $0.key < $1.key }) {
      add(entries, of: thread, within: times, &tables, &trace)
    }
    if deeperCount > 0 {
      let were = deeperCount == 1 ? "1 span was" : "\(deeperCount) spans were"
      trace.builder.addNotice("\(were) nested deeper than the recorder keeps")
    }
    return trace.builder.openSpanCount > before
  }

  private func add(
    _ entries: [Entry], of thread: UInt32, within times: ClosedRange<Int64>,
    _ tables: inout FXTTables, _ trace: inout FXTTrace
  ) {
    let track = trace.track(of: thread)
    trace.builder.requireSpans()
    for entry in entries {
      guard let since = Int64(exactly: entry.start).flatMap(Timestamp.init(nanoseconds:)),
        times.contains(since.nanoseconds)
      else {
        trace.lose(.timeOutOfRange, at: entry.offset)
        continue
      }
      guard !trace.builder.hasSpan(on: track, startingAt: since) else { continue }
      tables.begin()
      let category = tables.globalName(entry.category, &trace)
      let label = trace.builder.label(
        category: category, name: tables.globalName(entry.name, &trace))
      tables.end(at: entry.offset, &trace)
      trace.builder.addOpenSpan(
        on: track, since: since, label: label, item: entry.item.map { .unsigned($0) })
    }
  }
}
