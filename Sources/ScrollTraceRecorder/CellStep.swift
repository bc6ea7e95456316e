public import ScrollTraceLayout

/// A step of a cell's preparation: a span.
public struct CellStep: Sendable, ExpressibleByStringLiteral {
  /// The word.
  public let name: RecordedName

  /// A step called `name`.
  @inlinable
  public init(_ name: RecordedName) {
    self.name = name
  }

  /// A word of the host's own.
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
