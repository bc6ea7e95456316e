import ScrollTraceAnalysis
import ScrollTraceGate
import ScrollTraceModel
import ScrollTraceSummary

/// Renders a report as JSON in the schema `scrolltrace.report/2`, the stable form for programs.
///
/// Times are nanoseconds from the trace's start, shares are 0 ... 1, and unknown values are null.
/// All keys are always present, in the documented order. Equal reports have equal bytes.
public struct JSONRenderer: ReportRenderer {
  /// The schema. Keys may be added to it, but no key changes its meaning.
  package static let schema = "scrolltrace.report/2"

  /// A Boolean value indicating whether surfaces list their main-thread work per frame (M-12).
  package let includesSeries: Bool

  /// The number of the only frame to report, or `nil` for the whole report.
  package let frame: UInt64?

  /// Creates a renderer of whole reports, or of one frame.
  public init(includesSeries: Bool = false, frame: UInt64? = nil) {
    self.includesSeries = includesSeries
    self.frame = frame
  }

  /// Renders the report as one JSON object and a final newline.
  public func render(_ report: Report) -> String {
    if let frame { return render(report, frame: frame) }
    return JSONValue.object([
      ("schema", .string(Self.schema)), ("tool", Self.tool),
      ("thresholds", .string(report.thresholds.rawValue)),
      (
        "runs",
        .array(
          report.runs.enumerated().map { index, analysis in
            run(analysis, report.predictions.isEmpty ? nil : report.predictions[index])
          })
      ),
      (
        "comparison",
        report.comparison.map { JSONValue.comparison($0, report.verdict.outcome) } ?? .null
      ),
      (
        "verdict",
        .object([
          ("status", .string(report.verdict.status.rawValue)),
          ("reasons", .array(report.verdict.reasons.map { .string($0) })),
          ("detectableShare", .number(report.verdict.detectableShare)),
          ("results", .array(report.verdict.results.map(JSONValue.result))),
          ("groups", .array(report.verdict.groups.map(JSONValue.group))),
          ("notes", .array(report.gateNotes.map(JSONValue.note))),
        ])
      ),
    ]).text
  }

  /// The program that wrote the report.
  static let tool = JSONValue.object([
    ("name", .string(ToolIdentity.name)), ("version", .string(ToolIdentity.version)),
  ])

  private func run(_ run: Analysis, _ predictions: PredictionReport?) -> JSONValue {
    let trace = run.trace
    let whole = predictions?.predictions ?? run.predictions
    return .object([
      ("input", input(trace, run.options.selection, run.selectedTime)),
      ("durationNs", trace.source.hasKnownLength ? .nanoseconds(trace.range.length) : .null),
      ("headline", .name(run.headline?.word)),
      ("primarySurface", .name(run.primarySurface?.name)),
      ("surfaces", .array(run.selectedSurfaces.map { surface($0, of: run) })),
      ("work", work(run.work, of: run)),
      ("otherProcesses", .array(run.otherProcesses.map(otherProcess))),
      ("openSpans", .array(trace.openSpans.map { openSpan($0, in: trace) })),
      ("recorder", run.recorderOverhead.map(recorder) ?? .null),
      ("lists", run.lists.isEmpty ? .null : .array(run.lists.map(JSONValue.list))),
      ("samples", run.samples.map { .samples($0, of: run) } ?? .null),
      ("predictions", .array(whole.map(JSONValue.prediction))),
      (
        "requiredSpeedups",
        .array((predictions?.requiredSpeedups ?? []).map(JSONValue.requiredSpeedup))
      ),
      ("findings", .array(run.findings.map { .finding($0, of: run) })),
      ("notices", .array(run.notices.map { notice($0, in: trace) })),
    ])
  }

  /// The origin of a trace, and whether it is complete.
  func input(
    _ trace: Trace, _ selection: AnalysisOptions.Selection, _ time: TimeRangeSet?
  ) -> JSONValue {
    .object([
      ("path", .string(trace.source.path)),
      ("format", .string(trace.source.format)),
      ("bytes", trace.source.byteCount.map { .unsigned($0) } ?? .null),
      ("complete", .bool(trace.isComplete)),
      ("finished", trace.source.wasClosed.map { .bool($0) } ?? .null),
      ("ring", trace.source.ring.map { ring($0, of: trace) } ?? .null),
      (
        "losses",
        .array(
          trace.losses.map {
            .object([
              ("reason", .string(JSONWord.reason($0.reason))), ("count", .unsigned($0.count)),
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
      ("threadTimeReadings", .unsigned(overhead.readingCount)),
      ("nsPerThreadTimeReading", overhead.nanosecondsPerReading.map { .number($0) } ?? .null),
      ("stackSignals", overhead.sampling.map { .unsigned($0.signalCount) } ?? .null),
      ("nsPerStackSignal", overhead.nanosecondsPerSignal.map { .number($0) } ?? .null),
      ("stackSamplerNs", overhead.sampling.map { .unsigned($0.samplerNanoseconds) } ?? .null),
      ("timeNs", .nanoseconds(overhead.time)),
      ("mainShare", overhead.mainShare.map { .number($0) } ?? .null),
      ("estimated", .bool(true)),
    ])
  }

  private func ring(_ ring: RecordingRing, of trace: Trace) -> JSONValue {
    .object([
      ("overwrittenChunks", .unsigned(ring.overwrittenChunkCount)),
      ("retainedNs", .nanoseconds(ring.start.map { trace.range.end - $0 })),
    ])
  }

  private func selection(
    _ selection: AnalysisOptions.Selection, _ time: TimeRangeSet?
  ) -> JSONValue {
    .object([
      ("fromNs", .nanoseconds(selection.from)), ("toNs", .nanoseconds(selection.to)),
      ("interaction", .name(selection.interaction)),
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
      ("totalBlockingNs", .nanoseconds(tasks.blocking)),
      (
        "longest",
        .array(
          tasks.longest.map { task in
            .object([
              ("startNs", .nanoseconds(task.range.start, from: trace.range.start)),
              ("lengthNs", .nanoseconds(task.range.length)),
              ("category", .string(trace.category(of: task.label))),
              ("name", .string(trace.name(of: task.label))),
              ("causes", .array((task.attribution?.causes ?? []).map(cause))),
            ])
          })
      ),
    ])
  }

  private var metricsOfWork: [Metric] {
    [
      .mainBusy, .backgroundBusy, .mainShare, .parallelism, .mainBusyPerSecond,
      .backgroundBusyPerSecond, .mainCPU, .mainReady, .mainReadyShare,
    ]
  }

  private func work(_ work: WorkAnalysis, of run: Analysis) -> JSONValue {
    let context = MetricContext(nil, in: run)
    return .object(
      [
        (
          "window",
          .object([
            ("kind", .string(work.window.kind.rawValue)),
            ("durationNs", .nanoseconds(work.window.duration)),
          ])
        )
      ] + metricsOfWork.map { ($0.name, .value($0.value(context))) } + [
        ("mainRunningNs", .nanoseconds(work.sums.mainBusy)),
        ("mainWaitingNs", .nanoseconds(work.sums.mainWaiting)),
        ("mainThread", .thread(work.sums.mainThread)),
        ("backgroundRunningNs", .nanoseconds(work.sums.backgroundBusy)),
        ("backgroundWaitingNs", .nanoseconds(work.sums.backgroundWaiting)),
        ("backgroundBusyDuringOverrunsNs", .nanoseconds(work.backgroundBusyDuringOverruns)),
        ("longTasks", work.longTasks.map { longTasks($0, of: run) } ?? .null),
        ("tracks", .array(work.tracks.map(track))),
      ])
  }

  /// The parts of the window in which a track ran, waited and had no work by its spans, and what the
  /// system counted.
  private func states(of track: TrackWork) -> [(String, JSONValue)] {
    [
      ("runningNs", .nanoseconds(track.busy)), ("waitingNs", .nanoseconds(track.waiting)),
      ("idleNs", .nanoseconds(track.idle)), ("thread", .thread(track.thread)),
    ]
  }

  private func track(_ track: TrackWork) -> JSONValue {
    .object(
      [
        ("name", .string(track.name)), ("process", .string(track.process)),
        ("main", .bool(track.isMain)), ("busyNs", .nanoseconds(track.busy)),
        ("utilization", .number(track.utilization)),
      ] + states(of: track) + [
        (
          "byCategory",
          .array(
            track.byCategory.map {
              .object([
                ("category", .string($0.category)), ("selfNs", .nanoseconds($0.selfTime)),
                ("waitingNs", .nanoseconds($0.waiting)),
              ])
            })
        )
      ])
  }

  private func otherProcess(_ process: ProcessWork) -> JSONValue {
    .object([
      ("name", .string(process.name)), ("busyNs", .nanoseconds(process.busy)),
      ("busyTracks", .count(process.busyTracks)),
    ])
  }

  private func openSpan(_ span: OpenSpan, in trace: Trace) -> JSONValue {
    .object([
      ("track", .string(trace.displayName(of: span.track))),
      ("category", .string(trace.category(of: span.label))),
      ("name", .string(trace.name(of: span.label))),
      ("item", .name(span.item.flatMap(trace.displayText))),
      ("startNs", .nanoseconds(span.since, from: trace.range.start)),
    ])
  }

  private func notice(_ notice: AnalysisNotice, in trace: Trace) -> JSONValue {
    .object([
      ("kind", .string(JSONWord.kind(of: notice))),
      ("text", .string(Messages(start: trace.range.start).text(of: notice))),
    ])
  }
}
