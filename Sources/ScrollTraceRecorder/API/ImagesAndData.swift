public import ScrollTraceLayout

/// Work on an image, recorded as a span.
public struct ImageStep: RecordedKind {
  @usableFromInline package let name: RecordedName

  /// Creates a step with a name.
  @inlinable
  public init(_ name: RecordedName) { self.name = name }
}

extension ImageStep {
  /// The image is decoded.
  @inlinable public static var decode: ImageStep { .init(word: Vocabulary.Image.decode) }

  /// A thumbnail is made from a large image.
  @inlinable public static var thumbnail: ImageStep { .init(word: Vocabulary.Image.thumbnail) }

  /// The image's bytes are downloaded.
  @inlinable public static var download: ImageStep { .init(word: Vocabulary.Image.download) }
}

/// An event in an image's life, recorded as an instant.
public struct ImageMark: RecordedKind {
  @usableFromInline package let name: RecordedName

  /// Creates a mark with a name.
  @inlinable
  public init(_ name: RecordedName) { self.name = name }
}

extension ImageMark {
  /// A placeholder is displayed.
  @inlinable public static var placeholder: ImageMark { .init(word: Vocabulary.Image.placeholder) }

  /// The final image is displayed.
  @inlinable public static var final: ImageMark { .init(word: Vocabulary.Image.final) }

  /// The image was in the cache.
  @inlinable public static var cacheHit: ImageMark { .init(word: Vocabulary.Image.cacheHit) }

  /// The image was not in the cache.
  @inlinable public static var cacheMiss: ImageMark { .init(word: Vocabulary.Image.cacheMiss) }

  /// The image was evicted from the cache.
  @inlinable public static var evict: ImageMark { .init(word: Vocabulary.Image.evict) }
}

extension TraceRecorder {
  /// Records work on an image.
  ///
  /// - Parameters:
  ///   - step: The kind of work.
  ///   - item: The item that the image belongs to.
  ///   - viewID: The view that the image is for.
  ///   - bytes: The image's size in bytes.
  ///   - body: The work.
  public func withImageStep<Value: ~Copyable, Failure: Error>(
    _ step: ImageStep, item: ItemID? = nil, viewID: UInt64? = nil, bytes: UInt64? = nil,
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let token = beginImage(step, item: item)
    let details = ContentDetails(item: item?.number, view: viewID, bytes: bytes)
    defer { pointer.endSpan(token, isNested: true, details: details) }
    return try body()
  }

  /// Begins work on an image that a closure cannot enclose.
  package func beginImage(_ step: ImageStep, item: ItemID? = nil) -> SpanToken {
    beginSpan(step.name, .image, item: item)
  }

  package func endImage(_ token: SpanToken, bytes: UInt64?) {
    pointer.endSpan(token, details: ContentDetails(item: token.knownItem, bytes: bytes))
  }

  /// Records an event in an image's life at the current time.
  public func markImage(
    _ mark: ImageMark, item: ItemID? = nil, viewID: UInt64? = nil, bytes: UInt64? = nil
  ) {
    guard let writer = pointer.enterToRecord() else { return }
    writer.writeInstant(
      mark.name, .image, details: ContentDetails(item: item?.number, view: viewID, bytes: bytes))
    pointer.leave(writer)
  }
}

/// Work on a list's data, recorded as a span.
public struct DataStep: RecordedKind {
  @usableFromInline package let name: RecordedName

  /// Creates a step with a name.
  @inlinable
  public init(_ name: RecordedName) { self.name = name }
}

extension DataStep {
  /// Data is loaded.
  @inlinable public static var load: DataStep { .init(word: Vocabulary.Data.load) }
}

/// An event in the life of data, recorded as an instant.
public struct DataMark: RecordedKind {
  @usableFromInline package let name: RecordedName

  /// Creates a mark with a name.
  @inlinable
  public init(_ name: RecordedName) { self.name = name }
}

extension DataMark {
  /// An item that will be needed soon is requested.
  @inlinable public static var prefetch: DataMark { .init(word: Vocabulary.Data.prefetch) }

  /// A prefetch is canceled because the item is no longer needed.
  @inlinable public static var cancelPrefetch: DataMark {
    DataMark(RecordedName(Vocabulary.Data.cancelPrefetch))
  }

  /// A result arrived for a view that displays another item by then.
  @inlinable public static var lateResult: DataMark { .init(word: Vocabulary.Data.lateResult) }
}

/// The changes that a snapshot makes to a list.
public struct SnapshotChanges: Sendable {
  /// The way the snapshot is applied: `differences`, `reload`, or a custom word.
  package var kind: RecordedName?
  package var inserted: Int?
  package var deleted: Int?
  /// The number of items that were reconfigured in their cells.
  package var reconfigured: Int?
  /// The number of items that got new cells.
  package var reloaded: Int?

  /// Creates changes from the values that are known.
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
    if list != nil { record.argument(.list, first) }
    if changes.kind != nil { record.argument(.kind, second) }
    if let inserted = changes.inserted { record.argument(.inserted, Int64(inserted)) }
    if let deleted = changes.deleted { record.argument(.deleted, Int64(deleted)) }
    if let count = changes.reconfigured { record.argument(.reconfigured, Int64(count)) }
    if let reloaded = changes.reloaded { record.argument(.reloaded, Int64(reloaded)) }
  }
}

extension TraceRecorder {
  /// Records work on a list's data.
  ///
  /// - Parameters:
  ///   - step: The kind of work.
  ///   - list: The list that the data is for.
  ///   - item: The item that the data is for.
  ///   - viewID: The view that the data is for.
  ///   - body: The work.
  public func withDataStep<Value: ~Copyable, Failure: Error>(
    _ step: DataStep, list: ListID? = nil, item: ItemID? = nil, viewID: UInt64? = nil,
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let token = beginData(step, item: item)
    let details = ContentDetails(list: list, item: item?.number, view: viewID)
    defer { pointer.endSpan(token, isNested: true, details: details) }
    return try body()
  }

  /// Begins work on data that a closure cannot enclose.
  package func beginData(_ step: DataStep, item: ItemID? = nil) -> SpanToken {
    beginSpan(step.name, .data, item: item)
  }

  package func endData(_ token: SpanToken, viewID: UInt64?) {
    pointer.endSpan(token, details: ContentDetails(item: token.knownItem, view: viewID))
  }

  /// Records `body` as applying a snapshot to a list.
  public func withSnapshot<Value: ~Copyable, Failure: Error>(
    to list: ListID? = nil, _ changes: SnapshotChanges = SnapshotChanges(),
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let token = beginSpan(RecordedName(Vocabulary.Data.applySnapshot), .data)
    let details = SnapshotDetails(list: list, changes: changes)
    defer { pointer.endSpan(token, isNested: true, details: details) }
    return try body()
  }

  /// Records an event in the life of data at the current time.
  public func markData(
    _ mark: DataMark, list: ListID? = nil, item: ItemID? = nil, viewID: UInt64? = nil
  ) {
    guard let writer = pointer.enterToRecord() else { return }
    writer.writeInstant(
      mark.name, .data, details: ContentDetails(list: list, item: item?.number, view: viewID))
    pointer.leave(writer)
  }
}

/// What is known of an image or of data.
struct ContentDetails: EventDetails {
  var list: ListID?
  var item: UInt64?
  var view: UInt64?
  var bytes: UInt64?

  var keys: UInt64 {
    list.bit(.list) | item.bit(.item) | view.bit(.view) | bytes.bit(.bytes)
  }
  var texts: (first: RecordedName?, second: RecordedName?) { (list?.name, nil) }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    if list != nil { record.argument(.list, first) }
    if let item { record.argument(.item, item) }
    if let view { record.argument(.view, view) }
    if let bytes { record.argument(.bytes, bytes) }
  }
}
