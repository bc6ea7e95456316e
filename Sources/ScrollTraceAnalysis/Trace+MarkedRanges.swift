package import ScrollTraceModel

extension Trace {
  /// A pattern for `AnalysisOptions.interactionMarks` that matches the pairs of marks in the trace,
  /// such as `g*` for `g1:begin` to `g4:end`, or `nil` if there are none, or if a shell would need
  /// quotes for their names.
  ///
  /// A trace without interactions may be from a host that marked them with its own pairs of marks.
  package var patternOfMarkedRanges: String? {
    let names = namesOfMarkPairs.filter(Self.isPlain).sorted()
    guard let first = names.first, let last = names.last else { return nil }
    // The common prefix of the first and last of sorted names is common to all.
    let common = String(zip(first, last).prefix { $0 == $1 }.map(\.0))
    guard names.count > 1, !common.isEmpty else { return String(first) }
    let pattern = NamePattern(common + "*")
    let fitsOthers = Set(asyncSpans.map(\.label)).contains { pattern.matches(name(of: $0)) }
    return fitsOthers ? String(first) : common + "*"
  }

  /// The names that a pattern can match, of pairs of marks and asynchronous spans, sorted.
  var namesOfMarkedRanges: [String] {
    let spans = Set(asyncSpans.map(\.label)).map { name(of: $0) }
    return Set(namesOfMarkPairs.map { String($0) } + spans).sorted()
  }

  private var namesOfMarkPairs: Set<Substring> {
    var begun: Set<Substring> = []
    var ended: Set<Substring> = []
    let everything = NamePattern("*")
    for label in Set(marks.map(\.label)) {
      guard let edge = MarkEdge(name(of: label), fitting: everything) else { continue }
      if edge.isBegin { begun.insert(edge.name) } else { ended.insert(edge.name) }
    }
    return begun.intersection(ended)
  }

  private static func isPlain(_ name: Substring) -> Bool {
    !name.isEmpty && name.utf8.count <= 40
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."):
          true
        default: false
        }
      }
  }
}
