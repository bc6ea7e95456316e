public import ScrollTraceRecorder

/// Records the frames that a display link requests.
///
/// `DisplayLinkRecorder` does this for apps on Apple platforms. A host with another link calls it
/// directly.
public struct DisplayLinkFrames {
  private let recorder: TraceRecorder
  private let surface: RecordedSurface
  private var frames: LinkedFrames<DisplayLinkTiming>
  /// The frame that the next call completes, with the rule `calls`.
  private var pending: FrameTiming?

  /// Creates a recorder of frames on a surface with a name, evaluated by `rule`.
  public init(_ recorder: TraceRecorder, rule: DisplayLinkTiming.Rule, surface name: String) {
    let tolerance = rule == .calls ? DisplayLinkTiming.tolerance : nil
    self.recorder = recorder
    surface = recorder.registerSurface(named: name, options: SurfaceOptions(tolerance: tolerance))
    frames = LinkedFrames(recorder, from: DisplayLinkTiming(rule), surface: surface)
  }

  /// Begins the frame of a call. With the rule `calls`, records the previous frame.
  public mutating func displayLinkDidFire(_ times: LinkTimes) {
    guard frames.source.rule == .calls else { return frames.begin(times) }
    guard let tick = frames.source.tick(times) else { return }
    recordPending(presented: frames.source.previousPresented)
    pending = tick
  }

  /// Ends the commit of the frame. It has no effect with the rule `calls`.
  public mutating func commitEnded() { frames.end() }

  /// Called when the run loop has found something to do.
  mutating func runLoopWakes() { frames.runLoopWakes() }

  /// Ends the commit, because the run loop has done all that it had to do.
  mutating func runLoopWaits() {
    frames.end()
    frames.runLoopWaits()
  }

  /// Records that the link is paused or that the app enters the background.
  public mutating func pause() {
    recordPending(presented: nil)
    frames.end()
    frames.source.pause()
  }

  private mutating func recordPending(presented: RecorderTime?) {
    if let pending { recorder.recordFrame(pending, presented: presented, surface: surface) }
    pending = nil
  }
}
