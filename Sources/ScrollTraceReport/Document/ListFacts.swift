import ScrollTraceAnalysis
import ScrollTraceModel

/// The cells, data and images of a run's lists.
struct ListFacts {
  let messages: RunMessages

  /// The lists with their facts, and the number of omitted ones, or empty if there are none.
  var blocks: [Document.Block] {
    let known = messages.run.lists.map { ($0, facts(of: $0)) }.filter { !$0.1.isEmpty }
    let blocks = known.prefix(messages.limits.lists).flatMap { list, facts -> [Document.Block] in
      let title = list.name.isEmpty ? "List" : "List \(messages.name(list.name))"
      return [.heading("\(title), whole recording"), .facts(facts)]
    }
    let more = Quantity.more(known.count - messages.limits.lists, "list")
    return blocks + (more.map { [.paragraph(StyledText($0), isInset: true)] } ?? [])
  }

  private func facts(of list: ListAnalysis) -> [Document.Fact] {
    cellFacts(list.cells) + dataFacts(list.data) + imageFacts(list.images)
      + blankFacts(list.blank) + snapshotFacts(list.snapshots) + sizeFacts(list.sizes)
  }

  private func cellFacts(_ cells: CellMeasures) -> [Document.Fact] {
    var facts: [Document.Fact] = []
    if cells.prepared > 0 {
      var parts = ["\(cells.prepared) prepared"]
      if cells.preparedAhead > 0 { parts.append("\(cells.preparedAhead) ahead") }
      if let rate = cells.reuseRate {
        parts.append("\(cells.reused) reused (\(Quantity.share(rate)))")
      }
      if cells.registrationsWithoutReuse > 0, cells.registrationsWithoutReuse >= cells.prepared {
        parts.append("a new registration per cell")
      }
      facts.append(.init("cells", joined(parts)))
    }
    if let preparation = cells.preparation {
      let steps = cells.steps.prefix(3).map {
        "\(messages.name($0.name, 20)) \(Quantity.length($0.total))"
      }
      facts.append(
        .init(
          "preparation",
          "p50 \(Quantity.length(preparation.p50)), max \(Quantity.length(preparation.max))"
            + (steps.isEmpty ? "" : "; \(steps.joined(separator: ", "))")
        ))
    }
    if cells.displayed > 0 {
      var parts = [Quantity.count(cells.displayed, "time")]
      if cells.redisplayed > 0 { parts.append("\(cells.redisplayed) redisplayed") }
      if cells.neverDisplayed > 0 { parts.append("\(cells.neverDisplayed) never displayed") }
      facts.append(.init("displayed", joined(parts)))
    }
    if cells.preparedAhead > 0, let lead = cells.leadTime, let minimum = lead.p5 {
      let parts = [
        cells.leadTimeAhead.map { "ahead p50 \(Quantity.length($0.p50))" },
        cells.leadTimeOnDemand.map { "on demand p50 \(Quantity.length($0.p50))" },
      ].compactMap { $0 }
      facts.append(
        .init(
          "lead time",
          "ready to displayed p5 \(Quantity.length(minimum)), p50 \(Quantity.length(lead.p50))"
            + (parts.count > 1 ? " (\(parts.joined(separator: ", ")))" : "")
        ))
    }
    return facts
  }

  private func dataFacts(_ data: DataMeasures) -> [Document.Fact] {
    var parts: [String] = []
    if data.prefetches > 0 {
      parts = [
        "\(data.prefetches) prefetched", "\(data.cancelled) canceled",
        "\(data.onTime) ready when displayed", "\(data.late) late",
      ]
      if let way = data.requestToDisplay {
        parts.append("request to display p50 \(Quantity.length(way.p50))")
      }
    }
    if data.staleResults > 0 {
      let results = Quantity.count(data.staleResults, "stale result")
      parts.append("\(results) for reused cells")
    }
    return parts.isEmpty ? [] : [.init("data", joined(parts))]
  }

  private func imageFacts(_ images: ImageMeasures) -> [Document.Fact] {
    var facts: [Document.Fact] = []
    let (main, background) = (images.decodedOnMain, images.decodedInBackground)
    if main.count + background.count > 0 {
      var parts: [String] = []
      if main.count > 0 {
        let inCommits = images.decodedInCommits.count
        parts.append(
          "\(main.count) on the main thread (\(Quantity.length(main.total))"
            + (inCommits > 0 ? ", \(inCommits) in a commit)" : ")"))
      }
      if background.count > 0 {
        parts.append(
          "\(background.count) in the background (\(Quantity.length(background.total)))")
      }
      if let bytes = images.decodedBytes { parts.append(Quantity.bytes(bytes)) }
      facts.append(.init("decoded", joined(parts)))
    }
    if let seen = images.placeholder {
      let bound = images.neverFinal > 0 ? "at least " : ""
      var parts = [
        "\(images.placeholderCount) displayed",
        "p50 \(Quantity.length(seen.p50)), max \(bound)\(Quantity.length(seen.max))",
      ]
      if images.neverFinal > 0 { parts.append("\(images.neverFinal) that never got content") }
      facts.append(.init("placeholders", parts.joined(separator: ", ")))
    }
    if let rate = images.cacheHitRate {
      let asked = images.cacheHits + images.cacheMisses
      var parts = ["\(images.cacheHits) of \(asked) hits (\(Quantity.share(rate)))"]
      if let rate = images.cacheHitRateByBytes {
        parts.append("\(Quantity.share(rate)) of the bytes")
      }
      if images.evicted > 0 {
        let bytes = images.evictedBytes.map { " (\(Quantity.bytes($0)))" } ?? ""
        parts.append("\(images.evicted) evicted\(bytes)")
      }
      facts.append(.init("image cache", joined(parts)))
    }
    return facts
  }

  private func blankFacts(_ blank: BlankTime?) -> [Document.Fact] {
    guard let blank, blank.time > .zero, let ratio = blank.ratio else { return [] }
    return [
      .init(
        "blank time",
        "\(Quantity.length(blank.time)) of \(Quantity.length(blank.motion))"
          + (messages.run.work.window.kind == .interaction ? " in motion" : "")
          + " (\(Quantity.fixed(ratio, decimals: 2)) ms/s)")
    ]
  }

  private func snapshotFacts(_ snapshots: [SnapshotMeasures]) -> [Document.Fact] {
    guard !snapshots.isEmpty else { return [] }
    let kinds = snapshots.prefix(4).map { snapshot in
      let changes = [
        (snapshot.inserted, "inserted"), (snapshot.deleted, "deleted"),
        (snapshot.reconfigured, "reconfigured"), (snapshot.reloaded, "reloaded"),
      ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
      let kind = snapshot.kind.isEmpty ? "snapshots" : messages.name(snapshot.kind, 20)
      return "\(snapshot.count) \(kind)"
        + (changes.isEmpty ? "" : " (\(changes.joined(separator: ", ")))")
    }
    return [.init("snapshots", joined(kinds))]
  }

  private func sizeFacts(_ sizes: SizeMeasures?) -> [Document.Fact] {
    guard let sizes else { return [] }
    return [
      .init(
        "sizes",
        "\(sizes.corrected) of \(sizes.estimated) estimates corrected, by"
          + " \(Quantity.fixed(sizes.meanError, decimals: 1)) on average"
      )
    ]
  }

  private func joined(_ parts: [String]) -> String {
    parts.joined(separator: " · ")
  }
}
