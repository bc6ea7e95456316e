import ScrollTraceAnalysis
import ScrollTraceModel

/// The hitch time of a run by interaction, by state and by surface.
struct InteractionTables {
  let messages: RunMessages

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
      .flexible("interaction"), .number("start"), .number("duration"), .number("ratio"),
      .init(title: "rating", expendability: 1), .number("hitches"),
      .number("hitch time", expendability: 2), .number("main share", expendability: 3),
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
    return cells(
      interaction.sums, of: names.map { messages.name($0) }.joined(separator: " ") + open,
      start: interaction.range.start, share: interaction.work.mainShare)
  }

  private func cells(
    _ sums: InteractionSums, of name: String, start: Timestamp? = nil, share: Double? = nil
  ) -> [StyledText] {
    [
      StyledText(name), StyledText(start.map(messages.instant) ?? ""),
      StyledText(Quantity.length(sums.duration)), StyledText(messages.text(of: sums.ratio)),
      RunMessages.cell(sums.rated(by: messages.thresholds).rating),
      StyledText(sums.counts.hitches.map(String.init) ?? ""),
      StyledText(sums.hitchTime.map(Quantity.length) ?? ""),
      StyledText(share.map(Quantity.share) ?? ""),
    ]
  }

  var states: Document.Table? {
    guard let surface, !surface.states.isEmpty else { return nil }
    // A state that always held would only repeat the numbers of the headline.
    if let only = surface.states.first, surface.states.count == 1,
      only.duration == surface.measuredTime.duration, only.hitchTime == surface.hitchTime
    {
      return nil
    }
    var table = Document.Table([
      .flexible("state"), .number("duration"), .number("ratio"),
      .init(title: "rating", expendability: 1), .number("hitches"),
      .number("hitch time", expendability: 2),
    ])
    for state in surface.states.prefix(messages.limits.interactions) {
      table.add(
        "\(messages.name(state.key)) = \(messages.name(state.value))",
        Quantity.length(state.duration), messages.text(of: state.ratio),
        RunMessages.cell(state.rated(by: messages.thresholds).rating),
        state.counts.hitches.map(String.init) ?? "", state.hitchTime.map(Quantity.length) ?? "")
    }
    let more = Quantity.more(surface.states.count - messages.limits.interactions, isInJSON: true)
    return table.titled("States", note: more.map { StyledText($0) })
  }

  /// The surfaces other than the primary one, with one line each.
  var otherSurfaces: Document.Table? {
    let others = messages.run.surfaces.filter { $0.surface != surface?.surface }
    guard !others.isEmpty else { return nil }
    var table = Document.Table([
      .flexible("surface"), .init(title: "evaluated against", expendability: 1), .number("frames"),
      .number("ratio"), "rating", .number("hitches"),
    ])
    for other in others {
      table.add(
        messages.name(other.name), Messages.word(for: other.basis),
        other.counts.total.map { "\($0)" } ?? "",
        messages.text(of: other.ratio),
        RunMessages.cell(other.rated(by: messages.thresholds).rating),
        other.knownHitchesInMotion.map { "\($0)" } ?? "")
    }
    return table.titled(surface == nil ? "Surfaces" : "Other surfaces")
  }
}
