import ScrollTraceAnalysis
import ScrollTraceModel

/// The numbers of both sides: tables of frames, work and lists whose columns line up.
struct ComparisonTables {
  private typealias Row = (label: String, value: ComparedValue, goodSign: Int)

  /// What is said of frames.
  let frames: [[TextLine]]
  /// What is said of work.
  let work: [[TextLine]]
  /// What differs in each list.
  let lists: [[TextLine]]

  /// Each group as a table of its own.
  let titled: [TitledTable]
  /// How many lists are left out; `nil` where all are there.
  let note: String?

  /// The tables of `text`.
  init(_ text: TextComparison) {
    let comparison = text.comparison
    func rows(_ metrics: [Metric]) -> [Row] {
      // What neither side knows is left out.
      metrics.map { (Messages.label(of: $0), comparison[$0], $0.goodSign) }
        .filter { $0.value.base != nil || $0.value.new != nil }
    }
    let perSecond = comparison.needsPerSecond ? Metric.perSecond : []
    let lists = comparison.lists.filter { !$0.differing.isEmpty }
    let groups: [(title: String, rows: [Row])] =
      [
        ("Frames", rows(Metric.ofFrames)),
        (text.titleOfWork, rows(Metric.ofWork + perSecond)),
      ]
      + lists.prefix(text.style.limits.lists).map { list in
        (
          (list.name.isEmpty ? "List" : "List \(text.name(list.name))") + ", what differs",
          list.differing.map { (Messages.label(of: $0.metric), $0.value, $0.metric.goodSign) }
        )
      }
    titled = groups.filter { !$0.rows.isEmpty }.map { group in
      TitledTable(title: group.title, table: Self.table(group.rows, in: text))
    }
    let sections = Self.sections(groups, in: text)
    frames = Array(sections.prefix(1))
    work = Array(sections.dropFirst().prefix(1))
    let hidden = lists.count - text.style.limits.lists
    note = hidden > 0 ? "and \(Quantity.count(hidden, "more list"))" : nil
    self.lists = sections.dropFirst(2) + (note.map { [[TextLine("  \($0)")]] } ?? [])
  }

  /// One table, cut into a section for each group.
  private static func sections(
    _ groups: [(title: String, rows: [Row])], in text: TextComparison
  ) -> [[TextLine]] {
    let lines = text.lines(table(groups.flatMap(\.rows), in: text))
    var rest = lines.dropFirst()
    return groups.map { group in
      defer { rest = rest.dropFirst(group.rows.count) }
      guard !group.rows.isEmpty else { return [] }
      return [text.heading(group.title)] + lines.prefix(1) + rest.prefix(group.rows.count)
    }
  }

  private static func table(_ rows: [Row], in text: TextComparison) -> TextTable {
    // Where there is little room, labels need it more than parts that can be worked out.
    let isWide = text.style.width >= 72
    var table = TextTable(
      [
        .init(title: "", isFlexible: true), .init(title: "base", alignment: .right),
        .init(title: "new", alignment: .right), .init(title: "difference", alignment: .right),
      ] + (isWide ? [.init(title: "", alignment: .right)] : []))
    for row in rows {
      table.add(
        [
          TextLine(row.label), TextLine(text.text(row.value.base)),
          TextLine(text.text(row.value.new)), text.cell(row.value, goodSign: row.goodSign),
        ] + (isWide ? [TextLine(Quantity.change(row.value), .faint)] : []))
    }
    return table
  }
}
