import ScrollTraceModel

/// The state of each sequence of packets: interned names and default values.
struct PerfettoSequences {
  struct State {
    /// Whether no referenced data is missing.
    var isValid = false
    var names = PerfettoNames()
    var defaultClock: UInt32?
    var defaultTrack: UInt64? { didSet { home = nil } }
    /// The thread that writes the sequence, in the form of older writers.
    var thread: (process: UInt64, thread: UInt64)? { didSet { home = nil } }
    /// The position of the default track, once resolved.
    var home: Int?
    /// The reference of event times of older writers, in nanoseconds.
    var reference: Int64 = 0
    /// The number that identifies one series of increments.
    var epoch: UInt64 = 0
  }

  var states: [State] = []
  /// The default tracks of events' additional values, by the sequence's position; separate from the
  /// states, which are accessed for each event.
  private(set) var extraTracks: [Int: PerfettoTrackEvent.ExtraTracks] = [:]
  /// The latest time of each sequence, and whether packets after it are lost, by its position.
  private var ends: [(time: Int64, isLost: Bool)] = []
  private var positions = PerfettoPositions()
  private var epochCount: UInt64 = 0

  // A state is accessed in place: reading through the array could copy all of it, with its tables,
  // for each event. Mutating code cannot receive a copy, so names are looked up that way.

  /// Returns the position of the default track, once resolved.
  @inline(__always)
  func home(at position: Int) -> Int? {
    states.withUnsafeBufferPointer { $0.baseAddress?[position].home }
  }

  @inline(__always)
  mutating func eventName(_ id: UInt64, at position: Int) -> StringID? {
    states[position].names.event(id)
  }

  @inline(__always)
  func epoch(at position: Int) -> UInt64 {
    states.withUnsafeBufferPointer { $0.baseAddress?[position].epoch ?? 0 }
  }

  @inline(__always)
  func defaultClock(at position: Int) -> UInt32? {
    states.withUnsafeBufferPointer { $0.baseAddress?[position].defaultClock }
  }

  /// Updates the packet's sequence, and returns the sequence's position, or `nil` if the packet
  /// depends on lost data.
  @inline(__always)
  mutating func enter(_ packet: PerfettoPacket, in builder: inout TraceBuilder) -> Int? {
    let known = positions[UInt64(packet.sequence)]
    let position = known ?? addSequence(packet.sequence)
    if packet.clearsState {
      epochCount += 1
      states[position] = State(isValid: true, epoch: epochCount)
      extraTracks[position] = nil
    } else if packet.followsLoss {
      states[position].isValid = false
    }
    if packet.followsLoss, known != nil, !packet.isFirst {
      builder.countLoss(.sourceDroppedRecords)
      ends[position].isLost = true
    }
    guard !packet.needsState || states[position].isValid else { return nil }
    if let defaults = packet.defaults, !readDefaults(defaults, at: position) {
      builder.countLoss(.malformedRecord)
    }
    if let data = packet.internedData, !states[position].names.add(data, in: &builder) {
      builder.countLoss(.malformedRecord)
    }
    return position
  }

  /// Counts an event at `time`, and returns the time before it whose packets are lost, or `nil` if none are.
  @inline(__always)
  mutating func lostTime(before time: Timestamp, at position: Int) -> TimeRange? {
    let end = ends[position]
    guard time.nanoseconds > end.time else { return nil }
    ends[position] = (time.nanoseconds, false)
    guard end.isLost, let start = Timestamp(nanoseconds: end.time) else { return nil }
    return TimeRange(start: start, end: time)
  }

  private mutating func addSequence(_ number: UInt32) -> Int {
    positions.add(UInt64(number), at: states.count)
    epochCount += 1
    states.append(State(epoch: epochCount))
    ends.append((-1, false))
    return states.count - 1
  }

  private mutating func readDefaults(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Bool {
    var isWhole = true
    var fields = WireFields(bytes)
    while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (58, false): states[position].defaultClock = PerfettoClocks.number(fields.value)
      case (11, true):
        var inner = WireFields(fields.bytes)
        while inner.next() {
          if inner.number == 11, !inner.isBytes { states[position].defaultTrack = inner.value }
        }
        extraTracks[position] = PerfettoTrackEvent.ExtraTracks(of: fields.bytes)
        isWhole = !inner.isDamaged
      default: break
      }
    }
    return isWhole && !fields.isDamaged
  }
}

/// The interned names of one sequence of packets.
struct PerfettoNames {
  /// Names of one kind by their numbers.
  private struct Table {
    /// The maximum distance of a number from the previous ones for storage in the list.
    private static let slack = 64
    private static let unknown = StringID(rawValue: .max)

    private var near: [StringID] = []
    private var far: [UInt64: StringID] = [:]

    @inline(__always)
    subscript(id: UInt64) -> StringID? {
      if id < UInt64(truncatingIfNeeded: near.count) {
        let name = near[Int(truncatingIfNeeded: id)]
        if name != Self.unknown { return name }
      }
      return far.isEmpty ? nil : far[id]
    }

    /// Numbers count up; the list must not grow with one that jumps.
    mutating func set(_ name: StringID, for id: UInt64) {
      guard id <= UInt64(near.count + Self.slack) else { return far[id] = name }
      while UInt64(near.count) <= id { near.append(Self.unknown) }
      near[Int(id)] = name
    }
  }

  /// The maximum number of an event's categories for which the joined name is stored.
  private static let keptCategoryCount = 4

  private var events = Table()
  private var categories = Table()
  private var annotations = Table()
  private var texts = Table()
  private var joined: [UInt64: StringID] = [:]

  /// Adds new names; returns `false` if some are damaged.
  mutating func add(_ data: UnsafeRawBufferPointer, in builder: inout TraceBuilder) -> Bool {
    var isWhole = true
    var fields = WireFields(data)
    while fields.next() {
      guard fields.isBytes, [1, 2, 3, 29].contains(fields.number) else { continue }
      guard let (id, name) = Self.entry(fields.bytes, in: &builder) else {
        isWhole = false
        continue
      }
      switch fields.number {
      case 1:
        categories.set(name, for: id)
        joined = [:]
      case 2: events.set(name, for: id)
      case 3: annotations.set(name, for: id)
      default: texts.set(name, for: id)
      }
    }
    return isWhole && !fields.isDamaged
  }

  private static func entry(
    _ bytes: UnsafeRawBufferPointer, in builder: inout TraceBuilder
  ) -> (UInt64, StringID)? {
    var (id, name) = (UInt64?.none, StringID.empty)
    var fields = WireFields(bytes)
    while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (1, false): id = fields.value
      case (2, true): name = builder.string(fields.bytes.bindMemory(to: UInt8.self))
      default: break
      }
    }
    guard !fields.isDamaged, let id else { return nil }
    return (id, name)
  }

  @inline(__always)
  mutating func event(_ id: UInt64) -> StringID? { events[id] }

  @inline(__always)
  mutating func annotation(_ id: UInt64) -> StringID? { annotations[id] }

  @inline(__always)
  mutating func text(_ id: UInt64) -> StringID? { texts[id] }

  /// Returns the numbered categories of `event`, as one name with commas, or `nil` for an undefined
  /// number.
  @inline(__always)
  mutating func category(
    of event: PerfettoTrackEvent, in builder: inout TraceBuilder
  ) -> StringID? {
    guard let first = event.categoryNumber else { return .empty }
    return event.hasMoreCategories ? joinedCategory(of: event, in: &builder) : categories[first]
  }

  private mutating func joinedCategory(
    of event: PerfettoTrackEvent, in builder: inout TraceBuilder
  ) -> StringID? {
    var (key, count, isShort) = (UInt64(0), 0, true)
    event.forEachCategory { id in
      (key, count) = (key << 16 | id, count + 1)
      if id == 0 || id >= 1 << 16 { isShort = false }
    }
    isShort = isShort && count <= Self.keptCategoryCount
    if isShort, let known = joined[key] { return known }
    guard let text = joinedText(of: event, in: &builder) else { return nil }
    let name = builder.string(text)
    if isShort { joined[key] = name }
    return name
  }

  private func joinedText(of event: PerfettoTrackEvent, in builder: inout TraceBuilder) -> String? {
    var names: [StringID?] = []
    event.forEachCategory { names.append(categories[$0]) }
    var text = ""
    for (index, name) in names.enumerated() {
      guard let name else { return nil }
      // A longer name would be truncated when it is stored.
      guard text.utf8.count < StringTable.maximumLength else {
        builder.countLoss(.limitReached)
        break
      }
      text += (index > 0 ? "," : "") + builder.name(of: name)
    }
    return text
  }
}
