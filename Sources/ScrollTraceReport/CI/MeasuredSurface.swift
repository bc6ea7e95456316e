import ScrollTraceAnalysis
import ScrollTraceModel

/// A surface of one of a report's traces, with names by which programs tell it from all others.
struct MeasuredSurface {
  /// The trace's path, visible and not too long; a second one of that name has a number.
  let trace: String
  /// The surface's name.
  let surface: String
  /// Whether the trace has other surfaces that were judged.
  let isOneOfSeveral: Bool
  /// Its numbers.
  let measures: [ReportMeasure]

  /// The trace, and the surface where there are several.
  var name: String { isOneOfSeveral ? "\(trace) / \(surface)" : trace }

  /// Every judged surface of `report`, in the order of the report.
  static func all(of report: Report) -> [MeasuredSurface] {
    zip(traceNames(of: report), report.runs).flatMap { trace, run in
      let evaluated = run.selectedSurfaces.filter(\.isEvaluated)
      return zip(unique(evaluated.map { visible($0.name) }), evaluated).map { name, surface in
        MeasuredSurface(
          trace: trace, surface: name, isOneOfSeveral: evaluated.count > 1,
          measures: ReportMeasure.all(of: surface))
      }
    }
  }

  /// A name for each run of `report`, no two alike.
  static func traceNames(of report: Report) -> [String] {
    unique(
      report.runs.map { $0.trace.source.path.isEmpty ? "(no file)" : visible($0.trace.source.path) }
    )
  }

  /// A name that can be shown, its end where it is long.
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
