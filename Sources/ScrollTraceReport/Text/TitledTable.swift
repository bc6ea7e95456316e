/// A table under its title, and what is said below it: the content of a section in any form.
struct TitledTable {
  /// What the table is about.
  let title: String
  /// The rows.
  let table: TextTable
  /// What the table leaves out; `nil` where it is whole.
  var note: TextLine?
}

extension TextRun {
  /// A titled table as lines of text; none where there is no table.
  func lines(_ titled: TitledTable?) -> [TextLine] {
    guard let titled else { return [] }
    let note = titled.note.map { line in
      var indented = TextLine("  ")
      indented.append(line)
      return indented
    }
    return [heading(titled.title)] + lines(titled.table) + (note.map { [$0] } ?? [])
  }
}
