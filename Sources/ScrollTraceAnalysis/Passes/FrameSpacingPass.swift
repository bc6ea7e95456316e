import ScrollTraceModel

/// Measures the time between consecutive presented frames (M-10), whether or not they can be
/// evaluated.
struct FrameSpacingPass {
  let pass: SurfacePass

  /// The times between presented frames that are selected, with the position of the frame that ends
  /// each: in motion if something is known to have moved, otherwise in all of the recording.
  func spacings() -> [(frame: Int, spacing: TimeSpan)] {
    // One frame can overtake another. Making each again to sort them takes longer than all else here.
    if let inOrder = spacings(of: pass.frames.indices) { return inOrder }
    let pictures = pass.frames.indices.filter { time(of: pass.frames[$0]) != nil }
    return spacings(of: pictures.stablySorted { time(of: pass.frames[$0]) ?? .zero }) ?? []
  }

  /// The times between the frames at `positions`, or `nil` if they are not in order of time.
  private func spacings(of positions: some Sequence<Int>) -> [(frame: Int, spacing: TimeSpan)]? {
    var spacings: [(frame: Int, spacing: TimeSpan)] = []
    spacings.reserveCapacity(pass.frames.count)
    let knowsMotion = !pass.motions.time.isEmpty
    var last: (time: Timestamp, motion: Int?)?
    for position in positions {
      let frame = pass.frames[position]
      guard let time = time(of: frame) else { continue }
      if let last, time < last.time { return nil }
      let motion = frame.motion
      if let last, pass.isSelected(at: frame.index),
        !knowsMotion || (motion != nil && motion == last.motion)
      {
        spacings.append((frame.index, time - last.time))
      }
      last = (time, motion)
    }
    return spacings
  }

  /// When the frame was presented, or `nil` if it was not or nobody knows.
  private func time(of frame: EvaluatedFrame) -> Timestamp? {
    guard frame.isOwed, frame.frame.outcome != .dropped else { return nil }
    // Times that follow from a deadline are not measurements.
    return pass.surface.basis == .deadline ? frame.frame.presented : frame.shown
  }
}
