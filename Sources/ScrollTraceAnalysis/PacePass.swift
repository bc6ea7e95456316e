import ScrollTraceModel

/// Measures the time from one shown frame to the next (M-10), whether it can be judged or not.
struct PacePass {
  let pass: SurfacePass

  /// The times of all frames that are selected; `nil` where no two were shown.
  ///
  /// In motion where something is known to have moved, else in all of the recording.
  func pace() -> Percentiles? {
    guard ![.hitchList, .aggregate, .none].contains(pass.surface.basis) else { return nil }
    let knowsMotion = !pass.motions.time.isEmpty
    let hasPresented = pass.frames.contains { $0.isOwed && $0.frame.presented != nil }
    guard hasPresented || pass.surface.basis == .cadence else { return nil }
    var gaps: [TimeSpan] = []
    var last: (time: Timestamp, motion: Int?)?
    for judged in pass.frames where judged.isOwed && judged.frame.outcome != .dropped {
      guard let time = hasPresented ? judged.frame.presented : judged.frame.begin else { continue }
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
