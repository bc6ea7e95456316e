import ScrollTraceAnalysis
import ScrollTraceModel

/// Sampled stacks (M-26).
extension JSONValue {
  private static let maximumThreads = 200
  private static let maximumFunctionsOfThread = 15
  private static let maximumFunctions = 40
  private static let maximumTotals = 15

  static func samples(_ samples: SampleAnalysis, of run: Analysis) -> JSONValue {
    let trace = run.trace
    let account = run.primarySurface.flatMap { samples.hitches[$0.surface] }
    return .object([
      ("thread", .string(samples.timeline.threadName)), ("main", .bool(samples.timeline.isMain)),
      ("medianGapNs", .nanoseconds(samples.timeline.cells.medianGap)),
      (
        "threads",
        .array(
          trace.samples.prefix(maximumThreads).map {
            thread(SampledThread($0, in: trace), in: trace)
          })
      ),
      ("hitches", account.map { self.account($0) } ?? .null),
      (
        "openFrame",
        run.primarySurface.flatMap { samples.openFrames[$0.surface] }.map { self.account($0) }
          ?? .null
      ),
      ("window", .string(samples.isMotion ? "interaction" : "recording")),
      ("measured", self.account(samples.measured)),
    ])
  }

  /// The samples of a thread as the source counts them.
  private static func thread(_ thread: SampledThread, in trace: Trace) -> JSONValue {
    let series = thread.series
    let track = trace.tracks[series.track.index]
    func time(_ time: Int64?) -> JSONValue {
      .nanoseconds(time.map { Timestamp(clamping: $0) }, from: trace.range.start)
    }
    return .object([
      ("process", .string(trace.displayName(of: track.process))),
      ("thread", .string(trace.displayName(of: series.track))),
      ("threadId", .unsigned(track.systemID)),
      ("event", series.event == .empty ? .null : .string(trace.strings[series.event])),
      ("samples", .count(series.count)),
      ("samplesWithoutStack", .count(thread.samplesWithoutStack)),
      ("weight", thread.weight.map { .integer($0) } ?? .null),
      ("weightUnit", thread.weight == nil ? .null : .string(trace.strings[series.weightUnit])),
      ("firstNs", time(series.times.first)), ("lastNs", time(series.times.last)),
      ("medianGapNs", .nanoseconds(SampleCells(series).medianGap)),
      (
        "functions",
        .array(
          thread.functions.prefix(maximumFunctionsOfThread).map { function in
            .object([
              ("name", .string(function.name)), ("place", .name(function.place)),
              ("ownSamples", .count(function.ownSamples)),
              ("totalSamples", .count(function.totalSamples)),
              ("ownWeight", thread.weight == nil ? .null : .integer(function.ownWeight)),
              ("totalWeight", thread.weight == nil ? .null : .integer(function.totalWeight)),
            ])
          })
      ),
    ])
  }

  /// What the samples say about some windows. Times are null if there are too few samples.
  static func account(_ account: SampleAccount) -> JSONValue {
    func time(_ time: TimeSpan) -> JSONValue {
      account.isOnlyOrder ? .null : .nanoseconds(time)
    }
    func share(_ time: TimeSpan) -> JSONValue {
      account.isOnlyOrder
        ? .null
        : .number(Double(time.nanoseconds) / Double(max(1, account.length.nanoseconds)))
    }
    func function(_ function: SampleAccount.FunctionTime) -> JSONValue {
      .object([
        ("name", .string(function.name)), ("place", .name(function.place)),
        ("ownNs", time(function.own)), ("totalNs", time(function.total)),
        ("ownSamples", .count(function.ownSamples)),
        ("totalSamples", .count(function.totalSamples)),
      ])
    }
    return .object([
      ("lengthNs", .nanoseconds(account.length)), ("samples", .count(account.samples)),
      ("sampledNs", .nanoseconds(account.sampled)),
      ("notSampledNs", .nanoseconds(account.notSampled)),
      (
        "rows",
        .array(
          account.rows.map { row in
            .object([
              ("category", .name(row.category)), ("name", .name(row.name)),
              ("timeNs", time(row.time)), ("share", share(row.time)),
              ("samples", .count(row.samples)),
              (
                "paths",
                .array(
                  row.paths.map { path in
                    .object([
                      ("timeNs", time(path.time)), ("share", share(path.time)),
                      ("samples", .count(path.samples)),
                      ("functions", .array(path.functions.map { .string($0) })),
                    ])
                  })
              ),
            ])
          })
      ),
      ("functions", .array(account.functions.prefix(maximumFunctions).map(function))),
      ("functionsByTotal", .array(account.functionsByTotal.prefix(maximumTotals).map(function))),
      ("ownFunctions", .array(account.ownFunctions.prefix(maximumFunctions).map(function))),
      ("sharedCallers", .array(account.sharedCallers.map { .string($0) })),
    ])
  }

  /// The samples in the window of a hitch, or null if there are none.
  static func stacks(_ window: TimeRange?, _ timeline: SampleTimeline?) -> JSONValue {
    guard let window, let timeline else { return .null }
    let account = timeline.account(of: TimeRangeSet(union: [window]))
    guard account.samples > 0 else { return .null }
    let heaviest = account.rows.flatMap(\.paths).max { $0.time < $1.time }
    return .object([
      ("samples", .count(account.samples)), ("sampledNs", .nanoseconds(account.sampled)),
      ("notSampledNs", .nanoseconds(account.notSampled)),
      (
        "functions",
        .array(
          account.functions.prefix(5).map { function in
            .object([
              ("name", .string(function.name)), ("place", .name(function.place)),
              ("ownNs", account.isOnlyOrder ? .null : .nanoseconds(function.own)),
              ("ownSamples", .count(function.ownSamples)),
            ])
          })
      ),
      ("path", .array((heaviest?.functions ?? []).map { .string($0) })),
    ])
  }
}
