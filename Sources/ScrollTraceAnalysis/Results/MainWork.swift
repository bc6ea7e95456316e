package import ScrollTraceModel

/// The main-thread work of one frame (M-12) and the idle time after its commit (M-13).
package struct MainWork: Equatable, Sendable {
  /// The frame whose commit ends the row.
  package let frame: UInt64
  /// The end of the previous commit.
  package let start: Timestamp
  /// The end of the commit, which places the row on the time axis.
  package let time: Timestamp
  /// The main-thread work since the previous commit.
  package let busy: TimeSpan
  /// The total work of all background tracks since the previous commit.
  package let backgroundBusy: TimeSpan
  /// The available time, or `nil` if neither deadline nor refresh interval is known.
  package let available: TimeSpan?
  /// A Boolean value indicating whether the commit missed its deadline, or `nil` if it has none.
  package let missedDeadline: Bool?
  /// The time without main-thread work from the commit to the deadline or the next commit's start, and that in
  /// which the commit waited for the display; `nil` without a deadline.
  let idle: TimeSpan?
}

/// The main-thread work of all frames, sorted by time, in packed columns.
package struct MainWorkRows: NumberedCollection, Sendable {
  /// What a column has of each row; a value that may be unknown is stored plus 1, and 0 is unknown.
  private enum Column: Int, CaseIterable {
    case frame, time, length, busy, backgroundBusy, available, missedDeadline, idle
  }

  private var rows = PackedRows(columnCount: Column.allCases.count)
  private(set) var busy = TimeSpan.zero
  /// The sum of the idle times, or `nil` if no deadline is known.
  private(set) var idle: TimeSpan?

  init() {}

  package var count: Int { rows.count }

  package subscript(index: Int) -> MainWork { Self.row { rows[index, $0.rawValue] } }

  @inline(__always) private static func row(_ number: (Column) -> UInt64) -> MainWork {
    func length(_ column: Column) -> TimeSpan {
      TimeSpan(nanoseconds: Int64(bitPattern: number(column)))
    }
    func known(_ column: Column) -> TimeSpan? {
      let value = number(column)
      return value > 0 ? TimeSpan(nanoseconds: Int64(bitPattern: value &- 1)) : nil
    }
    let time = Timestamp(clamping: Int64(bitPattern: number(.time)))
    return MainWork(
      frame: number(.frame), start: time - length(.length), time: time, busy: length(.busy),
      backgroundBusy: length(.backgroundBusy), available: known(.available),
      missedDeadline: known(.missedDeadline).map { $0 > .zero }, idle: known(.idle))
  }

  /// Calls `body` with each row, in order: faster than one row after the other.
  package func forEach(_ body: (MainWork) -> Void) {
    let size = PackedRows.blockSize
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: rows.columnCount * size) { numbers in
      numbers.initialize(repeating: 0)
      for block in 0..<(count + size - 1) / size {
        let rowCount = rows.read(block: block, into: numbers, distance: size)
        for row in 0..<rowCount { body(Self.row { numbers[$0.rawValue * size + row] }) }
      }
    }
  }

  func idle(in rows: Range<Int>) -> TimeSpan {
    rows.reduce(into: .zero) { sum, index in
      if let idle = self[index].idle { sum += idle }
    }
  }

  /// Adds a row, which is not before any other.
  mutating func append(_ row: MainWork) {
    func stored(_ length: TimeSpan?) -> UInt64 {
      length.map { UInt64(bitPattern: $0.nanoseconds) &+ 1 } ?? 0
    }
    rows.append { new in
      func set(_ column: Column, _ number: UInt64) { new[column.rawValue] = number }
      set(.frame, row.frame)
      set(.time, UInt64(bitPattern: row.time.nanoseconds))
      set(.length, UInt64(bitPattern: (row.time - row.start).nanoseconds))
      set(.busy, UInt64(bitPattern: row.busy.nanoseconds))
      set(.backgroundBusy, UInt64(bitPattern: row.backgroundBusy.nanoseconds))
      set(.available, stored(row.available))
      set(.missedDeadline, row.missedDeadline.map { $0 ? 2 : 1 } ?? 0)
      set(.idle, stored(row.idle))
    }
    busy += row.busy
    if let own = row.idle { idle = (idle ?? .zero) + own }
  }

  /// Returns rows without any but the last, with the sums of all.
  func digest() -> MainWorkRows {
    var digest = MainWorkRows()
    if let last { digest.append(last) }
    (digest.busy, digest.idle) = (busy, idle)
    return digest
  }
}
