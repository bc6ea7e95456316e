import ScrollTraceAnalysis
import ScrollTraceModel

extension TextRun {
  /// How many kinds of interactions, and how many of the worst, stand for very many.
  private static let fewInteractions = 8

  /// The interactions of the leading surface: each one, or where there are very many a row for each
  /// kind and the worst ones.
  var interactions: TitledTable? {
    guard let surface, !surface.interactions.isEmpty else { return nil }
    let all = surface.interactions
    var table = TextTable([
      .init(title: "interaction", isFlexible: true), .init(title: "begin", alignment: .right),
      .init(title: "length", alignment: .right), .init(title: "ratio", alignment: .right),
      .init(title: "band", expendability: 1), .init(title: "hitches", alignment: .right),
      .init(title: "late", alignment: .right, expendability: 2),
      .init(title: "main share", alignment: .right, expendability: 3),
    ])
    guard all.count > style.limits.interactions else {
      for interaction in all { table.add(cells(interaction)) }
      return TitledTable(title: "Interactions", table: table)
    }
    for kind in kinds(of: all).prefix(Self.fewInteractions) { table.add(cells(kind)) }
    let late = all.filter { $0.hitchTime ?? .zero > .zero }
    let worst = late.stablySorted { ($0.hitchTime ?? .zero) > ($1.hitchTime ?? .zero) }
      .prefix(Self.fewInteractions)
    for interaction in worst { table.add(cells(interaction)) }
    let shown =
      late.isEmpty ? "no hitch in any of them" : "below the sums the worst \(worst.count)"
    return TitledTable(
      title: "Interactions (\(all.count))", table: table,
      note: TextLine("\(shown); --format json lists all"))
  }

  private func cells(_ interaction: InteractionAnalysis) -> [TextLine] {
    let names = [interaction.kind, interaction.name].filter { !$0.isEmpty }
    let open = interaction.isFinished ? "" : ", open"
    return [
      TextLine(names.map { name($0) }.joined(separator: " ") + open),
      TextLine(instant(interaction.range.start)),
      TextLine(Quantity.length(interaction.range.length)),
      TextLine(text(of: interaction.ratio)), cell(band(of: interaction.ratio)),
      TextLine(interaction.hitchTime == nil ? "" : "\(interaction.counts.hitches)"),
      TextLine(interaction.hitchTime.map(Quantity.length) ?? ""),
      TextLine(interaction.work.mainShare.map(Quantity.share) ?? ""),
    ]
  }

  // MARK: - Kinds

  /// The interactions of one kind together.
  private struct KindOfInteraction {
    let kind: String
    var count = 0
    var length = TimeSpan.zero
    var hitches = 0
    var hitchTime: TimeSpan?
  }

  /// The kinds, most hitch time first.
  private func kinds(of all: [InteractionAnalysis]) -> [KindOfInteraction] {
    var places: [String: Int] = [:]
    var kinds: [KindOfInteraction] = []
    for interaction in all {
      let place = places[interaction.kind] ?? kinds.count
      if place == kinds.count {
        places[interaction.kind] = place
        kinds.append(KindOfInteraction(kind: interaction.kind))
      }
      kinds[place].count += 1
      kinds[place].length += interaction.range.length
      kinds[place].hitches += interaction.counts.hitches
      guard let time = interaction.hitchTime else { continue }
      kinds[place].hitchTime = (kinds[place].hitchTime ?? .zero) + time
    }
    return kinds.stablySorted { ($0.hitchTime ?? .zero) > ($1.hitchTime ?? .zero) }
  }

  private func cells(_ kind: KindOfInteraction) -> [TextLine] {
    let ratio = kind.hitchTime.flatMap { HitchTimeRatio(hitchTime: $0, duration: kind.length) }
    return [
      TextLine("\(kind.count) of \(name(kind.kind))"), TextLine(""),
      TextLine(Quantity.length(kind.length)), TextLine(text(of: ratio)),
      cell(band(of: ratio)), TextLine(kind.hitchTime == nil ? "" : "\(kind.hitches)"),
      TextLine(kind.hitchTime.map(Quantity.length) ?? ""), TextLine(""),
    ]
  }
}
