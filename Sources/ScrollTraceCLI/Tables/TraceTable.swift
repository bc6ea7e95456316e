import ScrollTraceKit

/// A table of a trace or of its analysis, written as CSV for SQL and data frames.
///
/// Times and durations are nanoseconds; times count from the trace's start. An empty field is unknown.
struct TraceTable: Sendable {
  /// The file's name without `.csv`.
  let name: String
  let columns: [String]
  private let write: @Sendable (TableMaterial, inout TableRows) -> Void

  init(
    _ name: String, _ columns: [String],
    write: @escaping @Sendable (TableMaterial, inout TableRows) -> Void
  ) {
    self.name = name
    self.columns = columns
    self.write = write
  }

  /// The one list of tables.
  static let all = [
    frames, spans, marks, counters, samples, states, interactions, hitches, causes,
  ]

  func write(_ material: TableMaterial, to output: inout ExportOutput) {
    output.append(text: columns.joined(separator: ",") + "\n")
    var rows = TableRows(material.trace, output, columns: columns.count)
    write(material, &rows)
    output = rows.finish()
  }
}

/// An analysis with the keys by which tables are joined.
struct TableMaterial: Sendable {
  let run: Analysis
  /// The key of the first frame of each surface.
  let firstFrames: [Int]
  /// The name of each thread as a field.
  let threads: [[UInt8]]

  private let start: Timestamp

  var trace: Trace { run.trace }

  init(_ run: Analysis) {
    self.run = run
    start = run.trace.range.start
    var next = 1
    firstFrames = run.trace.surfaces.map { surface in
      defer { next += surface.frames.count }
      return next
    }
    threads = run.trace.numberedTracks.map { TableRows.field(run.trace.displayName(of: $0.id)) }
  }

  func key(ofFrame index: Int, on surface: SurfaceID) -> Int { firstFrames[surface.index] + index }

  /// A time from the trace's start.
  func time(_ time: Timestamp?) -> Int64? { time.map { ($0 - start).nanoseconds } }
}

/// The tables of what was recorded.
extension TraceTable {
  static let frames = TraceTable(
    "frames",
    [
      "frame_key", "surface", "frame", "thread", "start_ns", "commit_start_ns", "commit_end_ns",
      "deadline_ns", "target_ns", "presented_ns", "refresh_interval_ns", "outcome",
    ]
  ) { material, rows in
    for (id, surface) in material.trace.numberedSurfaces {
      let name = TableRows.field(surface.name)
      for index in 0..<surface.frames.count where !rows.hasFailed {
        let frame = surface.frames[index]
        rows.add(material.key(ofFrame: index, on: id))
        rows.add(field: name)
        rows.add(frame.id)
        rows.add(field: frame.track.map { material.threads[$0.index] } ?? [])
        rows.add(material.time(frame.start))
        rows.add(material.time(frame.commitStart))
        rows.add(material.time(frame.commitEnd))
        rows.add(material.time(frame.deadline))
        rows.add(material.time(frame.target))
        rows.add(material.time(frame.presented))
        rows.add(frame.refreshInterval?.nanoseconds)
        rows.add(frame.outcome == .unknown ? "" : "\(frame.outcome)")
      }
    }
  }

  static let marks = TraceTable("marks", ["at_ns", "thread", "category", "name", "item"]) {
    material, rows in
    for mark in material.trace.marks where !rows.hasFailed {
      rows.add(material.time(mark.time))
      rows.add(field: material.threads[mark.track.index])
      rows.add(mark.label)
      rows.addItem(mark.arguments)
    }
  }

  static let counters = TraceTable("counters", ["counter", "series", "at_ns", "value"]) {
    material, rows in
    for counter in material.trace.counters {
      let name = TableRows.field(material.trace.name(of: counter.label))
      let series = TableRows.field(material.trace.strings[counter.series])
      for (time, value) in zip(counter.times, counter.values) where !rows.hasFailed {
        rows.add(field: name)
        rows.add(field: series)
        rows.add(material.time(Timestamp(clamping: time)))
        rows.add(value)
      }
    }
  }

  static let samples = TraceTable(
    "samples", ["sample_key", "thread", "event", "at_ns", "weight", "function", "place", "stack"]
  ) { material, rows in
    let trace = material.trace
    // Stacks repeat, and a separator inside of a name would be one function more.
    typealias Fields = (function: [UInt8], place: [UInt8], path: [UInt8])
    var stacks: [StackID: Fields] = [:]
    func fields(of stack: StackID) -> Fields {
      if let known = stacks[stack] { return known }
      let path = trace.stackTree.path(of: stack)
      let names = path.map { String(trace.strings[$0.name].map { $0 == ";" ? ":" : $0 }) }
      let place = path.last.map { trace.strings[$0.module] } ?? ""
      let made = (
        TableRows.field(names.last ?? ""), TableRows.field(place),
        TableRows.field(names.joined(separator: ";"))
      )
      stacks[stack] = made
      return made
    }
    var key = 0
    for series in trace.samples {
      let event = TableRows.field(trace.strings[series.event])
      for index in 0..<series.count where !rows.hasFailed {
        key += 1
        let stack = fields(of: series.stack(at: index))
        rows.add(key)
        rows.add(field: material.threads[series.track.index])
        rows.add(field: event)
        rows.add(material.time(Timestamp(clamping: series.times[index])))
        rows.add(series.weights.isEmpty ? nil : series.weights[index])
        rows.add(field: stack.function)
        rows.add(field: stack.place)
        rows.add(field: stack.path)
      }
    }
  }

  static let states = TraceTable("states", ["key", "value", "start_ns", "end_ns"]) {
    material, rows in
    let changes = material.trace.states
    var ends: [String: Timestamp] = [:]
    var ranges: [(StateChange, Timestamp)] = []
    for change in changes.reversed() {
      ranges.append((change, ends[change.key] ?? material.trace.range.end))
      ends[change.key] = change.time
    }
    for (change, end) in ranges.reversed() {
      guard let value = change.value else { continue }
      rows.add(change.key)
      rows.add(value)
      rows.add(material.time(change.time))
      rows.add(material.time(end))
    }
  }
}

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
      for (index, span) in track.spans.enumerated() where !rows.hasFailed {
        let parent = nesting.parents[index]
        rows.add(first + index)
        rows.add(parent >= 0 ? first + parent : nil)
        rows.add(field: process)
        rows.add(field: material.threads[id.index])
        rows.add(isMain)
        rows.add(nesting.depths[index])
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
  private(set) var depths: [Int] = []
  /// The time in which each was the innermost one, which started last.
  private(set) var selfTimes: [Int64]

  /// Creates the nesting of spans that are sorted by start, with outer spans first. A span that
  /// crosses the end of another is not inside it.
  init(_ spans: SpanColumns) {
    selfTimes = [Int64](repeating: 0, count: spans.count)
    let times = Array(spans.times)
    var open: [Int] = []
    for (index, span) in times.enumerated() {
      while let last = open.last, times[last].end <= span.start, times[last].end < span.end {
        open.removeLast()
      }
      let parent = open.last { times[$0].end >= span.end } ?? -1
      parents.append(parent)
      depths.append(parent < 0 ? 0 : depths[parent] + 1)
      open.append(index)
    }
    SelfTimeSweep.run(times) { selfTimes[$2] &+= $1 &- $0 }
  }
}

/// The tables of what the analysis found.
extension TraceTable {
  static let interactions = TraceTable(
    "interactions",
    [
      "interaction_key", "surface", "kind", "name", "start_ns", "end_ns", "hitch_time_ns",
      "is_finished",
    ]
  ) { material, rows in
    for (key, (surface, interaction)) in material.interactions.enumerated() {
      rows.add(key + 1)
      rows.add(surface.name)
      rows.add(interaction.kind)
      rows.add(interaction.name)
      rows.add(material.time(interaction.range.start))
      rows.add(material.time(interaction.range.end))
      rows.add(interaction.hitchTime?.nanoseconds)
      rows.add(interaction.isFinished)
    }
  }

  static let hitches = TraceTable(
    "hitches",
    [
      "hitch_key", "surface", "frame_key", "interaction_key", "frame", "kind", "severity",
      "start_ns", "end_ns", "hitch_ns", "hitch_in_motion_ns", "refreshes_missed",
      "delayed_by_frame", "is_estimated",
    ]
  ) { material, rows in
    for (key, (surface, hitch)) in material.hitches.enumerated() where !rows.hasFailed {
      rows.add(key + 1)
      rows.add(surface.name)
      rows.add(hitch.frameIndex.map { material.key(ofFrame: $0, on: surface.surface) })
      rows.add(material.interactionKey(of: hitch, on: surface))
      rows.add(hitch.frame)
      rows.add(hitch.kind.rawValue)
      rows.add(hitch.severity?.rawValue)
      rows.add(material.time(hitch.range.start))
      rows.add(material.time(hitch.range.end))
      rows.add(hitch.length.nanoseconds)
      rows.add(hitch.lengthInMotion.nanoseconds)
      rows.add(hitch.refreshesMissed)
      rows.add(hitch.delayedByFrame)
      rows.add(hitch.isEstimated)
    }
  }

  static let causes = TraceTable(
    "causes", ["hitch_key", "kind", "category", "name", "item", "time_ns", "share"]
  ) { material, rows in
    for (key, (_, hitch)) in material.hitches.enumerated() where !rows.hasFailed {
      guard let attribution = hitch.chargedAttribution else { continue }
      let window = Double(max(1, attribution.window.length.nanoseconds))
      func add(_ kind: String, _ time: TimeSpan, _ cause: Cause? = nil) {
        rows.add(key + 1)
        rows.add(kind)
        rows.add(cause?.category)
        rows.add(cause?.name)
        rows.add(cause?.item)
        rows.add(time.nanoseconds)
        rows.add(Double(time.nanoseconds) / window)
      }
      for cause in attribution.causes { add("work", cause.selfTime, cause) }
      for (kind, time) in attribution.rest where time > .zero { add("\(kind)", time) }
    }
  }
}

extension TableMaterial {
  /// The interactions of each evaluated surface, in the order of their keys.
  fileprivate var interactions: [(SurfaceAnalysis, InteractionAnalysis)] {
    run.surfaces.flatMap { surface in surface.interactions.map { (surface, $0) } }
  }

  /// The hitches of each evaluated surface, in the order of their keys.
  fileprivate var hitches: [(SurfaceAnalysis, Hitch)] {
    run.surfaces.flatMap { surface in surface.hitches.map { (surface, $0) } }
  }

  /// The key of the first interaction in which a hitch is visible.
  fileprivate func interactionKey(of hitch: Hitch, on surface: SurfaceAnalysis) -> Int? {
    var first = 1
    for other in run.surfaces {
      if other.surface == surface.surface {
        return other.interactions.firstIndex {
          $0.range.start < hitch.range.end && hitch.range.start < $0.range.end
        }.map { first + $0 }
      }
      first += other.interactions.count
    }
    return nil
  }
}
