import ScrollTraceModel

/// Measures the time from one shown frame to the next (M-10), whether it can be judged or not.
struct PacePass {
  let pass: SurfacePass

  /// The times of all frames that are selected; `nil` where no two were shown.
  ///
  /// In motion where something is known to have moved, else in all of the recording.
  func pace() -> Percentiles? {
    let knowsMotion = !pass.motions.time.isEmpty
    // What follows from a deadline is no measurement.
    let isDeadline = pass.surface.basis == .deadline
    var gaps: [TimeSpan] = []
    var last: (time: Timestamp, motion: Int?)?
    for judged in pass.frames where judged.isOwed && judged.frame.outcome != .dropped {
      guard let time = isDeadline ? judged.frame.presented : judged.shown else { continue }
      let motion = judged.motion
      if let last, last.time <= time, pass.isSelected(judged),
        !knowsMotion || (motion != nil && motion == last.motion)
      {
        gaps.append(time - last.time)
      }
      last = (time, motion)
    }
    return Percentiles(of: gaps)
  }
}
