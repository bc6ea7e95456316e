extension TraceRecorder {
  /// The recorder as one pointer that nobody has to keep alive, for the C interface.
  @inlinable @inline(__always)
  package var handle: UnsafeMutableRawPointer { UnsafeMutableRawPointer(control) }

  /// The recorder whose `handle` is given, for the calling thread.
  @inlinable @inline(__always)
  package init(handle: UnsafeRawPointer) {
    control = UnsafeMutablePointer(mutating: handle.assumingMemoryBound(to: ControlBlock.self))
    simulated = nil
  }
}
