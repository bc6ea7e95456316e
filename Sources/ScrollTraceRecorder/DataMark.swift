public import ScrollTraceLayout

/// An instant in the life of data.
public struct DataMark: Sendable, ExpressibleByStringLiteral {
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

extension DataMark {
  /// An item that will be needed is asked for.
  @inlinable public static var prefetch: DataMark {
    DataMark(RecordedName(Vocabulary.Data.prefetch))
  }

  /// The item is not needed after all.
  @inlinable public static var cancelPrefetch: DataMark {
    DataMark(RecordedName(Vocabulary.Data.cancelPrefetch))
  }

  /// A result came for a view that shows another item by now.
  @inlinable public static var lateResult: DataMark {
    DataMark(RecordedName(Vocabulary.Data.lateResult))
  }
}
