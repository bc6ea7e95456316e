import ScrollTraceAnalysis
import ScrollTraceModel

/// One piece of a page, before a form decides what it looks like.
///
/// Texts have passed through a terminal's sink, so that everything in them is visible; the form
/// still has to escape the signs of its own syntax.
enum PageBlock {
  /// A row of a list of hitches: what the table says of it, and what filled its time.
  struct HitchRow {
    let cells: [TextLine]
    let parts: [String]
    let anchor: String
  }

  /// What was found: its title and the sentences on it.
  struct FindingItem {
    let title: String
    let sentences: [String]
    let action: String
  }

  /// A hitch as a place on a graph.
  struct Mark {
    let time: Timestamp
    let text: String
    let anchor: String
  }

  /// A word that says it all, and what it rests on.
  case statement(TextLine, String)
  /// A sentence or more.
  case paragraph(String, TextRole)
  /// Facts, each with what it is about.
  case facts([(label: String, text: String)])
  /// A table, what it is about, and what it leaves out.
  case table(TitledTable)
  /// Hitches under a title, the columns of their table, and a remark on all of them.
  case hitches(String, [TextTable.Column], [HitchRow], note: String?)
  /// What was found, in its order.
  case findings([FindingItem], note: String?)
  /// Counts as bars, under a title.
  case bars(String, [(label: String, count: Int, isLate: Bool)])
  /// Sentences below one another.
  case list([(text: String, ink: TextRole)], note: String?)
  /// Frames over time, what that shows, how it is read, and the hitches in it.
  case graph(FrameGraph, title: String, explanation: String, marks: [Mark])
  /// Lines of text whose columns say something.
  case drawing([TextLine])
}
