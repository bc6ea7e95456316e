/// The columns of one table, in the order in which each row has its values.
struct XctraceSchema {
  /// One column.
  struct Column {
    /// The tag of its values: its engineering type.
    let tag: Int
    /// What it means; `nil` where it is not read.
    let meaning: XctraceColumn?
  }

  /// The most columns of a table; Apple's have about twenty.
  static let maximumColumnCount = 256

  /// The table's name, as far as it is shown.
  let name: String
  /// The table; `nil` for one that is not read.
  let table: XctraceTable?
  /// The columns.
  var columns: [Column] = []

  /// The first column that `table` needs and does not have.
  var missingColumn: XctraceColumn? {
    table?.neededColumns.first { needed in !columns.contains { $0.meaning == needed } }
  }
}
