/// An event of an item of a list.
struct ItemEvent {
  /// The kind of an event, in the order of events at the same time.
  enum Kind: UInt8 {
    case hidden, prepared, loaded, requested, cancelled, discarded, displayed, placeholder, final
  }

  var item: UInt64
  /// The time in nanoseconds.
  var time: Int64
  /// The position of a preparation among all of them.
  var preparation: UInt32
  /// The index of the list.
  var list: Int16
  var kind: Kind
}
