import ScrollTraceModel

extension SurfacePass {
  /// Whether a frame counts.
  func isSelected(_ frame: EvaluatedFrame) -> Bool { selection.holds(frame.frame.place) }

  /// Whether the hitch of a frame counts: with its frame, or where a part of it is seen in what is
  /// selected, so that no selection inside a long one looks smooth.
  func isSelected(_ frame: EvaluatedFrame, seenUntil shown: Timestamp) -> Bool {
    selection.holds(
      frame.frame.place, orPartOf: TimeRange(start: shown - frame.hitch, end: shown))
  }

  /// Whether refreshes without a frame count; the same rule.
  func isSelected(_ tail: EvaluatedMotion.TailHitch) -> Bool {
    selection.holds(tail.frame.flatMap { frames[$0].frame.place }, orPartOf: tail.range)
  }

  /// Whether a hitch of the source's list counts; the same rule.
  func isSelected(_ hitch: ListedHitch) -> Bool {
    selection.holds(
      hitch.start, orPartOf: TimeRange(start: hitch.start, end: hitch.start + hitch.length))
  }

  /// The interactions with the ranges that count; one of which several parts are selected comes
  /// once for each.
  var selectedInteractions: some Sequence<(Interaction, TimeRange)> {
    interactions.lazy.flatMap { interaction -> [(Interaction, TimeRange)] in
      let range = TimeRange(start: interaction.start, end: interaction.end ?? trace.range.end)
      guard selection.time != nil else { return [(interaction, range)] }
      return selection.part(of: [range]).ranges.map { (interaction, $0) }
    }
  }
}
