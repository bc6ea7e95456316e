/// Builds FXT records in memory, one call a record.
///
/// For exports, samples and tests; the recorder writes its records in place.
///
/// ```swift
/// var writer = FXTWriter()
/// writer.appendMagic()
/// writer.appendInitialization()
/// writer.appendThread(1, process: 100, systemID: 101)
/// writer.appendEvent(
///   .complete(end: 9_000), thread: .index(1), category: "app", name: "layout", at: 1_000)
/// ```
package struct FXTWriter {
  /// The records so far.
  package private(set) var bytes: [UInt8] = []

  /// How many records were left out because they were larger than a record can be.
  package internal(set) var tooLargeCount = 0

  /// A writer without records.
  package init() {}

  /// A reference to a name: by its index in the table, or with the bytes in the record.
  package enum Name: ExpressibleByStringLiteral, Sendable {
    /// The empty name.
    case empty
    /// The name of the string record with this index, 1 to 32 767.
    case index(UInt16)
    /// The name itself; at most 32 000 bytes of it are written.
    case inline(String)

    /// The name itself.
    package init(stringLiteral value: String) { self = .inline(value) }
  }

  /// A reference to a thread: by its index in the table, or with the numbers in the record.
  package enum Thread: Sendable {
    /// The thread of the thread record with this index, 1 to 255.
    case index(UInt8)
    /// The thread's own numbers.
    case inline(process: UInt64, thread: UInt64)
  }

  /// What an event says besides its time and names.
  package enum Event: Sendable {
    /// A mark.
    case instant
    /// Samples: every numeric argument is one.
    case counter(id: UInt64)
    /// A span begins.
    case start
    /// The innermost span ends.
    case end
    /// A span that ended at `end`.
    case complete(end: UInt64)
    /// An asynchronous span begins.
    case asyncBegin(id: UInt64)
    /// A mark in an asynchronous span.
    case asyncInstant(id: UInt64)
    /// An asynchronous span ends.
    case asyncEnd(id: UInt64)
    /// An arrow starts.
    case flowBegin(id: UInt64)
    /// An arrow goes on.
    case flowStep(id: UInt64)
    /// An arrow ends.
    case flowEnd(id: UInt64)
  }

  /// A value of an argument.
  package enum Value: Sendable {
    /// No value.
    case null
    /// A signed integer of 32 bits.
    case int32(Int32)
    /// An unsigned integer of 32 bits.
    case uint32(UInt32)
    /// A signed integer of 64 bits.
    case int64(Int64)
    /// An unsigned integer of 64 bits.
    case uint64(UInt64)
    /// A floating-point number.
    case double(Double)
    /// A name.
    case string(Name)
    /// An address.
    case pointer(UInt64)
    /// The number of a kernel object.
    case koid(UInt64)
    /// A truth value.
    case bool(Bool)
  }

  // MARK: - Words

  /// Appends one word as it is; tests use it to build what no writer should write.
  package mutating func appendWord(_ word: UInt64) {
    withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Appends records that are whole already.
  package mutating func append(_ records: [UInt8]) { bytes += records }

  /// Forgets all records, and keeps the room that they took.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    tooLargeCount = 0
  }

  /// Appends a record of `type` with the header's `fields` from bit 16 on and `body` behind it.
  mutating func appendRecord(_ type: FXT.RecordType, _ fields: UInt64, _ body: [UInt64] = []) {
    let words = body.count + 1
    guard words <= FXT.maximumRecordWords else {
      tooLargeCount += 1
      return
    }
    appendWord(type.rawValue | UInt64(words) << 4 | fields)
    for word in body { appendWord(word) }
  }
}

extension FXTWriter.Name {
  /// The most bytes of a name that are written.
  static let maximumLength = 32_000

  /// The reference as it stands in headers.
  var reference: UInt64 {
    switch self {
    case .empty: 0
    case .index(let index): UInt64(index) & 0x7fff
    case .inline(let text): text.isEmpty ? 0 : FXT.inlineBit | UInt64(bytes.count)
    }
  }

  /// The words that follow where the name is in the record.
  var words: [UInt64] { [UInt64](padding: bytes) }

  private var bytes: [UInt8] {
    guard case .inline(let text) = self else { return [] }
    return text.prefixOfUTF8(Self.maximumLength)
  }
}

extension String {
  /// The first bytes, at most `limit`, without a cut character at their end.
  func prefixOfUTF8(_ limit: Int) -> [UInt8] {
    guard utf8.count > limit else { return Array(utf8) }
    var end = utf8.index(utf8.startIndex, offsetBy: limit)
    while utf8[end] & 0xC0 == 0x80, end > utf8.startIndex { utf8.formIndex(before: &end) }
    return Array(utf8[..<end])
  }
}

extension [UInt64] {
  /// The words that hold `bytes`, the rest of the last one zero.
  init(padding bytes: [UInt8]) {
    self = stride(from: 0, to: bytes.count, by: 8).map { start in
      bytes[start..<Swift.min(start + 8, bytes.count)].reversed().reduce(UInt64(0)) {
        $0 << 8 | UInt64($1)
      }
    }
  }
}
