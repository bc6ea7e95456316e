import ScrollTraceModel

/// Work of one kind inside the windows of hitches.
struct WindowSums: Equatable {
  /// The work inside one window.
  struct Sum: Equatable {
    /// The position of the window in `LateWindows`.
    let window: Int
    var count = 0
    var total = TimeSpan.zero
    var longest = TimeSpan.zero
    /// The arguments of the longest occurrence.
    var arguments = ArgumentListID.none

    /// Adds a sum of the same window.
    fileprivate mutating func add(_ other: Sum) {
      count += other.count
      total += other.total
      guard other.longest > longest else { return }
      (longest, arguments) = (other.longest, other.arguments)
    }
  }

  /// The sums in the order of the work; a window may appear twice unless the sums are `merged`.
  private(set) var sums: [Sum] = []

  mutating func add(_ length: TimeSpan, in window: Int, _ arguments: ArgumentListID = .none) {
    if sums.last?.window != window { sums.append(Sum(window: window)) }
    sums[sums.count - 1].add(
      Sum(window: window, count: 1, total: length, longest: length, arguments: arguments))
  }

  mutating func merge(_ other: WindowSums) { sums += other.sums }

  /// The sums, one for each window, ascending.
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
