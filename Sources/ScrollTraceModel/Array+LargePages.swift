#if os(Linux)
  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #endif
#endif

extension Array {
  /// Makes room for `wanted` elements, in large pages where that is a lot.
  mutating func grow(toCapacity wanted: Int) {
    var grown: [Element] = []
    grown.reserveCapacity(wanted)
    // Before anything is written.
    grown.preferLargePages()
    grown.append(contentsOf: self)
    self = grown
  }

  /// Gives the memory behind the elements back, which large pages take as a whole.
  func releaseUnusedRoom() {
    #if os(Linux)
      // Whoever shares the elements shares their number too.
      let (used, room) = (count, capacity)
      let stride = MemoryLayout<Element>.stride
      guard (room - used) * stride >= 1 << 16 else { return }
      withUnsafeBufferPointer { elements in
        guard let start = UnsafeMutableRawPointer(mutating: elements.baseAddress) else { return }
        let page = Int(sysconf(CInt(_SC_PAGESIZE)))
        guard page > 0, page & (page - 1) == 0 else { return }
        let first = (start + used * stride).alignedUp(toMultipleOf: page)
        let length = (room * stride - start.distance(to: first)) & ~(page - 1)
        // Nothing lies there: what is written there later is written before it is read.
        if length > 0 { _ = madvise(first, length, MADV_DONTNEED) }
      }
    #endif
  }

  /// Asks the system for large pages behind the room of this array, where it is large.
  ///
  /// Filling a column of small pages takes longer than reading it from a file does. Pages that are
  /// never written take no memory either way.
  private mutating func preferLargePages() {
    #if os(Linux)
      let page = 1 << 21
      let room = capacity * MemoryLayout<Element>.stride
      guard room >= 2 * page else { return }
      withUnsafeMutableBufferPointer { elements in
        guard let start = UnsafeMutableRawPointer(elements.baseAddress) else { return }
        let first = start.alignedUp(toMultipleOf: page)
        let length = (room - start.distance(to: first)) & ~(page - 1)
        // Advice only: where it is not taken, nothing changes.
        if length > 0 { _ = madvise(first, length, MADV_HUGEPAGE) }
      }
    #endif
  }
}
