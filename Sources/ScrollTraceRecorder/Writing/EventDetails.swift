internal import ScrollTraceLayout

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
  func bit(_ key: Vocabulary.Key) -> UInt64 {
    self == nil ? 0 : key.bit
  }
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
