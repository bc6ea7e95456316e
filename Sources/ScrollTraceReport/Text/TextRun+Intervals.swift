import ScrollTraceAnalysis
import ScrollTraceModel

extension TextRun {
  /// The states that held while the leading surface was judged.
  var states: TitledTable? {
    guard let surface, !surface.states.isEmpty else { return nil }
    // A state that held all the time divides nothing: its numbers are those of the headline.
    if let only = surface.states.first, surface.states.count == 1,
      only.duration == surface.measuredTime.duration, only.hitchTime == surface.hitchTime
    {
      return nil
    }
    var table = TextTable([
      .init(title: "state", isFlexible: true), .init(title: "held", alignment: .right),
      .init(title: "ratio", alignment: .right), .init(title: "band", expendability: 1),
      .init(title: "hitches", alignment: .right),
      .init(title: "late", alignment: .right, expendability: 2),
    ])
    for state in surface.states.prefix(style.limits.interactions) {
      table.add([
        TextLine("\(name(state.key)) = \(name(state.value))"),
        TextLine(Quantity.length(state.duration)), TextLine(text(of: state.ratio)),
        cell(band(of: state.ratio)),
        TextLine(state.hitchTime == nil ? "" : "\(state.counts.hitches)"),
        TextLine(state.hitchTime.map(Quantity.length) ?? ""),
      ])
    }
    return TitledTable(title: "States", table: table, note: more(surface.states.count))
  }

  private func more(_ count: Int) -> TextLine? {
    let hidden = count - style.limits.interactions
    return hidden > 0 ? TextLine("and \(hidden) more; --format json lists all") : nil
  }

  /// The surfaces besides the leading one, a line each.
  var otherSurfaces: TitledTable? {
    let others = run.surfaces.filter { $0.surface != surface?.surface }
    guard !others.isEmpty else { return nil }
    var table = TextTable([
      .init(title: "surface", isFlexible: true), .init(title: "judged by", expendability: 1),
      .init(title: "frames", alignment: .right), .init(title: "ratio", alignment: .right),
      .init(title: "band"), .init(title: "hitches", alignment: .right),
    ])
    for other in others {
      table.add([
        TextLine(name(other.name)), TextLine(other.basis.rawValue),
        TextLine(other.counts.total.map { "\($0)" } ?? ""), TextLine(text(of: other.ratio)),
        cell(band(of: other.ratio)), TextLine(other.isEvaluated ? "\(other.counts.hitches)" : ""),
      ])
    }
    return TitledTable(title: surface == nil ? "Surfaces" : "Other surfaces", table: table)
  }
}
