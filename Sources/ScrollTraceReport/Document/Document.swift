import ScrollTraceAnalysis
import ScrollTraceModel

/// The content of a report: sections of blocks, in reading order, before a form prints them.
///
/// Names from traces are already visible (`EscapingContext.terminal`); a form still escapes the
/// signs of its own syntax. Forms choose the layout, never facts: a document has no rows to sort and
/// no thresholds to apply.
package struct Document: Sendable {
  /// The subject in a few words.
  let title: String
  var sections: [Section]
}

extension Document {
  var withoutGraphs: Document {
    var document = self
    for index in sections.indices {
      document.sections[index].blocks.removeAll { if case .graph = $0 { true } else { false } }
    }
    return document
  }

  var withLowGraphs: Document {
    var document = self
    for index in sections.indices {
      document.sections[index].blocks = sections[index].blocks.map { block in
        guard case .graph(var graph) = block else { return block }
        graph.isLow = true
        return .graph(graph)
      }
    }
    return document
  }

  /// The number of short findings up to the last large one.
  var largeFixes: Int {
    sections.flatMap(\.blocks).reduce(0) { count, block in
      guard case .fixes(let fixes) = block else { return count }
      return max(count, fixes.lastIndex(where: \.isLarge).map { $0 + 1 } ?? 0)
    }
  }

  /// The sections of a form that is opened at its top: those of `order` first, then others, then details.
  ///
  /// - Parameter order: The parts that are not folded, in their order.
  func page(_ order: [Section.Part]) -> [Section] {
    let all = sections.map { section in
      var section = section
      if section.part != .other { section.isDetail = !order.contains(section.part) }
      return section
    }
    func rank(_ section: Section) -> Int {
      if section.isConclusion { return order.count + 2 }
      if section.isDetail { return order.count + 1 }
      return order.firstIndex(of: section.part) ?? order.count
    }
    return all.stablySorted { rank($0) < rank($1) }
  }
}

extension Document {
  /// A part of a document under a heading.
  struct Section: Sendable {
    /// The forms that print a section, by their length.
    enum Scope {
      case all
      /// The first screen of a terminal or of a log; only reports on runs and comparisons have one.
      case first
      /// Full texts.
      case brief
      /// Long forms, which are opened and searched: a page, the summary of a job.
      case extended
    }

    enum Part {
      case gate, verdict, limits, findings, graph, hitches, causes, other
    }

    /// The heading, or empty if the section has none.
    var title = ""
    /// The content. A section without any is left out of the document.
    var blocks: [Block]
    var scope = Scope.all
    /// Whether the section can be folded, and omitted if room is short.
    var isDetail = false
    var isConclusion = false
    var part = Part.other
    /// Whether graphs can be zoomed.
    var hasZoom = true
    /// The maximum number of lines of the first screen up to the end of this section, or `nil` for any.
    var lineLimit: Int?
  }

  /// One piece of content.
  enum Block: Sendable {
    /// The tool and, on the same line if there is room, its input or its task.
    case opening(source: Source?, task: String)
    case source(Source)
    /// A word that answers the question, and what it rests on.
    case statement(word: StyledText, text: StyledText)
    /// The headline of one side of a comparison.
    case side(label: String, word: StyledText, text: StyledText, source: Source)
    /// A sentence or more; an inset one belongs to the block above it.
    case paragraph(StyledText, isInset: Bool = false)
    case heading(String)
    case facts([Fact])
    case table(Table)
    case hitches(HitchList)
    case findings(FindingList)
    /// The causes of hitches, the largest first.
    case causes([CauseBar])
    /// The findings in short, as many as there is room for.
    case fixes([Fix])
    /// What to run next.
    case steps([Step])
    case bars(Bars)
    /// Series as lines, which only a page draws.
    case lines(Lines)
    case flame(Flame)
    case list(List)
    case graph(Graph)
    case timeline(Timeline)
    /// The next step after its label.
    case next(NextStep, label: String = "Next:")
  }
}

extension Document.Block {
  static func notMeasurable(_ reason: String) -> Document.Block {
    .statement(word: StyledText("NOT MEASURABLE", .near), text: StyledText(reason, .near))
  }
}

extension Document.Table? {
  var blocks: [Document.Block] { map { [.table($0)] } ?? [] }
}

extension Document.Bars? {
  var blocks: [Document.Block] { map { [.bars($0)] } ?? [] }
}

extension Document.List {
  var blocks: [Document.Block] { items.isEmpty ? [] : [.list(self)] }
}

/// Text of one role.
struct StyledText: Sendable, Hashable, ExpressibleByStringInterpolation {
  let text: String
  let role: TextRole

  init(_ text: String = "", _ role: TextRole = .plain) {
    self.text = text
    self.role = role
  }

  init(stringLiteral text: String) { self.init(text) }

  func appending(_ more: String) -> StyledText { StyledText(text + more, role) }
}

/// A text with a role or without one.
protocol TableCell {
  var styled: StyledText { get }
}

extension StyledText: TableCell {
  var styled: StyledText { self }
}

extension String: TableCell {
  var styled: StyledText { StyledText(self) }
}

extension Document.Table.Column: ExpressibleByStringLiteral {
  init(stringLiteral title: String) { self.init(title: title) }
}

/// The meaning of a piece of text, which decides its color. The words always say it too.
package enum TextRole: String, Sendable {
  case plain, strong, faint, good, near, late
}

extension Document {
  /// An input: its path, which forms shorten at the front, and its format, size and length.
  struct Source: Sendable {
    /// The end of the path.
    let path: String
    let facts: String

    /// The input in at most 200 columns.
    var text: String {
      "\(VisibleName.end(of: path, 200 - 2 - facts.count))  \(facts)"
    }
  }

  /// A value after its label.
  struct Fact: Sendable {
    let label: String
    let text: String

    init(_ label: String, _ text: String) {
      self.label = label
      self.text = text
    }
  }

  /// Sentences below one another.
  struct List: Sendable {
    enum Style {
      case plain
      case bullets
      /// Each begins with its kind: `note: …`.
      case remarks
    }

    let items: [StyledText]
    var style = Style.plain
    /// The omitted items, or `nil` if there are none.
    var note: String?
  }

  struct Table: Sendable {
    struct Column: Sendable {
      /// The side on which cells stand.
      enum Alignment {
        case left, right
      }

      let title: String
      var alignment = Alignment.left
      /// Whether the column gives way first; at most one does.
      var isFlexible = false
      /// The columns that a flexible column keeps as long as others can be omitted.
      var minimum = 10
      /// Whether cells are comma-separated lists.
      var isList = false
      /// Whether cells are paths, which forms shorten at the front.
      var isPath = false
      /// Whether cells are call paths, whose functions forms shorten one by one.
      var isCallPath = false
      /// The rank among the columns that narrow forms omit, highest first; 0 for never.
      var expendability = 0

      static func number(_ title: String, expendability: Int = 0) -> Column {
        Column(title: title, alignment: .right, expendability: expendability)
      }

      static func flexible(_ title: String, minimum: Int = 10) -> Column {
        Column(title: title, isFlexible: true, minimum: minimum)
      }
    }

    var title: String
    /// A sentence between the title and the rows.
    var lead: String?
    let columns: [Column]
    /// The rows, each with a cell for each column.
    var rows: [[StyledText]] = []
    /// The omitted rows, or `nil` if there are none.
    var note: StyledText?
    /// The name shared by tables whose columns line up.
    var group: String?

    /// An empty table.
    init(_ title: String, _ columns: [Column]) {
      self.title = title
      self.columns = columns
    }

    /// An empty table that has no title yet.
    init(_ columns: [Column]) { self.init("", columns) }

    func titled(_ title: String, note: StyledText? = nil) -> Table {
      var table = self
      (table.title, table.note) = (title, note)
      return table
    }

    mutating func add(_ cells: any TableCell...) { rows.append(cells.map(\.styled)) }

    mutating func add(_ cells: [StyledText]) { rows.append(cells) }
  }

  /// Hitches in a table, each with the work that filled its time.
  struct HitchList: Sendable {
    struct Row: Sendable {
      let cells: [StyledText]
      let parts: HitchParts
      /// The name by which a page links to the row.
      let anchor: String
      /// The name of the drawing of the work around the hitch, or `nil` if there is none.
      let timelineAnchor: String?
    }

    let title: String
    let columns: [Table.Column]
    let rows: [Row]
    /// A remark on all rows.
    let note: String?
  }

  /// Findings, the most valuable first.
  struct FindingList: Sendable {
    struct Item: Sendable {
      let title: String
      let evidence: [String]
      let fix: String
      /// The command that shows what the finding rests on.
      let step: NextStep
    }

    let items: [Item]
    /// The omitted findings, or `nil` if there are none.
    let note: String?
  }

  struct Bars: Sendable {
    struct Row: Sendable {
      let label: String
      let count: Int
      let isLate: Bool
      /// The text that replaces the count, or `nil` for the count itself.
      var value: String?
      /// The text after the bar, or an empty string.
      var remark = ""
    }

    let title: String
    let rows: [Row]
  }

  /// Series of values in one graph.
  struct Lines: Sendable {
    /// A series.
    struct Row: Sendable {
      let name: String
      /// The values, each `nil` if unknown.
      let values: [Double?]
      /// The positions at which the level changes.
      let marks: [Int]
    }

    let title: String
    /// What the positions of values stand for.
    let labels: [String]
    let rows: [Row]
    /// The value at the top of the graph in words.
    let maximum: String
  }

  /// Call paths as bars, each below its caller. The table beside it contains the same in words.
  struct Flame: Sendable {
    /// A span or function.
    struct Node: Sendable {
      let name: String
      /// The name with its module, time and samples.
      let text: String
      let depth: Int
      /// The start and width as shares of the whole.
      let start: Double
      let width: Double
      /// The meaning of the bar: a span, a function, or whether it took more or less time.
      let role: TextRole
    }

    let title: String
    /// The nodes, each followed by those inside it.
    let nodes: [Node]
  }

  struct CauseBar: Sendable {
    let name: String
    /// The share of all hitch time, or `nil` if the name says it all.
    let share: Double?
    let remark: String
  }

  /// What to do in one sentence.
  struct Fix: Sendable {
    let text: String
    /// What it is worth, or the evidence.
    let worth: String
    /// The command that shows what it rests on.
    let step: NextStep
    /// Whether it is worth more than rows of a graph: a fifth of the hitch time that none before it removes.
    let isLarge: Bool
  }

  /// A next step, and what it shows.
  struct Step: Sendable {
    let step: NextStep
    let remark: String

    init(_ step: NextStep, _ remark: String) {
      self.step = step
      self.remark = remark
    }
  }
}
