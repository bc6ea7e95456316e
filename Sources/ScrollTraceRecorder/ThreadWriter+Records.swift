internal import CRecorderShims
internal import ScrollTraceLayout

extension UnsafeMutablePointer<ThreadWriter> {
  /// Makes sure that a record of `words` words fits, in a new chunk if need be.
  ///
  /// A new chunk defines no texts yet: whoever relies on texts compares `generation`.
  @inline(__always)
  func reserve(words: Int) -> Bool {
    hasRoom(upTo: pointee.cursor + words * 8) || beginChunk(for: words)
  }

  /// Makes the record that was built at the cursor exist (W2, W3).
  @inline(__always)
  func commit(_ record: RecordBuilder, header: UInt64) {
    let next = pointee.cursor + record.wordCount * 8
    RecordBuilder.writePad(from: next, to: pointee.chunkEnd)
    scrolltrace_store_release(pointee.cursor, header.littleEndian)
    pointee.cursor = next
  }

  /// Makes sure that an event fits and all its texts are defined in the chunk it goes to.
  ///
  /// `words` counts the event without the inline bytes of its texts.
  @inline(__always)
  func prepare(
    words: Int, keys: UInt64, _ first: NameReference, _ second: NameReference
  ) -> Bool {
    if !first.isInline, !second.isInline, pointee.defined[0] & keys == keys,
      pointee.defines(first), pointee.defines(second),
      hasRoom(upTo: pointee.cursor + words * 8)
    {
      return true
    }
    return prepareSlowly(words: words, keys: keys, first, second)
  }

  /// Defines the texts that are not defined yet, in a new chunk if need be.
  @inline(never)
  private func prepareSlowly(
    words: Int, keys: UInt64, _ first: NameReference, _ second: NameReference
  ) -> Bool {
    let words = words + inlineWords(first) + inlineWords(second)
    var generation: UInt64
    repeat {
      generation = pointee.generation
      guard define(keys: keys), define(first), define(second), reserve(words: words) else {
        return false
      }
    } while generation != pointee.generation
    return true
  }

  /// Writes an event, or counts it as lost.
  ///
  /// - Parameter tail: The word behind the arguments, where the kind of event has one.
  func writeEvent(
    _ kind: FXTWord.Event, _ reference: NameReference, at time: UInt64, tail: UInt64? = nil,
    details: some EventDetails
  ) {
    writeEventInPlace(kind, reference, at: time, tail: tail, details: details)
  }

  /// The same for the events of every frame, whose details would take longer to pass than to write.
  @inline(__always)
  func writeEventInPlace(
    _ kind: FXTWord.Event, _ reference: NameReference, at time: UInt64, tail: UInt64? = nil,
    details: some EventDetails
  ) {
    let texts = details.texts
    guard let first = number(ofOptional: texts.first),
      let second = number(ofOptional: texts.second)
    else { return }
    let values = NameReference(category: first, name: second)
    let words = 3 + details.words
    guard prepare(words: words, keys: details.keys, reference, values) else { return }
    let category = text(reference.category)
    let name = text(reference.name)
    var record = RecordBuilder(at: pointee.cursor)
    record.append(time)
    record.append(category.inlineBytes)
    record.append(name.inlineBytes)
    details.add(to: &record, first: text(first), second: text(second))
    if let tail { record.append(tail) }
    commit(record, header: record.eventHeader(kind, category: category, name: name))
  }

  /// The number of a text that may be missing: 0 for none, `nil` for one that cannot be written.
  @inline(__always)
  func number(ofOptional text: RecordedName?) -> NameTable.Number? {
    guard let text else { return 0 }
    return number(of: text)
  }

  /// Counts an event as lost.
  func drop(_ cause: DropCause) {
    // What finds no lasting room goes where everything goes.
    guard !pointee.isLasting else { return }
    pointee.dropCount &+= 1
    scrolltrace_add(pointee.control.pointee.session + cause.offset, 1)
  }

  /// How many words the texts without an index take in a record.
  private func inlineWords(_ reference: NameReference) -> Int {
    guard reference.isInline else { return 0 }
    return text(reference.category).inlineWords + text(reference.name).inlineWords
  }
}

/// Why an event is lost.
enum DropCause {
  case noChunk
  case tooBig
  case afterClose

  /// The place of the live counter in the session blob.
  var offset: Int {
    switch self {
    case .noChunk: RecordingLayout.Session.droppedNoChunk
    case .tooBig: RecordingLayout.Session.droppedTooBig
    case .afterClose: RecordingLayout.Session.droppedAfterClose
    }
  }
}
