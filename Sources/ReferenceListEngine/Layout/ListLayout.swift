internal import ScrollTraceRecorder

/// Where the lines of a list or grid lie, one below the other; some heights may be guesses.
struct ListLayout {
  let columns: Int
  private let sizing: Sizing
  private var itemCount: Int
  /// What each item was measured as, for as long as it exists.
  private var measured: [ItemID: Millipoints] = [:]
  /// The heights of the lines that are known, 0 for the others.
  private var heights: RunningSums
  /// 1 for each line that is known.
  private var known: RunningSums
  /// The height of each line, or `nil` if it is a guess.
  private var lines: [Millipoints?]
  private var knownSum: Int64 = 0
  private var knownCount: Int64 = 0

  init(_ items: [ListItem], columns: Int, sizing: Sizing) {
    self.columns = max(1, columns)
    self.sizing = sizing
    itemCount = 0
    heights = RunningSums([])
    known = RunningSums([])
    lines = []
    rebuild(items)
  }

  var lineCount: Int { lines.count }

  var height: Millipoints { top(ofLine: lines.count) }

  /// What a line counts as whose height is not known.
  var estimate: Millipoints {
    switch sizing {
    case .exact: 0
    case .estimate(let height): max(1, height)
    case .runningAverage(let first): knownCount > 0 ? max(1, knownSum / knownCount) : max(1, first)
    }
  }

  func top(ofLine line: Int) -> Millipoints {
    let unknown = Int64(min(max(0, line), lines.count)) - known.sum(ofFirst: line)
    return heights.sum(ofFirst: line) + unknown * estimate
  }

  /// The height of a line, known or not.
  func height(ofLine line: Int) -> Millipoints { lines[line] ?? estimate }

  func line(of position: Int) -> Int { position / columns }

  /// The lines that lie at least partly in the range from `top` to `bottom`.
  func lines(from top: Millipoints, to bottom: Millipoints) -> Range<Int> {
    guard top < bottom, bottom > 0, top < height else { return 0..<0 }
    // The line that holds the first offset, and the first line that begins at the end or later.
    let first = line(holding: max(0, top))
    return first..<min(lines.count, line(holding: bottom - 1) + 1)
  }

  func positions(ofLines lines: Range<Int>) -> Range<Int> {
    min(itemCount, lines.lowerBound * columns)..<min(itemCount, lines.upperBound * columns)
  }

  /// Takes the true height of an item; gives by how much its line was guessed wrong, `nil` where the
  /// line's height was known.
  mutating func setHeight(_ height: Millipoints, of item: ItemID, at position: Int) -> Millipoints?
  {
    guard sizing != .exact, measured[item] == nil else { return nil }
    measured[item] = height
    let line = line(of: position)
    let before = lines[line]
    let guess = self.height(ofLine: line)
    // The highest item of a line makes it as high as it is.
    set(max(before ?? 0, height), ofLine: line)
    return before == nil ? height - guess : nil
  }

  /// Makes it the layout of other items; those that were measured keep their heights.
  mutating func rebuild(_ items: [ListItem]) {
    itemCount = items.count
    let count = (items.count + columns - 1) / columns
    lines = (0..<count).map { line in
      height(of: items[(line * columns)..<min(items.count, (line + 1) * columns)])
    }
    heights = RunningSums(lines.map { $0 ?? 0 })
    known = RunningSums(lines.map { $0 == nil ? 0 : 1 })
    knownSum = lines.reduce(0) { $0 + ($1 ?? 0) }
    knownCount = lines.reduce(0) { $0 + ($1 == nil ? 0 : 1) }
  }

  /// Updates the lines of the items at `positions`, which have changed places.
  mutating func exchange(_ positions: ClosedRange<Int>, in items: [ListItem]) {
    for line in line(of: positions.lowerBound)...line(of: positions.upperBound) {
      let first = line * columns
      set(height(of: items[first..<min(items.count, first + columns)]), ofLine: line)
    }
  }

  private func line(holding offset: Millipoints) -> Int {
    let estimate = estimate
    let count = heights.count(below: offset + 1) { sum, count in
      sum + (Int64(count) - known.sum(ofFirst: count)) * estimate
    }
    return min(count, max(0, lines.count - 1))
  }

  private func height(of items: ArraySlice<ListItem>) -> Millipoints? {
    if sizing == .exact { return items.reduce(0) { max($0, $1.kind.height) } }
    return items.reduce(nil) { height, item in
      measured[item.id].map { max($0, height ?? 0) } ?? height
    }
  }

  private mutating func set(_ height: Millipoints?, ofLine line: Int) {
    let before = lines[line]
    let difference = (height ?? 0) - (before ?? 0)
    let more: Int64 = (height == nil ? 0 : 1) - (before == nil ? 0 : 1)
    lines[line] = height
    heights.add(difference, at: line)
    knownSum += difference
    known.add(more, at: line)
    knownCount += more
  }
}

/// Whole numbers of which each can change and any first few can be added up, both in a few steps: a
/// Fenwick tree.
struct RunningSums {
  /// At index i + 1 the sum of the last few numbers up to number i: as many as the lowest bit of i + 1
  /// says.
  private var sums: [Int64]
  /// The greatest power of two that is no greater than the number of numbers.
  private let top: Int

  init(_ numbers: [Int64]) {
    sums = [0] + numbers
    for index in sums.indices.dropFirst() {
      let parent = index + (index & -index)
      if parent < sums.count { sums[parent] += sums[index] }
    }
    var top = 1
    while top * 2 <= numbers.count { top *= 2 }
    self.top = top
  }

  var count: Int { sums.count - 1 }

  func sum(ofFirst count: Int) -> Int64 {
    var (index, sum) = (min(max(0, count), self.count), Int64(0))
    while index > 0 {
      sum += sums[index]
      index &= index - 1
    }
    return sum
  }

  /// Makes the number at `position` greater by `difference`.
  mutating func add(_ difference: Int64, at position: Int) {
    var index = position + 1
    while index < sums.count {
      sums[index] += difference
      index += index & -index
    }
  }

  /// How many of the first numbers, each of which counts as `value` says of its sum and number, stay
  /// below `limit` together; the numbers are not negative.
  func count(below limit: Int64, _ value: (Int64, Int) -> Int64) -> Int {
    var (index, sum, step) = (0, Int64(0), top)
    while step > 0 {
      let next = index + step
      if next < sums.count, value(sum + sums[next], next) < limit {
        index = next
        sum += sums[next]
      }
      step /= 2
    }
    return index
  }
}

/// How the layout knows the height of what was never in view.
package enum Sizing: Equatable, Sendable {
  /// All heights are known.
  case exact
  /// Cells size themselves; until then every line counts as this high.
  case estimate(Millipoints)
  /// Cells size themselves; until then every line counts as high as those before were on average,
  /// and at first as this high.
  case runningAverage(first: Millipoints)
}
