/// The columns of a table of PresentMon's, and by which clock its frames are placed.
struct PresentMonHeader {
  /// How the times of a table are told.
  enum Clock {
    /// Milliseconds or seconds, as nanoseconds.
    case nanoseconds
    /// A day and a time of it.
    case date
    /// Ticks of a counter of unknown frequency.
    case ticks
    /// No times, but the lengths between the frames.
    case lengths
  }

  /// A column of times and by which power of ten it is to be multiplied.
  struct TimeColumn {
    let index: Int
    let power: Int
  }

  /// What stands between the fields.
  let delimiter: UInt8
  /// How many columns there are.
  let count: Int
  /// How many fields a row has at least: all that say something of a frame.
  let neededCount: Int
  /// How times are told.
  let clock: Clock
  /// When work on a frame began.
  let start: TimeColumn?
  /// When it was handed over.
  let present: TimeColumn?
  private let places: [PresentMonColumn: Int]

  /// The columns that `line` names; `nil` where they are not those of a table of frames.
  init?(_ line: UnsafeRawBufferPointer) {
    guard !line.contains(where: { $0 < 0x20 && $0 != 0x09 }) else { return nil }
    delimiter = TableRow.delimiter(of: line)
    var row = TableRow()
    guard row.read(line, delimiter: delimiter), row.count > 2 else { return nil }
    count = row.count
    var places: [PresentMonColumn: Int] = [:]
    for index in 0..<row.count where row.bytes(index).count < 64 {
      guard let column = PresentMonColumn(name: row.text(index)) else { continue }
      // The first of two columns that say the same; older tables name the ticks behind all others.
      if places[column] == nil { places[column] = index }
    }
    guard places[.application] != nil || places[.processID] != nil,
      places.keys.contains(where: \.isTime)
    else { return nil }
    self.places = places
    neededCount = (places.values.max() ?? 0) + 1
    (clock, start, present) = Self.times(places)
  }

  /// Where the column is; `nil` where it is not.
  subscript(column: PresentMonColumn) -> Int? { places[column] }

  /// Whether the column at `index` says something of a frame.
  func isUsed(_ index: Int) -> Bool { places.values.contains(index) }

  /// Whether the table tells which frames were seen.
  var tellsDisplay: Bool { self[.untilDisplayed] != nil || self[.displayLatency] != nil }

  /// The columns of times, all of one clock.
  private static func times(
    _ places: [PresentMonColumn: Int]
  ) -> (Clock, TimeColumn?, TimeColumn?) {
    func column(_ column: PresentMonColumn, _ power: Int) -> TimeColumn? {
      places[column].map { TimeColumn(index: $0, power: power) }
    }
    let choices: [(Clock, TimeColumn?, TimeColumn?)] = [
      (
        .nanoseconds, column(.startMilliseconds, 6),
        column(.presentSeconds, 9) ?? column(.presentMilliseconds, 6)
      ),
      (.nanoseconds, column(.startMachineMilliseconds, 6), nil),
      (.date, column(.startDate, 0), column(.presentDate, 0)),
      (.ticks, column(.startTicks, 0), column(.presentTicks, 0)),
    ]
    return choices.first { $0.1 != nil || $0.2 != nil } ?? (.lengths, nil, nil)
  }
}
