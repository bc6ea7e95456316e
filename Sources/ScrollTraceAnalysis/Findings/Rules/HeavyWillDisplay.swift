import ScrollTraceModel

extension FindingID {
  package static let heavyWillDisplay = FindingID("heavyWillDisplay")
}

/// Work at the moment a cell is displayed that fills a part of late frames.
///
/// The vocabulary has a mark for that moment. Hosts that measure their work then record a span whose
/// name contains it.
struct HeavyWillDisplay: FindingRule {
  static let id = FindingID.heavyWillDisplay
  static let thresholds: [any NamedThreshold] = [FindingThresholds.lateFrameShare]

  /// Returns a Boolean value indicating whether the name of a span says that a cell is displayed.
  static func isWillDisplay(_ name: String) -> Bool { name.includes("willDisplay") }

  func findings(in context: FindingContext) -> [Finding] {
    let (trace, late) = (context.trace, context.late)
    let names = trace.labels.labels.map { Self.isWillDisplay(trace.strings[$0.name]) }
    guard !late.windows.isEmpty, names.contains(true), let main = trace.mainTrack else {
      return []
    }
    let spans = trace.tracks[main.index].spans
    var work: [LabelID: WindowSums] = [:]
    var covered = Int64.min
    for index in 0..<spans.count where spans.times[index].start >= covered {
      let label = Int(spans.labels[index].rawValue)
      guard label < names.count, names[label] else { continue }
      let span = spans[index]
      // Nested spans are part of the work.
      covered = spans.times[index].end
      guard let window = late.index(ofMost: span.range) else { continue }
      work[span.label, default: WindowSums()].add(span.range.length, in: window, span.arguments)
    }
    return work.compactMap { label, sums in
      guard let found = context.lateWork(sums), let first = found.sums.first else { return nil }
      let name = WorkName(category: trace.category(of: label), name: trace.name(of: label))
      var finding = finding(
        of: .surface(context.surfaces[late.windows[first.window].surface].name), found.evidence,
        details: Finding.Details(work: name))
      finding.proposedChange = .speedup(name, percent: 0)
      return finding
    }
  }
}
