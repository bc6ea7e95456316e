internal import CRecorderShims

/// A recorder without ownership: what its frames, spans and simulated threads hold, and what the paths
/// that record are made of, so that they count no references.
///
/// The control block stays when the recorder is freed, and says so: whoever ends a frame or a span then
/// does nothing.
@usableFromInline
package struct RecorderPointer: @unchecked Sendable {
  @usableFromInline let control: UnsafeMutablePointer<ControlBlock>

  /// The writer of a simulated thread, or `nil` to write for the calling thread.
  @usableFromInline let simulated: UnsafeMutablePointer<ThreadWriter>?

  @inlinable @inline(__always)
  init(
    control: UnsafeMutablePointer<ControlBlock>, simulated: UnsafeMutablePointer<ThreadWriter>?
  ) {
    self.control = control
    self.simulated = simulated
  }

  /// The surface of frames without an explicit surface.
  var defaultSurface: RecordedSurface { control.pointee.defaultSurface }

  /// Returns whether to record an event now, and counts events after `finish` as lost.
  @inlinable @inline(__always)
  func shouldRecordEvent() -> Bool {
    let mode = control.mode
    if mode == RecorderMode.on { return true }
    // One comparison decides, whether recording is on or off.
    if mode > RecorderMode.on { countEventAfterFinish() }
    return false
  }

  @usableFromInline @inline(never)
  func countEventAfterFinish() {
    guard control.mode != RecorderMode.forked else { return }
    control.countLate()
  }

  func now() -> Int64 {
    guard simulated == nil, let writer = UnsafeMutablePointer<ThreadWriter>.last(of: control) else {
      return Int64(clamping: control.readClock())
    }
    scrolltrace_enter()
    let time = writer.readClock()
    scrolltrace_leave(writer)
    return Int64(clamping: time)
  }
}

extension RecorderPointer {
  /// The recorder as an address, for the C interface.
  @inlinable @inline(__always)
  package var handle: UnsafeMutableRawPointer { UnsafeMutableRawPointer(control) }

  /// Creates a pointer for the calling thread from its address.
  @inlinable @inline(__always)
  package init(handle: UnsafeRawPointer) {
    self.init(
      control: UnsafeMutablePointer(mutating: handle.assumingMemoryBound(to: ControlBlock.self)),
      simulated: nil)
  }
}
