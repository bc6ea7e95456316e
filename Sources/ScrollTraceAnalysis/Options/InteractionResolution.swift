import ScrollTraceModel

/// The interactions of an analysis: the trace's own, or those that the user defines (M-5).
struct InteractionResolution {
  /// The interactions, sorted by start.
  let interactions: [Interaction]
  /// The pattern for marks if it matches none, or `nil`.
  let unmatchedPattern: String?
  /// The names of the user's ranges after the end of the recording.
  let outside: [String]

  /// Determines the interactions. The user's replace the trace's.
  init(of trace: Trace, options: AnalysisOptions) {
    var named: [Interaction] = []
    if options.isAlwaysMoving, trace.source.hasKnownLength {
      named.append(
        Interaction(kind: "always moving", start: trace.range.start, end: trace.range.end))
    }
    for range in options.interactions {
      let start = trace.range.start + max(.zero, range.from)
      let end = min(trace.range.start + max(.zero, range.to), trace.range.end)
      named.append(
        Interaction(
          kind: "named", name: range.name, start: min(start, trace.range.end), end: end))
    }
    outside = options.interactions.filter { $0.from >= trace.range.length }.map(\.name)
    let marked = options.interactionMarks.map { Self.marked(by: NamePattern($0), in: trace) } ?? []
    named += marked
    unmatchedPattern = marked.isEmpty ? options.interactionMarks : nil
    let all = options.namesInteractions ? named : trace.interactions
    interactions = all.sorted { ($0.start, $0.kind, $0.name) < ($1.start, $1.kind, $1.name) }
  }

  /// The problem if none of the user's interactions exists, or `nil`.
  func problem(in trace: Trace, _ options: AnalysisOptions) -> SelectionProblem? {
    guard !options.isAlwaysMoving else { return nil }
    let ranges = options.interactions
    let areOutside = outside.count == ranges.count
    if !ranges.isEmpty, areOutside, options.interactionMarks == nil, trace.range.length > .zero {
      return .interactionsBehindEnd(outside, length: trace.range.length)
    }
    guard let pattern = unmatchedPattern, ranges.isEmpty else { return nil }
    return .unknownMarks(pattern: pattern, known: trace.namesOfMarkedRanges)
  }

  func interactions(of surface: SurfaceID) -> [Interaction] {
    guard interactions.contains(where: { $0.surface != nil }) else { return interactions }
    return interactions.filter { $0.surface == nil || $0.surface == surface }
  }

  /// The pairs of marks and the asynchronous spans whose names match the pattern.
  private static func marked(by pattern: NamePattern, in trace: Trace) -> [Interaction] {
    var found: [Interaction] = []
    func add(_ name: Substring, from start: Timestamp, to end: Timestamp?) {
      found.append(Interaction(kind: "marked", name: String(name), start: start, end: end))
    }
    var open: [Substring: Timestamp] = [:]
    var edges: [LabelID: MarkEdge?] = [:]
    for mark in trace.marks {
      let edge = edges[mark.label] ?? MarkEdge(trace.name(of: mark.label), fitting: pattern)
      edges[mark.label] = edge
      guard let edge else { continue }
      if edge.isBegin {
        if open[edge.name] == nil { open[edge.name] = mark.time }
      } else if let begin = open.removeValue(forKey: edge.name) {
        add(edge.name, from: begin, to: mark.time)
      }
    }
    for (name, begin) in open { add(name, from: begin, to: nil) }
    var fits: [LabelID: Bool] = [:]
    for span in trace.asyncSpans {
      let name = trace.name(of: span.label)
      let isMarked = fits[span.label] ?? pattern.matches(name)
      fits[span.label] = isMarked
      if isMarked { add(name[...], from: span.range.start, to: span.range.end) }
    }
    return found
  }
}

/// The start or end of an interaction, as marked by name.
struct MarkEdge {
  /// The name without the suffix.
  let name: Substring
  /// Whether the suffix marks a start.
  let isBegin: Bool

  private static let separators: [Character] = [":", "-", ".", "_"]

  /// Creates an edge from a mark's name, or returns `nil` if it has no suffix or does not match.
  init?(_ mark: String, fitting pattern: NamePattern) {
    guard let word = ["begin", "start", "end"].first(where: { mark.hasSuffix($0) }) else {
      return nil
    }
    let stem = mark.dropLast(word.count)
    guard let separator = stem.last, Self.separators.contains(separator) else { return nil }
    name = stem.dropLast()
    isBegin = word != "end"
    guard pattern.matches(name) else { return nil }
  }
}
