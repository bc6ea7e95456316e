import ScrollTraceModel

/// Pairs the events of asynchronous work (`b` and `e`, of old `S` and `F`) by id and name.
///
/// An id such as a reporter's lane is used again and again, and events may be written long after
/// their time; so they are put in order of time before they are paired.
struct ChromeAsyncPairing {
  /// A begin or an end.
  struct Record {
    var time: Timestamp
    var place: ChromeTracks.Place
    var id: ChromeID
    var name: StringID
    var label: LabelID
    var meaning: ChromeName
    var isBegin: Bool
    /// What else the begin said: an index that the collector understands.
    var payload: Int32 = -1
    var arguments = ArgumentListID.none
  }

  /// A begin with its end, as positions in `records`.
  struct Pair {
    var begin: Int
    var end: Int
    /// The pipeline reporter that was open on the same lane when this began.
    var reporter: Int?
  }

  private struct Key: Hashable {
    var id: ChromeID
    var name: StringID
  }

  private(set) var records: [Record] = []

  mutating func add(_ record: Record) {
    records.append(record)
  }

  /// The pairs in order of their ends. What has no other half is counted.
  func pairs(countingLossesIn builder: inout TraceBuilder) -> [Pair] {
    let order = records.indices.sorted { (records[$0].time, $0) < (records[$1].time, $1) }
    // The open begin of each key; one opened before it on the same key is in `outer`.
    var open: [Key: Int] = [:]
    var outer = [Int: Int]()
    var reporterOfLane: [ChromeID: Int] = [:]
    var enclosing = [Int: Int]()
    var pairs: [Pair] = []
    for index in order {
      let record = records[index]
      let key = Key(id: record.id, name: record.name)
      if record.isBegin {
        if let previous = open[key] { outer[index] = previous }
        open[key] = index
        if record.meaning == .pipelineReporter { reporterOfLane[record.id] = index }
        if record.meaning == .sendBeginMainFrame || record.meaning == .reporterCommit {
          enclosing[index] = reporterOfLane[record.id]
        }
      } else if let begin = open[key] {
        open[key] = outer.removeValue(forKey: begin)
        pairs.append(Pair(begin: begin, end: index, reporter: enclosing[begin]))
        if record.meaning == .pipelineReporter { reporterOfLane[record.id] = nil }
      } else {
        builder.countLoss(.unmatchedEnd)
      }
    }
    var left = open.values.sorted()
    while let index = left.popLast() {
      let record = records[index]
      builder.addOpenSpan(on: record.place.track, since: record.time, label: record.label)
      if let previous = outer[index] { left.append(previous) }
    }
    return pairs
  }
}
