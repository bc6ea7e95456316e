import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTraceSummary

/// The document on the sums of many traces.
struct SummaryDocument {
  private typealias Group = (key: SummaryKey, row: SummaryRow)

  private let summary: TraceSummary
  private let thresholds: RatingThresholds
  private let limits: RowLimits
  /// The surfaces whatever their traces' attributes, most measured time first.
  private let surfaces: [Group]
  private let counts: TraceCounts

  init(_ summary: TraceSummary, thresholds: RatingThresholds, limits: RowLimits) {
    self.summary = summary
    self.thresholds = thresholds
    self.limits = limits
    surfaces = summary.surfaces
    counts = TraceCounts(summary)
  }

  var title: String { counts.qualifier + Quantity.count(counts[.traces], "trace") }

  var sections: [Document.Section] {
    var sections = [opening]
    func add(_ title: String, _ blocks: [Document.Block]) {
      sections.append(Document.Section(title: title, blocks: blocks))
    }
    if let primary = surfaces.first {
      add("Lateness", lateness(primary).blocks)
      add("Durations", [.facts(durations(primary))])
      for name in attributeNames {
        add("By \(visible(name))", attributeTable(name).blocks)
      }
      add("States", scopeTable(primary, from: SummaryScope.statePrefix, "state").blocks)
      add(
        "Interactions",
        scopeTable(primary, from: SummaryScope.interactionPrefix, "interaction").blocks)
      add("Causes", causes(primary).blocks)
    }
    add("Surfaces", surfaceTable.blocks)
    return sections
  }

  private func figures(_ row: SummaryRow) -> SummaryFigures? {
    row.scopes[SummaryScope.all].map { SummaryFigures(scope: $0, thresholds: thresholds) }
  }

  private func visible(_ name: String) -> String {
    VisibleName.front(of: name, max(40, limits.nameColumns))
  }

  // MARK: - Opening

  private var opening: Document.Section {
    var blocks: [Document.Block] = [.opening(source: nil, task: title)]
    if let primary = surfaces.first, let figures = figures(primary.row), figures.ratio != nil {
      let hitches = figures.scope[.hitches].known ?? 0
      let text =
        "\(figures.ratioText): \(Quantity.count(hitches, "hitch", "hitches")),"
        + " \(SummaryFigures.text(ofTime: figures.hitchTime)) of hitch time in"
        + " \(SummaryFigures.text(ofTime: figures.motion)) of measured time"
        + (figures.rated.reason.map { "; \($0.text)" } ?? "") + worseSurface(than: figures)
      let rating = figures.rated.rating
      let word = StyledText(RunMessages.word(for: rating), RunMessages.role(of: rating))
      blocks.append(.statement(word: word, text: StyledText(text)))
      blocks.append(.paragraph(StyledText(basis(of: primary.key))))
      blocks.append(.facts(traceFacts(figures, primary.row)))
    } else {
      blocks.append(.notMeasurable("no trace could be evaluated"))
      blocks.append(.facts(qualityFacts))
    }
    return Document.Section(blocks: blocks)
  }

  /// The worst of the other surfaces, if it is rated worse or has a higher ratio.
  private func worseSurface(than figures: SummaryFigures) -> String {
    let others = surfaces.dropFirst().compactMap { key, row in
      self.figures(row).flatMap { other in
        other.ratio.map { (key, other, ratio: $0.millisecondsPerSecond) }
      }
    }
    guard let (key, worst, ratio) = others.max(by: { $0.ratio < $1.ratio }),
      ratio > figures.ratio?.millisecondsPerSecond ?? 0
    else { return "" }
    let rating = RunMessages.word(for: worst.rated.rating)
    return
      ". '\(visible(key.surface ?? ""))'\(rate(of: key) ?? "") is \(rating) (\(worst.ratioText))"
  }

  private func bareRate(of key: SummaryKey) -> String? {
    key.refreshInterval.map { Quantity.rate(TimeSpan(nanoseconds: max(1, $0))) }
  }

  private func rate(of key: SummaryKey) -> String? {
    bareRate(of: key).map { " at \($0)" }
  }

  private func basis(of key: SummaryKey) -> String {
    let others = surfaces.count - 1
    let rest = others > 0 ? "; \(Quantity.count(others, "other surface")) below" : ""
    let basis = key.basis.map { Basis(rawValue: $0).map(Messages.word) ?? visible($0) }
    return "surface \(visible(key.surface ?? ""))\(rate(of: key) ?? ""), evaluated against"
      + " \(basis ?? "unknown")\(rest)"
  }

  private func traceFacts(_ figures: SummaryFigures, _ row: SummaryRow) -> [Document.Fact] {
    var facts = qualityFacts
    let parts = [(SummaryField.over5, 5), (.over10, 10)].compactMap { field, limit in
      figures.share(of: field, amongTraces: row[.weight]).map {
        "\(Quantity.share($0)) above \(limit) ms/s"
      }
    }
    if !parts.isEmpty {
      let whole = row[.traces] == counts[.traces] ? "" : " of its \(row[.traces]) traces"
      facts.append(.init("ratios", parts.joined(separator: ", ") + whole))
    }
    if let owed = figures.scope[.owed].known, owed > 0,
      let repeated = figures.scope[.repeated].known, let unknown = figures.scope[.unknown].known
    {
      facts.append(
        .init(
          "in motion",
          "an old picture for \(Quantity.share(Double(repeated) / Double(owed))) of"
            + " \(SummaryFigures.text(ofTime: owed)),"
            + " \(Quantity.share(Double(unknown) / Double(owed))) unknown"))
    }
    return facts
  }

  /// The number of traces, and of those that are in doubt.
  private var qualityFacts: [Document.Fact] {
    guard counts[.traces] > 0 else { return [] }
    var parts = ["\(counts.qualifier)\(counts[.traces])"]
    if counts[.weight] != counts[.traces] { parts.append("standing for \(counts[.weight])") }
    let doubts: [(SummaryQuality, String)] = [
      (.unreadable, "unreadable"), (.untrusted, "with times that are not trusted"),
      (.lossy, "that lost data"), (.uncertain, "uncertain"),
    ]
    parts += doubts.filter { counts[$0.0] > 0 }.map { "\(counts[$0.0]) \($0.1)" }
    return [.init("traces", parts.joined(separator: ", "))]
  }

  // MARK: - Histograms

  /// The hitches by refreshes late, as in the report on one trace, or `nil` if there are none.
  private func lateness(_ group: Group) -> Document.Bars? {
    guard let histogram = group.row.scopes[SummaryScope.all]?[.hitch], histogram.total > 0 else {
      return nil
    }
    guard let interval = group.key.refreshInterval, interval > 0 else {
      return octaves(of: histogram)
    }
    let classes: [(String, ClosedRange<Int64>)] = [
      ("less than 1 refresh", 0...0), ("1 refresh", 1...1), ("2 refreshes", 2...2),
      ("3 refreshes", 3...3), ("4-7 refreshes", 4...7), ("8-15 refreshes", 8...15),
      ("16+ refreshes", 16...Int64.max),
    ]
    let rows = classes.map { label, range in
      let count = zip(histogram.buckets, histogram.counts).reduce(into: WideInteger(0)) {
        sum, pair in
        let middle = LogLinearHistogram.middle(of: pair.0)
        let refreshes = (middle / interval) + (middle % interval >= (interval + 1) / 2 ? 1 : 0)
        if range.contains(refreshes) { sum += pair.1 }
      }
      return Document.Bars.Row(
        label: label, count: Int(clamping: count), isLate: range.lowerBound > 0)
    }
    let first = rows[0].count > 0 ? 0 : 1
    return Document.Bars(title: "Hitches by refreshes late", rows: Array(rows[first...]))
  }

  /// The values of a histogram by powers of two.
  private func octaves(of histogram: LogLinearHistogram) -> Document.Bars? {
    let bits = LogLinearHistogram.subBucketBits
    guard let first = histogram.buckets.first, let last = histogram.buckets.last else { return nil }
    let rows = ((first >> bits)...(last >> bits)).map { octave in
      let count = zip(histogram.buckets, histogram.counts)
        .reduce(into: WideInteger(0)) { if $1.0 >> bits == octave { $0 += $1.1 } }
      let bound = LogLinearHistogram.lowerBound(of: octave << bits)
      return Document.Bars.Row(
        label: "from \(Quantity.length(TimeSpan(nanoseconds: bound)))",
        count: Int(clamping: count), isLate: true)
    }
    return Document.Bars(title: "Hitches by length", rows: rows)
  }

  private func durations(_ group: Group) -> [Document.Fact] {
    guard let figures = figures(group.row) else { return [] }
    let names: [(SummaryHistogramName, String)] = [
      (.hitch, "hitch"), (.commit, "commit"), (.overrun, "overrun"), (.frameSpacing, "spacing"),
    ]
    return names.compactMap { name, label in
      guard figures.scope[name].total > 0 else { return nil }
      let values = [(WideInteger(500), "p50"), (900, "p90"), (990, "p99"), (999, "p99.9")].map {
        "\($0.1) \(figures.percentile($0.0, of: name))"
      }
      let longest = figures.scope[.longestHitch].known.map {
        ", max \(Quantity.length(TimeSpan(nanoseconds: Int64(clamping: $0))))"
      }
      return Document.Fact(
        label, values.joined(separator: ", ") + (name == .hitch ? longest ?? "" : ""))
    }
  }

  // MARK: - Tables

  private var attributeNames: [String] {
    Set(summary.rows.keys.flatMap { $0.attributes.pairs.map(\.name) }).sorted {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
  }

  private static func columns(_ first: String, hasTraces: Bool) -> [Document.Table.Column] {
    [.flexible(first)]
      + (hasTraces
        ? [.number("traces", expendability: 3), .number("> 10 ms/s", expendability: 1)] : [])
      + [
        .number("time"), .number("ratio"), "rating", .number("hitch p99", expendability: 2),
        .number("hitches", expendability: 4),
      ]
  }

  /// The cells on a scope, without the name.
  private func cells(_ scope: SummaryScope) -> [StyledText] {
    let figures = SummaryFigures(scope: scope, thresholds: thresholds)
    return [
      StyledText(SummaryFigures.text(ofTime: figures.motion)), StyledText(figures.ratioText),
      RunMessages.cell(figures.rated.rating), StyledText(figures.percentile(990, of: .hitch)),
      StyledText(scope[.hitches].known.map { "\($0)" } ?? ""),
    ]
  }

  private func traceCells(_ row: SummaryRow) -> [StyledText] {
    let share = figures(row)?.share(of: .over10, amongTraces: row[.weight])
    return [
      StyledText("\(row[.traces])"), StyledText(share.map(Quantity.share) ?? ""),
    ]
  }

  /// Sorts parts by their ratio, worst first.
  private func worstFirst(_ parts: [(name: String, scope: SummaryScope)]) -> [Int] {
    let ratios = parts.map {
      SummaryFigures(scope: $0.scope, thresholds: thresholds).ratio?.millisecondsPerSecond ?? -1
    }
    return parts.indices.sorted { left, right in
      ratios[left] == ratios[right]
        ? parts[left].name.utf8.lexicographicallyPrecedes(parts[right].name.utf8)
        : ratios[left] > ratios[right]
    }
  }

  private func more(_ count: Int) -> StyledText? { .more(count - limits.interactions) }

  /// The properties in which a surface differs from the others, or nothing if there is only one.
  private func mark(of key: SummaryKey) -> String {
    let parts = [
      Set(surfaces.map(\.key.surface)).count > 1 ? key.surface : nil,
      Set(surfaces.map(\.key.refreshInterval)).count > 1
        ? bareRate(of: key) : nil,
      Set(surfaces.map(\.key.basis)).count > 1 ? key.basis : nil,
    ].compactMap { $0 }
    return parts.isEmpty ? "" : ", " + parts.joined(separator: ", ")
  }

  /// The values of an attribute, each on each surface, worst first.
  private func attributeTable(_ name: String) -> Document.Table? {
    let parts = surfaces.flatMap { key, _ in
      summary.rows(of: key, by: name).compactMap { value, row in
        row.scopes[SummaryScope.all].map {
          (name: (value ?? "(none)") + mark(of: key), scope: $0, row: row)
        }
      }
    }
    guard !parts.isEmpty else { return nil }
    var table = Document.Table(Self.columns(visible(name), hasTraces: true))
    for index in worstFirst(parts.map { ($0.name, $0.scope) }).prefix(limits.interactions) {
      table.add(
        [StyledText(visible(parts[index].name))] + traceCells(parts[index].row)
          + cells(parts[index].scope))
    }
    return table.titled("By \(visible(name)), worst first", note: more(parts.count))
  }

  /// The scopes whose names start with `prefix`, worst first.
  private func scopeTable(
    _ group: Group, from prefix: String, _ noun: String
  ) -> Document.Table? {
    let parts = group.row.scopes.filter { $0.key.hasPrefix(prefix) }.map {
      (name: String($0.key.dropFirst(prefix.count)), scope: $0.value)
    }
    guard !parts.isEmpty else { return nil }
    var table = Document.Table(Self.columns(noun, hasTraces: false))
    for index in worstFirst(parts).prefix(limits.interactions) {
      table.add([StyledText(visible(parts[index].name))] + cells(parts[index].scope))
    }
    return table.titled("By \(noun), worst first", note: more(parts.count))
  }

  private func causes(_ group: Group) -> Document.Table? {
    let causes = group.row.causes.sorted(by: SummaryLine.comesFirst)
    guard let whole = figures(group.row)?.hitchTime, whole > 0, !causes.isEmpty else { return nil }
    var table = Document.Table([
      .number("hitch time"), .number("share"), .number("hitches"), .flexible("cause"),
    ])
    for (cause, sums) in causes.prefix(limits.causes) {
      table.add(
        SummaryFigures.text(ofTime: sums.hitchTime),
        Quantity.share(Double(sums.hitchTime) / Double(whole)), "\(sums.hitches)",
        visible(TrendChange.name(of: cause)))
    }
    let rest = causes.dropFirst(limits.causes)
    let restTime = rest.reduce(group.row.otherCauses) { $0 + $1.value.hitchTime }
    let note = "and \(Quantity.count(rest.count, "smaller cause"))"
    return table.titled(
      "Hitch time by cause (\(SummaryFigures.text(ofTime: whole)))",
      note: restTime > 0
        ? StyledText("\(note), \(SummaryFigures.text(ofTime: restTime))", .faint) : nil)
  }

  /// All surfaces, if there is more than one.
  private var surfaceTable: Document.Table? {
    guard surfaces.count > 1 else { return nil }
    var table = Document.Table(Self.columns("surface", hasTraces: true))
    for (key, row) in surfaces.prefix(limits.interactions) {
      let name = "\(key.surface ?? "")\(rate(of: key) ?? ""), \(key.basis ?? "")"
      table.add(
        [StyledText(visible(name))] + traceCells(row)
          + cells(row.scopes[SummaryScope.all] ?? SummaryScope()))
    }
    return table.titled("Surfaces by time", note: more(surfaces.count))
  }
}
