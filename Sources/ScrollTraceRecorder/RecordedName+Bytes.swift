extension RecordedName {
  /// Where the bytes lie, for the C interface.
  @inlinable @inline(__always)
  package var address: UnsafePointer<UInt8> { start }

  /// How many bytes there are.
  @inlinable @inline(__always)
  package var count: Int { length }

  /// Whether it is too long to be kept: what it belongs to is counted as lost.
  package var isTooLong: Bool { length > NameTable.maximumLength }

  /// A name of `count` bytes that stay as they are for the life of the process; a count that is
  /// negative or no name's makes one that is counted as too big, its bytes never looked at.
  @inlinable @inline(__always)
  package init(address: UnsafePointer<UInt8>, count: Int) {
    self.init(start: address, length: Int(bitPattern: min(UInt(bitPattern: count), 1 << 16)))
  }
}
