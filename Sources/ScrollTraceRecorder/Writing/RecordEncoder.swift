internal import CRecorderShims
internal import ScrollTraceLayout

/// A record under construction after a chunk's last record, still covered by the pad.
///
/// The header word is written last (W1 to W3); until then, the record does not exist.
struct RecordBuilder {
  private let start: UnsafeMutableRawPointer
  private(set) var next: UnsafeMutableRawPointer
  private(set) var argumentCount: UInt64 = 0

  /// Creates a record at `start`. The caller ensures that there is room.
  init(at start: UnsafeMutableRawPointer) {
    self.start = start
    next = start + 8
  }

  /// The current size of the record in words, including its header.
  @inline(__always)
  var wordCount: Int { Int(bitPattern: UInt(bitPattern: next) &- UInt(bitPattern: start)) >> 3 }

  @inline(__always)
  mutating func append(_ word: UInt64) {
    next.storeBytes(of: word.littleEndian, as: UInt64.self)
    next += 8
  }

  /// Adds bytes, padded with zeros to whole words.
  @inline(__always)
  mutating func append(_ bytes: UnsafeRawBufferPointer) { if bytes.count > 0 { copy(bytes) } }

  @inline(never)
  private mutating func copy(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    let words = FXT.words(forBytes: bytes.count)
    (next + (words - 1) * 8).storeBytes(of: 0, as: UInt64.self)
    next.copyMemory(from: source, byteCount: bytes.count)
    next += words * 8
  }

  @inline(__always)
  mutating func argument(_ key: Vocabulary.Key, _ value: UInt64) {
    append(FXTWord.argument(.uint64, words: 2, key: key.index))
    append(value)
    argumentCount &+= 1
  }

  @inline(__always)
  mutating func argument(_ key: Vocabulary.Key, _ value: Int64) {
    append(FXTWord.argument(.int64, words: 2, key: key.index))
    append(UInt64(bitPattern: value))
    argumentCount &+= 1
  }

  @inline(__always)
  mutating func argument(_ key: Vocabulary.Key, _ value: Double) {
    append(FXTWord.argument(.double, words: 2, key: key.index))
    append(value.bitPattern)
    argumentCount &+= 1
  }

  @inline(__always)
  mutating func argument(_ key: Vocabulary.Key, _ value: Bool) {
    append(FXTWord.argument(.bool, words: 1, key: key.index) | (value ? 1 : 0) << 32)
    argumentCount &+= 1
  }

  @inline(__always)
  mutating func argument(_ key: Vocabulary.Key, object: UInt64) {
    append(FXTWord.argument(.koid, words: 2, key: key.index))
    append(object)
    argumentCount &+= 1
  }

  /// Adds a text: by its index, or inline if it has none.
  @inline(__always)
  mutating func argument(_ key: Vocabulary.Key, _ text: RecordText) {
    let words = UInt64(1 + text.inlineWords)
    append(FXTWord.argument(.string, words: words, key: key.index) | UInt64(text.reference) << 32)
    append(text.inlineBytes)
    argumentCount &+= 1
  }

  /// Adds a text with a key that has no fixed number.
  mutating func argument(named key: RecordText, _ text: RecordText) {
    let words = UInt64(1 + key.inlineWords + text.inlineWords)
    append(
      FXTWord.argument(.string, words: words, key: key.reference) | UInt64(text.reference) << 32)
    append(key.inlineBytes)
    append(text.inlineBytes)
    argumentCount &+= 1
  }

  func objectHeader(_ kind: FXT.ObjectType, name: RecordText) -> UInt64 {
    FXTWord.object(kind, words: wordCount, name: name.reference, arguments: argumentCount)
  }

  func eventHeader(_ kind: FXT.EventType, category: RecordText, name: RecordText) -> UInt64 {
    FXTWord.event(kind, words: UInt64(wordCount), arguments: argumentCount)
      | UInt64(category.reference) << 32 | UInt64(name.reference) << 48
  }

  /// Writes a pad from `start` to `end`, a whole number of words that may be 0.
  @inline(__always)
  static func writePad(from start: UnsafeMutableRawPointer, to end: UnsafeMutableRawPointer) {
    guard start < end else { return }
    let bytes = UInt(bitPattern: end) &- UInt(bitPattern: start)
    start.storeBytes(of: FXTWord.pad(bytes: UInt64(bytes)).littleEndian, as: UInt64.self)
  }

  /// Writes the name of a blob, padded with zeros to whole words.
  static func writeBlobName(_ name: StaticString, at start: UnsafeMutableRawPointer) {
    let length = name.utf8CodeUnitCount
    (start + (FXT.words(forBytes: length) - 1) * 8).storeBytes(of: 0, as: UInt64.self)
    start.copyMemory(from: name.utf8Start, byteCount: length)
  }
}

/// A text as a record refers to it: by index, or inline.
struct RecordText {
  /// The 16-bit string reference.
  let reference: UInt16
  /// The inline bytes, empty if the reference is an index.
  let inlineBytes: UnsafeRawBufferPointer

  var inlineWords: Int { FXT.words(forBytes: inlineBytes.count) }

  static var empty: RecordText { RecordText(index: 0) }

  init(index: UInt16) {
    reference = index
    inlineBytes = UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// Creates a reference to a text that the record contains.
  init(inline bytes: UnsafeRawBufferPointer) {
    reference = FXTWord.inlineReference(bytes.count)
    inlineBytes = bytes
  }
}

extension UnsafeMutablePointer<ThreadWriter> {
  /// Ensures that a record of `words` words fits, beginning a new chunk if necessary.
  ///
  /// A new chunk defines no texts; code that relies on defined texts compares `generation`.
  @inline(__always)
  func reserve(words: Int) -> Bool {
    hasRoom(upTo: pointee.cursor + words * 8) || beginChunk(for: words)
  }

  /// Publishes the record at the cursor (W2, W3).
  @inline(__always)
  func commit(_ record: RecordBuilder, header: UInt64) {
    let next = pointee.cursor + record.wordCount * 8
    RecordBuilder.writePad(from: next, to: pointee.chunkEnd)
    scrolltrace_store_release(pointee.cursor, header.littleEndian)
    pointee.cursor = next
  }

  /// Ensures that an event fits and that all its texts are defined in its chunk.
  ///
  /// `words` does not include the inline bytes of the event's texts.
  @inline(__always)
  func prepare(
    words: Int, keys: UInt64, _ first: NameReference, _ second: NameReference
  ) -> Bool {
    if !first.isInline, !second.isInline, pointee.defined[0] & keys == keys, pointee.defines(first),
      pointee.defines(second), hasRoom(upTo: pointee.cursor + words * 8)
    {
      return true
    }
    return prepareSlow(words: words, keys: keys, first, second)
  }

  /// Defines the missing texts, beginning a new chunk if necessary.
  @inline(never)
  private func prepareSlow(
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

  /// Writes an event, or counts it as lost, and returns whether it was written.
  ///
  /// - Parameter tail: The word after the arguments, or `nil` if this type of event has none.
  @discardableResult
  func writeEvent(
    _ kind: FXT.EventType, _ reference: NameReference, at time: UInt64, tail: UInt64? = nil,
    details: some EventDetails
  ) -> Bool { encodeEvent(kind, reference, at: time, tail: tail, of: nil, details: details) }

  /// Encodes an event and returns whether there was room. All events are encoded here.
  ///
  /// - Parameter thread: The process and thread of the event in a chunk that belongs to no thread.
  @inline(__always)
  @discardableResult
  func encodeEvent(
    _ kind: FXT.EventType, _ reference: NameReference, at time: UInt64, tail: UInt64?,
    of thread: (process: UInt64, id: UInt32)?, details: some EventDetails
  ) -> Bool {
    let texts = details.texts
    guard let first = number(ofOptional: texts.first), let second = number(ofOptional: texts.second)
    else { return false }
    let values = NameReference(category: first, name: second)
    let words = (thread == nil ? 3 : 5) + details.words
    guard prepare(words: words, keys: details.keys, reference, values) else { return false }
    let category = text(reference.category)
    let name = text(reference.name)
    var record = RecordBuilder(at: pointee.cursor)
    record.append(time)
    if let thread {
      record.append(thread.process)
      record.append(UInt64(thread.id))
    }
    record.append(category.inlineBytes)
    record.append(name.inlineBytes)
    details.add(to: &record, first: text(first), second: text(second))
    if let tail { record.append(tail) }
    let header = record.eventHeader(kind, category: category, name: name)
    commit(record, header: thread == nil ? header : header & ~FXTWord.threadReference)
    return true
  }

  /// The number of an optional text: 0 for `nil`, or `nil` if the text cannot be written.
  @inline(__always)
  func number(ofOptional text: RecordedName?) -> NameTable.Number? {
    guard let text else { return 0 }
    return number(of: text)
  }

  /// Counts an event as lost.
  func drop(_ cause: DropReason) {
    // Events that have no durable room are written with all others.
    // A name without room is no lost event, but one that is too long is lost.
    guard !pointee.isDurable, !(pointee.isNaming && cause == .outOfSpace) else { return }
    pointee.dropCount &+= 1
    pointee.control.count(cause.offset)
  }

  /// The number of words that the texts without an index take in a record.
  private func inlineWords(_ reference: NameReference) -> Int {
    guard reference.isInline else { return 0 }
    return text(reference.category).inlineWords + text(reference.name).inlineWords
  }
}

/// The reason why an event was lost.
enum DropReason {
  case outOfSpace
  case recordTooLarge
  case afterFinish

  /// The offset of the live counter in the session blob.
  var offset: Int {
    switch self {
    case .outOfSpace: RecordingLayout.Session.droppedNoChunk
    case .recordTooLarge: RecordingLayout.Session.droppedTooBig
    case .afterFinish: RecordingLayout.Session.droppedAfterClose
    }
  }
}

protocol EventDetails {
  /// The set of keys of the arguments.
  var keys: UInt64 { get }

  /// The maximum size of the arguments in words, not including inline texts.
  var words: Int { get }

  /// Up to two texts that are argument values.
  var texts: (first: RecordedName?, second: RecordedName?) { get }

  /// Adds the arguments to a record, where `first` and `second` refer to `texts`.
  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText)
}

extension EventDetails {
  @inline(__always)
  var texts: (first: RecordedName?, second: RecordedName?) { (nil, nil) }

  /// Two words for each key, which is enough for all types except inline texts.
  @inline(__always)
  var words: Int { 2 * keys.nonzeroBitCount }
}

struct NoDetails: EventDetails {
  var keys: UInt64 { 0 }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {}
}

struct ItemDetails: EventDetails {
  var item: UInt64?

  var keys: UInt64 { item.bit(.item) }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    if let item { record.argument(.item, item) }
  }
}

extension Optional {
  /// The key's bit if there is a value, or 0.
  @inline(__always)
  func bit(_ key: Vocabulary.Key) -> UInt64 { self == nil ? 0 : key.bit }
}

extension Vocabulary.Key {
  /// The keys that a recording of a recorder can have, in the order of their string indices.
  static let recorded = allCases.filter { $0.rawValue <= Self.diskFaults.rawValue }

  /// The key's bit in a set of keys.
  @inline(__always)
  var bit: UInt64 { 1 &<< UInt64(truncatingIfNeeded: rawValue) }

  /// The key's string index.
  @inline(__always)
  var index: UInt16 { UInt16(truncatingIfNeeded: rawValue) }
}
