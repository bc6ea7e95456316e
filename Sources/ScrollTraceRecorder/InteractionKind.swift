public import ScrollTraceLayout

/// Why the display is owed a frame at every refresh; a literal is a kind of the host's own.
public struct InteractionKind: Sendable, ExpressibleByStringLiteral {
  /// The word.
  public let name: RecordedName

  /// A kind called `name`.
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

extension InteractionKind {
  /// A finger or pointer moves the content.
  @inlinable public static var drag: InteractionKind {
    InteractionKind(RecordedName(Vocabulary.Interaction.drag))
  }

  /// The content runs out after a fling.
  @inlinable public static var deceleration: InteractionKind {
    InteractionKind(RecordedName(Vocabulary.Interaction.deceleration))
  }

  /// An animation runs.
  @inlinable public static var animation: InteractionKind {
    InteractionKind(RecordedName(Vocabulary.Interaction.animation))
  }

  /// An item is dragged to another place.
  @inlinable public static var reorder: InteractionKind {
    InteractionKind(RecordedName(Vocabulary.Interaction.reorder))
  }

  /// The content moves page by page.
  @inlinable public static var paging: InteractionKind {
    InteractionKind(RecordedName(Vocabulary.Interaction.paging))
  }

  /// Pull to refresh.
  @inlinable public static var refresh: InteractionKind {
    InteractionKind(RecordedName(Vocabulary.Interaction.refresh))
  }
}
