internal import Synchronization

/// A stream of frames: a display, a window, a layer.
public struct Surface: @unchecked Sendable {
  /// The block, never freed.
  let block: UnsafeMutablePointer<SurfaceBlock>

  /// What the surface is called.
  public var name: RecordedName { block.pointee.name }
}

/// What is kept of a surface.
struct SurfaceBlock: ~Copyable {
  /// The surface's name.
  let name: RecordedName
  /// How many frames it has had.
  let frameCount: Atomic<UInt64>
  /// What is known of its last frames; `nil` where no dumps after hitches are wanted.
  let ticks: KeptTicks?

  init(name: RecordedName, keepsTicks: Bool) {
    self.name = name
    frameCount = Atomic(0)
    ticks = keepsTicks ? KeptTicks() : nil
  }
}
