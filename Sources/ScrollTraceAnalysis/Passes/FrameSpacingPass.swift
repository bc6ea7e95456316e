import ScrollTraceModel

/// Measures the time between consecutive presented frames (M-10), whether or not they can be
/// evaluated.
struct FrameSpacingPass {
  let pass: SurfacePass

  /// The times between presented frames that are selected: in motion if something is known to have
  /// moved, otherwise in all of the recording.
  func gaps() -> [TimeSpan] { spacings().map(\.spacing) }

  /// The same times, with the position of the frame that ends each.
  func spacings() -> [(frame: Int, spacing: TimeSpan)] {
    let knowsMotion = !pass.motions.time.isEmpty
    // Times that follow from a deadline are not measurements.
    let isDeadline = pass.surface.basis == .deadline
    var spacings: [(frame: Int, spacing: TimeSpan)] = []
    var last: (time: Timestamp, motion: Int?)?
    for evaluated in pass.frames where evaluated.isOwed && evaluated.frame.outcome != .dropped {
      guard let time = isDeadline ? evaluated.frame.presented : evaluated.shown else { continue }
      let motion = evaluated.motion
      if let last, last.time <= time, pass.isSelected(evaluated),
        !knowsMotion || (motion != nil && motion == last.motion)
      {
        spacings.append((evaluated.index, time - last.time))
      }
      last = (time, motion)
    }
    return spacings
  }
}
