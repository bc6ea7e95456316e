import ScrollTraceAnalysis
import ScrollTraceModel

/// The report on one frame.
extension JSONRenderer {
  /// The schema of a report on one frame. Keys may be added to it.
  package static let frameSchema = "scrolltrace.frame/2"

  /// Renders the frame with this number in each run.
  func render(_ report: Report, frame number: UInt64) -> String {
    JSONValue.object([
      ("schema", .string(Self.frameSchema)), ("tool", Self.tool),
      (
        "runs",
        .array(
          report.runs.map { run in
            .object([
              ("input", input(run.trace, run.options.selection, run.selectedTime)),
              ("frame", run.detail(ofFrame: number).map { frame($0, in: run) } ?? .null),
            ])
          })
      ),
    ]).text
  }

  private func frame(_ detail: FrameDetail, in run: Analysis) -> JSONValue {
    let trace = run.trace
    let start = trace.range.start
    return .object([
      ("surface", .string(detail.surface)), ("frame", .unsigned(detail.frame.id)),
      ("sameNumber", .count(detail.sameNumberCount)),
      ("status", .string(detail.status.rawValue)),
      ("timestamps", timestamps(detail.frame, from: start)),
      ("refreshIntervalNs", .nanoseconds(detail.refreshInterval)),
      ("overrunNs", .nanoseconds(detail.overrun)),
      ("sourceLabel", .name(detail.sourceLabel)),
      ("interactions", .array(detail.interactions.map { interaction($0, from: start) })),
      ("states", states(of: detail)),
      ("hitch", detail.hitch.map { hitch($0, from: start, run.samples?.timeline) } ?? .null),
      ("window", detail.attribution.map { window($0, from: start) } ?? .null),
      ("range", range(detail.range, from: start)),
      ("main", detail.main.map { track($0, in: trace) } ?? .null),
      ("schedule", schedule(of: detail, from: start)),
      ("stacks", stacks(of: detail, in: run)),
      ("background", .array(detail.background.map { track($0, in: trace) })),
    ])
  }

  private func states(of detail: FrameDetail) -> JSONValue {
    .array(
      detail.states.map { .object([("key", .string($0.key)), ("value", .string($0.value))]) })
  }

  private func schedule(of detail: FrameDetail, from start: Timestamp) -> JSONValue {
    .array(
      detail.mainStates.map {
        .object([
          ("state", .string("\($0.state)")),
          ("startNs", .nanoseconds($0.range.start, from: start)),
          ("endNs", .nanoseconds($0.range.end, from: start)),
        ])
      })
  }

  private func stacks(of detail: FrameDetail, in run: Analysis) -> JSONValue {
    guard let samples = run.samples, let window = detail.attribution?.window else { return .null }
    return .account(samples.timeline.account(of: TimeRangeSet(union: [window])))
  }

  private func timestamps(_ frame: Frame, from start: Timestamp) -> JSONValue {
    .object([
      ("startNs", .nanoseconds(frame.start, from: start)),
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
      ("startNs", .nanoseconds(interaction.start, from: start)),
      ("endNs", .nanoseconds(interaction.end, from: start)),
    ])
  }

  private func range(_ range: TimeRange?, from start: Timestamp) -> JSONValue {
    range.map {
      .object([
        ("startNs", .nanoseconds($0.start, from: start)),
        ("endNs", .nanoseconds($0.end, from: start)),
      ])
    } ?? .null
  }

  private func window(_ attribution: Attribution, from start: Timestamp) -> JSONValue {
    .object(
      [
        ("startNs", .nanoseconds(attribution.window.start, from: start)),
        ("endNs", .nanoseconds(attribution.window.end, from: start)),
        ("causes", .array(attribution.causes.map(cause))),
      ] + JSONValue.rest(of: attribution))
  }

  /// A track with its work. Only the busiest tracks have segments.
  private func track(_ track: FrameTrack, in trace: Trace) -> JSONValue {
    let start = trace.range.start
    let segments = track.pieces.map { segment in
      JSONValue.object([
        ("category", .string(trace.category(of: segment.label))),
        ("name", .string(trace.name(of: segment.label))),
        ("item", .name(segment.item.flatMap(trace.displayText))),
        ("startNs", .nanoseconds(segment.range.start, from: start)),
        ("endNs", .nanoseconds(segment.range.end, from: start)), ("depth", .count(segment.depth)),
      ])
    }
    return .object([
      ("name", .string(track.name)), ("busyNs", .nanoseconds(track.busy)),
      ("segments", segments.isEmpty ? .null : .array(segments)),
    ])
  }
}
