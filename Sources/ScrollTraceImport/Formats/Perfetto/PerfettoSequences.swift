import ScrollTraceModel

/// What was said on each sequence of packets and holds for those that come: names given once, and
/// what is meant where nothing is said.
struct PerfettoSequences {
  /// The state of one sequence.
  struct State {
    /// Whether nothing is missing that packets may refer to.
    var isValid = false
    var names = PerfettoNames()
    var defaultClock: UInt32?
    var defaultTrack: UInt64? {
      didSet { home = nil }
    }
    /// The thread that writes the sequence, in the form of older writers.
    var thread: (process: UInt64, thread: UInt64)? {
      didSet { home = nil }
    }
    /// The position of the track that is meant where none is named, once it was looked up.
    var home: Int?
    /// From when on older writers count the times of events, in nanoseconds.
    var reference: Int64 = 0
    /// Incremental values add up as long as this number stays the same.
    var epoch: UInt64 = 0
  }

  /// The states by their position.
  var states: [State] = []
  /// The tracks of the further values of events that do not name them, by the sequence's position;
  /// apart from the states, which are looked at for each event.
  private(set) var extraTracks: [Int: PerfettoTrackEvent.ExtraTracks] = [:]
  private var positions = PerfettoPositions()
  private var epochCount: UInt64 = 0

  // A state is looked at where it lies: read through the array, all of it may be copied, with its
  // tables, at each event. What changes it cannot be given a copy, so names are asked for that way.

  /// The position of the track that is meant where none is named, once it was looked up.
  @inline(__always)
  func home(at position: Int) -> Int? {
    states.withUnsafeBufferPointer { $0.baseAddress?[position].home }
  }

  /// The name that the sequence gave the number `id`.
  @inline(__always)
  mutating func eventName(_ id: UInt64, at position: Int) -> StringID? {
    states[position].names.event(id)
  }

  /// Incremental values add up as long as this number stays the same.
  @inline(__always)
  func epoch(at position: Int) -> UInt64 {
    states.withUnsafeBufferPointer { $0.baseAddress?[position].epoch ?? 0 }
  }

  /// The clock of packets that name none.
  @inline(__always)
  func defaultClock(at position: Int) -> UInt32? {
    states.withUnsafeBufferPointer { $0.baseAddress?[position].defaultClock }
  }

  /// Takes what `packet` says of its sequence, and gives the sequence's position, or `nil` if the
  /// packet needs what was lost.
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
    }
    guard !packet.needsState || states[position].isValid else { return nil }
    if let defaults = packet.defaults, !takeDefaults(defaults, at: position) {
      builder.countLoss(.malformedRecord)
    }
    if let data = packet.internedData, !states[position].names.add(data, in: &builder) {
      builder.countLoss(.malformedRecord)
    }
    return position
  }

  private mutating func addSequence(_ number: UInt32) -> Int {
    positions.add(UInt64(number), at: states.count)
    epochCount += 1
    states.append(State(epoch: epochCount))
    return states.count - 1
  }

  private mutating func takeDefaults(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Bool {
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

/// The names that one sequence of packets has given numbers.
struct PerfettoNames {
  /// Names of one kind by their numbers.
  private struct Table {
    /// How far a number may be ahead of the ones before it to be kept in the list.
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

    /// Numbers count up; a list that follows them must not grow with one that jumps.
    mutating func set(_ name: StringID, for id: UInt64) {
      guard id <= UInt64(near.count + Self.slack) else { return far[id] = name }
      while UInt64(near.count) <= id { near.append(Self.unknown) }
      near[Int(id)] = name
    }
  }

  /// How many categories an event may have for their joined name to be kept.
  private static let keptCategoryCount = 4

  private var events = Table()
  private var categories = Table()
  private var annotations = Table()
  private var texts = Table()
  private var joined: [UInt64: StringID] = [:]

  /// Takes new names; `false` where some are damaged.
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

  /// The name of an event; `nil` for a number that was never given.
  @inline(__always)
  mutating func event(_ id: UInt64) -> StringID? { events[id] }

  /// The name of an annotation of an event.
  @inline(__always)
  func annotation(_ id: UInt64) -> StringID? { annotations[id] }

  /// The text that is an annotation's value.
  @inline(__always)
  func text(_ id: UInt64) -> StringID? { texts[id] }

  /// The categories of `event` that have numbers, as one name with commas; `nil` for an unknown
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

  private func joinedText(
    of event: PerfettoTrackEvent, in builder: inout TraceBuilder
  ) -> String? {
    var names: [StringID?] = []
    event.forEachCategory { names.append(categories[$0]) }
    var text = ""
    for (index, name) in names.enumerated() {
      guard let name else { return nil }
      // What is longer would be cut when it is kept.
      guard text.utf8.count < StringTable.maximumLength else {
        builder.countLoss(.limitReached)
        break
      }
      text += (index > 0 ? "," : "") + builder.name(of: name)
    }
    return text
  }
}
