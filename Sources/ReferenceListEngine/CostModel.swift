import ScrollTraceLayout
package import ScrollTraceRecorder

/// The cost of each step of the engine, in nanoseconds of work on an idle machine.
///
/// In virtual time, a step takes exactly its cost. In real time, it does the amount of work that
/// takes this long without disturbance.
package struct CostModel: Equatable, Sendable {
  /// The overhead between two steps.
  package var overhead: Nanoseconds = 2_000
  package var event: Nanoseconds = 60_000
  /// The list looks for changes.
  package var update: Nanoseconds = 90_000
  /// The layout without rows.
  package var layout: Nanoseconds = 150_000
  /// Each row in view, in addition.
  package var layoutOfRow: Nanoseconds = 25_000
  /// A cell is taken from the reuse pool.
  package var dequeue: Nanoseconds = 30_000
  package var create: Nanoseconds = 2_400_000
  package var prepareForReuse: Nanoseconds = 120_000
  package var configureText: Nanoseconds = 1_400_000
  package var configurePhoto: Nanoseconds = 5_000_000
  /// The data of an item is read and converted: on the main thread if it was not prefetched,
  /// otherwise by the loading thread.
  package var readData: Nanoseconds = 0
  package var size: Nanoseconds = 500_000
  /// The part of configuring, in percent, that a cell saves if it already displays the item: what its
  /// handler finds unchanged.
  package var savedByExistingCell: Int64 = 0
  /// A loaded result is written into a cell directly, without its handler.
  package var writeResult: Nanoseconds = 350_000
  package var snapshot: Nanoseconds = 300_000
  /// Each item of the list, in addition, if the differences to the previous snapshot are computed.
  package var differenceOfItem: Nanoseconds = 400
  /// A line moves because a line above it has another height than was estimated.
  package var moveOfLine: Nanoseconds = 300
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
  /// A thousand bytes of an image file are read, whatever the size of the result.
  package var readOfKilobyte: Nanoseconds = 30_000
  package var decodeOfKilopixel: Nanoseconds = 24_000
  /// The maximum deviation of an item's costs, in percent.
  package var variation: Int64 = 30

  /// Creates the costs of an average feed.
  package init() {}

  /// A step whose cost differs between items.
  enum Step: UInt64 { case configure, size, readData, latency, writeResult }

  /// Returns the cost of a step for `item`: always the same part of the usual cost for one item.
  func cost(_ usual: Nanoseconds, _ step: Step, of item: ItemID) -> Nanoseconds {
    var random = SeededGenerator(seed: item.number &* 31 &+ step.rawValue)
    let range = UInt64(clamping: 2 * variation + 1)
    let percent = 100 - variation + Int64(random.next(below: range))
    return max(0, usual / 100 * percent)
  }

  func configure(_ item: ListItem) -> Nanoseconds {
    cost(item.kind == .photo ? configurePhoto : configureText, .configure, of: item.id)
  }

  /// Returns the cost of giving an existing cell new content of `item`: its handler runs again.
  func reconfigure(_ item: ListItem) -> Nanoseconds {
    configure(item) / 100 * (100 - min(max(0, savedByExistingCell), 100))
  }

  /// Returns the cost of decoding the image of `item` to `pixels`, or `nil` if it has none.
  func decode(_ item: ListItem, pixels: Int64) -> Nanoseconds? {
    guard item.kind == .photo else { return nil }
    return (item.bytes * readOfKilobyte + pixels * decodeOfKilopixel) / 1000
  }

  func download(_ item: ListItem) -> Nanoseconds {
    cost(latency, .latency, of: item.id) + item.bytes * downloadOfKilobyte / 1000
  }
}
