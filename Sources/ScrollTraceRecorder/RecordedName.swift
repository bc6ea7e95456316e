/// A text that stays where it is for the life of the process, so that the hot path needs no look-up.
///
/// Write a literal where a name is asked for; texts that are only known at run time are registered
/// once with `TraceRecorder.name(_:)` and kept.
public struct RecordedName: Sendable, ExpressibleByStringLiteral {
  /// The UTF-8 bytes; unchecked, since they are never written to or freed.
  @usableFromInline nonisolated(unsafe) let start: UnsafePointer<UInt8>
  @usableFromInline let length: Int

  @usableFromInline init(start: UnsafePointer<UInt8>, length: Int) {
    self.start = start
    self.length = length
  }

  /// A literal.
  @inlinable
  public init(stringLiteral text: StaticString) {
    self.init(text)
  }

  /// A text of the program itself; one that was made of a single Unicode scalar by hand has no bytes
  /// and is empty.
  @inlinable
  public init(_ text: StaticString) {
    if text.hasPointerRepresentation {
      self.init(start: text.utf8Start, length: text.utf8CodeUnitCount)
    } else {
      self.init(start: ("" as StaticString).utf8Start, length: 0)
    }
  }

  /// The text; empty where it was too long to be kept.
  public var text: String {
    guard length <= NameTable.maximumLength else { return "" }
    return String(decoding: UnsafeBufferPointer(start: start, count: length), as: UTF8.self)
  }
}
