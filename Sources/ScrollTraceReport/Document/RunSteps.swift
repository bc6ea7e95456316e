import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTraceSummary

extension RunMessages {
  var steps: RunSteps { RunSteps(messages: self) }
}

/// The next steps after reading the report on a run.
struct RunSteps {
  /// The definition of an interaction whose time the reader must fill in.
  private static let scroll = "scroll=FROM..TO"
  /// The maximum length of a path in bytes.
  private static let longestPath = 4096

  let messages: RunMessages

  private var run: Analysis { messages.run }
  private var trace: Trace { messages.trace }

  // MARK: - Commands

  /// Returns a command that evaluates the trace as this report does.
  ///
  /// - Parameters:
  ///   - verb: The name of the command.
  ///   - operands: The operands after the trace.
  ///   - flags: Additional options.
  ///   - selects: Whether to repeat the report's selection.
  func command(
    _ verb: String, operands: [String] = [], _ flags: [String] = [], selects: Bool = true
  ) -> NextStep {
    let options = run.options
    let given =
      options.arguments.isEmpty && options.isAlwaysMoving
      ? ["--always-moving"] : options.arguments
    let flags = given + (selects ? options.selection.arguments : []) + flags
    return .command(
      [ToolIdentity.name] + verb.split(separator: " ").map(String.init) + [path] + operands + flags)
  }

  /// Returns the step that shows a frame, or all hitches if there is no frame.
  private func step(showing frame: UInt64?, of surface: SurfaceAnalysis?) -> NextStep {
    let arguments = frame.map { number in
      (surface.map(surfaceArguments) ?? []) + ["--frame", "\(number)"]
    }
    let step = command("analyze", arguments ?? ["--hitches", "all"])
    guard case .command(let allArguments, _) = step, let surface,
      surface.surface == self.messages.surface?.surface
    else { return step }
    let shown = self.messages.shownHitches(of: surface)
    let index =
      frame.map { number in shown.firstIndex { $0.frame == number } }
      ?? (shown.count == surface.hitches.count ? 0 : nil)
    return .command(
      allArguments,
      link: index.map {
        .init(
          anchor: self.messages.anchor(ofHitch: $0),
          text: frame.map { "frame \($0)" } ?? "all hitches"
        )
      })
  }

  /// The path for a command, or a placeholder if no command can read the input again.
  private var path: String {
    let path = trace.source.path
    guard !path.isEmpty, path != "-", path.utf8.count <= Self.longestPath else { return "TRACE" }
    return path.hasPrefix("-") ? "./" + path : path
  }

  var pathArgument: String { ShellWord.quoted(path, for: .terminal) }

  // MARK: - Findings

  /// How much of the recording to show around a moment.
  private static let around = TimeSpan.milliseconds(100)

  /// The command that shows what a finding rests on: its worst frame, the time around its worst moment,
  /// the frames in its state, all hitches, or without any the whole report.
  func step(showing finding: Finding) -> NextStep {
    if finding.id == .dataLoss || finding.id == .fewFrames {
      return .command([ToolIdentity.name, "inspect", path])
    }
    if let state = finding.state {
      return command("analyze", ["--state", state], selects: false)
    }
    guard let worst = finding.measures.worst else {
      return messages.surface?.hitches.isEmpty == false
        ? step(showing: nil, of: messages.surface) : command("analyze", ["--full"])
    }
    if let frame = worst.frame { return step(showing: frame, of: surface(of: finding, frame)) }
    let hitch = run.surfaces.lazy.flatMap(\.hitches).first {
      $0.range.start == worst.time || $0.chargedAttribution?.window.start == worst.time
    }
    let end = (hitch.map { max($0.range.end, worst.time) } ?? worst.time) - trace.range.start
    let start = worst.time - trace.range.start
    return command(
      "analyze",
      ["--from", seconds(max(.zero, start - Self.around)), "--to", seconds(end + Self.around)],
      selects: false)
  }

  /// The surface whose frame a finding names: its subject, else the first one with such a hitch.
  private func surface(of finding: Finding, _ frame: UInt64) -> SurfaceAnalysis? {
    let subject = run.surfaces.first { finding.subject == .surface($0.name) }
    let hitching = run.surfaces.first { $0.hitches.contains { $0.frame == frame } }
    return subject
      ?? (messages.surface?.hitches.contains { $0.frame == frame } == true
        ? messages.surface : hitching ?? messages.surface)
  }

  /// A time from the trace's start as an option takes it.
  private func seconds(_ time: TimeSpan) -> String {
    Quantity.decimal(time.nanoseconds, per: 1_000_000_000, decimals: 3) + "s"
  }

  // MARK: - Next

  /// The next step, or `nil` if the report is complete.
  var nextStep: NextStep? {
    guard let surface = messages.surface, surface.isEvaluated else { return nextWithoutData }
    return next(surface)
  }

  /// The hitch to look at next: that of the first fix, else the worst of `surface`; `nil` if no hitch of `surface`
  /// has a frame.
  func nextHitch(
    _ surface: SurfaceAnalysis
  ) -> (frame: UInt64, surface: SurfaceAnalysis, isWorst: Bool)? {
    guard let worst = surface.worstHitches.lazy.compactMap(\.frame).first else { return nil }
    guard let first = run.findings.first, first.state == nil, first.measures.hitchTime > .zero,
      let frame = first.measures.worst?.frame, let other = self.surface(of: first, frame)
    else { return (worst, surface, true) }
    return (frame, other, other.surface == surface.surface && frame == worst)
  }

  func next(_ surface: SurfaceAnalysis) -> NextStep? {
    if surface.hitchTime == nil, !messages.listsHitchesOfUnknownTime, !run.options.isAlwaysMoving,
      !run.options.namesInteractions, !run.options.selection.narrowsTime
    {
      // The interactions of the trace hold no frame.
      return command("analyze", ["--always-moving"])
    }
    if let hitch = nextHitch(surface) {
      return step(showing: hitch.frame, of: hitch.surface)
    }
    if surface.ratio == nil, messages.listsHitchesOfUnknownTime { return nextWithoutData }
    if let limit = messages.limits.hitches, surface.hitches.count > limit {
      return step(showing: nil, of: surface)
    }
    if run.notices.contains(.noInterval(surface: surface.name)) {
      return command("analyze", ["--refresh-rate", messages.rateArgument])
    }
    if run.notices.contains(.noInteractions(surface: surface.name)) {
      let motion =
        surface.stallsBetweenFrames == nil ? ["--define", Self.scroll] : ["--always-moving"]
      return command("analyze", motionFromMarks ?? motion)
    }
    // No problem is left, so the next step is to preserve the result, with the limits of the gate.
    guard surface.hitches.isEmpty, messages.rated?.rating == .good, messages.thresholds == .scroll,
      trace.losses.isEmpty
    else { return nil }
    if let other = run.worstOtherSurface, other.surface != surface.surface,
      let frame = other.worstHitches.lazy.compactMap(\.frame).first
    {
      return step(showing: frame, of: other)
    }
    return command("baseline")
  }

  /// The option that a frame number requires to refer to this surface, if it was not given.
  func surfaceArguments(_ surface: SurfaceAnalysis) -> [String] {
    let selection = run.options.selection
    let isGiven = selection.surface != nil && !selection.arguments.isEmpty
    guard run.surfaces.count > 1 || selection.surface != nil, !isGiven else { return [] }
    return surface.name.hasPrefix("-") || surface.name.isEmpty
      ? ["--surface=\(surface.name)"] : ["--surface", surface.name]
  }

  /// The next step if nothing could be evaluated.
  var nextWithoutData: NextStep {
    if messages.listsHitchesOfUnknownTime {
      return command("analyze", ["--define", Self.scroll])
    }
    guard trace.surfaces.contains(where: { $0.frames.count > 0 }) else {
      if trace.losses.allSatisfy({ $0.reason == .recorderOutOfSpace }), !trace.losses.isEmpty {
        return .advice(
          "record again with more room: the recording was full before its first frame")
      }
      if trace.losses.contains(where: { $0.reason.leavesGaps }) {
        return .advice("analyze the complete file: this one is cut or damaged")
      }
      return trace.source.format == "xctrace"
        ? .command(Self.exportOfHitches) : .advice(adviceWithoutFrames)
    }
    // The selection is empty, so the whole trace is the next step.
    if run.options.selection.narrowsTime { return command("analyze", selects: false) }
    let problems = trace.surfaces.filter { $0.frames.count > 0 }.map(\.problem)
    if !problems.contains(nil) {
      func areAbout(_ words: String) -> Bool {
        problems.contains { $0?.includes(words) == true }
      }
      if areAbout("several recordings") { return .advice("give each recording its own file") }
      return .advice(
        trace.source.format == "ndjson" && areAbout("in nanoseconds")
          ? #"name the unit in the first line: {"scrolltrace":"ndjson/1","unit":"us"}"#
          : "record again, with all times in nanoseconds of one clock")
    }
    let needsRate = run.surfaces.contains { run.notices.contains(.noInterval(surface: $0.name)) }
    let rate = needsRate ? ["--refresh-rate", messages.rateArgument] : []
    // Interactions from the trace or the user are kept. Only if there are none, they must be
    // defined.
    let isMotionKnown = !trace.interactions.isEmpty || run.options.namesInteractions
    let marks = isMotionKnown ? [] : motionFromMarks
    if messages.isOfBrowser, rate.isEmpty, marks?.isEmpty ?? true {
      return .advice(
        "record again while you scroll"
          + (isMotionKnown
            ? ", for longer" : "; if something moves all the time, add --always-moving"))
    }
    let motion = marks ?? ["--always-moving"]
    guard !(rate + motion).isEmpty else {
      return .advice("record the start and commit of each frame, with its deadline or target")
    }
    return command("analyze", rate + motion)
  }

  /// The command that exports the table of hitches of an Instruments recording.
  private static let exportOfHitches = [
    "xcrun", "xctrace", "export", "--input", "FILE.trace", "--output", "run.xml", "--xpath",
    "/trace-toc/run[@number=\"1\"]/data/table[@schema=\"hitches\"]",
  ]

  /// The advice on recording frames, because the source contains other data.
  private var adviceWithoutFrames: String {
    switch trace.source.format {
    case "gfxinfo":
      "dump the frames too: adb shell dumpsys gfxinfo PACKAGE framestats"
    case "chrome-json" where messages.isOfBrowser:
      "record in DevTools > Performance while you scroll, which includes frames"
    case "perfetto" where messages.isOfBrowser:
      "record Chrome's category cc too, which has the frames"
    case "mangohud": "record with log_interval=0, which writes a row for every frame"
    case "ndjson", "csv":
      "write a line for each frame: frame, begin, commitStart, commitEnd, deadline, interval"
    case let format where format == "systrace" || isOfAndroid:
      "record with Perfetto and android.surfaceflinger.frametimeline, which has the frames"
    default: "record the start and commit of each frame, with its deadline or target"
    }
  }

  /// Whether the trace has sections of Android's frames: other tools convert its traces to formats without frames.
  private var isOfAndroid: Bool {
    trace.labels.labels.contains { trace.strings[$0.name].hasPrefix("Choreographer#doFrame") }
  }

  /// The option that derives interactions from the host's own pairs of marks, or `nil` if there are
  /// none.
  private var motionFromMarks: [String]? {
    trace.patternOfMarkedRanges.map { ["--define-from-marks", $0] }
  }
}

/// A suggested step after a report.
enum NextStep: Sendable {
  /// The words of a command, to copy unchanged, and the part of a page that shows the same.
  case command([String], link: Link? = nil)
  case advice(String)

  /// A part of a page.
  struct Link: Sendable {
    let anchor: String
    let text: String
  }

  /// The part of a page that shows the same, or `nil` if none does.
  var link: Link? {
    if case .command(_, let link) = self { link } else { nil }
  }

  /// Returns the step, escaped for `context`.
  func text(for context: EscapingContext = .terminal) -> String {
    switch self {
    case .command(let arguments, _):
      arguments.map { ShellWord.quoted($0, for: context) }.joined(separator: " ")
    case .advice(let text): text
    }
  }
}
