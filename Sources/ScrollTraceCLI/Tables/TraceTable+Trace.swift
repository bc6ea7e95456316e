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
      for index in 0..<surface.frames.count where !rows.hasFailed {
        let frame = surface.frames[index]
        rows.add(material.key(ofFrame: index, on: id))
        rows.add(surface.name)
        rows.add(frame.id)
        rows.add(frame.track.map(material.trace.displayName))
        for time in [
          frame.start, frame.commitStart, frame.commitEnd, frame.deadline, frame.target,
          frame.presented,
        ] {
          rows.add(material.time(time))
        }
        rows.add(frame.refreshInterval?.nanoseconds)
        rows.add(frame.outcome == .unknown ? "" : "\(frame.outcome)")
      }
    }
  }

  static let marks = TraceTable("marks", ["at_ns", "thread", "category", "name", "item"]) {
    material, rows in
    for mark in material.trace.marks where !rows.hasFailed {
      rows.add(material.time(mark.time))
      rows.add(material.trace.displayName(of: mark.track))
      rows.add(material.trace.category(of: mark.label))
      rows.add(material.trace.name(of: mark.label))
      rows.add(material.item(mark.arguments))
    }
  }

  static let counters = TraceTable("counters", ["counter", "series", "at_ns", "value"]) {
    material, rows in
    for counter in material.trace.counters {
      let name = material.trace.name(of: counter.label)
      let series = material.trace.strings[counter.series]
      for (time, value) in zip(counter.times, counter.values) where !rows.hasFailed {
        rows.add(name)
        rows.add(series)
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
    var stacks: [StackID: (function: String, place: String, path: String)] = [:]
    func texts(of stack: StackID) -> (function: String, place: String, path: String) {
      if let known = stacks[stack] { return known }
      let path = trace.stackTree.path(of: stack)
      let names = path.map { String(trace.strings[$0.name].map { $0 == ";" ? ":" : $0 }) }
      let place = path.last.map { trace.strings[$0.place] } ?? ""
      let made = (names.last ?? "", place, names.joined(separator: ";"))
      stacks[stack] = made
      return made
    }
    var key = 0
    for series in trace.samples {
      for index in 0..<series.count where !rows.hasFailed {
        key += 1
        let stack = texts(of: series.stack(at: index))
        rows.add(key)
        rows.add(trace.displayName(of: series.track))
        rows.add(trace.strings[series.event])
        rows.add(material.time(Timestamp(clamping: series.times[index])))
        rows.add(series.weights.isEmpty ? nil : series.weights[index])
        rows.add(stack.function)
        rows.add(stack.place)
        rows.add(stack.path)
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
