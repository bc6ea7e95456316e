import ScrollTraceAnalysis
import ScrollTraceModel

/// One frame from close by, in place of a whole report.
extension JSONRenderer {
  /// The name of the shape of what is said of one frame. Keys may be added to it.
  package static let frameSchema = "scrolltrace.frame/1"

  /// The frame of this number in each run.
  func render(_ report: Report, frame number: UInt64) -> String {
    JSONValue.object([
      ("schema", .string(Self.frameSchema)), ("tool", Self.tool),
      (
        "runs",
        .array(
          report.runs.map { run in
            .object([
              ("input", input(run.trace, run.options.selection, run.selectedTime)),
              ("frame", run.detail(ofFrame: number).map { frame($0, in: run.trace) } ?? .null),
            ])
          })
      ),
    ]).text
  }

  private func frame(_ detail: FrameDetail, in trace: Trace) -> JSONValue {
    let start = trace.range.start
    return .object([
      ("surface", .string(detail.surface)), ("frame", .unsigned(detail.frame.id)),
      ("sameNumber", .count(detail.sameNumberCount)),
      ("answer", .string(detail.answer.rawValue)),
      ("instants", timestamps(detail.frame, from: start)),
      ("intervalNs", .nanoseconds(detail.refreshInterval)),
      ("overrunNs", .nanoseconds(detail.overrun)),
      ("sourceLabel", .name(detail.sourceLabel)),
      ("interactions", .array(detail.interactions.map { interaction($0, from: start) })),
      (
        "states",
        .array(
          detail.states.map {
            .object([("key", .string($0.key)), ("value", .string($0.value))])
          })
      ),
      ("hitch", detail.hitch.map { hitch($0, from: start) } ?? .null),
      ("window", detail.attribution.map { window($0, from: start) } ?? .null),
      ("range", range(detail.range, from: start)),
      ("main", detail.main.map { track($0, in: trace) } ?? .null),
      ("background", .array(detail.background.map { track($0, in: trace) })),
    ])
  }

  private func timestamps(_ frame: Frame, from start: Timestamp) -> JSONValue {
    .object([
      ("beginNs", .nanoseconds(frame.start, from: start)),
      ("commitStartNs", .nanoseconds(frame.commitStart, from: start)),
      ("commitEndNs", .nanoseconds(frame.commitEnd, from: start)),
      ("deadlineNs", .nanoseconds(frame.deadline, from: start)),
      ("targetNs", .nanoseconds(frame.target, from: start)),
      ("presentedNs", .nanoseconds(frame.presented, from: start)),
    ])
  }

  private func interaction(_ interaction: Interaction, from start: Timestamp) -> JSONValue {
    .object([
      ("kind", .string(interaction.kind)), ("name", .string(interaction.name)),
      ("beginNs", .nanoseconds(interaction.start, from: start)),
      ("endNs", .nanoseconds(interaction.end, from: start)),
    ])
  }

  private func range(_ range: TimeRange?, from start: Timestamp) -> JSONValue {
    range.map {
      .object([
        ("beginNs", .nanoseconds($0.start, from: start)),
        ("endNs", .nanoseconds($0.end, from: start)),
      ])
    } ?? .null
  }

  private func window(_ attribution: Attribution, from start: Timestamp) -> JSONValue {
    .object([
      ("beginNs", .nanoseconds(attribution.window.start, from: start)),
      ("endNs", .nanoseconds(attribution.window.end, from: start)),
      ("causes", .array(attribution.causes.map(cause))),
      ("waitingNs", .nanoseconds(attribution.waiting)),
      ("idleNs", .nanoseconds(attribution.idle)),
      ("unrecordedNs", .nanoseconds(attribution.unrecorded)),
    ])
  }

  /// A track with its work; only the busiest are told piece by piece.
  private func track(_ track: FrameTrack, in trace: Trace) -> JSONValue {
    let start = trace.range.start
    let pieces = track.pieces.map { piece in
      JSONValue.object([
        ("category", .string(trace.category(of: piece.label))),
        ("name", .string(trace.name(of: piece.label))),
        ("item", .name(piece.item.flatMap(trace.displayText))),
        ("beginNs", .nanoseconds(piece.range.start, from: start)),
        ("endNs", .nanoseconds(piece.range.end, from: start)), ("depth", .count(piece.depth)),
      ])
    }
    return .object([
      ("name", .string(track.name)), ("busyNs", .nanoseconds(track.busy)),
      ("pieces", pieces.isEmpty ? .null : .array(pieces)),
    ])
  }
}
