import ScrollTraceAnalysis
import ScrollTraceGate
import ScrollTraceModel
import ScrollTraceSummary

/// The document on a trend: the change, where it is and what it consists of, then the values.
struct TrendDocument {
  private let trend: Trend
  private let limits: RowLimits
  /// The resolution of a bar's length.
  private static let barUnits = 10_000.0
  /// The maximum number of strata that a sentence names.
  private static let namedStrata = 3
  /// The maximum number of other changes that the opening names.
  private static let namedChanges = 3
  /// The share of a build's traces from which on what they lost is told.
  private static let doubtfulShare = 0.1
  /// The number of columns of a cause.
  private static let causeColumns = 60

  init(_ trend: Trend, limits: RowLimits) {
    self.trend = trend
    self.limits = limits
  }

  private var measure: Trend.Measure { trend.query.measure }

  var title: String { "\(measure.label) by \(visible(trend.query.attribute))" }

  var sections: [Document.Section] {
    [opening] + (bars.map { [Document.Section(title: $0.title, blocks: [.bars($0)])] } ?? [])
      + (changeTable.map { [Document.Section(title: $0.title, blocks: [.table($0)])] } ?? [])
      + strataTables.enumerated().map { index, table in
        let lines = index == 0 ? lines.map { [Document.Block.lines($0)] } ?? [] : []
        return Document.Section(title: table.title, blocks: [.table(table)] + lines)
      }
      + [Document.Section(title: "", blocks: [.paragraph(StyledText(method, .faint))])]
  }

  private func visible(_ name: String) -> String {
    VisibleName.front(of: name, max(24, limits.nameColumns))
  }

  private func cause(_ name: String) -> String {
    VisibleName.front(of: name, max(Self.causeColumns, limits.nameColumns))
  }

  // MARK: - Values in words

  private func text(_ value: Double) -> String { measure.text(value) }

  private func signed(_ value: Double) -> String {
    (value < 0 ? "-" : "+") + text(value.magnitude)
  }

  private func signed(_ value: Double, within uncertainty: Double) -> String {
    difference(value) + " ± \(text(uncertainty))"
  }

  /// A difference without its unit, before another one that has it.
  private func difference(_ value: Double) -> String {
    (value < 0 ? "-" : "+") + bare(value.magnitude)
  }

  /// A value without its unit, before another one that has it.
  private func bare(_ value: Double) -> String {
    measure == .hitchTimeRatio ? Quantity.fixed(value, decimals: 2) : text(value)
  }

  private func build(_ index: Int) -> String {
    let last = trend.items.count - 1
    return trend.items.isEmpty ? "" : visible(trend.items[min(max(0, index), last)].name)
  }

  // MARK: - Strata in words

  /// The attributes whose values the strata have, as `names`.
  private var attributes: [String] {
    trend.query.split.filter { $0 != .refresh && !$0.isScope }.map { visible($0.name) }
  }

  /// The noun of the strata: `device`, or what tells those of one device apart too.
  private var noun: String {
    let isUnique = Set(trend.strata.map(\.names)).count == trend.strata.count
    let names = attributes + (isUnique && !attributes.isEmpty ? [] : ["refresh rate"])
    return names.joined(separator: " and ")
  }

  /// The noun of the parts of the measured time: `screen`.
  private var partNoun: String { visible(trend.query.timePart?.name ?? "") }

  private func count(_ number: Int, _ prefix: String = "") -> String {
    count(number, of: noun, prefix)
  }

  private func count(_ number: Int, of noun: String, _ prefix: String = "") -> String {
    guard !noun.includes(" and ") else {
      return "\(number) \(prefix)kind\(number == 1 ? "" : "s") of traces"
    }
    let plural = noun.hasSuffix("s") || noun.hasSuffix("y") ? noun : noun + "s"
    return "\(number) \(prefix)\(number == 1 ? noun : plural)"
  }

  /// The name of a stratum, with what distinguishes it from others of the same names.
  private func name(_ index: Int) -> String {
    let stratum = trend.strata[index]
    let same = trend.strata.filter { $0.names == stratum.names }
    var name = stratum.names.map { $0.isEmpty ? "(none)" : visible($0) }.joined(separator: ", ")
    let shows = trend.query.split.contains(.refresh) || stratum.names.isEmpty
    if shows || Set(same.map(\.refreshInterval)).count > 1 {
      let rate = stratum.refreshInterval.map(TrendPart.rate) ?? "unknown rate"
      name += name.isEmpty ? rate : " at \(rate)"
    }
    if Set(same.map(\.basis)).count > 1 { name += ", \(visible(stratum.basis ?? "unknown"))" }
    return name
  }

  /// The strata of a change: `on pixel6a only` if the others certainly have less of it, or nothing if there is
  /// only one; then `above all on screen Feed` if the same holds of screens, each of which has a part of a function.
  private func affected(by change: TrendChange) -> String {
    var text = ""
    if trend.tested.count > 1 {
      text =
        change.isOfAll
        ? ", on all \(count(change.strata.count))"
        : ", on \(change.strata.map(name).listed(maximum: Self.namedStrata))"
          + (change.excludesOthers && change.others.count > 0 ? " only" : "")
    }
    guard !change.screens.isEmpty else { return text }
    return text
      + ", above all on \(partNoun) \(change.screens.map(visible).listed(maximum: Self.namedStrata))"
  }

  // MARK: - Opening

  private var opening: Document.Section {
    let builds = count(builds: trend.items.count)
    var blocks: [Document.Block] = [.opening(source: nil, task: title)]
    if let change = trend.headline {
      let isWorse = change.isWorse
      blocks.append(
        .statement(
          word: measure == .hitchP99
            ? StyledText(isWorse ? "LONGER" : "SHORTER", .near)
            : StyledText(isWorse ? "WORSE" : "BETTER", isWorse ? .late : .good),
          text: StyledText(
            trend.slope.map { slope in
              "all along, by \(signed(slope.value, within: slope.uncertainty)) per"
                + " \(visible(trend.query.attribute))\(affected(by: change)): \(levels(of: change))"
                + " from \(build(change.buildIndex)) on"
            } ?? "since \(visible(trend.query.attribute)) \(sentence(change))")))
      blocks += details(change, builds).map { .paragraph($0, isInset: true) }
      if let session = change.session {
        blocks.append(
          .next(
            .advice(
              "\(ToolIdentity.name) analyze TRACE (session \(VisibleName.front(of: session, 128)), the longest hitch)"
            )
          ))
      }
    } else if trend.hasTooFew {
      let earlier = trend.items.count - 1
      let found =
        earlier > 1 ? "; no change found in the \(count(builds: earlier)) before\(power)" : ""
      blocks.append(
        .statement(
          word: StyledText("TOO FEW", .near),
          text: StyledText(
            trend.tooFew.inAll
              ? "traces: \(builds) would not show even an eightfold change"
              : "traces of \(last) to show even an eightfold change\(found)")))
    } else {
      let isDoubtful = trend.mixChange?.isExplained == false
      blocks.append(
        .statement(
          word: StyledText("NO CHANGE", isDoubtful ? .near : .good),
          text: StyledText("\(isDoubtful ? "is certain" : "found") in \(builds)\(power)")))
    }
    if let mix = trend.mixChange {
      let difference = mix.after - mix.before
      blocks.append(
        .paragraph(
          StyledText(
            "\(mix.isExplained ? "" : "perhaps a change, ")all traces together:"
              + " \(bare(mix.before)) → \(text(mix.after)) since"
              + " \(build(mix.buildIndex)); mix \(signed(difference - mix.constantMix.value)), at a constant"
              + " mix \(signed(mix.constantMix.value, within: mix.constantMix.uncertainty))"),
          isInset: true))
    }
    blocks += trend.screenMixes.map { .paragraph(StyledText(mix($0)), isInset: true) }
    blocks += remarks.map { .paragraph($0) }
    return Document.Section(title: "", blocks: blocks)
  }

  private func count(builds number: Int) -> String {
    count(number, of: visible(trend.query.attribute))
  }

  /// The last build with its noun.
  private var last: String { "\(visible(trend.query.attribute)) \(build(trend.items.count - 1))" }

  /// What change would have been found.
  private var power: String {
    guard let least = trend.detectable.first, let most = trend.detectable.last else { return "" }
    guard trend.tested.count > 1 else { return "; \(text(least.difference)) would be found" }
    let all = trend.detectableInAll.map { "\(text($0)) on all \(count(trend.tested.count)), or " }
    return "; \(all ?? "")\(bare(least.difference)) (\(name(least.stratum))) to"
      + " \(text(most.difference)) (\(name(most.stratum))) on one would be found"
  }

  private func sentence(_ change: TrendChange) -> String {
    let range = change.range
    let interval =
      range.count > 1
      ? " (95%: \(build(range.lowerBound)) to \(build(range.upperBound)))" : ""
    let found = change.found.map { found in
      "\(cause(found.name)) \(difference(found.value)) ± \(bare(found.uncertainty ?? 0)) ms/s;"
        + " in all, not certainly, "
    }
    return build(change.buildIndex) + interval + affected(by: change)
      + ": \(found ?? "")\(levels(of: change))"
  }

  private func levels(of change: TrendChange) -> String {
    "\(bare(change.before)) → \(text(change.after))"
      + " (\(difference(change.difference)) ± \(bare(change.uncertainty)))"
  }

  /// A change of the mix of screens.
  private func mix(_ change: TrendChange) -> String {
    let constant = change.atConstantScreens.map { signed($0.value, within: $0.uncertainty) }
    return
      "since \(visible(trend.query.attribute)) \(sentence(change)): more time on some \(partNoun)s;"
      + " at a constant mix of them \(constant ?? "")"
  }

  /// What a change consists of, and what did not change.
  private func details(_ change: TrendChange, _ builds: String) -> [StyledText] {
    var lines: [String] = []
    func list(_ parts: [TrendChange.Part], _ other: Double) -> String {
      // Where the whole is less certain than its largest part, that is what was found.
      let isUncertain = change.whole.uncertainty >= change.whole.value.magnitude
      let names = parts.enumerated().map { index, part in
        let value = "\(cause(part.name)) \(difference(part.value))"
        let place =
          part.strata.isEmpty
          ? "" : " (\(part.strata.map(name).listed(maximum: Self.namedStrata)))"
        guard isUncertain, index == 0, let uncertainty = part.uncertainty else {
          return value + place
        }
        return value + " ± \(bare(uncertainty))\(place)"
      }
      let rest = difference(other)
      let isNothing = rest.dropFirst() == bare(0)
      return (names + (isNothing ? [] : ["other \(rest)"])).joined(separator: ", ") + " ms/s"
    }
    if !change.causes.isEmpty {
      let all = count(change.screens.count + change.otherScreens.count, of: partNoun)
      let whole =
        change.screens.isEmpty
        ? "" : "all \(all): \(difference(change.whole.value)) ± \(bare(change.whole.uncertainty)), "
      lines.append(whole + "by cause: \(list(change.causes, change.otherCauses))")
    }
    func add(_ rest: TrendChange.Rest, of noun: String, isExcluded: Bool) {
      guard rest.count > 0 else { return }
      let subject = rest.subject.map(cause)
      let haveIt = rest.together.map { (change.isWorse ? $0.value : -$0.value) > $0.uncertainty }
      let unclear = haveIt == true ? "changed too" : "too few traces to exclude it"
      let found = rest.together.map { together in
        let most = rest.most.map {
          ", at most \(change.isWorse ? "+" : "-")\(Quantity.percent($0)) of their level"
        }
        return (subject.map { $0 + " " } ?? "")
          + signed(together.value, within: together.uncertainty)
          + (most ?? "")
      }
      lines.append(
        "\(count(rest.count, of: noun, "other "))\(rest.count > 1 ? " together" : ""): "
          + (isExcluded ? "" : "\(unclear); ")
          + (found ?? "no \(subject ?? "value")"))
    }
    add(change.otherScreens, of: partNoun, isExcluded: true)
    for scope in change.scopes where change.screens.isEmpty || scope.name != partNoun {
      lines.append("by \(visible(scope.name)): \(list(scope.parts, scope.other))")
    }
    add(change.others, of: noun, isExcluded: change.excludesOthers)
    if let constant = change.constantMix, let crude = change.crude, trend.strata.count > 1 {
      lines.append(
        "at a constant mix \(signed(constant.value, within: constant.uncertainty)), all traces"
          + " together \(signed(crude)): mix \(signed(crude - constant.value))")
    }
    func named(_ others: [TrendChange], _ word: String) -> String {
      let texts = others.map { other in
        let part = other.found.map { "\(cause($0.name)) \(difference($0.value)) ms/s" }
        return
          "\(build(other.buildIndex))\(affected(by: other)), \(part ?? signed(other.difference))"
      }
      return texts.isEmpty
        ? "" : "; \(word) since \(texts.listed(maximum: Self.namedChanges, separator: "; "))"
    }
    // What came after a change for the worse, or what one for the better took back.
    let opposite = trend.changes.filter {
      $0.isWorse != change.isWorse && ($0.buildIndex > change.buildIndex) == change.isWorse
    }
    lines.append(
      "\(Quantity.count(trend.changes.count, "change")) in \(builds)"
        + named(Array(trend.changesLeft.dropFirst()), "also worse")
        + named(opposite, change.isWorse ? "better" : "before, worse"))
    return lines.map { StyledText($0) }
  }

  /// What the reader has to know of the traces.
  private var remarks: [StyledText] {
    var remarks: [StyledText] = []
    let attribute = visible(trend.query.attribute)
    for (index, name) in attributes.enumerated()
    where trend.strata.allSatisfy({ $0.names[index].isEmpty }) {
      remarks.append(
        StyledText(
          "no line has the attribute \(name): another mix of \(name)s can look like a change",
          .near))
    }
    let doubtful = trend.items.filter {
      Double(max($0.lossy, $0.uncertain)) > Self.doubtfulShare * Double($0.traces)
    }
    if !doubtful.isEmpty {
      func sum(_ count: (Trend.Item) -> WideInteger) -> WideInteger {
        doubtful.reduce(0) { $0 + count($1) }
      }
      let counts = [(sum(\.lossy), "lost data"), (sum(\.uncertain), "are uncertain")]
        .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
      let builds = doubtful.map { visible($0.name) }.listed(maximum: Self.namedStrata)
      remarks.append(
        StyledText(
          "\(builds): of \(Quantity.count(sum(\.traces), "trace")), \(counts.joined(separator: ", "));"
            + " hitches can be missing", .near))
    }
    if let surface = trend.surface {
      let rates = Set(trend.strata.map(\.refreshInterval))
      let rate = rates.count == 1 ? rates.first?.map { " at \(TrendPart.rate($0))" } ?? "" : ""
      remarks.append(StyledText("surface \(visible(surface))\(rate)"))
    }
    if trend.hasHashes {
      remarks.append(
        StyledText(
          "\(attribute) looks like a hash, which has no order: name the builds by number or date",
          .near))
    }
    if measure == .hitchP99 {
      remarks.append(
        StyledText(
          "of the hitches alone: more short ones lower it, though scrolling is worse; see --metric"
            + " \(Trend.Measure.hitchTimeRatio.rawValue)", .near))
    }
    if trend.query.splitsTime, measure == .hitchTimeRatio, let part = trend.query.timePart {
      remarks.append(
        StyledText(
          "causes are not followed with --split \(visible(part.name)): lines do not divide them; see"
            + " --only", .near))
    }
    for (text, indices) in [("new since", arrivals.new), ("gone since", arrivals.gone)]
    where !indices.isEmpty {
      let names = indices.map { index, buildIndex in
        let values = TrendSeries(of: [trend.strata[index]], .value).series
        return
          "\(build(buildIndex)): \(name(index)), \(self.text(values.mean(values.values.indices)))"
      }
      remarks.append(
        StyledText("\(text) \(names.listed(maximum: Self.namedStrata, separator: "; "))"))
    }
    if !trend.renames.isEmpty {
      let names = trend.renames.map { rename in
        let causes = [rename.old, rename.new].map { cause(TrendChange.name(of: $0)) }
        return "\(causes[0]) and, since \(build(rename.buildIndex)), \(causes[1])"
      }
      remarks.append(
        StyledText("one cause: \(names.listed(maximum: Self.namedChanges, separator: "; "))"))
    }
    if trend.unnamedCount > 0 {
      remarks.append(
        StyledText(
          "counted with their causes: \(Quantity.count(trend.unnamedCount, "function")) without a name,"
            + " whose addresses differ between builds; --symbols names them", .near))
    }
    let folded = trend.strata.count - trend.tested.count
    if folded > 0 {
      remarks.append(
        StyledText(
          "other: \(count(folded)) with fewer than \(Int(Trend.minimumTraces)) traces each"))
    }
    if trend.foldedTraces > 0 {
      remarks.append(
        StyledText(
          "left out: \(Quantity.count(trend.foldedTraces, "trace")) whose \(attribute) is"
            + " '\(TraceSummary.other)'"))
    }
    if let item = trend.items.last, trend.changes.last?.buildIndex != trend.items.count - 1 {
      let few = fewTraces(item)
      if trend.tooFew.inLast, !trend.changes.isEmpty {
        remarks.append(
          StyledText("\(last) has too few traces to show even an eightfold change", .near))
      } else if !trend.tooFew.inLast, !few.isEmpty, let found = trend.detectableInLast {
        remarks.append(
          StyledText(
            "\(last) has \(few), in which only \(text(found)) or more would be found", .near))
      }
    }
    if trend.unknownCount > 0 {
      remarks.append(StyledText("\(trend.unknownCount) more without a known value", .near))
    }
    return remarks
  }

  /// The strata without traces at the start or at the end, with the build at which they come or go.
  private var arrivals: (new: [(Int, Int)], gone: [(Int, Int)]) {
    let minimum = 3
    let count = trend.items.count
    let edges = trend.tested.compactMap { index in
      trend.strata[index].buildIndices.first.flatMap { first in
        trend.strata[index].buildIndices.last.map { (index: index, first: first, last: $0) }
      }
    }
    return (
      edges.filter { $0.first >= minimum }.map { ($0.index, $0.first) },
      edges.filter { $0.last < count - minimum }.map { ($0.index, $0.last + 1) }
    )
  }

  // MARK: - Tables

  /// The values in order, the last ones if there are many.
  private var bars: Document.Bars? {
    guard !trend.items.isEmpty else { return nil }
    let values = trend.items.map { $0.value ?? $0.crude }
    let highest = values.max() ?? 0
    let starts = Dictionary(
      trend.changes.map { ($0.buildIndex, $0) }, uniquingKeysWith: { first, _ in first })
    let first = max(0, trend.items.count - limits.trendRows)
    let rows = trend.items.indices[first...].map { index in
      let item = trend.items[index]
      let length = highest > 0 ? max(0, values[index]) / highest * Self.barUnits : 0
      let mark = starts[index].map { change in
        let levels =
          change.found.map { "\(difference($0.value)) \(VisibleName.front(of: $0.name, 15))" }
          ?? "\(bare(change.before)) → \(text(change.after))"
        let strata = change.strata.map { VisibleName.front(of: name($0), 12) }
        let place =
          strata.count == 1 ? strata[0] : "\(strata.count) of \(trend.tested.count)"
        return (change.isWorse ? "▲ " : "▼ ") + levels + (change.isOfAll ? "" : ", \(place)")
      }
      return Document.Bars.Row(
        label: visible(item.name), count: Int(exactly: length.rounded()) ?? 0,
        isLate: RunMessages.role(of: item.rating) == .late, value: text(values[index]),
        remark: mark ?? fewTraces(item))
    }
    let earlier = first > 0 ? " (the last \(rows.count) of \(trend.items.count))" : ""
    let mix = trend.tested.count > 1 || trend.query.splitsTime ? " at a constant mix" : ""
    return Document.Bars(title: "\(measure.label)\(mix)\(earlier)", rows: rows)
  }

  /// A remark on a value that rests on far fewer traces than others.
  private func fewTraces(_ item: Trend.Item) -> String {
    let counts = trend.items.map { Double($0.traces) }.sorted()
    let count = Double(item.traces)
    guard count * 5 <= counts[counts.count / 2] else { return "" }
    return Quantity.count(item.traces, "trace")
  }

  /// The series of each stratum.
  private var lines: Document.Lines? {
    guard trend.tested.count > 1 else { return nil }
    let rows = trend.tested.prefix(limits.interactions).map { index in
      Document.Lines.Row(
        name: name(index), values: trend.strata[index].cells.map { $0?.value },
        marks: trend.changes.filter { $0.strata.contains(index) }.map(\.buildIndex))
    }
    return Document.Lines(
      title: "\(measure.label) by \(noun)", labels: trend.items.map { visible($0.name) },
      rows: rows,
      maximum: measure.text(rows.flatMap(\.values).compactMap { $0 }.max() ?? 0))
  }

  /// The changes with their uncertainty, the latest first.
  private var changeTable: Document.Table? {
    guard trend.changes.count > 1 else { return nil }
    var table = Document.Table([
      .init(title: visible(trend.query.attribute)), .init(title: "between (95%)"),
      .flexible("on"), .number("before"), .number("after"), .number("p", expendability: 1),
    ])
    for change in trend.changes.reversed().prefix(limits.interactions) {
      let names = [change.range.lowerBound, change.range.upperBound].map(build)
      table.add([
        StyledText(build(change.buildIndex)),
        StyledText(names[0] == names[1] ? names[0] : "\(names[0]) and \(names[1])"),
        StyledText(
          change.strata.count == trend.tested.count
            ? "all" : change.strata.map(name).joined(separator: ", ")),
        StyledText(text(change.before)), StyledText(text(change.after)),
        StyledText(GateNumber.probability(change.p).replacingAll("p = ", with: "")),
      ])
    }
    return table.titled("Changes, latest first")
  }

  /// The strata, and the screens if they matter, before and after the change, or over all builds if there is none.
  private var strataTables: [Document.Table] {
    let change = trend.headline
    let changed = change?.strata ?? []
    let order = changed + trend.tested.filter { !changed.contains($0) }
    var tables: [Document.Table] = []
    if trend.tested.count > 1 {
      tables.append(
        table(
          of: noun,
          order.map { index in
            (
              name(index), trend.strata[index].traces, [trend.strata[index]],
              changed.contains(index)
            )
          }))
    }
    let screens = change?.screens ?? []
    guard trend.query.splitsTime || !screens.isEmpty else { return tables }
    let whole = (changed.isEmpty ? trend.tested : changed).map { trend.strata[$0] }
    let others = trend.parts.filter { !screens.contains($0) }
    tables.append(
      table(
        of: partNoun,
        (screens + others).map { part in
          (
            visible(part), nil, whole.flatMap { $0.parts.filter { $0.names == [part] } },
            screens.contains(part)
          )
        }))
    return tables
  }

  private func table(
    of noun: String,
    _ rows: [(name: String, traces: Double?, strata: [TrendStratum], isChanged: Bool)]
  ) -> Document.Table {
    let change = trend.headline
    let hasTraces = rows.contains { $0.traces != nil }
    var table = Document.Table(
      [.flexible(noun)] + (hasTraces ? [.number("traces")] : [])
        + (change == nil
          ? [.number("value")]
          : [.number("before"), .number("after"), .number("difference (95% CI)")]))
    for (name, traces, strata, isChanged) in rows.prefix(limits.interactions) {
      let values = TrendSeries(of: strata, .value)
      let all = values.series.values.indices
      var cells = [StyledText(name)]
      if let traces { cells.append(StyledText(Quantity.fixed(traces, decimals: 0))) }
      if let change, let levels = change.levels(of: strata, measure),
        let found = values.difference(at: change.buildIndex, in: change.segment)
      {
        cells += [StyledText(text(levels.before)), StyledText(text(levels.after))]
        cells.append(
          StyledText(
            "\(difference(levels.after - levels.before)) ± \(bare(found.uncertainty))",
            isChanged ? .late : .plain))
      } else if let change {
        let firstAfter = values.index(of: change.buildIndex)
        cells.append(StyledText(firstAfter > 0 ? text(values.series.mean(0..<firstAfter)) : ""))
        cells.append(
          StyledText(firstAfter < all.count ? text(values.series.mean(firstAfter..<all.count)) : "")
        )
        cells.append(StyledText("new or gone"))
      } else {
        cells.append(StyledText(all.isEmpty ? "" : text(values.series.mean(all))))
      }
      table.add(cells)
    }
    return table.titled("By \(noun)", note: .more(rows.count - limits.interactions))
  }

  private var method: String {
    "Changes by least squares with weights 1/variance, Benjamini and Hochberg 1995 at 5% over"
      + " strata and causes, 2% false alarms unless a few long hitches decide; changes below"
      + " \(measure.text(measure.floor)) do not count."
  }
}
