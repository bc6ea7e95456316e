import ScrollTraceModel

/// Finds consecutive hitches, and frames that are slow at an even spacing (M-9).
struct StreakPass {
  /// The frames, in order of their pictures.
  private let frames: SelectedFrames
  private let evaluator: FrameEvaluator

  /// Creates a pass over `frames`, which are sorted by their time.
  init(frames: EvaluatedFrames, evaluator: FrameEvaluator) {
    self.frames = SelectedFrames(frames: frames, positions: Self.orderOfPictures(frames))
    self.evaluator = evaluator
  }

  /// The order in which frames that were presented are sorted by that among themselves, as they are
  /// evaluated (M-2), or `nil` if they are in that order.
  private static func orderOfPictures(_ frames: EvaluatedFrames) -> [Int]? {
    var last = Timestamp.zero
    let isSorted = frames.allSatisfy { frame in
      guard let time = frame.frame.pictureTime else { return true }
      defer { last = time }
      return last <= time
    }
    guard !isSorted else { return nil }
    let slots = frames.indices.filter { frames[$0].frame.pictureTime != nil }
    let sorted = slots.stablySorted { frames[$0].frame.presented ?? .zero }
    var order = Array(frames.indices)
    for (slot, position) in zip(slots, sorted) { order[slot] = position }
    return order
  }

  /// The minimum number of steadily slow frames.
  static let steadyFrames = 8

  /// The streaks, sorted by start. Hitches inside a steady streak belong only to that.
  ///
  /// - Parameter isCounted: Whether a frame counts. A streak counts if its first frame does.
  func streaks(isCounted: (EvaluatedFrame) -> Bool) -> [HitchStreak] {
    let steady = steadyRuns()
    var all = steady.filter { isCounted(frames[$0.range.lowerBound]) }.map { run in
      HitchStreak(
        start: begin(of: run.range.lowerBound), frames: run.range.count, isSteady: true,
        spacing: run.spacing)
    }
    var isSteady = Array(repeating: false, count: frames.count)
    for run in steady { for index in run.range { isSteady[index] = true } }
    var start: Int?
    for index in 0...frames.count {
      let isHitch = index < frames.count && frames.hasHitch(at: index) && !isSteady[index]
      if isHitch {
        start = start ?? index
      } else if let first = start {
        if index - first >= 2, isCounted(frames[first]) {
          all.append(
            HitchStreak(
              start: begin(of: first), frames: index - first, isSteady: false, spacing: nil))
        }
        start = nil
      }
    }
    return all.stablySorted { $0.start < $1.start }
  }

  private func begin(of index: Int) -> Timestamp {
    frames[index].frame.time ?? frames[index].shown ?? .zero
  }

  /// Consecutive frames whose spacings are longer than a refresh and within 10% of each other.
  private func steadyRuns() -> [(range: Range<Int>, spacing: TimeSpan)] {
    var found: [(range: Range<Int>, spacing: TimeSpan)] = []
    var first = 0
    var shortest = TimeSpan.zero
    var longest = TimeSpan.zero
    func close(before end: Int) {
      let count = end - first
      guard count >= Self.steadyFrames, let from = frames[first].shown,
        let to = frames[end - 1].shown
      else { return }
      let mean = TimeSpan(nanoseconds: (to - from).nanoseconds / Int64(count - 1))
      found.append((first..<end, mean))
    }
    var before: (motion: Int?, shown: Timestamp?) = (nil, nil)
    for index in frames.indices {
      let frame = frames[index]
      let spacing = slowSpacing(of: frame, after: before)
      before = (frame.motion, frame.shown)
      guard let spacing else {
        close(before: index)
        first = index
        (shortest, longest) = (.zero, .zero)
        continue
      }
      let isFirst = index == first + 1
      let low = isFirst ? spacing : min(shortest, spacing)
      let high = isFirst ? spacing : max(longest, spacing)
      if high * 10 <= low * 11 {
        (shortest, longest) = (low, high)
      } else {
        close(before: index)
        first = index - 1
        (shortest, longest) = (spacing, spacing)
      }
    }
    close(before: frames.count)
    return found
  }

  /// The time since the previous frame was presented, or `nil` if it is not longer than a refresh.
  @inline(__always)
  private func slowSpacing(
    of frame: EvaluatedFrame, after before: (motion: Int?, shown: Timestamp?)
  ) -> TimeSpan? {
    guard let motion = frame.motion, before.motion == motion, let shown = frame.shown,
      let shownBefore = before.shown, let interval = frame.refreshInterval
    else { return nil }
    let spacing = shown - shownBefore
    return spacing > interval + evaluator.tolerance(at: interval) ? spacing : nil
  }
}
