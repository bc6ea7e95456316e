import ScrollTraceModel

extension TextRun {
  /// The numbers that the source tells itself; histograms are left to the JSON report.
  var aggregates: TitledTable? {
    let told = trace.aggregates.filter { $0.values.count == 1 }
    guard !trace.aggregates.isEmpty else { return nil }
    var table = TextTable([
      .init(title: "of", isFlexible: true), .init(title: "what"),
      .init(title: "value", alignment: .right), .init(title: ""),
    ])
    for aggregate in told.prefix(Self.mostAggregates) {
      let value = aggregate.values[0]
      let isWhole = value.rounded() == value
      table.add([
        TextLine(name(aggregate.source, 60)), TextLine(name(aggregate.metric, 40)),
        TextLine(Quantity.fixed(value, places: isWhole ? 0 : 2)),
        TextLine(name(aggregate.unit, 12)),
      ])
    }
    let hidden = trace.aggregates.count - min(told.count, Self.mostAggregates)
    return TitledTable(
      title: "What the source says itself", table: table,
      note: hidden > 0 ? TextLine("and \(hidden) more; --format json lists all") : nil)
  }

  private static var mostAggregates: Int { 40 }
}
