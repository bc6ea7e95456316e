/// Which rows of the screen are for what.
struct LiveLayout {
  /// The width of the screen.
  let columns: Int
  /// The height of the screen.
  let rows: Int
  /// The rows of the list.
  let list: Range<Int>
  /// The row above the graph.
  let caption: Int?
  /// The rows of the graph.
  let graph: Range<Int>
  /// The row of the sums.
  let figures: Int?
  /// The rows of the choices.
  let policies: Range<Int>
  /// The row of the keys.
  let keys: Int?

  /// The rows below the list.
  var panel: Range<Int> { list.upperBound..<rows }

  /// How far a line of the panel is from the left edge.
  static let margin = 1

  /// A layout; what there is no room for is left out, the list last.
  ///
  /// - Parameter policyRows: How many rows the choices take if there is room.
  init(columns: Int, rows: Int, policyRows wanted: Int = 1) {
    self.columns = min(1000, max(0, columns))
    self.rows = min(1000, max(0, rows))
    let policyRows = self.rows < 16 ? 0 : min(wanted, self.rows < 24 ? 1 : 2)
    let graphRows =
      self.rows < 8 ? 0 : self.rows < 16 ? 2 : self.rows < 24 ? 3 : 5 + (self.rows - 24) / 4
    var next = self.rows
    func take(_ count: Int) -> Range<Int> {
      next -= count
      return next..<(next + count)
    }
    keys = self.rows >= 6 ? take(1).lowerBound : nil
    policies = take(policyRows)
    figures = self.rows >= 4 ? take(1).lowerBound : nil
    graph = take(min(graphRows, 14))
    caption = graph.isEmpty ? nil : take(1).lowerBound
    list = 0..<next
  }
}
