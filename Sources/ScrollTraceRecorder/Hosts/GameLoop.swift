/// What says which frame a host is to make when something wakes it: a display link, a timer, a swap.
///
/// A source is a value without a clock or a thread of its own. Whatever wakes the host hands it what
/// it knows, and the source says what the frame is, as far as that follows; it makes nothing up. A
/// host that is told all times by its display needs no source: `beginFrame(_:)` takes a `FrameTiming`.
public protocol FrameSource {
  /// What is known at a wake-up: the time, or what a display link tells.
  associatedtype Signal

  /// The frame that this wake-up is for, or `nil` if none is due.
  mutating func tick(_ signal: Signal) -> FrameTiming?
}

extension TraceRecorder {
  /// Begins the commit of the frame that a wake-up is for, or `nil` if none is due.
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
  ) -> RecordedFrame? {
    source.tick(signal).map { beginFrame($0, surface: surface) }
  }
}

/// Frames of a loop that only knows when its swaps return: a game that presents as fast as it may.
///
/// The swap returns when there is room for another frame, so that is the earliest instant at which
/// the next one could be worked on: its start. It is not when anything was shown, and nothing follows
/// from it about deadline and target, which stay unknown; the frames are evaluated by the cadence of
/// their begins. Where swaps wait for no refresh there is no interval, and no frame is late.
public struct SwapFrameSource: FrameSource {
  /// The refresh interval that swaps wait for; `nil` with vertical synchronization off, or unknown.
  public var refreshInterval: Int64?
  /// When the last swap returned.
  private var lastSwap: Int64?

  /// Swaps that wait for a refresh every `refreshInterval`.
  public init(refreshInterval: Int64? = nil) {
    self.refreshInterval = refreshInterval
  }

  /// The frame whose work begins at `now`.
  ///
  /// - Parameter now: The recorder's time.
  public mutating func tick(_ now: Int64) -> FrameTiming? {
    FrameTiming(start: lastSwap.map { min($0, now) } ?? now, refreshInterval: refreshInterval)
  }

  /// Says that a swap returned.
  public mutating func swapped(at now: Int64) {
    lastSwap = now
  }

  /// Says that the loop rests: the next frame begins when it is asked for.
  public mutating func pause() {
    lastSwap = nil
  }
}

/// Records a loop that makes frames without end: begin, phases, swap, and again.
///
/// ```swift
/// var loop = GameLoop(recorder, refreshInterval: 16_666_667)
/// while game.isRunning {
///   let frame = loop.beginFrame()
///   frame.withPhase("simulate") { game.simulate() }
///   frame.withPhase(.draw) { game.draw() }
///   loop.swap(frame) { window.swapBuffers() }
/// }
/// loop.pause()
/// ```
///
/// While it runs, a game owes the display a frame at every refresh: that is an interaction, from the
/// first frame to `pause`. What the swap waits for is recorded as waiting, outside the commit. Where
/// the system tells when a frame was shown, as Vulkan's and Wayland's presentation times do, pass it
/// on with `frame.markPresented(at:)`: frames are then evaluated against it.
public struct GameLoop {
  /// Where the frames go.
  private let recorder: TraceRecorder
  private let surface: RecordedSurface?
  private let motion: InteractionKind?
  private var source: SwapFrameSource
  private var interaction: InteractionToken?

  /// A loop that rests.
  ///
  /// - Parameters:
  ///   - recorder: Where the frames go.
  ///   - refreshInterval: The refresh interval that swaps wait for; `nil` with vertical synchronization off.
  ///   - surface: The stream of frames; `nil` for the one called "display".
  ///   - motion: What the loop is doing while it runs, or `nil` if the host says so itself.
  public init(
    _ recorder: TraceRecorder, refreshInterval: Int64? = nil, surface: RecordedSurface? = nil,
    motion: InteractionKind? = .animation
  ) {
    self.recorder = recorder
    self.surface = surface
    self.motion = motion
    source = SwapFrameSource(refreshInterval: refreshInterval)
  }

  /// The refresh interval that swaps wait for, to be set when the display or the setting changes.
  public var refreshInterval: Int64? {
    get { source.refreshInterval }
    set { source.refreshInterval = newValue }
  }

  /// Begins a frame: all that the loop does from here to the swap is its commit.
  public mutating func beginFrame() -> RecordedFrame {
    if interaction == nil, let motion {
      interaction = recorder.beginInteraction(motion, surface: surface)
    }
    let tick = source.tick(recorder.now()) ?? FrameTiming(refreshInterval: refreshInterval)
    return recorder.beginFrame(tick, surface: surface)
  }

  /// Ends the frame's commit, and records `present` as time spent waiting.
  public mutating func swap<Failure: Error>(
    _ frame: RecordedFrame, _ present: () throws(Failure) -> Void
  ) throws(Failure) {
    frame.end()
    defer { source.swapped(at: recorder.now()) }
    try recorder.withSpan("swap", .waiting, present)
  }

  /// Says that the loop makes no frames for a while: in the background, in a dialogue, at the end.
  public mutating func pause() {
    source.pause()
    if let interaction { recorder.endInteraction(interaction) }
    interaction = nil
  }
}
