import ScrollTraceModel

/// Pairs the events of asynchronous work (`b` and `e`, formerly `S` and `F`) by id and name.
///
/// An id such as a reporter's lane is reused, and events can be written long after their time.
/// Therefore, they are sorted by time before they are paired.
struct ChromeAsyncPairing {
  /// A begin or an end, kept small because traces contain very many.
  struct Record {
    var time: Timestamp
    var track: TrackID
    var label: LabelID
    var meaning: ChromeName
    var isBegin: Bool
    /// Whether the page itself measured it.
    var isMeasure: Bool
    /// Whether it is work of its thread that overlaps other work there.
    var overlaps: Bool
    /// More data of the start: an index with a meaning for the collector.
    var payload: Int32 = -1
    var arguments = ArgumentListID.none
    /// The indexes of the id, and of the id and name together. Equal keys have equal indexes.
    var lane: Int32 = -1
    var key: Int32 = -1
  }

  /// A begin with its end, as indexes into `records`.
  struct Pair {
    var start: Int
    var end: Int
    /// The pipeline reporter that was open on the same lane at the start.
    var reporter: Int?
  }

  private struct Key: Hashable, RecentKey {
    typealias Kept = Key

    var id: ChromeID
    var name: StringID

    var mark: UInt64 { id.value ^ UInt64(name.rawValue) &<< 32 }
  }

  private(set) var records: [Record] = []
  private var lanes: [ChromeID: Int32] = [:]
  private var keys: [Key: Int32] = [:]
  /// The number of ends whose start lies before the recording.
  private(set) var beganBefore = 0
  private var recent = RecentValues<Key, (lane: Int32, key: Int32)>(count: 512)

  mutating func add(_ record: Record, id: ChromeID, name: StringID) {
    let key = Key(id: id, name: name)
    var record = record
    if let known = recent.find(key) {
      (record.lane, record.key) = known
    } else {
      record.lane = Self.position(of: id, in: &lanes)
      record.key = Self.position(of: key, in: &keys)
      recent.keep((record.lane, record.key), for: key)
    }
    records.append(record)
  }

  // Static, because a method would hold a second reference to the table, and each new key would
  // copy it.
  private static func position<Key>(of key: Key, in table: inout [Key: Int32]) -> Int32 {
    if let known = table[key] { return known }
    let position = Int32(truncatingIfNeeded: table.count)
    table[key] = position
    return position
  }

  /// Returns the pairs in order of their ends. Unpaired events are counted; an end without an
  /// earlier start belongs to work that started before the recording.
  mutating func pairs(countingLossesIn builder: inout TraceBuilder) -> [Pair] {
    let order = records.indices.sorted { (records[$0].time, $0) < (records[$1].time, $1) }
    // The open start of each key, or -1. `outer` holds the previously opened one of the same key.
    var open = Array(repeating: -1, count: keys.count)
    var outer = [Int: Int]()
    var hasBegun = Array(repeating: false, count: keys.count)
    var reporterOfLane = Array(repeating: -1, count: lanes.count)
    var enclosing = [Int: Int]()
    var pairs: [Pair] = []
    for index in order {
      let meaning = records[index].meaning
      let (lane, key) = (Int(records[index].lane), Int(records[index].key))
      if records[index].isBegin {
        if open[key] >= 0 { outer[index] = open[key] }
        open[key] = index
        hasBegun[key] = true
        if meaning == .pipelineReporter { reporterOfLane[lane] = index }
        if meaning == .sendBeginMainFrame || meaning == .reporterCommit, reporterOfLane[lane] >= 0 {
          enclosing[index] = reporterOfLane[lane]
        }
      } else if open[key] >= 0 {
        let begin = open[key]
        open[key] = outer.removeValue(forKey: begin) ?? -1
        pairs.append(Pair(start: begin, end: index, reporter: enclosing[begin]))
        // An end can lack a name, so the start identifies the ended work.
        if records[begin].meaning == .pipelineReporter { reporterOfLane[lane] = -1 }
      } else if !hasBegun[key] {
        // It started before the recording.
        beganBefore += 1
      } else {
        builder.countLoss(.unmatchedEnd)
      }
    }
    var left = open.filter { $0 >= 0 }.sorted()
    while let index = left.popLast() {
      let record = records[index]
      if record.isMeasure {
        // A page measures completed work: an event without an end had no duration.
        builder.addAsyncSpan(
          on: record.track, from: record.time, to: record.time, label: record.label,
          arguments: record.arguments)
      } else if record.meaning.isRecorded, record.payload >= 0 {
        // It was read already.
      } else {
        builder.addOpenSpan(
          on: record.track, since: record.time, label: record.label, mayHaveEnded: true)
      }
      if let previous = outer[index] { left.append(previous) }
    }
    return pairs
  }
}
