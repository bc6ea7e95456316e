package import ScrollTraceModel

extension TraceBuilder {
  /// Adds the main thread of a process.
  package mutating func mainThread(isHost: Bool = false) -> TrackID {
    let process = self.process(1)
    if isHost { setHost(process) }
    let main = track(1, of: process)
    setMain(main)
    return main
  }

  /// Adds an interaction of all surfaces.
  package mutating func addInteraction(
    _ kind: String = "drag", from start: Timestamp, to end: Timestamp?
  ) {
    addInteraction(Interaction(kind: kind, start: start, end: end))
  }

  /// Adds a frame of which these values are known.
  package mutating func updateFrame(
    _ id: some BinaryInteger, of surface: SurfaceID, start: Timestamp? = nil,
    commitStart: Timestamp? = nil, commitEnd: Timestamp? = nil, deadline: Timestamp? = nil,
    target: Timestamp? = nil, presented: Timestamp? = nil, refreshInterval: TimeSpan? = nil,
    track: TrackID? = nil, outcome: FrameOutcome = .unknown
  ) {
    var frame = Frame(id: UInt64(id))
    (frame.start, frame.commitStart, frame.commitEnd) = (start, commitStart, commitEnd)
    (frame.deadline, frame.target, frame.presented) = (deadline, target, presented)
    (frame.refreshInterval, frame.track, frame.outcome) = (refreshInterval, track, outcome)
    updateFrame(frame, of: surface)
  }
}
