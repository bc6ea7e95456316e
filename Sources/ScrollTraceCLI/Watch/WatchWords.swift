import ScrollTraceKit

/// What is said of a recording that is watched, for lines and for the screen.
struct WatchMessages {
  /// What names pass through.
  let sink: EscapingContext

  /// What becomes of the host, as a clause.
  func text(of host: HostState, process: UInt64, isStopped: Bool = false) -> String {
    switch host {
    case .recording: "process \(process) is \(isStopped ? "stopped" : "recording")"
    case .closed: "closed by its host"
    case .gone: "not closed, and process \(process) is gone"
    case .unknown: "not closed"
    }
  }

  /// The figures of a surface: `missed 2/60, hitch 8.3 ms/s warning, main 312 ms/s, background 45 ms/s`.
  func text(of tally: LiveTotals, surface: String?, isRate: Bool) -> String {
    let figures = surface.flatMap { tally.surfaces[$0] } ?? LiveTotals.Surface()
    let work = isRate ? tally.work : tally.reportedWork
    func amount(_ time: TimeSpan) -> String {
      isRate ? WatchMessages.rate(time, of: tally.time) : Quantity.length(time)
    }
    return [
      "missed \(figures.deadlineMisses)/\(figures.frames)",
      "hitch " + (surface.flatMap { tally.ratio(of: $0) }.map(Self.text) ?? "-"),
      "main \(amount(work.main))", "background \(amount(work.background))",
    ].joined(separator: ", ")
  }

  /// A ratio with its band.
  static func text(of ratio: HitchTimeRatio) -> String {
    let band = RatingThresholds.scroll.band(of: ratio.millisecondsPerSecond)
    return "\(Quantity.ratio(ratio, in: .scroll)) \(band.rawValue)"
  }

  /// Work per time.
  static func rate(_ work: TimeSpan, of time: TimeSpan) -> String {
    guard time > .zero else { return "-" }
    let value = Double(work.nanoseconds) / Double(time.nanoseconds) * 1000
    return Quantity.fixed(value, places: 0) + " ms/s"
  }

  /// A hitch as one line; `start` is the recording's.
  func text(of hitch: WatchedHitch, start: Timestamp) -> String {
    let place = hitch.surface.isEmpty ? "" : " of \(sink.escape(hitch.surface))"
    let refreshes = hitch.refreshesMissed.map { " (\(Quantity.count($0, "refresh", "refreshes")))" }
    return "hitch at \(Quantity.instant(hitch.start - start))"
      + (hitch.frame.map { ": frame \($0)" } ?? ": no frame") + place
      + ", \(Quantity.length(hitch.length)) late" + (refreshes ?? "") + ", \(hitch.kind)"
      + (hitch.causes.isEmpty ? "" : ": ") + causes(of: hitch)
  }

  /// A hitch that goes on: `stalled for 1.2 s (72 refreshes), in display > layout > decode`.
  func text(of stall: LiveStall, in analysis: LiveAnalysis) -> String {
    let refreshes = Quantity.count(stall.refreshesMissed, "refresh", "refreshes")
    let place = analysis.surfaces.count > 1 ? " of \(sink.escape(stall.surface))" : ""
    return "stalled\(place) for \(Self.text(of: stall.length)) (\(refreshes)), "
      + cause(ofStallIn: analysis)
  }

  /// The spans of the main thread that are open, from the outermost to the innermost.
  func cause(ofStallIn analysis: LiveAnalysis) -> String {
    let trace = analysis.trace
    let names = trace.openSpans.filter { $0.track == trace.mainTrack }
      .map { sink.escape(trace.name(of: $0.label)) }
    return names.isEmpty
      ? "in nothing that the main thread recorded" : "in " + names.joined(separator: " > ")
  }

  /// What filled the time of a hitch.
  func causes(of hitch: WatchedHitch) -> String {
    hitch.causes.map { sink.escape($0) }.joined(separator: ", ")
  }

  /// What moves, and the states that hold; what does not move rests.
  func motion(in analysis: LiveAnalysis, now: Timestamp) -> String {
    let open = analysis.openInteractions.map { interaction in
      "\(sink.escape(interaction.kind)) for \(Self.since(interaction.start, now))"
    }
    let states = analysis.states.map { "\(sink.escape($0.key))=\(sink.escape($0.value))" }
    return ((open.isEmpty ? ["at rest"] : open) + states).joined(separator: ", ")
  }

  /// The spans that have begun and not ended, those of each track from the outermost to the innermost.
  func openSpans(in analysis: LiveAnalysis, now: Timestamp) -> [String] {
    let trace = analysis.trace
    var tracks: [TrackID] = []
    for span in trace.openSpans where !tracks.contains(span.track) { tracks.append(span.track) }
    let main = trace.mainTrack
    return tracks.stablySorted { $0 == main ? 0 : 1 }.map { track in
      let spans = trace.openSpans.filter { $0.track == track }.map { span in
        sink.escape(trace.name(of: span.label)) + " for \(Self.since(span.since, now))"
      }
      let name = sink.escape(trace.displayName(of: track))
      return "\(name): " + spans.joined(separator: " > ")
    }
  }

  private static func since(_ start: Timestamp, _ now: Timestamp) -> String {
    text(of: max(.zero, now - start))
  }

  /// A length of time that grows: no more of it than can be read.
  static func text(of length: TimeSpan) -> String {
    length < .milliseconds(100)
      ? Quantity.length(length) : Quantity.fixed(length.seconds, places: 1) + " s"
  }
}
