/// A collection whose positions are the numbers from zero.
///
/// Those of the standard library compare each position with both ends before they step to the next.
@usableFromInline package protocol NumberedCollection: RandomAccessCollection
where Index == Int, Indices == Range<Int> {}

extension NumberedCollection {
  /// The position of the first element.
  @inlinable public var startIndex: Int { 0 }
  /// The position after the last element.
  @inlinable public var endIndex: Int { count }
  /// Returns the position after `index`.
  @inlinable public func index(after index: Int) -> Int { index + 1 }
}
