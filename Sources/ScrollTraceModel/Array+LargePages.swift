#if os(Linux)
  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #endif
#endif

extension Array {
  /// Reserves room for `wanted` elements, in large pages if it is large.
  package mutating func grow(toCapacity wanted: Int) {
    var grown: [Element] = []
    grown.reserveCapacity(wanted)
    // The pages must be chosen before anything is written.
    grown.preferLargePages()
    grown.append(contentsOf: self)
    self = grown
  }

  /// Releases the memory after the elements, which large pages allocate as a whole.
  func releaseUnusedRoom() {
    #if os(Linux)
      // A copy of the array shares the number of elements too.
      let (used, room) = (count, capacity)
      let stride = MemoryLayout<Element>.stride
      guard (room - used) * stride >= 1 << 16 else { return }
      withUnsafeBufferPointer { elements in
        guard let start = UnsafeMutableRawPointer(mutating: elements.baseAddress) else { return }
        let page = Int(sysconf(CInt(_SC_PAGESIZE)))
        guard page > 0, page & (page - 1) == 0 else { return }
        let first = (start + used * stride).alignedUp(toMultipleOf: page)
        let length = (room * stride - start.distance(to: first)) & ~(page - 1)
        // The memory is unused, and is written before it is read.
        if length > 0 { _ = madvise(first, length, MADV_DONTNEED) }
      }
    #endif
  }

  /// Requests large pages for the unused room of this array, if it is large.
  ///
  /// Filling a column of small pages takes longer than reading it from a file. Pages that are never
  /// written use no memory in either case.
  private mutating func preferLargePages() {
    #if os(Linux)
      let page = 1 << 21
      let room = capacity * MemoryLayout<Element>.stride
      guard room >= 2 * page else { return }
      withUnsafeMutableBufferPointer { elements in
        guard let start = UnsafeMutableRawPointer(elements.baseAddress) else { return }
        let first = start.alignedUp(toMultipleOf: page)
        let length = (room - start.distance(to: first)) & ~(page - 1)
        // This is only advice; failure has no effect.
        if length > 0 { _ = madvise(first, length, MADV_HUGEPAGE) }
      }
    #endif
  }
}
