import ScrollTraceLayout
import ScrollTraceModel

/// The spans of a trace that are only the commits of its frames, which lines contain with the
/// frame.
struct CommitSpans {
  private struct Key: Hashable {
    var track: TrackID
    var start: Timestamp
    var end: Timestamp
    var surface: StringID

    init(_ track: TrackID, _ start: Timestamp, _ end: Timestamp, _ surface: StringID) {
      (self.track, self.start, self.end, self.surface) = (track, start, end, surface)
    }
  }

  private let category: StringID?
  private var spans: [Key: Int] = [:]

  init(_ trace: Trace) {
    category = trace.strings.firstID(of: Vocabulary.Category.frame.description)
    for (id, track) in trace.numberedTracks {
      track.spans.forEachGroup { group in
        // Readers take a frame's commit as the outermost of spans with equal times.
        guard let span = group.first else { return }
        let label = trace.labels[span.label]
        guard label.category == category else { return }
        spans[Key(id, span.range.start, span.range.end, label.name), default: 0] += 1
      }
    }
  }

  /// Consumes the span that is the commit of `frame`, and returns whether there was one.
  mutating func consume(_ frame: Frame, of surface: StringID?) -> Bool {
    guard let track = frame.track, let start = frame.commitStart, let end = frame.commitEnd,
      let surface
    else { return false }
    let key = Key(track, start, end, surface)
    guard let count = spans[key], count > 0 else { return false }
    spans[key] = count - 1
    taken[key, default: 0] += 1
    return true
  }

  private var taken: [Key: Int] = [:]

  /// Returns whether the frame contains a span, once for each frame.
  mutating func isTold(_ span: WorkSpan, _ label: Label, on track: TrackID) -> Bool {
    guard label.category == category else { return false }
    let key = Key(track, span.range.start, span.range.end, label.name)
    guard let count = taken[key], count > 0 else { return false }
    taken[key] = count - 1
    return true
  }
}
