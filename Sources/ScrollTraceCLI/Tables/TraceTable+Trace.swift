import ScrollTraceKit

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
