#if os(Linux)
  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #endif
#endif

extension Array {
  /// Asks the system for large pages behind the room of this array, where it is large.
  ///
  /// Filling a column of small pages takes longer than reading it from a file does. Pages that are
  /// never written take no memory either way.
  mutating func preferLargePages() {
    #if os(Linux)
      let page = 1 << 21
      guard capacity * MemoryLayout<Element>.stride >= 2 * page else { return }
      let room = capacity * MemoryLayout<Element>.stride
      withUnsafeMutableBytes { bytes in
        guard let start = bytes.baseAddress else { return }
        let first = start.alignedUp(toMultipleOf: page)
        let length = (room - start.distance(to: first)) & ~(page - 1)
        // Advice only: where it is not taken, nothing changes.
        if length > 0 { _ = madvise(first, length, 14) }
      }
    #endif
  }
}
