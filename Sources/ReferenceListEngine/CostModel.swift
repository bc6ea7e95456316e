package import ScrollTraceRecorder

/// What each step of the engine costs, in nanoseconds of work on an idle machine.
///
/// In virtual time a step takes exactly its cost; in real time as much work is done as takes that
/// long where nothing disturbs it.
package struct CostModel: Hashable, Sendable {
  /// What it takes to get from one step to the next.
  package var overhead: Nanoseconds = 2_000
  /// Events reach the list.
  package var event: Nanoseconds = 60_000
  /// The list looks for what has changed.
  package var update: Nanoseconds = 90_000
  /// A layout without rows.
  package var layout: Nanoseconds = 150_000
  /// A row in view, in addition.
  package var layoutOfRow: Nanoseconds = 25_000
  /// A cell is taken from the reuse pool.
  package var dequeue: Nanoseconds = 30_000
  /// A cell is made.
  package var create: Nanoseconds = 2_400_000
  /// A used cell is cleared.
  package var prepareForReuse: Nanoseconds = 120_000
  /// A cell gets the content of a text item.
  package var configureText: Nanoseconds = 1_400_000
  /// A cell gets the content of a photo item.
  package var configurePhoto: Nanoseconds = 5_000_000
  /// The data of an item is read and turned into what a cell shows: on the main thread where it was
  /// not asked for ahead, else by the thread that loads it.
  package var readData: Nanoseconds = 0
  /// The size of a cell is worked out.
  package var size: Nanoseconds = 500_000
  /// A cell in view gets the data that has come for its item.
  package var reconfigure: Nanoseconds = 350_000
  /// The differences between two snapshots are found and applied.
  package var snapshot: Nanoseconds = 300_000
  /// A commit without rows.
  package var commit: Nanoseconds = 450_000
  /// A row in view, in addition.
  package var commitOfRow: Nanoseconds = 45_000
  /// A thread gets ready to load data.
  package var loadLead: Nanoseconds = 80_000
  /// The first byte comes.
  package var latency: Nanoseconds = 18_000_000
  /// A thousand bytes come.
  package var downloadOfKilobyte: Nanoseconds = 60_000
  /// A thousand bytes of an image become a bitmap.
  package var decodeOfKilobyte: Nanoseconds = 150_000
  /// By how many percent costs of one item differ from the usual at most.
  package var variation: Int64 = 30

  /// Costs of a feed that is neither very good nor very bad.
  package init() {}

  /// The cost `usual` as it is for `item`: the same at every time, another for other items.
  func cost(_ usual: Nanoseconds, of item: ItemID) -> Nanoseconds {
    var random = SeededNumbers(seed: item.number &* 31 &+ UInt64(clamping: usual))
    let range = UInt64(clamping: 2 * variation + 1)
    let percent = 100 - variation + Int64(random.next(below: range))
    return max(0, usual / 100 * percent)
  }

  /// What it costs to put `item` into a cell.
  func configure(_ item: ListItem) -> Nanoseconds {
    cost(item.kind == .photo ? configurePhoto : configureText, of: item.id)
  }

  /// What it costs to make the image of `item` a bitmap, or `nil` if it has none.
  func decode(_ item: ListItem) -> Nanoseconds? {
    item.kind == .photo ? item.bytes * decodeOfKilobyte / 1000 : nil
  }

  /// How long the data of `item` takes to come.
  func download(_ item: ListItem) -> Nanoseconds {
    cost(latency, of: item.id) + item.bytes * downloadOfKilobyte / 1000
  }
}
