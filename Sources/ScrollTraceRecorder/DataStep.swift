public import ScrollTraceLayout

/// Work on the data behind a list: a span.
public struct DataStep: Sendable, ExpressibleByStringLiteral {
  /// The word.
  public let name: RecordedName

  /// Work called `name`.
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

extension DataStep {
  /// Data is loaded.
  @inlinable public static var load: DataStep { DataStep(RecordedName(Vocabulary.Data.load)) }
}
