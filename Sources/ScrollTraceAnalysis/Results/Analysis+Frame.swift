package import ScrollTraceModel

extension Analysis {
  /// The surface that frame numbers refer to: the selected one, the primary one, or the one with
  /// most frames.
  package var frameSurface: SurfaceAnalysis? {
    if options.selection.surface != nil { return selectedSurfaces.first }
    return evaluatedPrimarySurface
      ?? surfaces.max {
        trace.surfaces[$0.surface.index].frames.count
          < trace.surfaces[$1.surface.index].frames.count
      }
  }

  /// The reason why a frame cannot be reported, or `nil` if it can.
  package func problem(withFrame number: UInt64) -> FrameProblem? {
    guard let surface = frameSurface else { return .noFrames(surface: nil) }
    let frames = trace.surfaces[surface.surface.index].frames
    guard frames.count > 0 else { return .noFrames(surface: surface.name) }
    let first = frames[0].id
    var (lowest, highest, nearest) = (first, first, first)
    for index in 0..<frames.count {
      let id = frames[index].id
      if id == number { return nil }
      (lowest, highest) = (min(lowest, id), max(highest, id))
      if Self.distance(id, number) < Self.distance(nearest, number) { nearest = id }
    }
    return .unknownFrame(
      number, surface: surface.name, count: frames.count, range: lowest...highest,
      nearest: nearest)
  }

  /// Returns the number of the frame in the making at a time since the trace's start, or otherwise of the
  /// next one, or `nil` if there is none.
  package func frame(at time: TimeSpan) -> UInt64? {
    guard let surface = frameSurface else { return nil }
    let frames = trace.surfaces[surface.surface.index].frames
    // The frame that was started first is the one that others wait for.
    var making: (start: TimeSpan, id: UInt64)?
    var next: (start: TimeSpan, id: UInt64)?
    for index in 0..<frames.count {
      let frame = frames[index]
      guard let first = frame.start ?? frame.commitStart ?? frame.commitEnd ?? frame.presented
      else { continue }
      let start = first - trace.range.start
      let end = (frame.commitEnd ?? frame.presented ?? first) - trace.range.start
      if start > time {
        if start < next?.start ?? TimeSpan(nanoseconds: .max) { next = (start, frame.id) }
      } else if end >= time, start < making?.start ?? TimeSpan(nanoseconds: .max) {
        making = (start, frame.id)
      }
    }
    return (making ?? next)?.id
  }

  /// The details of a frame, the worst one if several have the number, or `nil` if none has.
  package func detail(ofFrame number: UInt64) -> FrameDetail? {
    frameSurface.flatMap {
      FramePass(of: $0.surface, in: trace, options: options, besides: $0.hitches)
        .detail(ofFrame: number)
    }
  }

  /// The details of the frames of hitches on a surface; `nil` for a hitch without a frame.
  package func details(of hitches: [Hitch], on surface: SurfaceID) -> [FrameDetail?] {
    let pass = FramePass(of: surface, in: trace, options: options, besides: hitches)
    return hitches.map { hitch in hitch.frame.flatMap { pass.detail(ofFrame: $0) } }
  }

  private static func distance(_ left: UInt64, _ right: UInt64) -> UInt64 {
    left < right ? right - left : left - right
  }
}
