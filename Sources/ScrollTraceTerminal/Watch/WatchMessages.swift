import ScrollTraceKit

struct WatchMessages {
  let sink: EscapingContext

  /// Returns the state of the app that records.
  func text(of host: HostState, process: UInt64, isStopped: Bool = false) -> String {
    switch host {
    case .recording: "process \(process) is \(isStopped ? "stopped" : "recording")"
    case .finished: "finished"
    case .gone: "not finished (process \(process) ended unexpectedly)"
    case .unknown: "not finished"
    }
  }

  /// Returns the totals of a surface, such as `missed 2/60, hitch 8.3 ms/s warning, main 312 ms/s,
  /// background 45 ms/s, blank 120 ms/s`; without the last part if blank time is unknown.
  func text(of totals: LiveTotals, surface: String?, isRate: Bool) -> String {
    let figures = surface.flatMap { totals.surfaces[$0] } ?? LiveTotals.Surface()
    let ratio = surface.flatMap { totals.ratio(of: $0) }
    let work = isRate ? totals.work : totals.reportedWork
    func amount(_ time: TimeSpan) -> String {
      isRate ? WatchMessages.rate(time, of: totals.time) : Quantity.length(time)
    }
    return [
      "missed \(figures.deadlineMisses)/\(figures.frames)",
      "hitch \(Self.text(of: totals.rated(surface, by: .scroll), ratio: ratio))",
      "main \(amount(work.main))", "background \(amount(work.background))",
    ].joined(separator: ", ") + text(ofBlank: totals.blankRatio)
  }

  /// Returns the ratio of a surface with its rating, which is uncertain after too few frames or
  /// with too much unknown.
  static func text(of rated: RatedHitches, ratio: HitchTimeRatio?) -> String {
    guard let ratio, rated.rating != .notMeasurable else { return rated.rating.text }
    return "\(Quantity.ratio(ratio, in: .scroll)) \(rated.rating.text)"
  }

  /// Returns the blank time, such as `, blank 120 ms/s`, or an empty string if it is unknown.
  func text(ofBlank blank: HitchTimeRatio?) -> String {
    blank.map { ", blank \(Quantity.fixed($0.millisecondsPerSecond, decimals: 0)) ms/s" } ?? ""
  }

  /// Returns work per second.
  static func rate(_ work: TimeSpan, of time: TimeSpan) -> String {
    guard time > .zero else { return "-" }
    let value = Double(work.nanoseconds) / Double(time.nanoseconds) * 1000
    return Quantity.fixed(value, decimals: 0) + " ms/s"
  }

  /// Returns a hitch as one line; `start` is the recording's start.
  func text(of hitch: WatchedHitch, start: Timestamp) -> String {
    let surface = hitch.surface.isEmpty ? "" : " of \(sink.escape(hitch.surface))"
    let refreshes = hitch.refreshesMissed.map { " (\(Quantity.count($0, "refresh", "refreshes")))" }
    return "hitch at \(Quantity.instant(hitch.start - start))"
      + (hitch.frame.map { ": frame \($0)" } ?? ": no frame") + surface
      + ", \(Quantity.length(hitch.length))" + (refreshes ?? "") + ", \(hitch.kind)"
      + (hitch.causes.isEmpty ? "" : ": ") + causes(of: hitch)
  }

  /// Returns an ongoing hitch, such as `stalled for 1.2 s (72 refreshes), in display > layout`.
  func text(of stall: LiveStall, in analysis: LiveAnalysis) -> String {
    let refreshes = Quantity.count(stall.refreshesMissed, "refresh", "refreshes")
    let surface = analysis.surfaces.count > 1 ? " of \(sink.escape(stall.surface))" : ""
    return "stalled\(surface) for \(Self.text(of: stall.length)) (\(refreshes)), "
      + cause(of: stall, in: analysis)
  }

  /// Returns the open spans of the main thread, outermost first, and the function in which most samples
  /// of the hitch are.
  func cause(of stall: LiveStall, in analysis: LiveAnalysis) -> String {
    let trace = analysis.trace
    let names = trace.openSpans.filter { $0.track == trace.mainTrack }
      .map { sink.escape(trace.name(of: $0.label)) }
    let spans =
      names.isEmpty ? "no open main-thread span" : "in " + names.joined(separator: " > ")
    return spans + function(of: stall, in: analysis)
  }

  /// Returns the function in which most samples of an ongoing hitch are, as the end of a sentence.
  func function(of stall: LiveStall, in analysis: LiveAnalysis) -> String {
    let window = TimeRange(
      start: stall.start, end: max(stall.start, analysis.trace.range.end))
    let function = analysis.sampleTimeline?.heaviestFunction(in: window)
    return function.map { ", mostly in \(sink.escape($0))" } ?? ""
  }

  func causes(of hitch: WatchedHitch) -> String {
    hitch.causes.map { sink.escape($0) }.joined(separator: ", ")
  }

  /// Returns the open interactions and the current states.
  func motion(in analysis: LiveAnalysis, now: Timestamp) -> String {
    let open = analysis.openInteractions.map { interaction in
      "\(sink.escape(interaction.kind)) for \(Self.since(interaction.start, now))"
    }
    let states = analysis.states.map { "\(sink.escape($0.key))=\(sink.escape($0.value))" }
    return ((open.isEmpty ? ["no interaction"] : open) + states).joined(separator: ", ")
  }

  /// Returns the open spans of each track, outermost first.
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

  /// Returns a duration that grows, rounded so that it stays readable.
  static func text(of length: TimeSpan) -> String {
    length < .milliseconds(100)
      ? Quantity.length(length) : Quantity.fixed(length.seconds, decimals: 1) + " s"
  }
}
