import ScrollTraceAnalysis
import ScrollTraceModel

/// The hitch time of a run by interaction, by state and by surface.
struct InteractionTables {
  private let messages: RunMessages

  /// The sections on the run of `messages`.
  init(_ messages: RunMessages) {
    self.messages = messages
  }

  private var surface: SurfaceAnalysis? { messages.surface }

  /// The number of interactions above which they are combined by kind, and the number of worst ones
  /// that are listed then.
  private static let fewInteractions = 8

  /// The interactions of the primary surface: each one, or if there are many, a row for each kind
  /// and the worst ones.
  var interactions: Document.Table? {
    guard let surface, !surface.interactions.isEmpty else { return nil }
    let all = surface.interactions
    var table = Document.Table([
      .init(title: "interaction", isFlexible: true), .init(title: "start", alignment: .right),
      .init(title: "duration", alignment: .right), .init(title: "ratio", alignment: .right),
      .init(title: "rating", expendability: 1), .init(title: "hitches", alignment: .right),
      .init(title: "hitch time", alignment: .right, expendability: 2),
      .init(title: "main share", alignment: .right, expendability: 3),
    ])
    guard all.count > messages.limits.interactions else {
      for interaction in all { table.add(cells(interaction)) }
      return table.titled("Interactions")
    }
    for (kind, count, sums) in surface.sumsByInteractionKind.prefix(Self.fewInteractions) {
      table.add(cells(sums, of: "\(count) of \(messages.name(kind))"))
    }
    let worst = surface.worstInteractions.prefix(Self.fewInteractions)
    for interaction in worst { table.add(cells(interaction)) }
    let shown =
      worst.isEmpty ? "none has a hitch" : "totals by kind, then the worst \(worst.count)"
    return table.titled(
      "Interactions (\(all.count))",
      note: StyledText("\(shown); --format json lists all"))
  }

  private func cells(_ interaction: InteractionAnalysis) -> [StyledText] {
    let names = [interaction.kind, interaction.name].filter { !$0.isEmpty }
    let open = interaction.isFinished ? "" : ", open"
    return [
      StyledText(names.map { messages.name($0) }.joined(separator: " ") + open),
      StyledText(messages.instant(interaction.range.start)),
      StyledText(Quantity.length(interaction.range.length)),
      StyledText(messages.text(of: interaction.ratio)),
      RunMessages.cell(interaction.rated(by: messages.thresholds).rating),
      StyledText(interaction.counts.hitches.map(String.init) ?? ""),
      StyledText(interaction.hitchTime.map(Quantity.length) ?? ""),
      StyledText(interaction.work.mainShare.map(Quantity.share) ?? ""),
    ]
  }

  private func cells(_ sums: InteractionSums, of kind: String) -> [StyledText] {
    [
      StyledText(kind), StyledText(""),
      StyledText(Quantity.length(sums.duration)), StyledText(messages.text(of: sums.ratio)),
      RunMessages.cell(sums.rated(by: messages.thresholds).rating),
      StyledText(sums.counts.hitches.map(String.init) ?? ""),
      StyledText(sums.hitchTime.map(Quantity.length) ?? ""), StyledText(""),
    ]
  }

  /// The states on the primary surface.
  var states: Document.Table? {
    guard let surface, !surface.states.isEmpty else { return nil }
    // A state that always held would only repeat the numbers of the headline.
    if let only = surface.states.first, surface.states.count == 1,
      only.duration == surface.measuredTime.duration, only.hitchTime == surface.hitchTime
    {
      return nil
    }
    var table = Document.Table([
      .init(title: "state", isFlexible: true), .init(title: "duration", alignment: .right),
      .init(title: "ratio", alignment: .right), .init(title: "rating", expendability: 1),
      .init(title: "hitches", alignment: .right),
      .init(title: "hitch time", alignment: .right, expendability: 2),
    ])
    for state in surface.states.prefix(messages.limits.interactions) {
      table.add([
        StyledText("\(messages.name(state.key)) = \(messages.name(state.value))"),
        StyledText(Quantity.length(state.duration)), StyledText(messages.text(of: state.ratio)),
        RunMessages.cell(state.rated(by: messages.thresholds).rating),
        StyledText(state.counts.hitches.map(String.init) ?? ""),
        StyledText(state.hitchTime.map(Quantity.length) ?? ""),
      ])
    }
    return table.titled("States", note: more(surface.states.count))
  }

  private func more(_ count: Int) -> StyledText? {
    Quantity.more(count - messages.limits.interactions, isInJSON: true).map { StyledText($0) }
  }

  /// The surfaces other than the primary one, with one line each.
  var otherSurfaces: Document.Table? {
    let others = messages.run.surfaces.filter { $0.surface != surface?.surface }
    guard !others.isEmpty else { return nil }
    var table = Document.Table([
      .init(title: "surface", isFlexible: true),
      .init(title: "evaluated against", expendability: 1),
      .init(title: "frames", alignment: .right), .init(title: "ratio", alignment: .right),
      .init(title: "rating"), .init(title: "hitches", alignment: .right),
    ])
    for other in others {
      table.add([
        StyledText(messages.name(other.name)), StyledText(other.basis.rawValue),
        StyledText(other.counts.total.map { "\($0)" } ?? ""),
        StyledText(messages.text(of: other.ratio)),
        RunMessages.cell(other.rated(by: messages.thresholds).rating),
        StyledText(other.knownHitchesInMotion.map { "\($0)" } ?? ""),
      ])
    }
    return table.titled(surface == nil ? "Surfaces" : "Other surfaces")
  }
}
