internal import CRecorderShims
internal import ScrollTraceLayout

extension UnsafeMutablePointer<ThreadWriter> {
  /// Whether the recording has ended, by itself or by `finish`.
  var hasEnded: Bool { pointee.control.mode > RecorderMode.on }

  /// Begins a new chunk and returns whether a record of `words` words fits.
  ///
  /// If no chunk is available, the old one stays, and an event is counted as lost.
  @inline(never)
  func beginChunk(for words: Int) -> Bool {
    guard words <= Chunk.capacity else {
      drop(.recordTooLarge)
      return false
    }
    let control = pointee.control
    let store = control.pointee.store.takeUnretainedValue()
    guard let taken = store.takeChunk(for: self) else {
      // The recording was finished during the event, which is why the event found no room.
      drop(hasEnded ? .afterFinish : .outOfSpace)
      return false
    }
    let start = store.address(ofChunk: taken.index)
    let end = Chunk.begin(
      at: start,
      Chunk.Preamble(
        provider: pointee.ordinal, flags: pointee.flags, sequence: taken.sequence,
        threadSequence: pointee.chunkCount, process: store.process, thread: pointee.thread,
        threadDrops: pointee.dropCount, firstTick: readClock()))
    pointee.chunkEarliestEnd = 0
    pointee.chunkCount += 1
    pointee.generation += 1
    pointee.chunkFloor = pointee.earliestBegin
    pointee.cursor = end
    pointee.chunkEnd = start + RecordingLayout.chunkSize
    // Unless the recording was finished meanwhile.
    _ = scrolltrace_replace(
      UnsafeMutableRawPointer(self) + ThreadWriter.limitOffset, UInt64(ThreadWriter.noLimitYet),
      UInt64(UInt(bitPattern: pointee.chunkEnd - RecordingLayout.Seal.recordSize)))
    forgetHeaders()
    pointee.defined.update(repeating: 0, count: ThreadWriter.definedWordCount)
    // The empty text needs no definition.
    pointee.defined[0] = 1
    dropEndedEntries()
    // Spans with an item do not check what is defined.
    _ = define(NameTable.Number(Vocabulary.Key.item.index))
    if !pointee.isDurable {
      if pointee.chunkCount == 1 { store.introduce(self) }
      recordSleep()
    }
    return reserve(words: words)
  }

  /// Writes whose events follow in a chunk that another thread began. Returns whether it could.
  func writeThread(process: UInt64) -> Bool {
    guard reserve(words: 3) else { return false }
    var record = RecordBuilder(at: pointee.cursor)
    record.append(process)
    record.append(UInt64(pointee.thread))
    commit(record, header: FXTWord.thread)
    return true
  }

  /// Writes the process name and returns whether it could.
  @discardableResult
  func writeProcessName(_ name: RecordedName, id: UInt64) -> Bool {
    pointee.isNaming = true
    defer { pointee.isNaming = false }
    guard let number = number(of: name) else { return false }
    let reference = NameReference(category: 0, name: number)
    guard prepare(words: 2, keys: 0, reference, NameReference(word: 0)) else { return false }
    let text = text(number)
    var record = RecordBuilder(at: pointee.cursor)
    record.append(id)
    record.append(text.inlineBytes)
    commit(record, header: record.objectHeader(.process, name: text))
    return true
  }

  /// Writes a thread's name and returns whether it could.
  @discardableResult
  func writeThreadName(_ name: RecordedName, of thread: UInt32, process: UInt64) -> Bool {
    pointee.isNaming = true
    defer { pointee.isNaming = false }
    guard let number = number(of: name) else { return false }
    let reference = NameReference(category: 0, name: number)
    let keys = Vocabulary.Key.process.bit
    guard prepare(words: 4, keys: keys, reference, NameReference(word: 0)) else { return false }
    let text = text(number)
    var record = RecordBuilder(at: pointee.cursor)
    record.append(UInt64(thread))
    record.append(text.inlineBytes)
    record.argument(.process, object: process)
    commit(record, header: record.objectHeader(.thread, name: text))
    return true
  }
}
