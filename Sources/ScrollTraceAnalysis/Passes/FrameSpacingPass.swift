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
    var spacings: [(frame: Int, spacing: TimeSpan)] = []
    var last: (time: Timestamp, motion: Int?)?
    for (time, position) in pictures() {
      let frame = pass.frames[position]
      let motion = frame.motion
      if let last, pass.isSelected(frame),
        !knowsMotion || (motion != nil && motion == last.motion)
      {
        spacings.append((frame.index, time - last.time))
      }
      last = (time, motion)
    }
    return spacings
  }

  /// The times and positions of the presented frames, in order of time, because one frame can
  /// overtake another.
  private func pictures() -> [(time: Timestamp, position: Int)] {
    // Times that follow from a deadline are not measurements.
    let isDeadline = pass.surface.basis == .deadline
    var pictures: [(time: Timestamp, position: Int)] = []
    for (position, frame) in pass.frames.enumerated() {
      guard frame.isOwed, frame.frame.outcome != .dropped,
        let time = isDeadline ? frame.frame.presented : frame.shown
      else { continue }
      pictures.append((time, position))
    }
    return pictures.stablySorted { $0.time }
  }
}
