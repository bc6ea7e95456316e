public import ScrollTraceRecorder

/// Records the frames that a display link calls for.
///
/// `DisplayLinkRecorder` does this for an app on Apple's systems; a host with a link of its own calls it
/// itself.
public struct DisplayLinkFrames {
  private let recorder: TraceRecorder
  private let surface: RecordedSurface
  private var frames: LinkedFrames<DisplayLinkTiming>
  /// By the rule `calls`, the frame that the next call says more about.
  private var pending: FrameTiming?

  /// Frames that are evaluated by `rule`, on a surface called `name`.
  public init(_ recorder: TraceRecorder, rule: DisplayLinkTiming.Rule, surface name: String) {
    let tolerance = rule == .calls ? DisplayLinkTiming.tolerance : nil
    self.recorder = recorder
    surface = recorder.registerSurface(named: name, tolerance: tolerance)
    frames = LinkedFrames(recorder, from: DisplayLinkTiming(rule), surface: surface)
  }

  /// The link calls for a frame; by the rule `calls`, the frame before it is recorded now.
  public mutating func displayLinkDidFire(_ times: LinkTimes) {
    guard frames.source.rule == .calls else { return frames.begin(times) }
    guard let tick = frames.source.tick(times) else { return }
    recordPending(shown: frames.source.shown)
    pending = tick
  }

  /// The commit of the frame is done; of no meaning by the rule `calls`.
  public mutating func commitEnded() {
    frames.end()
  }

  /// The link is paused, or the app goes into the background.
  public mutating func pause() {
    recordPending(shown: nil)
    frames.end()
    frames.source.pause()
  }

  private mutating func recordPending(shown: Int64?) {
    if let pending { recorder.recordFrame(pending, presented: shown, surface: surface) }
    pending = nil
  }
}
