package import ScrollTraceRecorder

/// The cost of each step of the engine, in nanoseconds of work on an idle machine.
///
/// In virtual time, a step takes exactly its cost. In real time, it does the amount of work that
/// takes this long without disturbance.
package struct CostModel: Hashable, Sendable {
  /// The overhead between two steps.
  package var overhead: Nanoseconds = 2_000
  /// Events are delivered to the list.
  package var event: Nanoseconds = 60_000
  /// The list looks for changes.
  package var update: Nanoseconds = 90_000
  /// The layout without rows.
  package var layout: Nanoseconds = 150_000
  /// Each row in view, in addition.
  package var layoutOfRow: Nanoseconds = 25_000
  /// A cell is taken from the reuse pool.
  package var dequeue: Nanoseconds = 30_000
  /// A cell is created.
  package var create: Nanoseconds = 2_400_000
  /// A reused cell is reset.
  package var prepareForReuse: Nanoseconds = 120_000
  /// A cell is configured with a text item.
  package var configureText: Nanoseconds = 1_400_000
  /// A cell is configured with a photo item.
  package var configurePhoto: Nanoseconds = 5_000_000
  /// The data of an item is read and converted: on the main thread if it was not prefetched,
  /// otherwise by the loading thread.
  package var readData: Nanoseconds = 0
  /// A cell's size is computed.
  package var size: Nanoseconds = 500_000
  /// A cell in view is updated with loaded data.
  package var reconfigure: Nanoseconds = 350_000
  /// The differences between two snapshots are computed and applied.
  package var snapshot: Nanoseconds = 300_000
  /// The commit without rows.
  package var commit: Nanoseconds = 450_000
  /// Each row in view, in addition.
  package var commitOfRow: Nanoseconds = 45_000
  /// A thread prepares to load data.
  package var loadLead: Nanoseconds = 80_000
  /// The first byte arrives.
  package var latency: Nanoseconds = 18_000_000
  /// A thousand bytes arrive.
  package var downloadOfKilobyte: Nanoseconds = 60_000
  /// A thousand bytes of an image are decoded.
  package var decodeOfKilobyte: Nanoseconds = 150_000
  /// The maximum deviation of an item's costs, in percent.
  package var variation: Int64 = 30

  /// Creates the costs of an average feed.
  package init() {}

  /// Returns the cost for `item`, which is always the same for one item and differs between items.
  func cost(_ usual: Nanoseconds, of item: ItemID) -> Nanoseconds {
    var random = SeededNumbers(seed: item.number &* 31 &+ UInt64(clamping: usual))
    let range = UInt64(clamping: 2 * variation + 1)
    let percent = 100 - variation + Int64(random.next(below: range))
    return max(0, usual / 100 * percent)
  }

  /// Returns the cost of configuring a cell for `item`.
  func configure(_ item: ListItem) -> Nanoseconds {
    cost(item.kind == .photo ? configurePhoto : configureText, of: item.id)
  }

  /// Returns the cost of decoding the image of `item`, or `nil` if it has none.
  func decode(_ item: ListItem) -> Nanoseconds? {
    item.kind == .photo ? item.bytes * decodeOfKilobyte / 1000 : nil
  }

  /// Returns the time to download the data of `item`.
  func download(_ item: ListItem) -> Nanoseconds {
    cost(latency, of: item.id) + item.bytes * downloadOfKilobyte / 1000
  }
}
