import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTraceSummary

/// The figures of one scope of a summary, as reports show them.
struct SummaryFigures {
  let scope: SummaryScope
  let thresholds: RatingThresholds

  /// The measured time, or `nil` if no trace could be evaluated.
  var motion: WideInteger? { scope[.motion].known }

  /// The hitch time, or `nil` if no trace could be evaluated.
  var hitchTime: WideInteger? { scope[.hitchTime].known }

  /// The hitch time, the measured time, and the time of it in which the main thread had no core, halved
  /// together until they fit.
  private var spans: (hitchTime: TimeSpan, motion: TimeSpan, ready: TimeSpan?)? {
    guard var late = hitchTime, var whole = motion else { return nil }
    var ready = scope[.mainReady].known
    while max(late, whole, ready ?? 0) > WideInteger(Int64.max) {
      late = late / 2
      whole = whole / 2
      ready = ready.map { $0 / 2 }
    }
    func span(_ time: WideInteger) -> TimeSpan { TimeSpan(nanoseconds: Int64(clamping: time)) }
    return (span(late), span(whole), ready.map(span))
  }

  /// What the traces say of the main thread in the measured time, or `nil` if none says when it had no
  /// core.
  private var thread: ThreadTimes? {
    guard let spans, let ready = spans.ready else { return nil }
    var times = ThreadTimes()
    times.ready = ready
    times.unknown = max(.zero, spans.motion - ready)
    return times
  }

  /// The hitch time ratio of the sums (M-5), or `nil` if unknown.
  var ratio: HitchTimeRatio? {
    spans.flatMap { HitchTimeRatio(hitchTime: $0.hitchTime, duration: $0.motion) }
  }

  /// The expected and the unknown time of the ledger (M-23), or `nil` if no trace says them.
  private var ledger: RefreshLedger? {
    guard let owed = scope[.owed].known, let unknown = scope[.unknown].known else { return nil }
    var ledger = RefreshLedger()
    ledger.owed = TimeSpan(nanoseconds: Int64(clamping: owed))
    ledger.unknown = TimeSpan(nanoseconds: Int64(clamping: unknown))
    return ledger
  }

  /// The rating of the ratio, by the rule for a single trace (M-24).
  var rated: RatedHitches {
    RatedHitches(
      hitchTime: spans?.hitchTime, duration: spans?.motion ?? .zero,
      evaluated: scope[.evaluated].known.map { Int(clamping: $0) }, ledger: ledger,
      thread: thread, by: thresholds)
  }

  var ratioText: String {
    ratio.map { Quantity.ratio($0, in: thresholds) } ?? "not measurable"
  }

  /// Returns the share of a count among the traces in which it is known, or `nil` if there are none.
  func share(of field: SummaryField, amongTraces count: WideInteger) -> Double? {
    let known = count - scope[field].unknownCount
    guard known > 0, let value = scope[field].known else { return nil }
    return min(1, Double(value) / Double(known))
  }

  /// Returns a percentile of a histogram in words, or an empty string without values.
  func percentile(_ perMille: WideInteger, of name: SummaryHistogramName) -> String {
    scope[name].percentile(perMille).map { Quantity.length(TimeSpan(nanoseconds: $0)) } ?? ""
  }

  /// Returns a sum of time in words, or an empty string for none.
  static func text(ofTime time: WideInteger?) -> String {
    guard let time else { return "" }
    let hour: Int64 = 3_600_000_000_000
    return time < WideInteger(1000 * hour)
      ? Quantity.duration(TimeSpan(nanoseconds: Int64(clamping: time))) : "\(time / hour) h"
  }
}

/// The numbers of traces in a summary, which has a row for each surface of a trace.
struct TraceCounts {
  /// The traces with a surface of one name, of which a trace has at most one.
  private let rows: [SummaryRow]
  /// The traces without a surface.
  private let others: SummaryRow?

  init(_ summary: TraceSummary) {
    var named = summary.mapKeys { SummaryKey(surface: $0.surface) }.rows
    others = named.removeValue(forKey: SummaryKey())
    rows = Array(named.values)
  }

  /// The words before a count that may be too small: with several names, nobody knows which traces have
  /// which of them.
  var qualifier: String { rows.count > 1 ? "at least " : "" }

  subscript(_ quality: SummaryQuality) -> WideInteger {
    (rows.map { $0[quality] }.max() ?? 0) + (others?[quality] ?? 0)
  }
}
