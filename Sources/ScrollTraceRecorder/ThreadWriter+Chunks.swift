internal import CRecorderShims
internal import ScrollTraceLayout
internal import Synchronization

extension UnsafeMutablePointer<ThreadWriter> {
  /// Goes on in a new chunk; whether a record of `words` words fits there.
  ///
  /// Where there is no chunk to be had the old one stays, and an event is counted as lost.
  @inline(never)
  func beginChunk(for words: Int) -> Bool {
    guard words <= Chunk.capacity else {
      drop(.tooBig)
      return false
    }
    let control = pointee.control
    let store = control.pointee.store.takeUnretainedValue()
    guard let taken = store.takeChunk(for: self) else {
      // An event that was under way when the recording was finished found no room because of that.
      let isClosed = control.pointee.mode.load(ordering: .relaxed) == RecorderMode.closed
      drop(isClosed ? .afterClose : .noChunk)
      return false
    }
    let start = store.address(ofChunk: taken.place)
    let end = Chunk.begin(
      at: start,
      Chunk.Preamble(
        provider: pointee.ordinal, flags: pointee.flags, sequence: taken.sequence,
        threadSequence: pointee.chunkCount, process: store.process, thread: pointee.thread,
        threadDrops: pointee.dropCount, firstTick: readClock()))
    pointee.chunkCount += 1
    pointee.generation += 1
    pointee.chunkFloor = pointee.earliestBegin
    pointee.cursor = end
    pointee.chunkEnd = start + RecordingLayout.chunkSize
    limit = UInt(bitPattern: pointee.chunkEnd - RecordingLayout.Seal.recordSize)
    forgetHeaders()
    pointee.defined.update(repeating: 0, count: ThreadWriter.definedWordCount)
    // The empty text needs no definition.
    pointee.defined[0] = 1
    dropEndedEntries()
    // Spans with an item take no look at what is defined.
    _ = define(NameTable.Number(ArgumentKey.item.rawValue))
    if !pointee.isLasting {
      if pointee.chunkCount == 1 { store.introduce(self) }
      noteSleep()
    }
    return reserve(words: words)
  }

  /// Writes what the process is called; whether it could be.
  @discardableResult
  func writeProcessName(_ name: RecordedName, id: UInt64) -> Bool {
    guard let number = number(of: name) else { return false }
    let reference = NameReference(category: 0, name: number)
    guard prepare(words: 2, keys: 0, reference, NameReference(word: 0)) else { return false }
    let text = text(number)
    var record = RecordBuilder(at: pointee.cursor)
    record.append(id)
    record.append(text.inlineBytes)
    commit(record, header: FXTWord.object(.process, record, name: text))
    return true
  }

  /// Writes what a thread is called; whether it could be.
  @discardableResult
  func writeThreadName(_ name: RecordedName, of thread: UInt32, process: UInt64) -> Bool {
    guard let number = number(of: name) else { return false }
    let reference = NameReference(category: 0, name: number)
    let keys = ArgumentKey.process.bit
    guard prepare(words: 4, keys: keys, reference, NameReference(word: 0)) else { return false }
    let text = text(number)
    var record = RecordBuilder(at: pointee.cursor)
    record.append(UInt64(thread))
    record.append(text.inlineBytes)
    record.argument(.process, object: process)
    commit(record, header: FXTWord.object(.thread, record, name: text))
    return true
  }
}
