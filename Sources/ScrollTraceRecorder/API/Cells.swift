public import ScrollTraceLayout

/// A step in preparing a cell, recorded as a span.
public struct CellStep: RecordedKind {
  @usableFromInline package let name: RecordedName

  /// Creates a step with a name.
  @inlinable
  public init(_ name: RecordedName) { self.name = name }
}

extension CellStep {
  /// The app provides the item's content.
  @inlinable public static var fetch: CellStep { .init(word: Vocabulary.Cell.fetch) }

  /// A cell is taken from the reuse pool.
  @inlinable public static var dequeue: CellStep { .init(word: Vocabulary.Cell.dequeue) }

  /// A cell is created because the reuse pool is empty.
  @inlinable public static var create: CellStep { .init(word: Vocabulary.Cell.create) }

  /// A reused cell is reset.
  @inlinable public static var prepareForReuse: CellStep {
    CellStep(RecordedName(Vocabulary.Cell.prepareForReuse))
  }

  /// The cell is configured with the item's content.
  @inlinable public static var configure: CellStep { .init(word: Vocabulary.Cell.configure) }

  /// The cell's size is computed.
  @inlinable public static var size: CellStep { .init(word: Vocabulary.Cell.size) }

  /// The whole preparation; the other steps nest in it.
  @inlinable public static var prepare: CellStep { .init(word: Vocabulary.Cell.prepare) }
}

/// An event in a cell's life, recorded as an instant.
public struct CellMark: RecordedKind {
  @usableFromInline package let name: RecordedName

  /// Creates a mark with a name.
  @inlinable
  public init(_ name: RecordedName) { self.name = name }
}

extension CellMark {
  /// The cell is about to be displayed.
  @inlinable public static var willDisplay: CellMark { .init(word: Vocabulary.Cell.willDisplay) }

  /// The cell is no longer in view.
  @inlinable public static var didEndDisplaying: CellMark {
    CellMark(RecordedName(Vocabulary.Cell.didEndDisplaying))
  }

  /// A prepared cell was discarded without being displayed.
  @inlinable public static var discard: CellMark { .init(word: Vocabulary.Cell.discard) }
}

/// The details recorded with a step or mark of a cell. A `nil` property is unknown.
///
/// Item, position and view are different things: the identifier of the content, its current index in the
/// list, and the view that displays it, which is reused for other items.
public struct CellDetails: Sendable {
  /// The list that the cell belongs to.
  public var list: ListID?
  /// The item's stable identifier.
  public var item: ItemID?
  /// The item's current index in the list.
  public var position: Int?
  /// The view's identifier.
  public var viewID: UInt64?
  /// The type of cell, such as a reuse identifier.
  public var kind: RecordedName?
  /// The cell registration that created the cell: a number that is different each time a
  /// registration is created.
  public var registrationID: UInt64?
  /// A Boolean value indicating whether the cell came from the reuse pool.
  public var isReused: Bool?
  /// A Boolean value indicating whether the cell is prepared before it is needed.
  public var isPreparedAhead: Bool?
  /// The size that the layout assumed, in the host's unit.
  public var estimatedSize: Double?
  /// The actual size of the cell, in the same unit.
  public var size: Double?

  /// Creates details from the values that are known.
  public init(
    list: ListID? = nil, item: ItemID? = nil, position: Int? = nil, viewID: UInt64? = nil,
    kind: RecordedName? = nil, registrationID: UInt64? = nil, isReused: Bool? = nil,
    isPreparedAhead: Bool? = nil, estimatedSize: Double? = nil, size: Double? = nil
  ) {
    self.list = list
    self.item = item
    self.position = position
    self.viewID = viewID
    self.kind = kind
    self.registrationID = registrationID
    self.isReused = isReused
    self.isPreparedAhead = isPreparedAhead
    self.estimatedSize = estimatedSize
    self.size = size
  }
}

extension CellDetails: EventDetails {
  /// Returns the details of a step, with the item that was known at its start.
  func completed(by token: SpanToken) -> CellDetails {
    guard item == nil, token.hasItem else { return self }
    var details = self
    details.item = ItemID(number: token.item)
    return details
  }

  var keys: UInt64 {
    list.bit(.list) | item.bit(.item) | position.bit(.position) | viewID.bit(.view)
      | kind.bit(.kind) | registrationID.bit(.registration) | isReused.bit(.reused)
      | isPreparedAhead.bit(.ahead) | estimatedSize.bit(.estimatedSize) | size.bit(.size)
  }

  var texts: (first: RecordedName?, second: RecordedName?) { (list?.name, kind) }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    if list != nil { record.argument(.list, first) }
    if let item { record.argument(.item, item.number) }
    if let position { record.argument(.position, Int64(position)) }
    if let viewID { record.argument(.view, viewID) }
    if kind != nil { record.argument(.kind, second) }
    if let registrationID { record.argument(.registration, registrationID) }
    if let isReused { record.argument(.reused, isReused) }
    if let isPreparedAhead { record.argument(.ahead, isPreparedAhead) }
    if let estimatedSize { record.argument(.estimatedSize, estimatedSize) }
    if let size { record.argument(.size, size) }
  }
}

extension TraceRecorder {
  /// Records a step of a cell's preparation.
  ///
  /// ```swift
  /// recorder.withCellStep(.configure, CellDetails(list: feed, item: post.id, position: row)) {
  ///   cell.show(post)
  /// }
  /// ```
  public func withCellStep<Value: ~Copyable, Failure: Error>(
    _ step: CellStep, _ details: CellDetails = CellDetails(), _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let token = beginSpan(step.name, .cell, item: details.item)
    defer { pointer.endSpan(token, isNested: true, details: details.completed(by: token)) }
    return try body()
  }

  /// Records a step of a cell's preparation that determines details of the cell.
  ///
  /// ```swift
  /// recorder.withCellStep(.dequeue, CellDetails(item: post.id)) { details in
  ///   let cell = pool.popLast()
  ///   details.isReused = cell != nil
  ///   return cell ?? Cell()
  /// }
  /// ```
  public func withCellStep<Value: ~Copyable, Failure: Error>(
    _ step: CellStep, _ details: CellDetails = CellDetails(),
    _ body: (inout CellDetails) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    var details = details
    let token = beginSpan(step.name, .cell, item: details.item)
    defer { pointer.endSpan(token, isNested: true, details: details.completed(by: token)) }
    return try body(&details)
  }

  /// Records an event in a cell's life at the current time.
  public func markCell(_ mark: CellMark, _ details: CellDetails = CellDetails()) {
    guard let writer = pointer.enterToRecord() else { return }
    writer.writeInstant(mark.name, .cell, details: details)
    pointer.leave(writer)
  }

  /// Records a step in preparing a cell after the fact. See `recordSpan`.
  package func recordCell(
    _ step: CellStep, _ details: CellDetails = CellDetails(), from begin: RecorderTime,
    to end: RecorderTime
  ) {
    guard let writer = pointer.enterToRecord() else { return }
    writer.recordSpan(
      step.name, SpanCategory.cell.name, from: begin.nanoseconds, to: end.nanoseconds,
      details: details)
    pointer.leave(writer)
  }
}
