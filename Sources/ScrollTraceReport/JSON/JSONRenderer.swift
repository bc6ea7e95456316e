import ScrollTraceAnalysis
import ScrollTraceGate
import ScrollTraceModel

/// A report as JSON of the schema `scrolltrace.report/1`, the promised form.
///
/// Times are nanoseconds from the trace's start, shares 0 ... 1, and what is unknown is null. All
/// keys are always there, in the same order; the same report gives the same bytes.
public struct JSONRenderer: ReportRenderer {
  /// The name of the shape. Keys may be added to it; none changes its meaning.
  package static let schema = "scrolltrace.report/1"

  /// Whether each surface also lists its main-thread work per frame (M-12).
  package let includesSeries: Bool

  /// The number of the frame that is looked at closely, in place of all; `nil` for the whole report.
  package let frame: UInt64?

  /// A renderer, with or without the series per frame, or of one frame alone.
  public init(includesSeries: Bool = false, frame: UInt64? = nil) {
    self.includesSeries = includesSeries
    self.frame = frame
  }

  /// The report as one JSON object and a final newline.
  public func render(_ report: Report) -> String {
    if let frame { return render(report, frame: frame) }
    return JSONValue.object([
      ("schema", .string(Self.schema)), ("tool", Self.tool),
      ("profile", .string(report.profile.rawValue)),
      (
        "runs",
        .array(
          report.runs.enumerated().map { index, analysis in
            run(analysis, report.predictions.isEmpty ? nil : report.predictions[index])
          })
      ),
      ("comparison", report.comparison.map(JSONValue.comparison) ?? .null),
      (
        "verdict",
        .object([
          ("status", .string(report.verdict.status.rawValue)),
          ("reasons", .array(report.verdict.reasons.map { .string($0) })),
          ("results", .array(report.verdict.results.map(JSONValue.result))),
          ("groups", .array(report.verdict.groups.map(JSONValue.group))),
          ("notes", .array(report.gateNotes.map(JSONValue.note))),
        ])
      ),
    ]).text
  }

  /// Who wrote it.
  static let tool = JSONValue.object([
    ("name", .string(ToolIdentity.name)), ("version", .string(ToolIdentity.version)),
  ])

  private func run(_ run: Analysis, _ predictions: PredictionReport?) -> JSONValue {
    let trace = run.trace
    return .object([
      ("input", input(trace, run.options.selection, run.selectedTime)),
      ("durationNs", trace.source.tellsLength ? .nanoseconds(trace.range.length) : .null),
      ("surfaces", .array(run.selectedSurfaces.map { surface($0, of: run) })),
      ("work", work(run.work, of: run)),
      ("otherProcesses", .array(run.otherProcesses.map(otherProcess))),
      ("unfinished", .array(trace.openSpans.map { unfinished($0, in: trace) })),
      ("aggregates", .array(trace.aggregates.map(aggregate))),
      ("recorder", run.recorderOverhead.map(recorder) ?? .null),
      ("lists", run.lists.isEmpty ? .null : .array(run.lists.map(JSONValue.list))),
      (
        "predictions",
        .array(
          ((predictions?.predictions ?? run.predictions) + (predictions?.combinations ?? []))
            .map { .prediction($0, in: run.options.thresholds) })
      ),
      ("replayedHitchTimeNs", .nanoseconds(predictions?.replayedHitchTime)),
      (
        "smoothAt",
        .array(
          (predictions?.requirements ?? []).map { .requirement($0, in: run.options.thresholds) })
      ),
      ("findings", .array(run.findings.map { .finding($0, from: trace.range.start) })),
      ("notices", .array(run.notices.map { notice($0, in: trace) })),
    ])
  }

  private func aggregate(_ aggregate: Aggregate) -> JSONValue {
    .object([
      ("metric", .string(aggregate.metric)), ("unit", .string(aggregate.unit)),
      ("values", .array(aggregate.values.map { .number($0) })),
      ("source", .string(aggregate.source)),
    ])
  }

  /// Where a trace comes from, and how whole it is.
  func input(
    _ trace: Trace, _ selection: AnalysisOptions.Selection, _ time: TimeRangeSet?
  ) -> JSONValue {
    .object([
      ("path", .string(trace.source.path)),
      ("format", .string(trace.source.format)),
      ("bytes", trace.source.byteCount.map { .unsigned($0) } ?? .null),
      ("complete", .bool(trace.isComplete)),
      ("closed", trace.source.wasClosed.map { .bool($0) } ?? .null),
      ("ring", trace.source.ring.map { ring($0, of: trace) } ?? .null),
      (
        "losses",
        .array(
          trace.losses.map {
            .object([
              ("cause", .string($0.cause.rawValue)), ("count", .unsigned($0.count)),
              ("offset", $0.offset.map { .unsigned($0) } ?? .null),
            ])
          })
      ),
      ("selection", selection.isEmpty ? .null : self.selection(selection, time)),
    ])
  }

  private func recorder(_ overhead: RecorderOverhead) -> JSONValue {
    .object([
      ("records", .unsigned(overhead.recordCount)),
      ("mainRecords", .unsigned(overhead.mainRecordCount)),
      ("nsPerRecord", .number(overhead.nanosecondsPerRecord)),
      ("timeNs", .nanoseconds(overhead.time)),
      ("mainShare", overhead.mainShare.map { .number($0) } ?? .null),
      ("estimated", .bool(true)),
    ])
  }

  private func ring(_ ring: RecordingRing, of trace: Trace) -> JSONValue {
    .object([
      ("overwrittenChunks", .unsigned(ring.overwrittenChunkCount)),
      ("keptNs", .nanoseconds(ring.start.map { trace.range.end - $0 })),
    ])
  }

  private func selection(
    _ selection: AnalysisOptions.Selection, _ time: TimeRangeSet?
  ) -> JSONValue {
    .object([
      ("fromNs", .nanoseconds(selection.from)), ("toNs", .nanoseconds(selection.to)),
      ("interval", .name(selection.interaction)),
      (
        "states",
        .array(
          selection.states.map {
            .object([("key", .string($0.key)), ("value", .string($0.value))])
          })
      ),
      ("surface", .name(selection.surface)),
      ("durationNs", .nanoseconds(time?.length)),
    ])
  }

  private func longTasks(_ tasks: LongTasks, of run: Analysis) -> JSONValue {
    let trace = run.trace
    return .object([
      ("count", .count(tasks.count)), ("lengthNs", .nanoseconds(tasks.length)),
      ("blockingNs", .nanoseconds(tasks.blocking)),
      (
        "longest",
        .array(
          tasks.longest.map { task in
            .object([
              ("beginNs", .nanoseconds(task.range.start, from: trace.range.start)),
              ("lengthNs", .nanoseconds(task.range.length)),
              ("category", .string(trace.category(of: task.label))),
              ("name", .string(trace.name(of: task.label))),
              ("causes", .array((task.attribution?.causes ?? []).map(cause))),
            ])
          })
      ),
    ])
  }

  private func work(_ work: WorkAnalysis, of run: Analysis) -> JSONValue {
    .object(
      [
        (
          "window",
          .object([
            ("kind", .string(work.window.kind.rawValue)),
            ("durationNs", .nanoseconds(work.window.duration)),
          ])
        )
      ] + JSONValue.work(work.sums) + [
        ("backgroundWhileLateNs", .nanoseconds(work.backgroundBusyDuringOverruns)),
        ("longTasks", work.longTasks.map { longTasks($0, of: run) } ?? .null),
        ("tracks", .array(work.tracks.map(track))),
      ])
  }

  private func track(_ track: TrackWork) -> JSONValue {
    .object([
      ("name", .string(track.name)), ("process", .string(track.process)),
      ("main", .bool(track.isMain)), ("busyNs", .nanoseconds(track.busy)),
      ("utilization", .number(track.utilization)),
      (
        "byCategory",
        .array(
          track.byCategory.map {
            .object([
              ("category", .string($0.category)), ("selfNs", .nanoseconds($0.selfTime)),
            ])
          })
      ),
    ])
  }

  private func otherProcess(_ process: ProcessWork) -> JSONValue {
    .object([
      ("name", .string(process.name)), ("busyNs", .nanoseconds(process.busy)),
      ("busyTracks", .count(process.busyTracks)),
    ])
  }

  private func unfinished(_ span: OpenSpan, in trace: Trace) -> JSONValue {
    .object([
      ("track", .string(trace.displayName(of: span.track))),
      ("category", .string(trace.category(of: span.label))),
      ("name", .string(trace.name(of: span.label))),
      ("item", .name(span.item.flatMap(trace.displayText))),
      ("sinceNs", .nanoseconds(span.since, from: trace.range.start)),
    ])
  }

  private func notice(_ notice: AnalysisNotice, in trace: Trace) -> JSONValue {
    let wording = Messages(start: trace.range.start)
    return .object([
      ("kind", .string(wording.kind(of: notice))), ("text", .string(wording.text(of: notice))),
    ])
  }
}
