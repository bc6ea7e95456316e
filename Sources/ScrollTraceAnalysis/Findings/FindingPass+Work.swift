import ScrollTraceModel

extension FindingPass {
  /// Whether the name of a span says that a cell comes into view.
  static func isWillDisplay(_ name: String) -> Bool { name.contains("willDisplay") }

  /// Work that a host does when cells come into view, where it fills a part of late frames.
  ///
  /// In the vocabulary that moment is a mark; hosts that measure what they do then record a span whose
  /// name says so.
  func heavyWillDisplay() -> [Finding] {
    let names = trace.labels.labels.map { Self.isWillDisplay(trace.strings[$0.name]) }
    guard !late.windows.isEmpty, names.contains(true), let main = trace.mainTrack else {
      return []
    }
    let spans = trace.tracks[main.index].spans
    var work: [LabelID: WindowSums] = [:]
    var covered = Int64.min
    for index in 0..<spans.count where spans.begins[index] >= covered {
      let label = Int(spans.labels[index].rawValue)
      guard label < names.count, names[label] else { continue }
      let span = spans[index]
      // What is inside such work is part of it.
      covered = spans.ends[index]
      guard let window = late.index(holding: span.range) else { continue }
      work[span.label, default: WindowSums()].add(span.range.length, in: window, span.arguments)
    }
    return work.compactMap { label, sums in
      guard let found = lateWork(sums), let first = found.sums.first else { return nil }
      let surface = surfaces[late.windows[first.window].surface].name
      return Finding(
        kind: .heavyWillDisplay(category: trace.category(of: label), name: trace.name(of: label)),
        subject: .surface(surface), evidence: found.evidence)
    }
  }
}
