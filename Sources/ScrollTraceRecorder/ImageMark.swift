public import ScrollTraceLayout

/// An instant in the life of an image.
public struct ImageMark: Sendable, ExpressibleByStringLiteral {
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

extension ImageMark {
  /// A placeholder is shown.
  @inlinable public static var placeholder: ImageMark {
    ImageMark(RecordedName(Vocabulary.Image.placeholder))
  }

  /// The image itself is shown.
  @inlinable public static var final: ImageMark { ImageMark(RecordedName(Vocabulary.Image.final)) }

  /// The image was in the cache.
  @inlinable public static var cacheHit: ImageMark {
    ImageMark(RecordedName(Vocabulary.Image.cacheHit))
  }

  /// The image was not in the cache.
  @inlinable public static var cacheMiss: ImageMark {
    ImageMark(RecordedName(Vocabulary.Image.cacheMiss))
  }

  /// The image was thrown out of the cache.
  @inlinable public static var evict: ImageMark { ImageMark(RecordedName(Vocabulary.Image.evict)) }
}
