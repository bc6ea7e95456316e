/// Finds the next value above a limit in O(log *n*), with a tree of the maxima of blocks. The values
/// themselves are not stored; unknown ones are above nothing.
struct FirstAbove {
  /// The number of values in a block, which are searched one by one.
  private static let blockSize = 16

  private let count: Int
  private let value: (Int) -> Int64?
  /// The number of leaves of the tree, a power of two.
  private let size: Int
  /// The maxima of both halves of each node, and from `size` on those of the blocks.
  private var maxima: [Int64]

  /// The maxima of blocks of values, which are added in order.
  struct Blocks {
    private(set) var count = 0
    fileprivate var maxima: [Int64] = []

    init(minimumCapacity: Int) {
      maxima.reserveCapacity(minimumCapacity / FirstAbove.blockSize + 1)
    }

    @inline(__always) mutating func append(_ value: Int64?) {
      if count % FirstAbove.blockSize == 0 { maxima.append(.min) }
      count += 1
      if let value { raise(count - 1, to: value) }
    }

    /// Makes the value at a position larger.
    @inline(__always) mutating func raise(_ index: Int, to value: Int64) {
      let block = index / FirstAbove.blockSize
      maxima[block] = max(maxima[block], value)
    }
  }

  /// Creates a tree of `blocks`, whose values `value` returns again.
  init(_ blocks: Blocks, _ value: @escaping (Int) -> Int64?) {
    count = blocks.count
    self.value = value
    var size = 1
    while size < blocks.maxima.count { size *= 2 }
    self.size = size
    maxima = Array(repeating: Int64.min, count: 2 * size)
    for (block, maximum) in blocks.maxima.enumerated() { maxima[size + block] = maximum }
    for node in stride(from: size - 1, to: 0, by: -1) {
      maxima[node] = max(maxima[2 * node], maxima[2 * node + 1])
    }
  }

  /// The first position from `start` with a value above `limit`, or `nil` if there is none.
  func first(from start: Int, above limit: Int64) -> Int? {
    let start = max(0, start)
    guard start < count else { return nil }
    let block = start / Self.blockSize
    if let found = first(from: start, inBlock: block, above: limit) { return found }
    guard let next = firstBlock(after: block, above: limit) else { return nil }
    return first(from: next * Self.blockSize, inBlock: next, above: limit)
  }

  private func first(from start: Int, inBlock block: Int, above limit: Int64) -> Int? {
    let end = min((block + 1) * Self.blockSize, count)
    return (start..<end).first { value($0).map { $0 > limit } ?? false }
  }

  private func firstBlock(after block: Int, above limit: Int64) -> Int? {
    var node = size + block
    repeat {
      // Move up until a subtree to the right has not been searched.
      while node & 1 == 1 { node >>= 1 }
      if node == 0 { return nil }
      node += 1
    } while maxima[node] <= limit
    while node < size {
      node *= 2
      if maxima[node] <= limit { node += 1 }
    }
    return node - size
  }
}
