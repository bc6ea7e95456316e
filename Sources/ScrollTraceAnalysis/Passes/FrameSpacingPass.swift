import ScrollTraceModel

/// Measures the time between consecutive presented frames (M-10), whether or not they can be
/// evaluated.
struct FrameSpacingPass {
  let pass: SurfacePass

  /// The frame spacing of the selected frames, or `nil` if fewer than two were presented.
  ///
  /// If any interaction is known, only frames in motion count.
  func frameSpacing() -> Percentiles? {
    let knowsMotion = !pass.motions.time.isEmpty
    // Times that follow from a deadline are not measurements.
    let isDeadline = pass.surface.basis == .deadline
    var gaps: [TimeSpan] = []
    var last: (time: Timestamp, motion: Int?)?
    for evaluated in pass.frames where evaluated.isOwed && evaluated.frame.outcome != .dropped {
      guard let time = isDeadline ? evaluated.frame.presented : evaluated.shown else { continue }
      let motion = evaluated.motion
      if let last, last.time <= time, pass.isSelected(evaluated),
        !knowsMotion || (motion != nil && motion == last.motion)
      {
        gaps.append(time - last.time)
      }
      last = (time, motion)
    }
    return Percentiles(of: gaps)
  }
}
