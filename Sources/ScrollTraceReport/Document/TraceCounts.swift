import ScrollTraceSummary

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

  /// The number of traces of that quality.
  subscript(_ quality: SummaryQuality) -> WideInteger {
    (rows.map { $0[quality] }.max() ?? 0) + (others?[quality] ?? 0)
  }
}
