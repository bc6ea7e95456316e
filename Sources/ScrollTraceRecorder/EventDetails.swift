/// The arguments of one event.
protocol EventDetails {
  /// The keys that are there.
  var keys: UInt64 { get }

  /// The most words the arguments take, not counting texts that stand inline.
  var words: Int { get }

  /// Up to two texts that are values of arguments.
  var texts: (first: RecordedName?, second: RecordedName?) { get }

  /// Adds the arguments; `first` and `second` are `texts` as a record refers to them.
  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText)
}

extension EventDetails {
  /// No texts.
  @inline(__always)
  var texts: (first: RecordedName?, second: RecordedName?) { (nil, nil) }

  /// Two words for every key: enough for all types but inline texts.
  @inline(__always)
  var words: Int { 2 * keys.nonzeroBitCount }
}

/// No arguments.
struct NoDetails: EventDetails {
  var keys: UInt64 { 0 }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {}
}

/// The item that is worked on.
struct ItemDetails: EventDetails {
  var item: UInt64?

  var keys: UInt64 { item.bit(.item) }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    if let item { record.argument(.item, item) }
  }
}

extension Optional {
  /// The key's bit where there is a value, else 0.
  @inline(__always)
  func bit(_ key: ArgumentKey) -> UInt64 {
    self == nil ? 0 : key.bit
  }
}
