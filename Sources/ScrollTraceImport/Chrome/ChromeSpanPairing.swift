import ScrollTraceModel

/// Makes spans of begin and end events (`B`, `E`), which may come in any order of time.
struct ChromeSpanPairing {
  private struct Record {
    var time: Timestamp
    var track: TrackID
    var label: LabelID
    var name: StringID
    var isBegin: Bool
    var isCall: Bool
    var stack: UInt8
  }

  /// The spans that are open on a thread, of one of those who tell of it.
  private struct Stack: Hashable {
    var track: TrackID
    var number: UInt8
  }

  /// How far down an end looks for the begin of its name.
  private static let searchedDepth = 64

  private var records: [Record] = []

  /// Takes a begin or an end. Only ends of the same `stack` close a begin: a thread that two recorders
  /// tell of has one for each.
  mutating func add(
    isBegin: Bool, at time: Timestamp, on track: TrackID, label: LabelID, name: StringID,
    isCall: Bool, stack: UInt8 = 0
  ) {
    records.append(
      Record(
        time: time, track: track, label: label, name: name, isBegin: isBegin, isCall: isCall,
        stack: stack))
  }

  /// Adds the spans to `builder` and those that run scripts to `calls`; a begin without an end is an
  /// open span, never a long one.
  mutating func finish(in builder: inout TraceBuilder, calls: inout ChromeScriptCalls) {
    var stacks: [Stack: [Int]] = [:]
    let order = records.indices.sorted {
      (records[$0].time, $0) < (records[$1].time, $1)
    }
    for index in order {
      let record = records[index]
      let stack = Stack(track: record.track, number: record.stack)
      if record.isBegin {
        stacks[stack, default: []].append(index)
      } else if let begin = close(record, in: &stacks[stack, default: []], &builder) {
        builder.addSpan(
          on: record.track, from: records[begin].time, to: record.time,
          label: records[begin].label)
        if records[begin].isCall {
          calls.add(from: records[begin].time, to: record.time, on: record.track)
        }
      } else {
        builder.countLoss(.unmatchedEnd)
      }
    }
    for index in stacks.values.joined().sorted() {
      leaveOpen(index, in: &builder)
    }
    records = []
  }

  /// Takes the begin that `end` closes from the stack, and what was begun inside of it.
  private func close(
    _ end: Record, in stack: inout [Int], _ builder: inout TraceBuilder
  ) -> Int? {
    guard let top = stack.last else { return nil }
    if end.name == .empty || records[top].name == end.name {
      stack.removeLast()
      return top
    }
    // The end of an inner span is missing, or this one's own begin.
    let searched = stack.suffix(Self.searchedDepth)
    guard let place = searched.lastIndex(where: { records[$0].name == end.name }) else {
      return nil
    }
    for inner in stack[(place + 1)...] { leaveOpen(inner, in: &builder) }
    let begin = stack[place]
    stack.removeSubrange(place...)
    return begin
  }

  private func leaveOpen(_ index: Int, in builder: inout TraceBuilder) {
    let record = records[index]
    builder.addOpenSpan(on: record.track, since: record.time, label: record.label)
  }
}
