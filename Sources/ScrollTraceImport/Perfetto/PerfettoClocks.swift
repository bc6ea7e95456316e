import ScrollTraceModel

/// The clocks of a trace, and how each is to be read on the one that the trace is told in.
///
/// A snapshot says what several clocks showed at one moment. An instant of a clock is as far from
/// the last snapshot before it as on the clock of the trace.
struct PerfettoClocks {
  /// The clock that counts on while the machine sleeps: the one of traces that do not name theirs.
  static let boot: UInt32 = 6

  /// The clock that older events are told in.
  static let monotonic: UInt32 = 3

  /// Clocks from this number on, and below the next one, belong to one sequence of packets.
  private static let sequenceClocks: Range<UInt32> = 64..<128

  private struct Key: Hashable {
    var sequence: UInt32
    var clock: UInt32
  }

  /// What a clock and the trace's clock showed at one moment, in nanoseconds.
  private struct Anchor {
    var clock: Int64
    var trace: Int64
  }

  private struct Unit {
    var nanoseconds: Int64 = 1
    /// Where a clock stands whose times are told as steps from the one before.
    var last: Int64?
  }

  private var traceClock = boot
  private var isNamed = false
  /// Whether times were placed on the trace's clock, which then must stay the one it is.
  private var isUsed = false
  private var anchors: [Key: [Anchor]] = [:]
  private var units: [Key: Unit] = [:]

  /// The number of a clock; `nil` for zero, which stands for none.
  static func number(_ value: UInt64) -> UInt32? {
    let number = UInt32(truncatingIfNeeded: value)
    return number > 0 ? number : nil
  }

  /// Takes a snapshot that came on `sequence`; `false` where it is damaged.
  mutating func add(_ snapshot: UnsafeRawBufferPointer, sequence: UInt32) -> Bool {
    var readings: [(key: Key, time: Int64)] = []
    var (primary, isWhole) = (UInt32?.none, true)
    var fields = WireFields(snapshot)
    while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (1, true):
        if let reading = reading(fields.bytes, sequence: sequence) {
          readings.append(reading)
        } else {
          isWhole = false
        }
      case (2, false): primary = Self.number(fields.value)
      default: break
      }
    }
    if let primary, !isNamed, !isUsed { (traceClock, isNamed) = (primary, true) }
    var time = readings.first { $0.key.clock == traceClock }?.time
    for (key, reading) in readings where time == nil { time = convert(reading, key) }
    guard let time else { return isWhole && !fields.isDamaged }
    for (key, reading) in readings where key.clock != traceClock {
      // Snapshots that go back in time would break the order that is searched in.
      if let last = anchors[key]?.last, last.clock >= reading { continue }
      anchors[key, default: []].append(Anchor(clock: reading, trace: time))
      isUsed = true
    }
    return isWhole && !fields.isDamaged
  }

  private mutating func reading(
    _ clock: UnsafeRawBufferPointer, sequence: UInt32
  ) -> (key: Key, time: Int64)? {
    var (id, time, isIncremental, unit) = (UInt32(0), UInt64(0), false, UInt64(1))
    var fields = WireFields(clock)
    while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (1, false): id = UInt32(truncatingIfNeeded: fields.value)
      case (2, false): time = fields.value
      case (3, false): isIncremental = fields.value != 0
      case (4, false): unit = fields.value
      default: break
      }
    }
    guard !fields.isDamaged, let length = Int64(exactly: max(1, unit)),
      let value = Int64(exactly: time)
    else { return nil }
    let (nanoseconds, overflow) = value.multipliedReportingOverflow(by: length)
    guard !overflow else { return nil }
    let key = key(id, sequence)
    if Self.sequenceClocks.contains(id) {
      units[key] = Unit(nanoseconds: length, last: isIncremental ? nanoseconds : nil)
    }
    return (key, nanoseconds)
  }

  /// The trace's time for a packet's `value` of `clock`; `nil` where no snapshot tells.
  mutating func place(_ value: UInt64, clock: UInt32?, sequence: UInt32) -> Int64? {
    let placed = find(value, clock: clock, sequence: sequence)
    if placed != nil { isUsed = true }
    return placed
  }

  private mutating func find(_ value: UInt64, clock: UInt32?, sequence: UInt32) -> Int64? {
    guard let value = Int64(exactly: value) else { return nil }
    guard let clock else {
      // Packets that name no clock mean the usual one, which may be another than the trace's.
      return convert(value, key(Self.boot, 0)) ?? value
    }
    if clock == traceClock { return value }
    let key = key(clock, sequence)
    var unit = units[key] ?? Unit()
    var (time, overflow) = value.multipliedReportingOverflow(by: unit.nanoseconds)
    guard !overflow else { return nil }
    if let last = unit.last {
      (time, overflow) = last.addingReportingOverflow(time)
      guard !overflow else { return nil }
      unit.last = time
      units[key] = unit
    }
    if let placed = convert(time, key) { return placed }
    // A trace without any snapshot has no other clock than the usual one.
    return clock == Self.boot && !isNamed ? time : nil
  }

  private func convert(_ time: Int64, _ key: Key) -> Int64? {
    guard key.clock != traceClock else { return time }
    guard let known = anchors[key], let last = known.last else { return nil }
    let anchor =
      time >= last.clock ? last : known[max(0, known.partitionPoint { $0.clock > time } - 1)]
    let (distance, first) = time.subtractingReportingOverflow(anchor.clock)
    let (sum, second) = anchor.trace.addingReportingOverflow(distance)
    return first || second ? nil : sum
  }

  private func key(_ clock: UInt32, _ sequence: UInt32) -> Key {
    Key(sequence: Self.sequenceClocks.contains(clock) ? sequence : 0, clock: clock)
  }
}
