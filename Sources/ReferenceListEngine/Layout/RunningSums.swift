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
