import ScrollTraceAnalysis
import ScrollTraceModel

/// A surface of one of a report's traces, under names that no other surface of the report has.
struct MeasuredSurface {
  /// A known value of a metric.
  struct Measurement {
    let metric: Metric
    let value: MetricValue

    var json: JSONValue { .value(value) }

    var text: String { String(json.line.dropLast()) }
  }

  /// The trace's path, visible and of limited length. A second trace of that name has a number.
  let trace: String
  let surface: String
  /// Whether the trace has other evaluated surfaces.
  let isOneOfSeveral: Bool
  /// The rating, without which a ratio of zero may mean that too little is known (M-24).
  let rated: RatedHitches
  /// The headline metrics that are known, in a stable order.
  ///
  /// An unknown number is omitted: it is neither zero nor an improvement.
  let measurements: [Measurement]

  /// The number of ratings that are better than its own: 0 for good; `nil` if it is none of a ratio.
  var ratingLevel: Int? {
    rated.rating.isCertain ? Rating.allCases.firstIndex(of: rated.rating) : nil
  }

  /// The trace, and the surface if the trace has several.
  var name: String { isOneOfSeveral ? "\(trace) / \(surface)" : trace }

  /// Returns every evaluated surface of `report`, in the report's order.
  static func all(of report: Report) -> [MeasuredSurface] {
    zip(traceNames(of: report), report.runs).flatMap { surfaces(of: $1, named: $0) }
  }

  static func surfaces(of run: Analysis, named trace: String) -> [MeasuredSurface] {
    let evaluated = run.selectedSurfaces.filter(\.isEvaluated)
    return zip(unique(evaluated.map { visible($0.name) }), evaluated).map { name, surface in
      let context = MetricContext(surface, in: run)
      return MeasuredSurface(
        trace: trace, surface: name, isOneOfSeveral: evaluated.count > 1,
        rated: surface.rated(by: run.options.thresholds),
        measurements: Metric.headline.compactMap { metric in
          metric.value(context).map { Measurement(metric: metric, value: $0) }
        })
    }
  }

  /// Returns a name for each run of `report`, no two alike.
  static func traceNames(of report: Report) -> [String] {
    unique(
      report.runs.map { $0.trace.source.path.isEmpty ? "(no file)" : visible($0.trace.source.path) }
    )
  }

  /// Returns a visible name, or its end if it is long.
  private static func visible(_ name: String) -> String {
    EscapingContext.terminal.escape(String(name.unicodeScalars.suffix(200)))
  }

  private static func unique(_ names: [String]) -> [String] {
    var taken: Set<String> = []
    return names.map { name in
      var candidate = name
      var number = 1
      while !taken.insert(candidate).inserted {
        number += 1
        candidate = "\(name) (\(number))"
      }
      return candidate
    }
  }
}

/// A run in one sentence, for forms that have no room for a report.
struct RunSummary {
  /// The rating in capitals.
  let word: String
  /// The ratio with the deadline misses and the worst hitch, or the reason for no data.
  let text: String
  /// The end of the trace's path.
  let path: String
  let rating: Rating

  init(_ run: Analysis) {
    let messages = RunMessages(run)
    word = messages.headline.word.text
    text = run.isEvaluated ? messages.verdictSentence : messages.reasonForNoData
    path = messages.nameEnding(run.trace.source.path, 100)
    rating = messages.rated?.rating ?? .notMeasurable
  }
}
