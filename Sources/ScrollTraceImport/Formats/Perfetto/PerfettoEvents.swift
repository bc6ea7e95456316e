import ScrollTraceModel

/// The events of tracks until all tracks are known: a track can be described after its events.
struct PerfettoEvents {
  enum Kind: UInt8 {
    case start, end, instant, complete
    /// Work of a thread according to the kernel's trace buffer, separate from the process's own
    /// events.
    case lineBegin, lineEnd
    /// Asynchronous work identified by an id and not by its track.
    case asyncBegin, asyncEnd
    /// A value of a counter, and one or more values in the event's arguments.
    case sample, samples
  }

  /// The origin of an event, which is interpreted when all tracks are known.
  struct Spot {
    /// The position of its track.
    var track: Int32
    /// The position of the writing thread's track, or -1 if there is none.
    var home: Int32
  }

  /// One event, kept small because traces contain very many.
  struct Event {
    var time: Timestamp
    /// The position of the origin.
    var spot: Int32
    /// The position of its label.
    var entry: Int32
    /// The position of its detail, or -1 if there is none.
    var detail: Int32 = -1
    var kind: Kind
  }

  /// Properties that few events have.
  struct Detail {
    /// The range of its arguments in the text of all events.
    var arguments: Range<Int> = 0..<0
    var length: Int64 = 0
    var value: Double = 0
    /// The id shared by begin and end, or the epoch of a counter's increments.
    var id: UInt64?
    var isLocal = false
  }

  /// A point of a flow, whose kind is known only when all points are.
  struct FlowPoint {
    var time: Timestamp
    var spot: Int32
    var entry: Int32
    var id: UInt64
    var isEnd: Bool
  }

  private(set) var all: [Event] = []
  private(set) var details: [Detail] = []
  private(set) var flows: [FlowPoint] = []
  /// The values of states, each valid until the next: the name of its label, or no value if it is
  /// empty.
  private(set) var states: [Event] = []
  private(set) var spots: [Spot] = []
  private(set) var entries: [ChromeLabels.Entry] = []
  /// The categories of the labels, in their order.
  private(set) var categories: [StringID] = []
  private var spotPositions = PerfettoPositions()
  private var entryPositions = PerfettoPositions()
  private var callPositions = PerfettoPositions()

  /// Reserves memory for the events of a trace of `byteCount` bytes.
  mutating func reserve(forByteCount byteCount: UInt64) {
    // Room that is not used costs no memory, but each copy into more room does.
    all.reserveCapacity(Int(clamping: min(byteCount / 16, 1 << 24)))
    details.reserveCapacity(Int(clamping: min(byteCount / 64, 1 << 22)))
  }

  /// Returns the position of the spot for events on the track at `track` from the thread of the
  /// track at `home`.
  @inline(__always)
  mutating func spot(track: Int, home: Int?) -> Int32 {
    let spot = Spot(
      track: Int32(truncatingIfNeeded: track), home: Int32(truncatingIfNeeded: home ?? -1))
    let key = Self.key(UInt32(bitPattern: spot.track), UInt32(bitPattern: spot.home))
    if let known = spotPositions[key] { return Int32(truncatingIfNeeded: known) }
    spotPositions.add(key, at: spots.count)
    spots.append(spot)
    return Int32(truncatingIfNeeded: spots.count - 1)
  }

  @inline(__always)
  mutating func entry(
    category: StringID, name: StringID, in builder: inout TraceBuilder
  ) -> Int32 {
    let key = Self.key(category.rawValue, name.rawValue)
    if let known = entryPositions[key] { return Int32(truncatingIfNeeded: known) }
    entryPositions.add(key, at: entries.count)
    return add(ChromeLabels.Entry(category: category, name: name, in: &builder), category)
  }

  /// Returns the position of the label of a call with the same category as the one at `entry` and
  /// the name `name`.
  mutating func callEntry(_ entry: Int32, name: StringID, in builder: inout TraceBuilder) -> Int32 {
    let key = Self.key(UInt32(bitPattern: entry), name.rawValue)
    if let known = callPositions[key] { return Int32(truncatingIfNeeded: known) }
    callPositions.add(key, at: entries.count)
    let category = categories[Int(entry)]
    var call = entries[Int(entry)]
    call.label = builder.label(category: category, name: name)
    call.isScrollEvent = ChromeLabels.Entry.isScrollEvent(name, in: builder)
    return add(call, category)
  }

  private mutating func add(_ entry: ChromeLabels.Entry, _ category: StringID) -> Int32 {
    entries.append(entry)
    categories.append(category)
    return Int32(truncatingIfNeeded: entries.count - 1)
  }

  @inline(__always)
  private static func key(_ high: UInt32, _ low: UInt32) -> UInt64 {
    UInt64(high) << 32 | UInt64(low)
  }

  @inline(__always)
  mutating func add(_ event: Event) { all.append(event) }

  mutating func add(_ event: Event, _ detail: Detail?) {
    var event = event
    if let detail {
      event.detail = Int32(truncatingIfNeeded: details.count)
      details.append(detail)
    }
    all.append(event)
  }

  /// Computes the values of counters and their names, after all tracks are described.
  mutating func settleSamples(_ tracks: PerfettoTracks, in builder: inout TraceBuilder) {
    var sums: [Step: Double] = [:]
    for index in all.indices where all[index].kind == .sample && all[index].detail >= 0 {
      let number = spots[Int(all[index].spot)].track
      let track = tracks.all[Int(number)]
      let position = Int(all[index].detail)
      details[position].value *= Double(track.counter.multiplier)
      if track.counter.isIncremental {
        let step = Step(track: number, epoch: details[position].id)
        details[position].value += sums[step] ?? 0
        sums[step] = details[position].value
      }
      if track.name != .empty {
        all[index].entry = entry(category: .empty, name: track.name, in: &builder)
      }
    }
  }

  private struct Step: Hashable {
    var track: Int32
    var epoch: UInt64?
  }

  mutating func addState(_ event: Event) { states.append(event) }

  mutating func add(_ flow: FlowPoint) { flows.append(flow) }
}

/// The content of one track event, before names and tracks are resolved.
struct PerfettoTrackEvent {
  enum Kind: UInt64 {
    case start = 1
    case end = 2
    case instant = 3
    case counter = 4
    case state = 5
  }

  private(set) var kind: UInt64 = 0
  private(set) var track: UInt64?
  private(set) var nameNumber: UInt64?
  private(set) var name: UnsafeRawBufferPointer?
  private(set) var categoryNumber: UInt64?
  /// Whether there are categories after the first one.
  private(set) var hasMoreCategories = false
  private(set) var category: UnsafeRawBufferPointer?
  private(set) var value: Double?
  private(set) var integer: Int64?
  /// Whether flows start, pass or end here.
  private(set) var hasFlows = false
  /// Whether there are values of additional counters.
  private(set) var hasExtraValues = false
  private(set) var delta: Int64?
  private(set) var absolute: Int64?
  /// The content of an event in the older form.
  private(set) var legacy: UnsafeRawBufferPointer?

  private let bytes: UnsafeRawBufferPointer

  /// Creates the event in `bytes`, which must outlive it, or returns `nil` if it is damaged.
  @inline(__always)
  init?(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    var fields = WireFields(bytes)
    while fields.next() {
      if fields.isBytes {
        guard readBytes(fields.bytes, fields.number) else { return nil }
      } else {
        readNumber(fields)
      }
    }
    guard !fields.isDamaged else { return nil }
  }

  @inline(__always)
  private mutating func readNumber(_ field: WireFields) {
    switch field.number {
    case 1: delta = field.signed
    case 3: addCategory(field.value)
    case 9: kind = field.value
    case 10: nameNumber = field.value
    case 11: track = field.value
    case 12, 46: hasExtraValues = true
    case 16: absolute = field.signed
    case 30: integer = field.signed
    case 36, 42, 47, 48: hasFlows = true
    case 44: value = field.double
    default: break
    }
  }

  /// Reads a length-delimited field; returns `false` if it is damaged.
  @inline(__always)
  private mutating func readBytes(_ bytes: UnsafeRawBufferPointer, _ field: UInt32) -> Bool {
    switch field {
    case 3:
      var offset = 0
      while offset < bytes.count {
        guard let number = WireFields.varint(in: bytes, at: &offset) else { return false }
        addCategory(number)
      }
    case 6: legacy = bytes
    case 12, 46: hasExtraValues = true
    case 22: if category == nil { category = bytes }
    case 23: name = bytes
    default: break
    }
    return true
  }

  @inline(__always)
  private mutating func addCategory(_ number: UInt64) {
    if categoryNumber == nil { categoryNumber = number } else { hasMoreCategories = true }
  }

  func forEachCategory(_ body: (UInt64) -> Void) {
    var fields = WireFields(bytes)
    while fields.next() { if fields.number == 3 { fields.forEachNumber(body) } }
  }

  /// The counters of the additional values of events, in order.
  struct ExtraTracks {
    private(set) var whole: [UInt64] = []
    private(set) var decimal: [UInt64] = []

    init() {}

    /// Creates the tracks that `bytes` of an event, or of a sequence's defaults, name.
    init(of bytes: UnsafeRawBufferPointer) {
      PerfettoTrackEvent.forEachNumber(in: bytes, of: 31) { whole.append($0) }
      PerfettoTrackEvent.forEachNumber(in: bytes, of: 45) { decimal.append($0) }
    }
  }

  /// Calls `body` with each value of an additional counter and that counter's track; `usual` are
  /// the tracks of an event that names none.
  func forEachExtraValue(_ usual: ExtraTracks, _ body: (UInt64, Double) -> Void) {
    let own = ExtraTracks(of: bytes)
    let whole = own.whole.isEmpty ? usual.whole : own.whole
    let decimal = own.decimal.isEmpty ? usual.decimal : own.decimal
    var index = 0
    Self.forEachNumber(in: bytes, of: 12) { value in
      if index < whole.count { body(whole[index], Double(Int64(bitPattern: value))) }
      index += 1
    }
    index = 0
    Self.forEachNumber(in: bytes, of: 46, isFixed: true) { value in
      if index < decimal.count { body(decimal[index], Double(bitPattern: value)) }
      index += 1
    }
  }

  /// Calls `body` with each number of the field `number`, including packed ones.
  private static func forEachNumber(
    in bytes: UnsafeRawBufferPointer, of number: UInt32, isFixed: Bool = false,
    _ body: (UInt64) -> Void
  ) {
    var fields = WireFields(bytes)
    while fields.next() {
      guard fields.number == number else { continue }
      guard isFixed, fields.isBytes else {
        fields.forEachNumber(body)
        continue
      }
      for offset in stride(from: 0, through: fields.bytes.count - 8, by: 8) {
        body(fields.bytes.word(at: offset))
      }
    }
  }

  /// Calls `body` with the id of each flow, continuing ones first, and whether it ends here.
  func forEachFlow(_ body: (UInt64, Bool) -> Void) {
    for isEnd in [false, true] {
      var fields = WireFields(bytes)
      while fields.next() {
        let isFlow =
          isEnd
          ? fields.number == 42 || fields.number == 48 : fields.number == 36 || fields.number == 47
        if isFlow, !fields.isBytes { body(fields.value, isEnd) }
      }
    }
  }
}
