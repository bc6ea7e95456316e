public import ScrollTraceLayout

/// Work on an image: a span.
public struct ImageStep: Sendable, ExpressibleByStringLiteral {
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

extension ImageStep {
  /// The image becomes a bitmap.
  @inlinable public static var decode: ImageStep {
    ImageStep(RecordedName(Vocabulary.Image.decode))
  }

  /// A small image is read from a large one.
  @inlinable public static var thumbnail: ImageStep {
    ImageStep(RecordedName(Vocabulary.Image.thumbnail))
  }

  /// The image's bytes are fetched.
  @inlinable public static var download: ImageStep {
    ImageStep(RecordedName(Vocabulary.Image.download))
  }
}
