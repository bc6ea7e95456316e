import ScrollTraceAnalysis
import ScrollTraceModel

/// The numbers on a run's frames.
struct FrameFigures {
  let messages: RunMessages

  private var surface: SurfaceAnalysis? { messages.surface }

  /// The deadline utilization, or `nil` if deadlines are unknown.
  var deadlineUtilization: Document.Bars? {
    guard let buckets = surface?.deadlineUtilization, !buckets.isEmpty else { return nil }
    return Document.Bars(
      title: "Deadline utilization",
      rows: buckets.map {
        .init(label: Messages.label(of: $0), count: $0.count, isLate: $0.isLate)
      })
  }

  var facts: [Document.Fact] {
    guard let surface else { return [] }
    return frameFacts(surface) + streakFacts(surface) + timeFacts(surface)
  }

  private func frameFacts(_ surface: SurfaceAnalysis) -> [Document.Fact] {
    let counts = surface.counts
    var facts: [Document.Fact] = []
    if let misses = counts.deadlineMisses {
      let known = surface.overrun.map { " of \($0.count)" } ?? ""
      let moving = surface.countsInMotion.deadlineMisses.flatMap {
        $0 == misses ? nil : ", \($0) in motion"
      }
      facts.append(.init("deadlines", "\(misses)\(known) missed\(moving ?? "")"))
    }
    var shown: [String] = []
    if let presented = counts.presented, presented > 0 {
      shown.append(Quantity.count(presented, "frame"))
    }
    if let dropped = counts.dropped, dropped > 0 { shown.append("\(dropped) dropped") }
    if let lateWithoutHitch = counts.lateWithoutHitch, lateWithoutHitch > 0 {
      shown.append("\(lateWithoutHitch) late without hitch (as late as the frame before)")
    }
    if !shown.isEmpty { facts.append(.init("presented", shown.joined(separator: ", "))) }
    if let rates = rateTexts(surface) { facts.append(.init("frame rate", rates)) }
    if let missed = counts.refreshesMissed {
      facts.append(.init("refreshes", "\(missed) missed by hitches"))
    }
    if !surface.latenessHistogram.isEmpty {
      let buckets = surface.latenessHistogram.filter { $0.count > 0 }
        .map {
          "\($0.count) × \($0.refreshesLate) \($0.refreshesLate == "1" ? "refresh" : "refreshes")"
        }
      if !buckets.isEmpty {
        facts.append(.init("lateness", buckets.joined(separator: ", ")))
      }
    }
    if let outside = surface.hitchTimeOutsideInteractions, outside > .zero {
      let text = "\(Quantity.length(outside)) \(surface.wordsOnOutside) (not in the ratio)"
      facts.append(.init("hitch time", text))
    }
    return facts
  }

  /// The frames per second, and those of the slowest spacings; `nil` if these are too few.
  private func rateTexts(_ surface: SurfaceAnalysis) -> String? {
    guard let rates = surface.frameRates, rates.slowest1Percent != nil else { return nil }
    let parts = [
      ("", rates.average), ("slowest 1% ", rates.slowest1Percent),
      ("slowest 0.1% ", rates.slowest01Percent),
    ]
    return parts.compactMap { label, rate in
      rate.map { "\(label)\(Quantity.fixed($0, decimals: 1))" }
    }.joined(separator: ", ") + " frames per second"
  }

  private func streakFacts(_ surface: SurfaceAnalysis) -> [Document.Fact] {
    var facts: [Document.Fact] = []
    let runs = surface.hitchStreaks.filter { !$0.isSteady }
    if !runs.isEmpty {
      facts.append(
        .init(
          "streaks",
          runs.map { "\($0.frames) hitches in a row from \(messages.instant($0.start))" }
            .listed(maximum: 3)))
    }
    let steady = surface.hitchStreaks.filter(\.isSteady).map { run in
      let frameSpacing = run.spacing.map { " every \(Quantity.interval($0))" } ?? ""
      return
        "\(Quantity.count(run.frames, "frame"))\(frameSpacing) at \(messages.instant(run.start))"
    }
    if !steady.isEmpty {
      facts.append(.init("steady slow", steady.listed(maximum: 3) + " (even, but slow)"))
    }
    if let stalls = surface.stalls, stalls.count > 0 {
      let text = "\(stalls.count), longest \(Quantity.length(stalls.longest)) in one span"
      facts.append(.init("stalls", text))
    }
    return facts
  }

  private func timeFacts(_ surface: SurfaceAnalysis) -> [Document.Fact] {
    var facts: [Document.Fact] = []
    if surface.basis == .cadence, let frameSpacing = surface.frameSpacing {
      facts.append(.init("spacing", text(of: frameSpacing) + " from frame to frame"))
    }
    if let commit = surface.commit { facts.append(.init("commit", text(of: commit))) }
    if let overrun = surface.overrun {
      facts.append(.init("overrun", text(of: overrun) + " (negative = before the deadline)"))
    }
    var spare: [String] = []
    if let slack = surface.slackP5 {
      spare.append(
        slack < .zero
          ? "none in 5% of frames, which are late by \(Quantity.length(slack.magnitude)) or more"
          : "\(Quantity.length(slack)) or more in 95% of frames")
    }
    if let headroom = surface.headroom {
      spare.append("\(Quantity.length(headroom)) idle between commits and deadlines in all")
    }
    if !spare.isEmpty { facts.append(.init("spare time", spare.joined(separator: ", "))) }
    return facts
  }

  private func text(of values: Percentiles) -> String {
    [
      ("p50", values.p50), ("p90", values.p90), ("p95", values.p95), ("p99", values.p99),
      ("max", values.max),
    ].map { "\($0.0) \(Quantity.length($0.1))" }.joined(separator: ", ")
  }
}
