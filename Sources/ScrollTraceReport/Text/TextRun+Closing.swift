import ScrollTraceAnalysis
import ScrollTraceModel

extension TextRun {
  /// What matters most: the verdict with its numbers and its source, and what to do next.
  var closing: [TextLine] {
    guard let surface else {
      return headline
        + wrapped("Next: \(nextWithoutData)", first: 2, indent: 8)
    }
    let verdict = sentence(summary(of: surface), behind: verdictWord)
    return wrapped(textOfProfile, first: 2, indent: 2, ink: .faint) + verdict
      + wrapped("Next: \(next(surface))", first: 2, indent: 8)
  }

  /// The ratio, how many deadlines were missed, and the worst hitch.
  func summary(of surface: SurfaceAnalysis) -> String {
    (["hitch time ratio \(text(of: surface.ratio))"] + missed(surface) + worst(surface))
      .joined(separator: "; ")
  }

  /// The limits that ratios are sorted by, and where they come from.
  var textOfProfile: String {
    "profile \(profile.rawValue), in ms/s: \(wording.limits(of: profile, atMost: glyphs.atMost))"
      + " (\(profile.citation)); Apple's own field numbers are adjusted and will differ"
  }

  /// What to do next.
  var nextStep: String { surface.map(next) ?? nextWithoutData }

  /// The verdicts on several runs in their order, and what to do next: look at the worst one.
  static func closing(_ runs: [TextRun], style: TextStyle) -> [TextLine] {
    guard let first = runs.first else { return [TextLine("NO DATA  no trace was read", .near)] }
    let ratios = runs.map { $0.surface?.ratio?.millisecondsPerSecond ?? -1 }
    let worst = zip(runs, ratios).first { $1 == ratios.max() }?.0 ?? first
    let most = 8
    let verdicts = runs.prefix(most).map { run in
      run.band(of: run.surface?.ratio).map { band in
        "\(band.rawValue.uppercased()) \(run.text(of: run.surface?.ratio))"
      } ?? "no data"
    }
    let more = runs.count > most ? " and \(runs.count - most) more" : ""
    let text = "\(Quantity.count(runs.count, "run")): \(verdicts.joined(separator: ", "))\(more)"
    return first.wrapped(text, indent: 2)
      + first.wrapped("Next: \(Tool.name) analyze \(worst.pathArgument)", first: 2, indent: 8)
  }

  /// How many deadlines were missed, else how many hitches there were.
  func missed(_ surface: SurfaceAnalysis) -> [String] {
    if let misses = surface.counts.deadlineMisses {
      let known = surface.overrun.map { " of \($0.count)" } ?? ""
      return ["\(misses)\(known) deadlines missed"]
    }
    return [Quantity.count(surface.counts.hitches, "hitch", "hitches")]
  }

  private func worst(_ surface: SurfaceAnalysis) -> [String] {
    guard let hitch = surface.worstHitches.first else { return [] }
    let frame = hitch.frame.map { ", frame \($0)" } ?? ""
    let refreshes = hitch.refreshesMissed.map { " (\(Quantity.count($0, "refresh", "refreshes")))" }
    return [
      "worst hitch \(Quantity.length(hitch.length))\(refreshes ?? "") at"
        + " \(instant(hitch.range.begin))\(frame)"
    ]
  }

  private func next(_ surface: SurfaceAnalysis) -> String {
    if let frame = surface.worstHitches.lazy.compactMap(\.frame).first,
      let options = frameArguments(surface)
    {
      return "\(Tool.name) analyze \(pathArgument)\(options) --frame \(frame)"
    }
    if let limit = style.hitchLimit, surface.hitches.count > limit {
      return "\(Tool.name) analyze \(pathArgument) --hitches all"
    }
    if run.notices.contains(.noInterval(surface: surface.name)) {
      return "\(Tool.name) analyze \(pathArgument) --refresh-rate 60"
    }
    if run.notices.contains(.noInteractions(surface: surface.name)) {
      let motion = motionFromMarks ?? "--interaction scroll=0s..1s"
      return "\(Tool.name) analyze \(pathArgument) \(motion)"
    }
    return "\(Tool.name) analyze \(pathArgument) --format json"
  }

  /// The options without which a number would mean a frame of another surface; `nil` where they
  /// cannot be typed.
  private func frameArguments(_ surface: SurfaceAnalysis) -> String? {
    let moving = run.options.isAlwaysMoving ? " --always-moving" : ""
    guard run.surfaces.count > 1 || run.options.selection.surface != nil else { return moving }
    let name = surface.name
    if Self.isPlain(name) { return "\(moving) --surface \(name)" }
    let isQuotable = name.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "'") }
    guard isQuotable, !name.isEmpty, name.utf8.count < 60, style.sink.escape(name) == name else {
      return nil
    }
    return "\(moving) --surface='\(name)'"
  }

  /// What to do where nothing could be judged.
  var nextWithoutData: String {
    if listsHitchesOfUnknownTime {
      return "\(Tool.name) analyze \(pathArgument) --interaction NAME=FROM..TO"
    }
    guard trace.surfaces.contains(where: { $0.frames.count > 0 }) else {
      return "record frames: begin and commit of each, with its deadline or target"
    }
    // What was selected is not there: the whole is the next thing to look at.
    if run.options.selection.narrowsTime { return "\(Tool.name) analyze \(pathArgument)" }
    let needsRate = run.surfaces.contains { run.notices.contains(.noInterval(surface: $0.name)) }
    let rate = needsRate ? " --refresh-rate 60" : ""
    return "\(Tool.name) analyze \(pathArgument)\(rate) \(motionFromMarks ?? "--always-moving")"
  }

  /// The option that takes the host's own marks for interactions, where it made any in pairs.
  private var motionFromMarks: String? {
    trace.patternOfMarkedStretches.map { "--interactions-from-marks '\($0)'" }
  }

  /// The path as it can be typed; a stand-in where a shell would read it as something else.
  var pathArgument: String {
    let path = trace.source.path
    return Self.isPlain(path) ? path : "TRACE"
  }

  /// Whether a shell takes `text` for one word and nothing else.
  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count < 200 && !text.hasPrefix("-")
      && text.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || "0123456789._/+-".unicodeScalars.contains($0))
      }
  }
}
