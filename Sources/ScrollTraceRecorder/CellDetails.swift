/// What is known of a cell when a step of its life is recorded; `nil` is unknown.
///
/// Item, position and view are three different things: the identifier of the content, its place in
/// the list at this moment, and the view that shows it, which shows other items before and after.
public struct CellDetails: Sendable {
  /// The list.
  public var list: ListID?
  /// The item's stable identifier.
  public var item: UInt64?
  /// The item's place in the list.
  public var position: Int?
  /// The view's own identifier.
  public var view: UInt64?
  /// What sort of cell it is.
  public var kind: RecordedName?
  /// Which registration made the cell: one number for each time a registration is made.
  public var registration: UInt64?
  /// Whether the cell came from the reuse pool.
  public var reused: Bool?
  /// Whether the cell is prepared before it is needed.
  public var ahead: Bool?
  /// The size the layout counted with.
  public var estimatedSize: Double?
  /// The size the cell turned out to have.
  public var size: Double?

  /// A cell of which as much is known as is given.
  public init(
    list: ListID? = nil, item: UInt64? = nil, position: Int? = nil, view: UInt64? = nil,
    kind: RecordedName? = nil, registration: UInt64? = nil, reused: Bool? = nil,
    ahead: Bool? = nil, estimatedSize: Double? = nil, size: Double? = nil
  ) {
    self.list = list
    self.item = item
    self.position = position
    self.view = view
    self.kind = kind
    self.registration = registration
    self.reused = reused
    self.ahead = ahead
    self.estimatedSize = estimatedSize
    self.size = size
  }
}

extension CellDetails: EventDetails {
  var keys: UInt64 {
    list.bit(.list) | item.bit(.item) | position.bit(.position) | view.bit(.view)
      | kind.bit(.kind) | registration.bit(.registration) | reused.bit(.reused)
      | ahead.bit(.ahead) | estimatedSize.bit(.estimatedSize) | size.bit(.size)
  }

  var texts: (first: RecordedName?, second: RecordedName?) { (list?.name, kind) }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    if let list { record.argument(.list, list, text: first) }
    if let item { record.argument(.item, item) }
    if let position { record.argument(.position, Int64(position)) }
    if let view { record.argument(.view, view) }
    if kind != nil { record.argument(.kind, second) }
    if let registration { record.argument(.registration, registration) }
    if let reused { record.argument(.reused, reused) }
    if let ahead { record.argument(.ahead, ahead) }
    if let estimatedSize { record.argument(.estimatedSize, estimatedSize) }
    if let size { record.argument(.size, size) }
  }
}
