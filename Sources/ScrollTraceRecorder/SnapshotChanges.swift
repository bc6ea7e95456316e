/// What applying a snapshot of the data changes in a list.
public struct SnapshotChanges: Sendable {
  /// How it is applied: `differences`, `reload`, or the host's word.
  public var kind: RecordedName?
  /// How many items came in.
  public var inserted: Int?
  /// How many items went.
  public var deleted: Int?
  /// How many items were changed in their cells.
  public var reconfigured: Int?
  /// How many items got new cells.
  public var reloaded: Int?

  /// Changes of which as much is known as is given.
  public init(
    kind: RecordedName? = nil, inserted: Int? = nil, deleted: Int? = nil,
    reconfigured: Int? = nil, reloaded: Int? = nil
  ) {
    self.kind = kind
    self.inserted = inserted
    self.deleted = deleted
    self.reconfigured = reconfigured
    self.reloaded = reloaded
  }
}

/// A snapshot and the list it is applied to.
struct SnapshotDetails: EventDetails {
  var list: ListID?
  var changes: SnapshotChanges

  var keys: UInt64 {
    list.bit(.list) | changes.kind.bit(.kind) | changes.inserted.bit(.inserted)
      | changes.deleted.bit(.deleted) | changes.reconfigured.bit(.reconfigured)
      | changes.reloaded.bit(.reloaded)
  }

  var texts: (first: RecordedName?, second: RecordedName?) { (list?.name, changes.kind) }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    if let list { record.argument(.list, list, text: first) }
    if changes.kind != nil { record.argument(.kind, second) }
    if let inserted = changes.inserted { record.argument(.inserted, Int64(inserted)) }
    if let deleted = changes.deleted { record.argument(.deleted, Int64(deleted)) }
    if let count = changes.reconfigured { record.argument(.reconfigured, Int64(count)) }
    if let reloaded = changes.reloaded { record.argument(.reloaded, Int64(reloaded)) }
  }
}
