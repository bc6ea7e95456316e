import ScrollTraceAnalysis
import ScrollTraceModel

extension Messages {
  static func label(of metric: ListMetric) -> String {
    switch metric {
    case .prepared: "cells prepared"
    case .preparedAhead: "prepared ahead"
    case .reuseRate: "cells reused"
    case .decodedOnMain: "decoded on main"
    case .decodeTimeOnMain: "decode time on main"
    case .decodedInBackground: "decoded in background"
    case .decodeTimeInBackground: "background decode time"
    case .prefetchHitRate: "prefetch hit rate"
    case .placeholderP50: "placeholders p50"
    case .blankRatio: "blank time ratio"
    }
  }

  /// Returns a note as a sentence without a period.
  static func text(of note: ComparisonNote) -> String {
    let wording = Messages(start: .zero)
    switch note {
    case .noData(let side):
      return "\(side.rawValue) has no hitch time ratio, which is neither better nor worse"
    case .noSurface(let surface, let side):
      return "\(side.rawValue) has no surface '\(surface)', so nothing can be compared"
    case .runsWithoutData(let side, let count, let all):
      return
        "\(count) of \(Quantity.count(all, "run")) of \(side.rawValue) \(count == 1 ? "has" : "have")"
        + " no hitch time ratio; no median includes \(count == 1 ? "it" : "them")"
    case .lostData(let side, let count, let all):
      return all == 1
        ? "\(side.rawValue) lost data; analyze it alone for details"
        : "\(count) of \(Quantity.count(all, "run")) of \(side.rawValue) lost data"
    case .otherScenario(let base, let new):
      return "the sides recorded different scenarios: \(text(of: base)) in base,"
        + " \(text(of: new)) in new"
    case .runsOfOtherScenario(let side, let count, let all):
      return
        "\(count) of \(Quantity.count(all, "run")) of \(side.rawValue) recorded a different scenario from the"
        + " displayed base run"
    case .otherLength(let base, let new):
      return "the lengths differ: \(Quantity.length(base)) in base and"
        + " \(Quantity.length(new)) in new, so work is also given per second"
    case .otherRates(let base, let new):
      return "the refresh rates differ: \(rates(base)) in base, \(rates(new)) in new"
    case .otherBasis(let base, let new):
      return
        "base is evaluated against \(wording.text(of: base)), new against \(wording.text(of: new)):"
        + " their hitch times are not comparable"
    case .otherDeviceState(let key, let base, let new):
      func text(_ values: [String]) -> String {
        values.isEmpty ? "as usual" : values.prefix(4).joined(separator: " and ")
      }
      return "the device state '\(key)' differs: \(text(base)) in base, \(text(new)) in new;"
        + " heat and power modes slow a device down"
    case .renamedCategory(let base, let new):
      return "the category '\(base)' of base is '\(new)' in new, with the same names of work"
    }
  }

  private static func rates(_ refreshIntervals: [TimeSpan]) -> String {
    guard !refreshIntervals.isEmpty else { return "unknown" }
    return refreshIntervals.prefix(4).map(Quantity.rate).joined(separator: " and ")
  }

  private static func text(of outline: ScenarioSignature) -> String {
    guard !outline.parts.isEmpty else {
      return Messages(start: .zero).text(of: outline.measuredTime)
    }
    return outline.parts.prefix(6).map { part in
      "\(part.count) \(part.kind) (\(Quantity.length(part.length)))"
    }.joined(separator: ", ")
  }
}
