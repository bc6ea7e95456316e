import ScrollTraceAnalysis
import ScrollTraceModel

/// Tables of both sides on frames, work and lists, with aligned columns.
struct ComparisonTables {
  private typealias Row = (label: String, value: ComparedValue, goodSign: Int)

  let frames: Document.Table?
  let work: Document.Table?
  let lists: [Document.Table]
  /// The number of omitted lists, or `nil` if there is none.
  let note: String?

  init(_ comparison: Comparison, base: RunMessages, new: RunMessages) {
    func rows(_ metrics: [Metric]) -> [Row] {
      // Metrics that are unknown on both sides are omitted.
      metrics.map { ($0.label, comparison[$0], $0.goodSign) }
        .filter { $0.value.base != nil || $0.value.new != nil }
    }
    func table(_ title: String, _ rows: [Row]) -> Document.Table? {
      rows.isEmpty ? nil : Self.table(title, rows, in: base.thresholds)
    }
    frames = table("Frames", rows(Metric.ofFrames))
    let perSecond = comparison.needsPerSecond ? Metric.perSecond : []
    work = table(
      Self.titleOfWork(comparison, base, new), rows(Metric.ofWork + perSecond))
    let differing = comparison.lists.filter { !$0.differing.isEmpty }
    lists = differing.prefix(base.limits.lists).compactMap { list in
      table(
        (list.name.isEmpty ? "List" : "List \(base.name(list.name))") + " (differences)",
        list.differing.map { (Messages.label(of: $0.metric), $0.value, $0.metric.goodSign) })
    }
    note = Quantity.more(differing.count - base.limits.lists, "list")
  }

  private static func table(
    _ title: String, _ rows: [Row], in thresholds: RatingThresholds
  ) -> Document.Table {
    var table = Document.Table(
      title,
      [
        .flexible("", minimum: 30), .number("base"),
        .number("new"), .number("difference"),
        // If space is limited, labels take precedence over columns that can be computed.
        .number("", expendability: 1),
      ])
    table.group = "numbers"
    for row in rows {
      table.add(
        row.label, Quantity.value(row.value.base, in: thresholds),
        Quantity.value(row.value.new, in: thresholds), cell(row.value, goodSign: row.goodSign),
        StyledText(Quantity.change(row.value), .faint))
    }
    return table
  }

  /// Returns a difference, colored by whether less (-1) or more (1) is better.
  static func cell(_ value: ComparedValue, goodSign: Int) -> StyledText {
    let meaning = (value.difference?.sign ?? 0) * goodSign
    return StyledText(
      Quantity.difference(value.difference), meaning > 0 ? .good : meaning < 0 ? .late : .plain)
  }

  private static func titleOfWork(
    _ comparison: Comparison, _ base: RunMessages, _ new: RunMessages
  ) -> String {
    let (baseTime, newTime) = (base.run.work.window, new.run.work.window)
    let isOfOneKind = baseTime.kind == newTime.kind
    let start = isOfOneKind ? Quantity.length(baseTime.duration) : base.wording.text(of: baseTime)
    let isSaidOnce = isOfOneKind && start == Quantity.length(newTime.duration)
    let time = (isSaidOnce ? "" : "\(start) and ") + new.wording.text(of: newTime)
    let area = comparison[.mainBusyBetweenCommits]
    let hasArea = area.base != nil || area.new != nil
    return "Work, wall time, in \(time)" + (hasArea ? " (between commits: whole recording)" : "")
  }
}
