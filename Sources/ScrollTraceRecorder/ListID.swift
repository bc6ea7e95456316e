/// Which list a cell or an item belongs to.
///
/// `TraceRecorder.list(_:)` makes one with a name, which reports show; a number does as well.
public struct ListID: Sendable {
  /// The name; `nil` for a number.
  let name: RecordedName?
  /// The number, where there is no name.
  let number: UInt64

  /// The list number `number`.
  public init(_ number: UInt64) {
    name = nil
    self.number = number
  }

  /// The list called `name`.
  public init(name: RecordedName) {
    self.name = name
    number = 0
  }
}

extension RecordBuilder {
  /// Adds the list an event is about; `text` is its name as a record refers to it.
  mutating func argument(_ key: ArgumentKey, _ list: ListID, text: RecordText) {
    if list.name == nil { argument(key, list.number) } else { argument(key, text) }
  }
}
