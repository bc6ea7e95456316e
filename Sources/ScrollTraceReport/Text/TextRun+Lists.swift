import ScrollTraceAnalysis
import ScrollTraceModel

extension TextRun {
  /// What the lists did with their cells, data and images.
  var lists: [TextLine] {
    let told = factsOfLists
    return told.shown.flatMap { [heading($0.title)] + lines(of: $0.facts) }
      + (told.note.map { [TextLine("  \($0)")] } ?? [])
  }

  /// The lists that there is something to say of, and how many more there are.
  var factsOfLists:
    (shown: [(title: String, facts: [(label: String, text: String)])], note: String?)
  {
    let told = run.lists.filter { !facts(of: $0).isEmpty }
    let hidden = told.count - style.limits.lists
    return (
      told.prefix(style.limits.lists).map { list in
        let title = list.name.isEmpty ? "List" : "List \(name(list.name))"
        return ("\(title), whole recording", facts(of: list))
      }, hidden > 0 ? "and \(Quantity.count(hidden, "more list"))" : nil
    )
  }

  private func facts(of list: ListAnalysis) -> [(label: String, text: String)] {
    cellFacts(list.cells) + dataFacts(list.data) + imageFacts(list.images)
      + snapshotFacts(list.snapshots) + sizeFacts(list.sizes)
  }

  private func cellFacts(_ cells: CellMeasures) -> [(String, String)] {
    var facts: [(String, String)] = []
    if cells.prepared > 0 {
      var parts = ["\(cells.prepared) prepared"]
      if cells.preparedAhead > 0 { parts.append("\(cells.preparedAhead) of them ahead") }
      if let rate = cells.reuseRate {
        parts.append("\(cells.reused) reused (\(Quantity.share(rate)))")
      }
      if cells.registrationsWithoutReuse > 0, cells.registrationsWithoutReuse >= cells.prepared {
        parts.append("a registration for every cell")
      }
      facts.append(("cells", joined(parts)))
    }
    if let preparation = cells.preparation {
      let steps = cells.steps.prefix(3).map {
        "\(name($0.name, 20)) \(Quantity.length($0.total))"
      }
      facts.append(
        (
          "preparation",
          "p50 \(Quantity.length(preparation.p50)), max \(Quantity.length(preparation.max))"
            + (steps.isEmpty ? "" : "; \(steps.joined(separator: ", "))")
        ))
    }
    if cells.shown > 0 {
      var parts = ["\(cells.shown) times"]
      if cells.shownAgain > 0 { parts.append("\(cells.shownAgain) again, not prepared anew") }
      if cells.neverShown > 0 { parts.append("\(cells.neverShown) prepared and never shown") }
      facts.append(("shown", joined(parts)))
    }
    if cells.preparedAhead > 0, let lead = cells.leadTime, let least = cells.leadTimeP5 {
      facts.append(
        (
          "lead time",
          "from ready to shown p5 \(Quantity.length(least)), p50 \(Quantity.length(lead.p50))"
        ))
    }
    return facts
  }

  private func dataFacts(_ data: DataMeasures) -> [(String, String)] {
    var parts: [String] = []
    if data.prefetches > 0 {
      parts = [
        "\(data.prefetches) asked for ahead", "\(data.cancelled) cancelled",
        "\(data.onTime) there when shown", "\(data.late) not",
      ]
    }
    if data.staleResults > 0 {
      let results = Quantity.count(data.staleResults, "result")
      parts.append("\(results) for a cell that showed another item by then")
    }
    return parts.isEmpty ? [] : [("data", joined(parts))]
  }

  private func imageFacts(_ images: ImageMeasures) -> [(String, String)] {
    var facts: [(String, String)] = []
    if images.onMain.count + images.inBackground.count > 0 {
      var parts: [String] = []
      if images.onMain.count > 0 {
        let inFrames = images.inFrames.count
        parts.append(
          "\(images.onMain.count) on the main thread (\(Quantity.length(images.onMain.total))"
            + (inFrames > 0 ? ", \(inFrames) in a commit)" : ")"))
      }
      if images.inBackground.count > 0 {
        parts.append(
          "\(images.inBackground.count) in the background"
            + " (\(Quantity.length(images.inBackground.total)))")
      }
      facts.append(("decoded", joined(parts)))
    }
    if let seen = images.placeholders {
      facts.append(
        (
          "placeholders",
          "\(seen.count) seen, p50 \(Quantity.length(seen.p50)), max \(Quantity.length(seen.max))"
        ))
    }
    if let rate = images.hitRate {
      let asked = images.cacheHits + images.cacheMisses
      var parts = ["\(images.cacheHits) of \(asked) there (\(Quantity.share(rate)))"]
      if images.evicted > 0 { parts.append("\(images.evicted) thrown out") }
      facts.append(("image cache", joined(parts)))
    }
    return facts
  }

  private func snapshotFacts(_ snapshots: [SnapshotMeasures]) -> [(String, String)] {
    guard !snapshots.isEmpty else { return [] }
    let kinds = snapshots.prefix(4).map { snapshot in
      let changes = [
        (snapshot.inserted, "inserted"), (snapshot.deleted, "deleted"),
        (snapshot.reconfigured, "reconfigured"), (snapshot.reloaded, "reloaded"),
      ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
      let kind = snapshot.kind.isEmpty ? "snapshots" : name(snapshot.kind, 20)
      return "\(snapshot.time.count) \(kind)"
        + (changes.isEmpty ? "" : " (\(changes.joined(separator: ", ")))")
    }
    return [("snapshots", joined(kinds))]
  }

  private func sizeFacts(_ sizes: SizeMeasures?) -> [(String, String)] {
    guard let sizes else { return [] }
    return [
      (
        "sizes",
        "\(sizes.corrected) of \(sizes.guessed) guessed wrong, by"
          + " \(Quantity.fixed(sizes.meanError, places: 1)) on average"
      )
    ]
  }

  private func joined(_ parts: [String]) -> String {
    parts.joined(separator: "\(glyphs.separator) ")
  }
}
