import ScrollTraceModel

/// Measures the time between consecutive presented frames (M-10), whether or not they can be
/// evaluated.
struct FrameSpacingPass {
  let pass: SurfacePass

  /// The times between presented frames that are selected, with the position of the frame that ends
  /// each: in motion if something is known to have moved, otherwise in all of the recording.
  func spacings() -> [(frame: Int, spacing: TimeSpan)] {
    var spacings: [(frame: Int, spacing: TimeSpan)] = []
    let knowsMotion = !pass.motions.time.isEmpty
    var last: (time: Timestamp, motion: Int?)?
    for position in pictures() {
      let frame = pass.frames[Int(position)]
      guard let time = time(of: frame) else { continue }
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

  /// The positions of the presented frames, in order of time, because one frame can overtake another.
  private func pictures() -> [Int32] {
    var (positions, isSorted): ([Int32], Bool) = ([], true)
    var last: Timestamp?
    for position in pass.frames.indices {
      let frame = pass.frames[position]
      guard let time = time(of: frame) else { continue }
      if let last, time < last { isSorted = false }
      last = time
      positions.append(Int32(clamping: position))
    }
    // Making a frame again for each comparison takes longer than all else here.
    guard !isSorted else { return positions }
    return positions.stablySorted { time(of: pass.frames[Int($0)]) ?? .zero }
  }

  /// When the frame was presented, or `nil` if it was not or nobody knows.
  private func time(of frame: EvaluatedFrame) -> Timestamp? {
    guard frame.isOwed, frame.frame.outcome != .dropped else { return nil }
    // Times that follow from a deadline are not measurements.
    return pass.surface.basis == .deadline ? frame.frame.presented : frame.shown
  }
}
