public import ScrollTraceLayout

/// A step of a cell's preparation: a span.
public struct CellStep: Sendable, ExpressibleByStringLiteral {
  @usableFromInline package let name: RecordedName

  /// A step called `name`.
  @inlinable
  public init(_ name: RecordedName) {
    self.name = name
  }

  /// Creates one of the host's own from a literal.
  @inlinable
  public init(stringLiteral text: StaticString) {
    self.init(RecordedName(text))
  }
}

extension CellStep {
  /// The item is asked for its content.
  @inlinable public static var fetch: CellStep { CellStep(RecordedName(Vocabulary.Cell.fetch)) }

  /// A cell is taken from the reuse pool.
  @inlinable public static var dequeue: CellStep { CellStep(RecordedName(Vocabulary.Cell.dequeue)) }

  /// A cell is made since the pool has none.
  @inlinable public static var create: CellStep { CellStep(RecordedName(Vocabulary.Cell.create)) }

  /// A used cell is cleared.
  @inlinable public static var prepareForReuse: CellStep {
    CellStep(RecordedName(Vocabulary.Cell.prepareForReuse))
  }

  /// The item's content is put into the cell.
  @inlinable public static var configure: CellStep {
    CellStep(RecordedName(Vocabulary.Cell.configure))
  }

  /// The cell's size is worked out.
  @inlinable public static var size: CellStep { CellStep(RecordedName(Vocabulary.Cell.size)) }

  /// The whole of the preparation; the other steps nest in it.
  @inlinable public static var prepare: CellStep { CellStep(RecordedName(Vocabulary.Cell.prepare)) }
}

/// An instant in a cell's life.
public struct CellMark: Sendable, ExpressibleByStringLiteral {
  @usableFromInline package let name: RecordedName

  /// A mark called `name`.
  @inlinable
  public init(_ name: RecordedName) {
    self.name = name
  }

  /// Creates one of the host's own from a literal.
  @inlinable
  public init(stringLiteral text: StaticString) {
    self.init(RecordedName(text))
  }
}

extension CellMark {
  /// The cell is displayed.
  @inlinable public static var willDisplay: CellMark {
    CellMark(RecordedName(Vocabulary.Cell.willDisplay))
  }

  /// The cell has left the view.
  @inlinable public static var didEndDisplaying: CellMark {
    CellMark(RecordedName(Vocabulary.Cell.didEndDisplaying))
  }

  /// The prepared cell was given up.
  @inlinable public static var discard: CellMark { CellMark(RecordedName(Vocabulary.Cell.discard)) }
}

/// What is known of a cell when a step of its life is recorded; `nil` is unknown.
///
/// Item, position and view are three different things: the identifier of the content, its place in
/// the list at this moment, and the view that shows it, which shows other items before and after.
public struct CellDetails: Sendable {
  /// The list.
  public var list: ListID?
  /// The item's stable identifier.
  public var item: ItemID?
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
    list: ListID? = nil, item: ItemID? = nil, position: Int? = nil, view: UInt64? = nil,
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
    if let item { record.argument(.item, item.number) }
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

extension TraceRecorder {
  /// Records a step of a cell's preparation.
  ///
  /// ```swift
  /// recorder.withCellStep(.configure, CellDetails(list: feed, item: post.id, position: row)) {
  ///   cell.show(post)
  /// }
  /// ```
  public func withCellStep<Value: ~Copyable, Failure: Error>(
    _ step: CellStep, _ details: CellDetails = CellDetails(),
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let token = beginCell(step, item: details.item)
    defer { endSpan(token, isNested: true, details: Self.details(details, of: token)) }
    return try body()
  }

  /// Records a step of a cell's preparation that finds out more about the cell.
  ///
  /// ```swift
  /// recorder.withCellStep(.dequeue, CellDetails(item: post.id)) { details in
  ///   let cell = pool.popLast()
  ///   details.reused = cell != nil
  ///   return cell ?? Cell()
  /// }
  /// ```
  public func withCellStep<Value: ~Copyable, Failure: Error>(
    _ step: CellStep, _ details: CellDetails = CellDetails(),
    _ body: (inout CellDetails) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    var details = details
    let token = beginCell(step, item: details.item)
    defer { endSpan(token, isNested: true, details: Self.details(details, of: token)) }
    return try body(&details)
  }

  /// Begins a step where a closure does not fit.
  public func beginCell(_ step: CellStep, item: ItemID? = nil) -> SpanToken {
    beginSpan(step.name, .cell, item: item)
  }

  /// Ends a step, with all that is known by now.
  public func endCell(_ token: SpanToken, _ details: CellDetails = CellDetails()) {
    endSpan(token, details: Self.details(details, of: token))
  }

  /// The details of a step, with the item that was known at its start.
  private static func details(_ details: CellDetails, of token: SpanToken) -> CellDetails {
    guard details.item == nil, token.hasItem else { return details }
    var details = details
    details.item = ItemID(number: token.item)
    return details
  }

  /// Records an instant in a cell's life.
  public func markCell(_ mark: CellMark, _ details: CellDetails = CellDetails()) {
    guard shouldRecordEvent() else { return }
    writer.writeInstant(mark.name, .cell, details: details)
  }

  /// Records a step of a cell's preparation after the fact; see `recordSpan`.
  public func recordCell(
    _ step: CellStep, _ details: CellDetails = CellDetails(), from begin: Int64,
    to end: Int64
  ) {
    guard shouldRecordEvent() else { return }
    writer.recordSpan(
      step.name, SpanCategory.cell.name, from: begin, to: end, details: details)
  }
}
