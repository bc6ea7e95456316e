import ScrollTraceModel

extension SurfacePass {
  /// Returns whether the frame at a position is selected, without a copy of the frame if all are.
  @inline(__always) func isSelected(at index: Int) -> Bool {
    selection.time == nil || isSelected(frames[index])
  }

  func isSelected(_ frame: EvaluatedFrame) -> Bool {
    selection.time == nil || selection.holds(countedTime(of: frame))
  }

  /// The time at which a frame counts, or `nil` if unknown.
  private func countedTime(of frame: EvaluatedFrame) -> Timestamp? {
    edgeFrames.time(ofFrameAt: frame.index) ?? frame.frame.time
  }

  /// Returns whether the hitch of a frame is selected: with its frame, or if a part of it is
  /// visible in the selected time, so that no selection inside a long hitch looks smooth.
  func isSelected(_ frame: EvaluatedFrame, seenUntil shown: Timestamp) -> Bool {
    selection.holds(
      countedTime(of: frame), orPartOf: TimeRange(start: shown - frame.hitch, end: shown))
  }

  /// Returns whether refreshes without a frame are selected, by the same rule.
  func isSelected(_ tail: EvaluatedMotion.TailHitch) -> Bool {
    selection.holds(tail.frame.flatMap { countedTime(of: frames[$0]) }, orPartOf: tail.range)
  }

  /// Returns whether a hitch that the source lists is selected, by the same rule.
  func isSelected(_ hitch: ListedHitch) -> Bool {
    selection.holds(
      hitch.start, orPartOf: TimeRange(start: hitch.start, end: hitch.start + hitch.length))
  }

  /// The interactions with their selected ranges. An interaction with several selected parts occurs
  /// once for each.
  var selectedInteractions: some Sequence<(Interaction, TimeRange)> {
    interactions.lazy.flatMap { [self] interaction -> [(Interaction, TimeRange)] in
      let range = TimeRange(start: interaction.start, end: interaction.end ?? trace.range.end)
      guard selection.time != nil else { return [(interaction, range)] }
      return selection.part(of: [range]).ranges.map { (interaction, $0) }
    }
  }
}
