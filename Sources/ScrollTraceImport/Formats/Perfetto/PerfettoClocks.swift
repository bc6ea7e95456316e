import ScrollTraceModel

/// The clocks of a trace, and their conversion to the trace's own clock.
///
/// A snapshot contains the readings of several clocks at one moment. A time is converted by its
/// distance from the last snapshot before it.
struct PerfettoClocks {
  /// The clock that counts during sleep: the default clock of traces.
  static let boot: UInt32 = 6

  /// The clock of older events.
  private static let monotonic: UInt32 = 3

  /// The numbers of clocks that belong to one sequence of packets.
  private static let sequenceClocks: Range<UInt32> = 64..<128

  /// The readings of a clock and of the trace's clock at one moment, in nanoseconds.
  private struct Anchor {
    var clock: Int64
    var trace: Int64
  }

  private struct Clock {
    /// The unit of its readings, in nanoseconds.
    var unit: Int64 = 1
    /// Its current value, if its times are increments.
    var last: Int64?
    var anchors: [Anchor] = []
  }

  private var traceClock = boot
  private var isNamed = false
  /// Whether times were converted to the trace's clock, which then must not change.
  private var isUsed = false
  private var clocks: [Clock] = []
  /// The positions of the clocks by their number and, for a sequence's clock, by the sequence's
  /// number.
  private var positions = PerfettoPositions()
  /// The time of the current packet, or `nil` if its clock cannot be read.
  private var packetTime: Int64?
  /// The time of the last packet that had one.
  private var latest: Int64 = 0
  /// The number of packets whose clock no snapshot contains.
  private(set) var unknownClockCount: UInt64 = 0

  /// Returns the number of a clock, or `nil` for zero, which is no clock.
  static func number(_ value: UInt64) -> UInt32? {
    let number = UInt32(truncatingIfNeeded: value)
    return number > 0 ? number : nil
  }

  // MARK: - Packets

  /// Works out when a packet was written, with the clock of its own or of its sequence.
  mutating func enter(_ packet: PerfettoPacket, clock: UInt32?) {
    guard let timestamp = packet.timestamp else {
      packetTime = latest
      return
    }
    packetTime = traceTime(timestamp, clock: clock, sequence: packet.sequence)
    if let packetTime, packetTime >= 0 { latest = packetTime }
  }

  /// Returns the time of the event of the packet that was entered last, or counts a loss and returns
  /// `nil` if it is unknown.
  mutating func time(of packet: PerfettoPacket, in builder: inout TraceBuilder) -> Timestamp? {
    if let time = packetTime.flatMap(Timestamp.init(nanoseconds:)) { return time }
    if packetTime == nil, packet.timestamp.map({ $0 <= UInt64(Int64.max) }) == true {
      unknownClockCount += 1
    }
    builder.countLoss(.timeOutOfRange)
    return nil
  }

  // MARK: - Snapshots

  /// Adds a snapshot from `sequence`; returns `false` if it is damaged.
  mutating func add(_ snapshot: UnsafeRawBufferPointer, sequence: UInt32) -> Bool {
    var readings: [(clock: UInt32, position: Int, time: Int64)] = []
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
    var time = readings.first { $0.clock == traceClock }?.time
    for reading in readings where time == nil { time = convert(reading.time, reading.position) }
    guard let time else { return isWhole && !fields.isDamaged }
    for (clock, position, reading) in readings where clock != traceClock {
      // Snapshots that go back in time would break the search order.
      if let latest = clocks[position].anchors.last, latest.clock >= reading { continue }
      clocks[position].anchors.append(Anchor(clock: reading, trace: time))
      isUsed = true
    }
    return isWhole && !fields.isDamaged
  }

  private mutating func reading(
    _ clock: UnsafeRawBufferPointer, sequence: UInt32
  ) -> (clock: UInt32, position: Int, time: Int64)? {
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
      let value = Int64(exactly: time), let nanoseconds = value.times(length)
    else { return nil }
    let key = Self.key(id, sequence)
    let position = positions[key] ?? clocks.count
    if position == clocks.count {
      clocks.append(Clock())
      positions.add(key, at: position)
    }
    if Self.sequenceClocks.contains(id) {
      clocks[position].unit = length
      clocks[position].last = isIncremental ? nanoseconds : nil
    }
    return (id, position, nanoseconds)
  }

  // MARK: - Times

  /// Returns the trace's time for a packet's `value` of `clock`, or `nil` if no snapshot contains
  /// the clock.
  @inline(__always)
  mutating func traceTime(_ value: UInt64, clock: UInt32?, sequence: UInt32) -> Int64? {
    let time = find(value, clock: clock, sequence: sequence)
    if time != nil { isUsed = true }
    return time
  }

  /// Returns the trace's time for a time of the clock of older events, which is the trace's own if no
  /// snapshot contains the clock.
  mutating func traceTime(ofMonotonic time: Timestamp) -> Timestamp {
    let value = UInt64(time.nanoseconds)
    return traceTime(value, clock: Self.monotonic, sequence: 0)
      .flatMap(Timestamp.init(nanoseconds:)) ?? time
  }

  private mutating func find(_ value: UInt64, clock: UInt32?, sequence: UInt32) -> Int64? {
    guard let value = Int64(exactly: value) else { return nil }
    if clock ?? Self.boot == traceClock { return value }
    guard let clock else {
      // Packets without a clock use the default one, which can differ from the trace's.
      return positions[Self.key(Self.boot, 0)].flatMap { convert(value, $0) } ?? value
    }
    // A trace without snapshots has only the default clock.
    let isUsual = clock == Self.boot && !isNamed
    guard let position = positions[Self.key(clock, sequence)] else { return isUsual ? value : nil }
    guard var time = value.times(clocks[position].unit) else { return nil }
    if let last = clocks[position].last {
      guard let sum = last.plus(time) else { return nil }
      (time, clocks[position].last) = (sum, sum)
    }
    return convert(time, position) ?? (isUsual ? time : nil)
  }

  /// Returns the trace's time for a time of the clock at `position`, which is not the trace's own.
  private func convert(_ time: Int64, _ position: Int) -> Int64? {
    guard var anchor = clocks[position].anchors.last else { return nil }
    if time < anchor.clock {
      // The last one at or before the time, or else the first one.
      let anchors = clocks[position].anchors
      anchor = anchors[max(0, anchors.partitionPoint { $0.clock > time } - 1)]
    }
    guard let distance = time.minus(anchor.clock) else { return nil }
    return anchor.trace.plus(distance)
  }

  private static func key(_ clock: UInt32, _ sequence: UInt32) -> UInt64 {
    UInt64(clock) << 32 | UInt64(sequenceClocks.contains(clock) ? sequence : 0)
  }
}

/// The positions of numbered objects, in order of arrival.
///
/// Traces name the same few objects over and over: recent ones are found without a table lookup.
struct PerfettoPositions {
  private var all: [UInt64: Int32] = [:]
  private var recent = RecentValues<UInt64, Int32>(count: 512)

  /// Returns the position of the object with the number `key`, or `nil` if it is new.
  @inline(__always)
  subscript(key: UInt64) -> Int? { mutating get { recent.find(key).map { Int($0) } ?? find(key) } }

  mutating func add(_ key: UInt64, at position: Int) {
    let position = Int32(truncatingIfNeeded: position)
    all[key] = position
    recent.keep(position, for: key)
  }

  @inline(never)
  private mutating func find(_ key: UInt64) -> Int? {
    guard let position = all[key] else { return nil }
    recent.keep(position, for: key)
    return Int(position)
  }
}
