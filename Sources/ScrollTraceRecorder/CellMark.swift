public import ScrollTraceLayout

/// An instant in a cell's life.
public struct CellMark: Sendable, ExpressibleByStringLiteral {
  /// The word.
  public let name: RecordedName

  /// A mark called `name`.
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

extension CellMark {
  /// The cell comes into view.
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
