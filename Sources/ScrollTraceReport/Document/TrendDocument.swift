import ScrollTraceAnalysis
import ScrollTraceGate
import ScrollTraceModel
import ScrollTraceSummary

/// The document on a trend: a bar for each value, and the changes.
struct TrendDocument {
  private let trend: Trend
  private let limits: RowLimits
  /// The resolution of a bar's length.
  private static let barUnits = 10_000.0

  /// Creates the document on `trend`.
  init(_ trend: Trend, limits: RowLimits) {
    self.trend = trend
    self.limits = limits
  }

  /// The subject in a few words.
  var title: String { "\(trend.measure.label) by \(visible(trend.attribute))" }

  /// The sections, in reading order.
  var sections: [Document.Section] {
    [opening] + (bars.map { [Document.Section(title: $0.title, blocks: [.bars($0)])] } ?? [])
      + (table.map { [Document.Section(title: "Changes", blocks: [.table($0)])] } ?? [])
      + [Document.Section(title: "", blocks: [.paragraph(StyledText(method, .faint))])]
  }

  private func visible(_ name: String) -> String {
    VisibleName.front(of: name, max(24, limits.nameColumns))
  }

  private func text(_ value: Double) -> String {
    trend.measure.text(value)
  }

  private var opening: Document.Section {
    let points = trend.changes.points
    let attribute = visible(trend.attribute)
    let values = Quantity.count(trend.items.count, "value")
    var word = StyledText("NO CHANGE", .good)
    var text = "found in \(values) of \(attribute)"
    if let last = points.last {
      let isWorse = last.statistics.difference > 0
      word = StyledText(isWorse ? "WORSE" : "BETTER", isWorse ? .late : .good)
      text =
        "since \(attribute) \(visible(trend.items[last.index].name)): \(change(last));"
        + " \(Quantity.count(points.count, "change")) in \(values)"
    } else if trend.hasTooFew {
      word = StyledText("TOO FEW", .near)
      text =
        "\(values) of \(attribute); even an eightfold change is only found among 11, with 5 before and 6"
        + " after it, or 3 and 8"
    }
    var blocks: [Document.Block] = [
      .opening(source: nil, task: title), .statement(word: word, text: StyledText(text)),
    ]
    if let surface = trend.surface {
      let rate = surface.refreshInterval.map {
        " at \(Quantity.rate(TimeSpan(nanoseconds: max(1, $0))))"
      }
      blocks.append(
        .paragraph(StyledText("surface \(visible(surface.surface ?? ""))\(rate ?? "")")))
    }
    if trend.unknownCount > 0 {
      blocks.append(
        .paragraph(StyledText("\(trend.unknownCount) more without a known value", .near)))
    }
    return Document.Section(title: "", blocks: blocks)
  }

  /// A change in words: the medians before and after it.
  private func change(_ point: ChangePoints.Point) -> String {
    "\(text(point.statistics.baseMedian)) → \(text(point.statistics.newMedian))"
  }

  /// The values in order, the last ones if there are many.
  private var bars: Document.Bars? {
    guard !trend.items.isEmpty else { return nil }
    let highest = trend.items.map(\.value).max() ?? 0
    let starts = Dictionary(
      trend.changes.points.map { ($0.index, $0) }, uniquingKeysWith: { first, _ in first })
    let first = max(0, trend.items.count - limits.trendRows)
    let rows = trend.items.indices[first...].map { index in
      let item = trend.items[index]
      let length = highest > 0 ? item.value / highest * Self.barUnits : 0
      let mark = starts[index].map { point in
        (point.statistics.difference > 0 ? "▲ " : "▼ ") + change(point)
      }
      return Document.Bars.Row(
        label: visible(item.name), count: Int(exactly: length.rounded()) ?? 0,
        isLate: RunMessages.role(of: item.rating) == .late, value: text(item.value),
        remark: mark ?? "")
    }
    let earlier = first > 0 ? " (the last \(rows.count) of \(trend.items.count))" : ""
    return Document.Bars(title: "\(trend.measure.label)\(earlier)", rows: rows)
  }

  /// The changes with their uncertainty, the latest first.
  private var table: Document.Table? {
    guard !trend.changes.points.isEmpty else { return nil }
    var table = Document.Table([
      .init(title: visible(trend.attribute), isFlexible: true),
      .init(title: "before", alignment: .right), .init(title: "after", alignment: .right),
      .init(title: "difference (95% CI)", alignment: .right),
      .init(title: "p", alignment: .right, expendability: 1),
      .init(title: "between (95% CI)"),
    ])
    for point in trend.changes.points.reversed().prefix(limits.interactions) {
      let statistics = point.statistics
      let interval = statistics.confidenceInterval
      let names = [point.range.lowerBound, point.range.upperBound].map {
        visible(trend.items[min(max(0, $0), trend.items.count - 1)].name)
      }
      table.add([
        StyledText(visible(trend.items[point.index].name)),
        StyledText(text(statistics.baseMedian)), StyledText(text(statistics.newMedian)),
        StyledText("\(text(interval.lowerBound)) to \(text(interval.upperBound))"),
        StyledText(GateNumber.probability(point.p).replacingAll("p = ", with: "")),
        StyledText(names[0] == names[1] ? names[0] : "\(names[0]) and \(names[1])"),
      ])
    }
    return table.titled("Changes, latest first")
  }

  private var method: String {
    "Changes by E-divisive (Matteson and James 2014), permutation test at p ≤ 0.01; each value counts"
      + " once, however many traces it has."
  }
}
