import ScrollTraceModel

/// How often each kind of event is in a trace, counted without the analysis.
struct Census {
  /// Spans by "category name".
  private(set) var spans: [String: Int] = [:]
  /// Marks by "category name".
  private(set) var marks: [String: Int] = [:]
  /// The length of all loads together, without the downloads in them, which are waits.
  private(set) var backgroundBusy: Int64 = 0

  /// Counts what is in `trace`.
  init(of trace: Trace) {
    for track in trace.tracks {
      for index in 0..<track.spans.count {
        let span = track.spans[index]
        let name = trace.categoryAndName(of: span.label)
        spans[name, default: 0] += 1
        if name == "scrolltrace.data load" { backgroundBusy += span.range.length.nanoseconds }
        if name == "scrolltrace.image download" { backgroundBusy -= span.range.length.nanoseconds }
      }
    }
    for mark in trace.marks { marks[trace.categoryAndName(of: mark.label), default: 0] += 1 }
  }
}

extension Trace {
  /// "category name" of a label.
  func categoryAndName(of id: LabelID) -> String {
    let label = labels[id]
    return "\(strings[label.category]) \(strings[label.name])"
  }
}
