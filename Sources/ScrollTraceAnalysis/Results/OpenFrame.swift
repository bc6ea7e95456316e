package import ScrollTraceModel

/// A frame that was open when the recording ended, long after it should have ended.
///
/// In motion, a hitch stands for it (M-3); this is one outside of motions, where nothing was owed.
package struct OpenFrame: Equatable, Sendable {
  package let frame: UInt64
  /// The time from the frame's start to the end of the recording.
  package let window: TimeRange
  /// The innermost span that was open on the frame's thread, or `nil` if only the frame's own was.
  package let span: WorkName?
}

extension SurfacePass {
  /// The surface's last frame if it was open for long when the recording ended and none of `hitches`
  /// stands for it, or `nil`.
  ///
  /// A source that can lose the end of a span says nothing about that, and neither does a display, which can rest.
  func openFrame(besides hitches: [Hitch]) -> OpenFrame? {
    guard let evaluated = frames.last, isSelected(evaluated), !surface.isDisplayStream else {
      return nil
    }
    let last = evaluated.frame
    guard last.outcome == .unknown, last.presented == nil, last.commitEnd == nil,
      let start = last.start ?? last.commitStart, start < trace.range.end
    else { return nil }
    let open = trace.openSpans.filter {
      $0.until == nil && $0.since >= start && $0.track == last.track ?? $0.track
    }
    guard let own = open.first, let inner = open.last(where: { $0.track == own.track }) else {
      return nil
    }
    let window = TimeRange(start: start, end: trace.range.end)
    let isLate = last.deadline.map { $0 < window.end } ?? true
    let hasHitch = hitches.contains { $0.frame == last.id && $0.range.end > start }
    guard isLate, !hasHitch, window.length >= FindingThresholds.openFrame else { return nil }
    return OpenFrame(
      frame: last.id, window: window,
      span: inner == own
        ? nil
        : trace.workName(of: inner.label))
  }
}
