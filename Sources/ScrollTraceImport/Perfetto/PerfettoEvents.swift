import ScrollTraceModel

/// The events of tracks until all tracks are known: a track may be described after its events.
struct PerfettoEvents {
  /// What becomes of an event.
  enum Kind: UInt8 {
    case begin, end, instant, complete
    /// Work of a thread by the kernel's trace buffer, apart from what the process tells itself.
    case lineBegin, lineEnd
    /// Asynchronous work that is joined by an id and not by its track.
    case asyncBegin, asyncEnd
    /// A value of a counter, and one or more values in the event's arguments.
    case sample, samples
  }

  /// One event, small: traces have very many of them.
  struct Event {
    var time: Timestamp
    /// The position of its track.
    var track: Int32
    /// The position of the track of the thread that told it; -1 for none.
    var home: Int32
    /// The position of its label.
    var entry: Int32
    /// The position of what else it says; -1 for nothing.
    var detail: Int32 = -1
    var kind: Kind
  }

  /// What few events say.
  struct Detail {
    /// Where its arguments stand in the text of all.
    var arguments: Range<Int> = 0..<0
    var length: Int64 = 0
    var value: Double = 0
    /// What joins begin and end; of a counter's value, the epoch in which steps add up.
    var id: UInt64?
    var isLocal = false
  }

  /// A point of an arrow, whose kind is known when all are.
  struct FlowPoint {
    var time: Timestamp
    var track: Int32
    var home: Int32
    var entry: Int32
    var id: UInt64
    var isEnd: Bool
  }

  private(set) var all: [Event] = []
  private(set) var details: [Detail] = []
  private(set) var flows: [FlowPoint] = []
  private(set) var entries: [ChromeLabels.Entry] = []
  /// The categories of the labels, in their order.
  private(set) var categories: [StringID] = []
  private var positions: [UInt64: Int32] = [:]

  /// The position of the label of `category` and `name`.
  mutating func entry(
    category: StringID, name: StringID, in builder: inout TraceBuilder
  ) -> Int32 {
    let key = UInt64(category.rawValue) << 32 | UInt64(name.rawValue)
    if let known = positions[key] { return known }
    let position = Int32(truncatingIfNeeded: entries.count)
    entries.append(ChromeLabels.Entry(category: category, name: name, in: &builder))
    categories.append(category)
    positions[key] = position
    return position
  }

  /// Takes an event.
  mutating func add(_ event: Event, _ detail: Detail? = nil) {
    var event = event
    if let detail {
      event.detail = Int32(truncatingIfNeeded: details.count)
      details.append(detail)
    }
    all.append(event)
  }

  /// Works out the values of counters and their names, once all tracks are described.
  mutating func settleSamples(_ tracks: PerfettoTracks, in builder: inout TraceBuilder) {
    var sums: [Step: Double] = [:]
    for index in all.indices where all[index].kind == .sample && all[index].detail >= 0 {
      let track = tracks.all[Int(all[index].track)]
      let position = Int(all[index].detail)
      details[position].value *= Double(track.counter.multiplier)
      if track.counter.isIncremental {
        let step = Step(track: all[index].track, epoch: details[position].id)
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

  /// Takes a point of an arrow.
  mutating func add(_ flow: FlowPoint) { flows.append(flow) }
}
