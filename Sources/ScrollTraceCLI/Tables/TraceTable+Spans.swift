import ScrollTraceKit

/// The table of spans: those of threads with the spans around them, then those of no thread.
extension TraceTable {
  static let spans = TraceTable(
    "spans",
    [
      "span_key", "parent_key", "process", "thread", "is_main", "depth", "category", "name", "item",
      "start_ns", "end_ns", "duration_ns", "self_ns", "arguments",
    ]
  ) { material, rows in
    let trace = material.trace
    var first = 1
    for (id, track) in trace.numberedTracks {
      let nesting = SpanNesting(track.spans)
      let process = TableRows.field(trace.displayName(of: track.process))
      let isMain = id == trace.mainTrack
      for index in 0..<track.spans.count where !rows.hasFailed {
        let parent = nesting.parents[index]
        rows.add(first + index)
        rows.add(parent >= 0 ? first + parent : nil)
        rows.add(field: process)
        rows.add(field: material.threads[id.index])
        rows.add(isMain)
        rows.add(nesting.depths[index])
        let span = track.spans[index]
        rows.add(span.label, span.arguments, span.range, self: nesting.selfTimes[index], material)
      }
      first += track.spans.count
    }
    let processes = trace.processes.indices.map {
      TableRows.field(trace.displayName(of: ProcessID(index: $0)))
    }
    for (index, span) in trace.asyncSpans.enumerated() where !rows.hasFailed {
      rows.add(first + index)
      rows.add(Int?.none)
      rows.add(field: processes[trace.tracks[span.track.index].process.index])
      rows.add("")
      rows.add(false)
      rows.add(Int?.none)
      rows.add(span.label, span.arguments, span.range, self: nil, material)
    }
  }
}

extension TableRows {
  fileprivate mutating func add(
    _ label: LabelID, _ arguments: ArgumentListID, _ range: TimeRange, self selfTime: Int64?,
    _ material: TableMaterial
  ) {
    add(label)
    addItem(arguments)
    add(material.time(range.start))
    add(material.time(range.end))
    add(range.length.nanoseconds)
    add(selfTime)
    add(arguments)
  }
}

struct SpanNesting {
  /// The position of the span around each, or -1.
  private(set) var parents: [Int] = []
  /// The number of spans around each.
  private(set) var depths: [Int] = []
  /// The time in which each was the innermost one, which started last.
  private(set) var selfTimes: [Int64]

  /// Creates the nesting of spans that are sorted by start, with outer spans first. A span that
  /// crosses the end of another is not inside it.
  init(_ spans: SpanColumns) {
    selfTimes = [Int64](repeating: 0, count: spans.count)
    var open: [Int] = []
    for index in 0..<spans.count {
      let (start, end) = (spans.times[index].start, spans.times[index].end)
      while let last = open.last, spans.times[last].end <= start, spans.times[last].end < end {
        open.removeLast()
      }
      let parent = open.last { spans.times[$0].end >= end } ?? -1
      parents.append(parent)
      depths.append(parent < 0 ? 0 : depths[parent] + 1)
      open.append(index)
    }
    SelfTimeSweep.run(
      count: spans.count, start: { spans.times[$0].start }, end: { spans.times[$0].end },
      body: { selfTimes[$2] &+= $1 &- $0 })
  }
}
