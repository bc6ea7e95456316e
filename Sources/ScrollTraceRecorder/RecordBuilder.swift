internal import CRecorderShims
internal import ScrollTraceLayout

/// One record that is being written behind a chunk's last record, still covered by the pad.
///
/// The header word comes last (W1 to W3); until then the record does not exist.
struct RecordBuilder {
  private let start: UnsafeMutableRawPointer
  private(set) var wordCount = 1
  private(set) var argumentCount: UInt64 = 0

  /// A record at `start`; the caller has made sure that there is room.
  init(at start: UnsafeMutableRawPointer) {
    self.start = start
  }

  /// Adds a word.
  @inline(__always)
  mutating func append(_ word: UInt64) {
    (start + wordCount * 8).storeBytes(of: word.littleEndian, as: UInt64.self)
    wordCount += 1
  }

  /// Adds bytes, padded with zeros to whole words.
  @inline(__always)
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    if bytes.count > 0 { copy(bytes) }
  }

  @inline(never)
  private mutating func copy(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    let words = FXTWord.words(bytes.count)
    (start + (wordCount + words - 1) * 8).storeBytes(of: 0, as: UInt64.self)
    (start + wordCount * 8).copyMemory(from: source, byteCount: bytes.count)
    wordCount += words
  }

  /// Adds an argument that is never negative.
  @inline(__always)
  mutating func argument(_ key: ArgumentKey, _ value: UInt64) {
    append(FXTWord.argument(.unsigned, words: 2, key: key))
    append(value)
    argumentCount += 1
  }

  /// Adds a signed argument.
  @inline(__always)
  mutating func argument(_ key: ArgumentKey, _ value: Int64) {
    append(FXTWord.argument(.signed, words: 2, key: key))
    append(UInt64(bitPattern: value))
    argumentCount += 1
  }

  /// Adds a fraction.
  @inline(__always)
  mutating func argument(_ key: ArgumentKey, _ value: Double) {
    append(FXTWord.argument(.double, words: 2, key: key))
    append(value.bitPattern)
    argumentCount += 1
  }

  /// Adds a truth value.
  @inline(__always)
  mutating func argument(_ key: ArgumentKey, _ value: Bool) {
    append(FXTWord.argument(.bool, words: 1, key: key) | (value ? 1 : 0) << 32)
    argumentCount += 1
  }

  /// Adds the id of a kernel object.
  @inline(__always)
  mutating func argument(_ key: ArgumentKey, object: UInt64) {
    append(FXTWord.argument(.object, words: 2, key: key))
    append(object)
    argumentCount += 1
  }

  /// Adds a text: by index, or with its bytes where it has no index.
  @inline(__always)
  mutating func argument(_ key: ArgumentKey, _ text: RecordText) {
    let words = UInt64(1 + text.inlineWords)
    append(
      FXTWord.argument(.string, words: words, key: key) | UInt64(text.reference) << 32)
    append(text.inlineBytes)
    argumentCount += 1
  }

  /// The header of the event that was built.
  func eventHeader(_ kind: FXTWord.Event, category: RecordText, name: RecordText) -> UInt64 {
    FXTWord.event(kind, words: UInt64(wordCount), arguments: argumentCount)
      | UInt64(category.reference) << 32 | UInt64(name.reference) << 48
  }

  /// Writes a pad over everything from `start` to `end`, a whole number of words, possibly none.
  @inline(__always)
  static func writePad(from start: UnsafeMutableRawPointer, to end: UnsafeMutableRawPointer) {
    guard start < end else { return }
    let bytes = UInt(bitPattern: end) &- UInt(bitPattern: start)
    start.storeBytes(of: FXTWord.pad(bytes: UInt64(bytes)).littleEndian, as: UInt64.self)
  }

  /// Writes the name of a blob, padded with zeros to whole words.
  static func writeBlobName(_ name: StaticString, at start: UnsafeMutableRawPointer) {
    let length = name.utf8CodeUnitCount
    (start + (FXTWord.words(length) - 1) * 8).storeBytes(of: 0, as: UInt64.self)
    start.copyMemory(from: name.utf8Start, byteCount: length)
  }
}

/// A text as a record refers to it.
struct RecordText {
  /// The 16-bit string reference.
  let reference: UInt16
  /// The bytes that follow inline; empty where the reference is an index.
  let inlineBytes: UnsafeRawBufferPointer

  /// How many words the inline bytes take.
  var inlineWords: Int { FXTWord.words(inlineBytes.count) }

  /// The text ""
  static var empty: RecordText { RecordText(index: 0) }

  /// A text in the string table.
  init(index: UInt16) {
    reference = index
    inlineBytes = UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// A text whose bytes stand in the record.
  init(inline bytes: UnsafeRawBufferPointer) {
    reference = FXTWord.inlineReference(bytes.count)
    inlineBytes = bytes
  }
}
