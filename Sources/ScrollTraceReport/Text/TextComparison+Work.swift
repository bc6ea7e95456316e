import ScrollTraceAnalysis
import ScrollTraceModel

extension TextComparison {
  private static let moveLimit = 3

  /// In which time work was looked at.
  var titleOfWork: String {
    guard let shown else { return "" }
    let (base, new) = (shown.base.run.work.window, shown.new.run.work.window)
    let isOfOneKind = base.kind == new.kind
    let start = isOfOneKind ? Quantity.length(base.duration) : shown.base.wording.text(of: base)
    let isSaidOnce = isOfOneKind && !comparison.needsPerSecond
    let time = (isSaidOnce ? "" : "\(start) and ") + shown.new.wording.text(of: new)
    let area = comparison[.mainBusyBetweenCommits]
    let hasArea = area.base != nil || area.new != nil
    return "Work, wall time, in \(time)" + (hasArea ? " (area: whole recording)" : "")
  }

  /// The work that left the main thread or came to it, a line each.
  var moved: [TextLine] {
    textsOfMoved.flatMap { wrapped($0, first: 2, indent: 4) }
  }

  /// The same as sentences.
  var textsOfMoved: [String] {
    comparison.movedWork.prefix(Self.moveLimit).map { work in
      let main = Quantity.length(work.main.magnitude)
      let background = Quantity.length(work.background.magnitude)
      let (verb, change) =
        work.main < .zero
        ? ("left the main thread", "more in the background")
        : ("came to the main thread", "less in the background")
      return "\(main) of \(label(work.category)) \(verb); \(background) \(change)"
    }
  }

  /// The categories whose work changed, most first, and the others in one row.
  var categories: TitledTable? {
    let changed = comparison.categories.filter { !$0.isSame }
    guard !changed.isEmpty else { return nil }
    var table = TextTable([
      .init(title: "self time", isFlexible: true),
      .init(title: "main base", alignment: .right, expendability: 1),
      .init(title: "new", alignment: .right, expendability: 1),
      .init(title: "difference", alignment: .right),
      .init(title: "bg base", alignment: .right, expendability: 2),
      .init(title: "new", alignment: .right, expendability: 2),
      .init(title: "bg change", alignment: .right),
    ])
    // One row more is not worth a row that says that it is left out.
    let limit =
      changed.count == style.limits.differences + 1 ? changed.count : style.limits.differences
    let rest = changed.dropFirst(limit)
    let rows = changed.prefix(limit) + (rest.isEmpty ? [] : [CategoryComparison.sum(rest)])
    for row in rows {
      let name = row.category.map { label($0) } ?? Quantity.count(rest.count, "other")
      table.add([
        TextLine(name.isEmpty ? "(no category)" : name),
        TextLine(text(row.main.base)), TextLine(text(row.main.new)), cell(row.main, goodSign: -1),
        TextLine(text(row.background.base)), TextLine(text(row.background.new)),
        cell(row.background, goodSign: 0),
      ])
    }
    return TitledTable(
      title: "Work by category, main thread and background (bg)", table: table)
  }

  /// What the hitch time of both sides is charged to, the largest change first.
  func causes(_ base: TextRun) -> TitledTable? {
    let causes = comparison.causes.filter {
      ($0.hitchTime.base?.sign ?? 0) != 0 || ($0.hitchTime.new?.sign ?? 0) != 0
    }
    guard !causes.isEmpty else { return nil }
    var table = TextTable([
      .init(title: "base", alignment: .right), .init(title: "new", alignment: .right),
      .init(title: "difference", alignment: .right),
      .init(title: "hitches", alignment: .right, expendability: 1), .init(title: ""),
      .init(title: "cause", isFlexible: true),
    ])
    let limit =
      causes.count == style.limits.differences + 1 ? causes.count : style.limits.differences
    let rest = causes.dropFirst(limit)
    for cause in causes.prefix(limit) + (rest.isEmpty ? [] : [CauseComparison.sum(rest)]) {
      let hitches = [cause.hitches.base, cause.hitches.new].compactMap { $0.map { text($0) } }
      let fate = cause.fate.map { $0 == .gone ? "gone" : "new" } ?? ""
      table.add([
        TextLine(text(cause.hitchTime.base)), TextLine(text(cause.hitchTime.new)),
        cell(cause.hitchTime, goodSign: -1),
        TextLine(hitches.joined(separator: " \(glyphs.arrow) ")),
        TextLine(fate, fate == "gone" ? .good : .late),
        TextLine(cause.kind.map(base.text) ?? Quantity.count(rest.count, "other")),
      ])
    }
    return TitledTable(title: "What the hitch time is charged to", table: table)
  }

  /// A category as this report can show it.
  private func label(_ category: String) -> String {
    name(shown?.base.label(category) ?? category, 30)
  }
}
