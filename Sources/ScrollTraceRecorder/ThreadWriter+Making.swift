internal import ScrollTraceLayout

extension ThreadWriter {
  /// A writer without a chunk, with empty tables.
  ///
  /// - Parameters:
  ///   - used: The writer of a thread that has ended, whose memory is used again.
  ///   - slot: Where its stack of open spans lies; it begins there until it has a chunk.
  static func make(
    for control: UnsafeMutablePointer<ControlBlock>,
    reusing used: UnsafeMutablePointer<ThreadWriter>? = nil, slot: UnsafeMutableRawPointer,
    ordinal: UInt32, thread: UInt32 = 0, threadName: RecordedName = "", flags: UInt32 = 0,
    isSimulated: Bool = true
  ) -> UnsafeMutablePointer<ThreadWriter> {
    let defined = used?.pointee.defined ?? .allocate(capacity: definedWordCount)
    let names = used?.pointee.names ?? .allocate(capacity: nameCount)
    defined.initialize(repeating: 0, count: definedWordCount)
    names.initialize(repeating: NameCacheEntry(), count: nameCount)
    let writer = used ?? allocate(for: control)
    writer.initialize(
      to: ThreadWriter(
        control: control, cursor: slot, chunkEnd: slot, stack: slot, defined: defined,
        names: names, deepBegins: used?.pointee.deepBegins, ordinal: ordinal, thread: thread,
        threadName: threadName, flags: flags, isSimulated: isSimulated))
    writer.headers.initialize(repeating: HeaderEntry(), count: headerCount)
    return writer
  }

  /// An empty stack of open spans that lies in no file.
  static func makeSlot() -> UnsafeMutableRawPointer {
    let slot = UnsafeMutableRawPointer.allocate(byteCount: RecordingLayout.Slot.size, alignment: 8)
    slot.initializeMemory(as: UInt8.self, repeating: 0, count: RecordingLayout.Slot.size)
    return slot
  }

  /// Gives back the memory of a writer that no thread has ever known.
  static func discard(_ writer: UnsafeMutablePointer<ThreadWriter>) {
    writer.pointee.names.deallocate()
    writer.pointee.defined.deallocate()
    deallocate(writer)
  }
}
