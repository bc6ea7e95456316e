internal import CRecorderShims
internal import ScrollTraceLayout

/// What a flight recorder never overwrites: names, interactions, states, what surfaces are (W8).
///
/// It lies in chunks that belong to no thread and are written under a lock; such events are few.
extension RecorderStore {
  /// Makes the writer of those chunks, if the recorder is a flight recorder.
  func startLasting(_ control: UnsafeMutablePointer<ControlBlock>) {
    guard keepsRing else { return }
    let ordinal = locked { state in
      state.writerCount += 1
      return state.writerCount
    }
    setLasting(
      ThreadWriter.make(
        for: control, slot: ThreadWriter.makeSlot(), ordinal: ordinal,
        flags: RecordingLayout.ChunkFlag.durable))
  }

  /// Writes the names that were given a number since the last time into a chunk that is never used
  /// again: a span may be open for longer than the chunk lives in which it began.
  func keepNames() {
    withLasting { writer in
      let (first, count) = locked { ($0.lastingNameCount, NameTable.Number($0.names.count)) }
      var next = first
      // Names without an index stand in each record.
      while next < min(count, NameTable.lastIndex + 1), writer.define(next) { next += 1 }
      locked { $0.lastingNameCount = next }
    }
  }
}

extension UnsafeMutablePointer<ThreadWriter> {
  /// Writes an event that a flight recorder does not overwrite.
  ///
  /// Where there is no room for it any more it lies with all others, and is counted (W8).
  func writeLasting(
    _ kind: FXTWord.Event, _ category: RecordedName, _ name: RecordedName, at time: UInt64,
    tail: UInt64? = nil, details: some EventDetails
  ) {
    let thread = pointee.thread
    let store = pointee.control.pointee.store.takeUnretainedValue()
    if let isWritten = store.withLasting({
      $0.writeShared(kind, category, name, at: time, of: thread, tail: tail, details: details)
    }) {
      if isWritten { return }
      scrolltrace_add(pointee.control.pointee.session + RecordingLayout.Session.notDurable, 1)
    }
    guard let reference = reference(category: category, name: name) else { return }
    writeEvent(kind, reference, at: time, tail: tail, details: details)
  }

  /// Writes an event of `thread` into a chunk that belongs to no thread; whether it could be.
  private func writeShared(
    _ kind: FXTWord.Event, _ category: RecordedName, _ name: RecordedName, at time: UInt64,
    of thread: UInt32, tail: UInt64?, details: some EventDetails
  ) -> Bool {
    let texts = details.texts
    guard let reference = reference(category: category, name: name),
      let first = number(ofOptional: texts.first), let second = number(ofOptional: texts.second)
    else { return false }
    let values = NameReference(category: first, name: second)
    guard prepare(words: 5 + details.words, keys: details.keys, reference, values) else {
      return false
    }
    let category = text(reference.category)
    let name = text(reference.name)
    var record = RecordBuilder(at: pointee.cursor)
    record.append(time)
    record.append(pointee.control.pointee.store.takeUnretainedValue().process)
    record.append(UInt64(thread))
    record.append(category.inlineBytes)
    record.append(name.inlineBytes)
    details.add(to: &record, first: text(first), second: text(second))
    if let tail { record.append(tail) }
    let header = record.eventHeader(kind, category: category, name: name)
    commit(record, header: header & ~FXTWord.threadReference)
    return true
  }
}
