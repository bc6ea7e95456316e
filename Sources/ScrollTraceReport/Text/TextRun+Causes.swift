import ScrollTraceAnalysis
import ScrollTraceModel

extension TextRun {
  /// What the hitch time of the leading surface is charged to, most first.
  var causes: TitledTable? {
    guard let surface, let whole = surface.hitchTime, !surface.causes.isEmpty else { return nil }
    let known = surface.causes.filter { $0.kind != .unknown }
    guard !known.isEmpty else { return nil }
    var table = TextTable([
      .init(title: "hitch time", alignment: .right), .init(title: "part", alignment: .right),
      .init(title: "hitches", alignment: .right),
      .init(title: "items", alignment: .right, expendability: 1),
      .init(title: "cause", isFlexible: true),
    ])
    // A cause of next to nothing in every hitch is the frame itself, not what made it late.
    let limit = style.hitchLimit == nil ? surface.causes.count : style.limits.causes
    let shown = surface.causes.prefix(limit)
    for cause in shown {
      table.add([
        TextLine(Quantity.length(cause.hitchTime)),
        TextLine(Quantity.share(surface.share(of: cause.hitchTime))),
        TextLine("\(cause.hitchCount)"),
        TextLine(cause.itemCount > 0 ? "\(cause.itemCount)" : ""), TextLine(text(of: cause.kind)),
      ])
    }
    let rest = surface.causes.dropFirst(limit)
    let restTime = rest.reduce(into: TimeSpan.zero) { $0 += $1.hitchTime }
    let more = TextLine(
      "and \(Quantity.count(rest.count, "smaller cause")), \(Quantity.length(restTime))", .faint)
    return TitledTable(
      title: "What \(Quantity.length(whole)) of hitch time are charged to", table: table,
      note: rest.isEmpty ? nil : more)
  }

  /// A cause in words.
  func text(of kind: CauseSummary.Kind) -> String {
    switch kind {
    case .work(let category, let name): text(ofWork: category, name)
    case .waiting: "waiting"
    case .idle: "main thread idle: the cause is elsewhere"
    case .unrecorded: "unrecorded: no span says what it was"
    case .unknown: "unknown"
    }
  }
}
