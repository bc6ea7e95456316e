extension Surface {
  /// The surface as one pointer that nobody has to keep alive, for the C interface.
  package var handle: UnsafeMutableRawPointer { UnsafeMutableRawPointer(block) }

  /// The surface whose `handle` is given.
  package init(handle: UnsafeMutableRawPointer) {
    self.init(block: handle.assumingMemoryBound(to: SurfaceBlock.self))
  }
}
