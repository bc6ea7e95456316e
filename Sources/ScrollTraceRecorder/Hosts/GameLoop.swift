/// A source that decides which frame a host makes when a display link, timer or swap wakes it.
///
/// A source is a value without a clock or thread of its own. It derives the frame's timing from the
/// signal and leaves anything else unknown. A host whose display reports all times needs no source:
/// `beginFrame(_:)` takes a `FrameTiming`.
public protocol FrameSource {
  /// The information available at a wake-up: the time, or the values of a display link.
  associatedtype Signal

  /// Returns the timing of the frame that this wake-up is for, or `nil` if none is due.
  mutating func tick(_ signal: Signal) -> FrameTiming?
}

extension TraceRecorder {
  /// Begins the commit of the frame that a wake-up is for, or returns `nil` if none is due.
  ///
  /// ```swift
  /// var timer = TimerFrameSource(refreshes: 60, phase: recorder.now())
  /// if let frame = recorder.beginFrame(from: &timer, recorder.now()) {
  ///   list.layout()
  ///   frame.end()
  /// }
  /// ```
  public func beginFrame<Source: FrameSource>(
    from source: inout Source, _ signal: Source.Signal, surface: RecordedSurface? = nil
  ) -> RecordedFrame? { source.tick(signal).map { beginFrame($0, surface: surface) } }
}

/// Frames of a loop that knows only when its swaps return, such as a game that presents as fast as
/// possible.
///
/// The swap returns when there is room for another frame, which is the earliest time at which work
/// on it could start: the frame's start. The swap does not show when a frame was presented, and
/// does not determine a deadline or target, which stay unknown. The frames are evaluated by the
/// spacing of their starts. If swaps do not wait for a refresh, there is no refresh interval, and
/// no frame is late.
package struct SwapFrameSource: FrameSource {
  /// The refresh interval that swaps wait for, or `nil` if vertical synchronization is off or the
  /// interval is unknown.
  package var refreshInterval: RecorderTime?
  /// The time at which the last swap returned.
  private var lastSwap: RecorderTime?

  /// Creates a source for swaps that wait for a refresh every `refreshInterval`.
  package init(refreshInterval: RecorderTime? = nil) { self.refreshInterval = refreshInterval }

  /// Returns the timing of the frame that starts now.
  ///
  /// - Parameter now: The current time of the recorder's clock.
  package mutating func tick(_ now: RecorderTime) -> FrameTiming? {
    FrameTiming(start: lastSwap.map { min($0, now) } ?? now, refreshInterval: refreshInterval)
  }

  package mutating func swapped(at now: RecorderTime) { lastSwap = now }

  /// Pauses the loop: the next frame starts when it is requested.
  package mutating func pause() { lastSwap = nil }
}

/// Records a loop that makes frames continuously: begin, phases, swap, repeat.
///
/// ```swift
/// var loop = GameLoop(recorder, refreshInterval: .milliseconds(16.667))
/// while game.isRunning {
///   let frame = loop.beginFrame()
///   frame.phases {
///     $0.phase("simulate") { game.simulate() }
///     $0.draw { game.draw() }
///   }
///   loop.swap(frame) { window.swapBuffers() }
/// }
/// loop.pause()
/// ```
///
/// While it runs, a game is expected to present a frame at every refresh. The loop therefore
/// records an interaction from the first frame to `pause()`. The time that the swap waits is
/// recorded as waiting, outside the commit. If the system reports presentation times, as Vulkan and
/// Wayland do, pass them to `frame.markPresented(at:)`, so that frames are evaluated against them.
public struct GameLoop {
  private let recorder: TraceRecorder
  private let surface: RecordedSurface?
  private let motion: InteractionKind?
  private var source: SwapFrameSource
  private var interaction: InteractionToken?

  /// Creates a paused loop.
  ///
  /// - Parameters:
  ///   - recorder: The recorder.
  ///   - refreshInterval: The refresh interval that swaps wait for, or `nil` if vertical synchronization is
  ///     off.
  ///   - surface: The surface, or `nil` for the one called "display".
  ///   - motion: The kind of interaction while the loop runs, or `nil` if the host records
  ///     interactions itself.
  public init(
    _ recorder: TraceRecorder, refreshInterval: RecorderTime? = nil,
    surface: RecordedSurface? = nil, motion: InteractionKind? = .animation
  ) {
    self.recorder = recorder
    self.surface = surface
    self.motion = motion
    source = SwapFrameSource(refreshInterval: refreshInterval)
  }

  /// The refresh interval that swaps wait for, or `nil` if vertical synchronization is
  /// off. Set it when the display or the setting changes.
  public var refreshInterval: RecorderTime? {
    get { source.refreshInterval }
    set { source.refreshInterval = newValue }
  }

  /// Begins a frame. Everything from here to the swap is its commit.
  public mutating func beginFrame() -> RecordedFrame {
    if interaction == nil, let motion {
      interaction = recorder.beginInteraction(motion, surface: surface)
    }
    let tick = source.tick(recorder.now()) ?? FrameTiming(refreshInterval: refreshInterval)
    return recorder.beginFrame(tick, surface: surface)
  }

  /// Ends the frame's commit and records `present` as waiting.
  public mutating func swap<Failure: Error>(
    _ frame: RecordedFrame, _ present: () throws(Failure) -> Void
  ) throws(Failure) {
    frame.end()
    defer { source.swapped(at: recorder.now()) }
    try recorder.withSpan("swap", .waiting, present)
  }

  /// Pauses the loop, for example in the background, during a dialog, or at the end.
  public mutating func pause() {
    source.pause()
    if let interaction { recorder.endInteraction(interaction) }
    interaction = nil
  }
}
