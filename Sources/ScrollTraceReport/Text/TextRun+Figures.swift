import ScrollTraceAnalysis
import ScrollTraceModel

extension TextRun {
  /// How much of their time commits used, and the figures of the frames.
  var figures: [[TextLine]] {
    guard let surface else { return [] }
    let bars = deadlineUtilization(surface.deadlineUtilization)
    guard style.width >= 100, !bars.isEmpty else {
      return [bars, facts(surface, width: style.width)]
    }
    let column = 46
    return [.beside(bars, facts(surface, width: style.width - column), from: column)]
  }

  private func deadlineUtilization(_ buckets: [DeadlineUtilizationBucket]) -> [TextLine] {
    guard !buckets.isEmpty else { return [] }
    let most = max(1, buckets.map(\.count).max() ?? 1)
    let digits = String(most).count
    let labels = buckets.map { ColumnWidth.of($0.label) }.max() ?? 0
    let room = 40 - 2 - labels - 2 - digits - 2
    return [heading("Use of the time before the deadline")]
      + buckets.map { bucket in
        var line = TextLine("  " + bucket.label)
        line.pad(to: 2 + labels + 2)
        let count = String(bucket.count)
        line.append(String(repeating: " ", count: digits - count.count) + count + "  ")
        let length = Int((Double(bucket.count) / Double(most) * Double(room)).rounded(.down))
        let bar = String(repeating: glyphs.bar, count: bucket.count > 0 ? max(1, length) : 0)
        line.append(bar, bucket.isLate ? .late : .good)
        return line
      }
  }

  private func facts(_ surface: SurfaceAnalysis, width: Int) -> [TextLine] {
    let facts = factsOfFrames(surface)
    return facts.isEmpty ? [] : [heading("Frames")] + lines(of: facts, width: width)
  }

  /// The figures of the frames, each with what it is about.
  func factsOfFrames(_ surface: SurfaceAnalysis) -> [(label: String, text: String)] {
    frameFacts(surface) + timeFacts(surface)
  }

  /// Facts with what they are about to the left of them.
  func lines(of facts: [(label: String, text: String)], width: Int? = nil) -> [TextLine] {
    let indent = 15
    return facts.flatMap { label, text in
      var start = TextLine("  " + label)
      start.pad(to: indent)
      let lines: [TextLine] = .wrapping(
        text, width: (width ?? style.width) - indent, ellipsis: glyphs.ellipsis)
      return lines.behind(start)
    }
  }

  private func frameFacts(_ surface: SurfaceAnalysis) -> [(String, String)] {
    let counts = surface.counts
    var facts: [(String, String)] = []
    if let misses = counts.deadlineMisses {
      let known = surface.overrun.map { " of \($0.count)" } ?? ""
      let moving = surface.countsInMotion.deadlineMisses.flatMap {
        $0 == misses ? nil : ", \($0) of them in motion"
      }
      facts.append(("deadlines", "\(misses)\(known) missed\(moving ?? "")"))
    }
    var shown: [String] = []
    if let presented = counts.presented, presented > 0 {
      shown.append(Quantity.count(presented, "frame"))
    }
    if let dropped = counts.dropped, dropped > 0 { shown.append("\(dropped) dropped") }
    if let late = counts.lateWithoutHitch, late > 0 {
      shown.append("\(late) late without a hitch")
    }
    if !shown.isEmpty { facts.append(("shown", shown.joined(separator: ", "))) }
    if let share = surface.presentedShare, let expected = counts.expectedRefreshes {
      let refreshes = Quantity.count(expected, "refresh", "refreshes")
      facts.append(("in motion", "\(Quantity.share(share)) of \(refreshes) got a frame"))
    }
    if let missed = counts.refreshesMissed {
      facts.append(("refreshes", "\(missed) missed by hitches"))
    }
    if !surface.latenessHistogram.isEmpty {
      let buckets = surface.latenessHistogram.filter { $0.count > 0 }
        .map { "\($0.count) by \($0.refreshesLate)" }
      if !buckets.isEmpty {
        facts.append(("late", buckets.joined(separator: ", ") + " (refreshes)"))
      }
    }
    if let outside = surface.hitchTimeOutsideInteractions, outside > .zero {
      facts.append(
        ("outside", "\(Quantity.length(outside)) more hitch time, not part of the ratio"))
    }
    return facts + runFacts(surface)
  }

  private func runFacts(_ surface: SurfaceAnalysis) -> [(String, String)] {
    var facts: [(String, String)] = []
    let runs = surface.runs.filter { !$0.isSteady }
    if !runs.isEmpty {
      facts.append(
        ("in a row", listed(runs.map { "\($0.frames) hitches from \(instant($0.start))" })))
    }
    let steady = surface.runs.filter(\.isSteady).map { run in
      let frameSpacing = run.spacing.map { " every \(Quantity.interval($0))" } ?? ""
      return "\(Quantity.count(run.frames, "frame"))\(frameSpacing) from \(instant(run.start))"
    }
    if !steady.isEmpty {
      facts.append(("steady slow", listed(steady) + ": looks smooth, is slow"))
    }
    if let stalls = surface.stalls, stalls.count > 0 {
      let text = "\(stalls.count), longest \(Quantity.length(stalls.longest)) in one span"
      facts.append(("stalls", text))
    }
    return facts
  }

  private func timeFacts(_ surface: SurfaceAnalysis) -> [(String, String)] {
    var facts: [(String, String)] = []
    if surface.basis == .cadence, let frameSpacing = surface.frameSpacing {
      facts.append(("pace", text(of: frameSpacing) + " from frame to frame"))
    }
    if let commit = surface.commit { facts.append(("commit", text(of: commit))) }
    if let overrun = surface.overrun {
      facts.append(("overrun", text(of: overrun) + " (negative: time to spare)"))
    }
    var spare: [String] = []
    if let headroom = surface.headroom {
      spare.append("\(Quantity.length(headroom)) idle between commits and deadlines")
    }
    if let slack = surface.slackP5 { spare.append("p5 of slack \(Quantity.length(slack))") }
    if !spare.isEmpty { facts.append(("headroom", spare.joined(separator: ", "))) }
    return facts
  }

  private func text(of values: Percentiles) -> String {
    [
      ("p50", values.p50), ("p90", values.p90), ("p95", values.p95), ("p99", values.p99),
      ("max", values.max),
    ].map { "\($0.0) \(Quantity.length($0.1))" }.joined(separator: ", ")
  }

  private func listed(_ items: [String]) -> String {
    let more = items.count > 3 ? " and \(items.count - 3) more" : ""
    return items.prefix(3).joined(separator: ", ") + more
  }
}
