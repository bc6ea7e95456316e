/// Records a loop that makes frames without end: begin, phases, swap, and again.
///
/// ```swift
/// var loop = GameLoop(recorder, interval: 16_666_667)
/// while game.isRunning {
///   let frame = loop.beginFrame()
///   frame.phase("simulate") { game.simulate() }
///   frame.phase(.draw) { game.draw() }
///   loop.swap(frame) { window.swapBuffers() }
/// }
/// loop.rest()
/// ```
///
/// While it runs, a game owes the display a frame at every refresh: that is an interaction, from the
/// first frame to `rest`. What the swap waits for is recorded as waiting, outside the commit. Where
/// the system tells when a frame was shown, as Vulkan's and Wayland's presentation times do, pass it
/// on with `frame.presented(at:)`: frames are then judged by it.
public struct GameLoop {
  /// Where the frames go.
  private let recorder: TraceRecorder
  private let surface: Surface?
  private let motion: InteractionKind?
  private var source: SwapFrameSource
  private var interaction: InteractionToken?

  /// A loop that rests.
  ///
  /// - Parameters:
  ///   - recorder: Where the frames go.
  ///   - interval: The refresh interval that swaps wait for; `nil` with vertical synchronization off.
  ///   - surface: The stream of frames; `nil` for the one called "display".
  ///   - motion: What the loop is doing while it runs; `nil` where the host says so itself.
  public init(
    _ recorder: TraceRecorder, interval: Nanoseconds? = nil, surface: Surface? = nil,
    motion: InteractionKind? = .animation
  ) {
    self.recorder = recorder
    self.surface = surface
    self.motion = motion
    source = SwapFrameSource(interval: interval)
  }

  /// The refresh interval that swaps wait for, to be set when the display or the setting changes.
  public var interval: Nanoseconds? {
    get { source.interval }
    set { source.interval = newValue }
  }

  /// Begins a frame: all that the loop does from here to the swap is its commit.
  public mutating func beginFrame() -> RecordedFrame {
    if interaction == nil, let motion {
      interaction = recorder.beginInteraction(motion, surface: surface)
    }
    let tick = source.tick(recorder.now()) ?? FrameTick(interval: interval)
    return recorder.beginFrame(tick, surface: surface)
  }

  /// Ends the frame's commit, and records `present` as time spent waiting.
  public mutating func swap<Failure: Error>(
    _ frame: RecordedFrame, _ present: () throws(Failure) -> Void
  ) throws(Failure) {
    frame.end()
    defer { source.swapped(at: recorder.now()) }
    try recorder.span("swap", .waiting, present)
  }

  /// Says that the loop makes no frames for a while: in the background, in a dialogue, at the end.
  public mutating func rest() {
    source.rest()
    if let interaction { recorder.endInteraction(interaction) }
    interaction = nil
  }
}
