import ScrollTraceModel

/// The interactions that an analysis counts: the trace's own, or what the user says instead (M-5).
struct InteractionResolution {
  /// The interactions, ascending by begin.
  let interactions: [Interaction]

  /// What the user says replaces what the trace says.
  init(of trace: Trace, options: AnalysisOptions) {
    var named: [Interaction] = []
    if options.isAlwaysMoving {
      named.append(
        Interaction(kind: "always moving", begin: trace.range.begin, end: trace.range.end))
    }
    for stretch in options.interactions {
      let begin = trace.range.begin + max(.zero, stretch.from)
      let end = min(trace.range.begin + max(.zero, stretch.to), trace.range.end)
      named.append(
        Interaction(
          kind: "named", name: stretch.name, begin: min(begin, trace.range.end), end: end))
    }
    if let pattern = options.interactionMarks {
      named += Self.marked(by: NamePattern(pattern), in: trace)
    }
    let isTold = options.isAlwaysMoving || !options.interactions.isEmpty
    let all = isTold || options.interactionMarks != nil ? named : trace.interactions
    interactions = all.sorted { ($0.begin, $0.kind, $0.name) < ($1.begin, $1.kind, $1.name) }
  }

  /// The interactions of one surface.
  func interactions(of surface: SurfaceID) -> [Interaction] {
    interactions.filter { $0.surface == nil || $0.surface == surface }
  }

  /// Pairs of marks `NAME:begin` and `NAME:end`, and asynchronous spans called `NAME`.
  private static func marked(by pattern: NamePattern, in trace: Trace) -> [Interaction] {
    var found: [Interaction] = []
    var open: [String: Timestamp] = [:]
    for mark in trace.marks {
      let name = trace.name(of: mark.label)
      if let stem = stem(of: name, before: beginSuffixes), pattern.matches(stem) {
        open[String(stem)] = mark.time
      } else if let stem = stem(of: name, before: endSuffixes),
        let begin = open.removeValue(forKey: String(stem))
      {
        found.append(
          Interaction(kind: "marked", name: String(stem), begin: begin, end: mark.time))
      }
    }
    for (name, begin) in open {
      found.append(Interaction(kind: "marked", name: name, begin: begin, end: nil))
    }
    for span in trace.asyncSpans {
      let name = trace.name(of: span.label)
      if pattern.matches(name) {
        found.append(
          Interaction(kind: "marked", name: name, begin: span.range.begin, end: span.range.end))
      }
    }
    return found
  }

  private static let beginSuffixes = [":begin", ":start", "-begin", "-start", ".begin", ".start"]
  private static let endSuffixes = [":end", "-end", ".end"]

  private static func stem(of name: String, before suffixes: [String]) -> Substring? {
    guard let suffix = suffixes.first(where: { name.hasSuffix($0) }) else { return nil }
    return name.dropLast(suffix.count)
  }
}
