import ScrollTraceAnalysis
import ScrollTraceModel

extension TextRun {
  /// What matters most: the verdict with its numbers and its source, and what to do next.
  var closing: [TextLine] {
    guard let surface, surface.isEvaluated else {
      return headline + lines(of: nextWithoutData)
    }
    let verdict = sentence(summary(of: surface), behind: verdictWord)
    return wrapped(textOfProfile, first: 2, indent: 2, ink: .faint) + verdict
      + lines(of: next(surface))
  }

  /// The ratio, how many deadlines were missed, and the worst hitch.
  func summary(of surface: SurfaceAnalysis) -> String {
    ((surface.ratio == nil ? [] : ["hitch time ratio \(text(of: surface.ratio))"])
      + missed(surface) + worst(surface)
      + (wordsOnLosses.map { [$0] } ?? []))
      .joined(separator: "; ")
  }

  /// The limits that ratios are sorted by, and where they come from.
  var textOfProfile: String {
    "profile \(profile.rawValue), in ms/s: \(wording.limits(of: profile, atMost: glyphs.atMost))"
      + " (\(profile.citation)); Apple's own field numbers are adjusted and will differ"
  }

  /// What to do next; `nil` where all is said.
  var nextStep: NextStep? {
    guard let surface, surface.isEvaluated else { return nextWithoutData }
    return next(surface)
  }

  /// The verdicts on several runs in their order, and what to do next: look at the worst one.
  static func closing(_ runs: [TextRun], style: TextStyle) -> [TextLine] {
    guard let first = runs.first else {
      return [TextLine("NOT MEASURABLE  no trace was read", .near)]
    }
    let ratios = runs.map { $0.surface?.ratio?.millisecondsPerSecond ?? -1 }
    let worst = zip(runs, ratios).first { $1 == ratios.max() }?.0 ?? first
    let most = 8
    let verdicts = runs.prefix(most).map { run in
      run.surface?.ratio.map { _ in
        "\(run.verdictWord.plain) \(run.text(of: run.surface?.ratio))"
          + (run.wordsOnLosses.map { " (\($0))" } ?? "")
      } ?? "no data"
    }
    let more = runs.count > most ? " and \(runs.count - most) more" : ""
    let text = "\(Quantity.count(runs.count, "run")): \(verdicts.joined(separator: ", "))\(more)"
    return first.wrapped(text, indent: 2)
      + first.lines(of: worst.command("analyze"))
  }

  /// How many deadlines were missed, and how many of them in motion, else how many hitches there were:
  /// those of the ratio, and apart from them the others.
  func missed(_ surface: SurfaceAnalysis) -> [String] {
    if let misses = surface.counts.deadlineMisses {
      let known = surface.overrun.map { " of \($0.count)" } ?? ""
      // The line above counts what was in motion; without this the two would not fit.
      let moving = surface.countsInMotion.deadlineMisses.flatMap {
        $0 == misses ? nil : ", \($0) in motion"
      }
      return ["\(misses)\(known) deadlines missed\(moving ?? "")"]
    }
    let outside = surface.hitchesOutside
    return [
      Quantity.count(surface.hitchesInMotion, "hitch", "hitches")
        + (outside > 0 ? " and \(outside) outside" : "")
    ]
  }

  private func worst(_ surface: SurfaceAnalysis) -> [String] {
    guard let hitch = surface.worstHitches.first else { return [] }
    let frame = hitch.frame.map { ", frame \($0)" } ?? ""
    let refreshes = hitch.refreshesMissed.map { " (\(Quantity.count($0, "refresh", "refreshes")))" }
    let place = hitch.lengthInMotion == .zero && hitch.length > .zero ? ", not in the ratio" : ""
    return [
      "worst hitch \(Quantity.length(hitch.length))\(refreshes ?? "") at"
        + " \(instant(hitch.range.start))\(frame)\(place)"
    ]
  }

  private func next(_ surface: SurfaceAnalysis) -> NextStep? {
    if let frame = surface.worstHitches.lazy.compactMap(\.frame).first {
      return command("analyze", surfaceArguments(surface) + ["--frame", "\(frame)"])
    }
    if surface.ratio == nil, listsHitchesOfUnknownTime { return nextWithoutData }
    if let limit = style.hitchLimit, surface.hitches.count > limit {
      return command("analyze", ["--hitches", "all"])
    }
    if run.notices.contains(.noInterval(surface: surface.name)) {
      return command("analyze", ["--refresh-rate", "60"])
    }
    if run.notices.contains(.noInteractions(surface: surface.name)) {
      return command("analyze", motionFromMarks ?? ["--interaction", "scroll=0s..1s"])
    }
    // Nothing is left to look into; what is good is worth keeping, by the limits the gate has.
    guard surface.hitches.isEmpty, surface.ratio != nil, profile == .scroll,
      trace.losses.isEmpty
    else { return nil }
    return command("baseline update")
  }

  /// The option without which a number would mean a frame of another surface, where it was not given.
  private func surfaceArguments(_ surface: SurfaceAnalysis) -> [String] {
    let selection = run.options.selection
    let isGiven = selection.surface != nil && !selection.arguments.isEmpty
    guard run.surfaces.count > 1 || selection.surface != nil, !isGiven else { return [] }
    return surface.name.hasPrefix("-") || surface.name.isEmpty
      ? ["--surface=\(surface.name)"] : ["--surface", surface.name]
  }

  /// What to do where nothing could be judged.
  var nextWithoutData: NextStep {
    if listsHitchesOfUnknownTime {
      return command("analyze", ["--interaction", "NAME=FROM..TO"])
    }
    guard trace.surfaces.contains(where: { $0.frames.count > 0 }) else {
      if !trace.losses.isEmpty {
        return .advice("get the whole file and analyze that: this one is cut or damaged")
      }
      return .advice(adviceWithoutFrames)
    }
    // What was selected is not there: the whole is the next thing to look at.
    if run.options.selection.narrowsTime { return command("analyze", selects: false) }
    let needsRate = run.surfaces.contains { run.notices.contains(.noInterval(surface: $0.name)) }
    let rate = needsRate ? ["--refresh-rate", "60"] : []
    // What the trace or the user says of motion holds; only where nobody says it, it has to be said.
    let isMotionKnown = !trace.interactions.isEmpty || run.options.namesInteractions
    let motion = isMotionKnown ? [] : motionFromMarks ?? ["--always-moving"]
    guard !(rate + motion).isEmpty else {
      return .advice("record of each frame its begin and commit, with its deadline or target")
    }
    return command("analyze", rate + motion)
  }

  /// How to come by frames: tools that tell of them have said something else here.
  private var adviceWithoutFrames: String {
    switch trace.source.format {
    case "gfxinfo":
      "dump the frames too: adb shell dumpsys gfxinfo PACKAGE framestats"
    case "xctrace":
      "export the table of hitches: xctrace export --input FILE.trace --xpath"
        + " '/trace-toc/run[@number=\"1\"]/data/table[@schema=\"hitches\"]'"
    case "macrobenchmark":
      "open the traces that the benchmark saved beside its results: *.perfetto-trace"
    case "flashlight":
      "dump the frames while the list scrolls: adb shell dumpsys gfxinfo PACKAGE framestats"
    case "xctest", "metrickit":
      "record the scroll with Instruments, and export its table of hitches"
    default: "record frames: begin and commit of each, with its deadline or target"
    }
  }

  /// The option that takes the host's own marks for interactions, where it made any in pairs.
  private var motionFromMarks: [String]? {
    trace.patternOfMarkedStretches.map { ["--interactions-from-marks", $0] }
  }
}
