import ScrollTraceModel

/// Work of one kind inside the windows of hitches.
struct WindowSums: Hashable {
  /// The work inside one window.
  struct Sum: Hashable {
    /// The position of the window in `LateWindows`.
    let window: Int
    /// How many pieces.
    var count = 0
    /// How long, all together.
    var total = TimeSpan.zero
    /// The longest piece.
    var longest = TimeSpan.zero
    /// The arguments of that.
    var arguments = ArgumentListID.none
  }

  /// A sum for each window, as the work came; a window may come twice until all is `merged`.
  private(set) var sums: [Sum] = []

  /// Adds a piece of work.
  mutating func add(_ length: TimeSpan, in window: Int, _ arguments: ArgumentListID = .none) {
    if sums.last?.window != window { sums.append(Sum(window: window)) }
    sums[sums.count - 1].add(
      Sum(window: window, count: 1, total: length, longest: length, arguments: arguments))
  }

  /// Adds what is of the same list.
  mutating func merge(_ other: WindowSums) { sums += other.sums }

  /// The same with one sum for each window, ascending.
  var merged: WindowSums {
    var result = WindowSums()
    for sum in sums.stablySorted(by: { $0.window < $1.window }) {
      if result.sums.last?.window == sum.window {
        result.sums[result.sums.count - 1].add(sum)
      } else {
        result.sums.append(sum)
      }
    }
    return result
  }
}

extension WindowSums.Sum {
  /// Adds more of the same window.
  fileprivate mutating func add(_ other: WindowSums.Sum) {
    count += other.count
    total += other.total
    guard other.longest > longest else { return }
    (longest, arguments) = (other.longest, other.arguments)
  }
}
