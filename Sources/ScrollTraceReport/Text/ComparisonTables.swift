import ScrollTraceAnalysis
import ScrollTraceModel

/// The numbers of both sides: tables of frames, work and lists whose columns line up.
struct ComparisonTables {
  private typealias Row = (label: String, value: ComparedValue, goodSign: Int)

  private static let listLimit = 4

  /// What is said of frames.
  let frames: [[TextLine]]
  /// What is said of work.
  let work: [[TextLine]]
  /// What differs in each list.
  let lists: [[TextLine]]

  /// The tables of `text`.
  init(_ text: TextComparison) {
    let comparison = text.comparison
    func rows(_ metrics: [ComparisonMetric]) -> [Row] {
      // What neither side knows is left out.
      metrics.map { (Wording.label(of: $0), comparison[$0], $0.goodSign) }
        .filter { $0.value.base != nil || $0.value.new != nil }
    }
    let perSecond = comparison.needsPerSecond ? ComparisonMetric.perSecond : []
    let lists = comparison.lists.filter { !$0.differing.isEmpty }
    let groups =
      [
        ("Frames", rows(ComparisonMetric.ofFrames)),
        (text.titleOfWork, rows(ComparisonMetric.ofWork + perSecond)),
      ]
      + lists.prefix(Self.listLimit).map { list in
        (
          (list.name.isEmpty ? "List" : "List \(text.name(list.name))") + ", what differs",
          list.differing.map { (Wording.label(of: $0.metric), $0.value, $0.metric.goodSign) }
        )
      }
    let sections = Self.sections(groups, in: text)
    frames = Array(sections.prefix(1))
    work = Array(sections.dropFirst().prefix(1))
    let hidden = lists.count - Self.listLimit
    let more = hidden > 0 ? [[TextLine("  and \(Quantity.count(hidden, "more list"))")]] : []
    self.lists = sections.dropFirst(2) + more
  }

  /// One table, cut into a section for each group.
  private static func sections(
    _ groups: [(title: String, rows: [Row])], in text: TextComparison
  ) -> [[TextLine]] {
    // Where there is little room, labels need it more than parts that can be worked out.
    let isWide = text.style.width >= 72
    var table = TextTable(
      [
        .init(title: "", isFlexible: true), .init(title: "base", alignment: .right),
        .init(title: "new", alignment: .right), .init(title: "difference", alignment: .right),
      ] + (isWide ? [.init(title: "", alignment: .right)] : []))
    for row in groups.flatMap(\.rows) {
      table.add(
        [
          TextLine(row.label), TextLine(text.text(row.value.base)),
          TextLine(text.text(row.value.new)), text.cell(row.value, goodSign: row.goodSign),
        ] + (isWide ? [TextLine(Quantity.change(row.value), .faint)] : []))
    }
    let lines = table.lines(width: text.style.width, ellipsis: text.glyphs.ellipsis)
    var rest = lines.dropFirst()
    return groups.map { group in
      defer { rest = rest.dropFirst(group.rows.count) }
      guard !group.rows.isEmpty else { return [] }
      return [text.heading(group.title)] + lines.prefix(1) + rest.prefix(group.rows.count)
    }
  }
}
