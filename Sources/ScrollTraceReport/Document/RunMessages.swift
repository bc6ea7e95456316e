import ScrollTraceAnalysis
import ScrollTraceModel

/// The texts on one run: its headline, names and numbers.
///
/// All sections on a run use them. Names are made visible and truncated here.
struct RunMessages {
  let run: Analysis
  let limits: RowLimits
  let wording: Messages
  /// The surface that is described in full, evaluated or not, or `nil` if the trace has no frames.
  let surface: SurfaceAnalysis?
  /// The prefix of the anchors of the run's rows.
  let anchor: String

  init(_ run: Analysis, limits: RowLimits = RowLimits(), anchor: String = "") {
    self.init(run, surface: run.primarySurface, limits: limits, anchor: anchor)
  }

  init(
    _ run: Analysis, surface: SurfaceAnalysis?, limits: RowLimits = RowLimits(), anchor: String = ""
  ) {
    self.run = run
    self.limits = limits
    wording = Messages(start: run.trace.range.start)
    self.surface = surface
    self.anchor = anchor
  }

  var trace: Trace { run.trace }
  var thresholds: RatingThresholds { run.options.thresholds }

  // MARK: - Names and numbers

  /// Returns a name for display in at most `columns`.
  func name(_ text: String, _ columns: Int = 40) -> String {
    VisibleName.ends(of: text, max(columns, limits.nameColumns))
  }

  /// Returns a sentence that may contain names of the trace.
  func sentence(_ text: String) -> String { VisibleName.sentence(text) }

  /// A time in seconds from the trace's start.
  func instant(_ time: Timestamp) -> String { Quantity.instant(time - trace.range.start) }

  func text(of ratio: HitchTimeRatio?) -> String {
    ratio.map { Quantity.ratio($0, in: thresholds) } ?? "not measurable"
  }

  /// The rating of the surface, uncertain and not measurable included (M-24).
  var rated: RatedHitches? { surface?.rated(by: thresholds) }

  static func cell(_ rating: Rating?) -> StyledText {
    StyledText(rating.map { word(for: $0).lowercased() } ?? "", role(of: rating))
  }

  static func role(of rating: Rating?) -> TextRole {
    switch rating {
    case .good: .good
    case .warning, .uncertain, .notMeasurable: .near
    case .critical, .severe: .late
    case nil: .plain
    }
  }

  static func word(for rating: Rating) -> String {
    rating == .notMeasurable ? "NOT MEASURABLE" : rating.rawValue.uppercased()
  }

  // MARK: - Headline

  /// The rating in capitals, or that nothing is measurable. All headlines are made here.
  var headline: (word: StyledText, text: StyledText) {
    guard let surface, surface.isEvaluated else {
      return (noDataWord, StyledText(reasonForNoData, .near))
    }
    return (verdictWord, StyledText(ratingReason(of: surface) ?? ratioBesideLimit()))
  }

  var noDataWord: StyledText { StyledText("NOT MEASURABLE", .near) }

  private var verdictWord: StyledText {
    let rating = rated?.rating ?? .notMeasurable
    return StyledText(Self.word(for: rating), Self.role(of: rating))
  }

  /// Returns why the rating is not that of the ratio, or `nil` if it is.
  private func ratingReason(of surface: SurfaceAnalysis) -> String? {
    // Outside of motion, frames may have been evaluated.
    surface.isEvaluated && surface.hitchTime == nil
      ? "no frame was evaluated in \(wording.text(of: surface.measuredTime))"
      : surface.rated(by: thresholds).reason?.text
  }

  /// Returns the ledger (M-23), or `nil` without motion.
  func ledger(_ surface: SurfaceAnalysis) -> String? {
    guard let ledger = surface.ledger, ledger.owed > .zero else { return nil }
    let rest = [
      (ledger.notRequested, "nothing new was requested"),
      (ledger.settled, "the scroll had settled"),
      (ledger.unknown, "it is unknown whether a picture was expected"),
    ].filter { $0.0 > .zero }.map { "; for \(Quantity.length($0.0)) \($0.1)" }.joined()
    let (kept, new) =
      isContent
      ? ("the picture kept old content", "update")
      : ("the screen kept an old picture", "new picture")
    return "While scrolling, \(kept) for \(Quantity.length(ledger.repeated))"
      + " of \(Quantity.length(ledger.owed)); \(Quantity.count(ledger.pictures, new))\(rest)"
  }

  /// What comes before the ratio, in capitals, and the rest of its sentence; `nil` if nothing does.
  var headlineBeforeRatio: (word: StyledText, text: String)? {
    switch run.headline {
    case nil, .notMeasurable: nil
    case .appEnded(let span):
      (
        StyledText("APP ENDED", .late),
        span.map { "while \(text(of: $0)) ran" } ?? "or is still recording"
      )
    case .dataLost(let time):
      (
        StyledText("RECORDING INCOMPLETE", .near),
        time.map { "\(Quantity.rounded($0)) lost" }
          ?? (trace.losses.first.map { sentence(wording.text(of: $0)) } ?? "data was lost")
          + timeWithoutFrames
      )
    case .noNewPicture(let time, let mayPause):
      (
        StyledText("NO NEW PICTURE", .late),
        "for \(Quantity.rounded(time))" + (mayPause ? ", or nothing moved then" : "")
      )
    case .machineBusy(let share):
      (
        StyledText("MACHINE BUSY", .near),
        "the main thread had no core for \(Quantity.percent(share)) of the motion" + holders
          + ownWork
      )
    case .blank(let share):
      (
        StyledText("BLANK", .near),
        "\(Quantity.percent(share)) of the time"
          + (surface?.hitchesInMotion == 0 ? ", no hitch" : "")
      )
    }
  }

  /// The longest time of 250 ms or more without a frame, in which data may be missing; empty if there is none.
  private var timeWithoutFrames: String {
    // What a cut file lacks comes after all frames.
    guard let index = surface?.surface.index, index < trace.surfaces.count,
      !trace.losses.contains(where: { $0.reason == .cutAtEnd })
    else { return "" }
    var (last, longest): (Timestamp?, TimeRange?) = (nil, nil)
    for time in trace.surfaces[index].frames.compactMap(\.time) {
      if let last, time - last >= max(.milliseconds(250), longest?.length ?? .zero) {
        longest = TimeRange(start: last, end: time)
      }
      last = time
    }
    guard let longest else { return "" }
    let (start, end) = (longest.start - trace.range.start, longest.end - trace.range.start)
    return "; no frame from \(Quantity.instant(start)) to \(Quantity.instant(end))"
  }

  /// Who held the cores, if it was the app itself.
  private var holders: String {
    run.findings.contains { $0.id == .backgroundHoldsCores } ? "; the app's own threads did" : ""
  }

  /// What a busy machine leaves certain: the ratio by the run's own work, and as measured.
  private var ownWork: String {
    guard let surface, let bounds = surface.lowerBounds, let ratio = surface.ratio,
      let minimum = HitchTimeRatio(
        hitchTime: bounds.hitchTime, duration: surface.measuredTime.duration)
    else { return "" }
    return "; by its own work \(Quantity.rounded(minimum, in: thresholds)), at most"
      + " \(Quantity.rounded(ratio, in: thresholds))"
  }

  private func text(of span: OpenSpan) -> String {
    let item = span.item.flatMap(trace.displayText).map { " (\(name($0, 24)))" } ?? ""
    return text(ofWork: trace.category(of: span.label), trace.name(of: span.label)) + item
  }

  /// The ratio with the limit of good ones; empty if there is none.
  ///
  /// - Parameter isNamed: Whether the surface is named.
  func ratioBesideLimit(isNamed: Bool = false) -> String {
    guard let surface, let ratio = surface.ratio else { return "" }
    let estimated = surface.isEstimated ? ", estimated" : ""
    let place = isNamed ? " in '\(name(surface.name))'" : ""
    let limit = thresholds.limits.first.map { Quantity.fixed($0, decimals: 0) } ?? ""
    let good = thresholds == .scroll ? "below \(limit)" : "at most \(limit)"
    return
      "\(Quantity.rounded(ratio, in: thresholds)) of hitch time\(place)\(estimated) (good: \(good))"
  }

  /// Whether the surface is the one that gives the verdict, or there is none.
  var isOfVerdict: Bool {
    run.evaluatedPrimarySurface.map { $0.surface == surface?.surface } ?? true
  }

  /// Whether people do not see the surface itself, but its content in the picture of the verdict's.
  var isContent: Bool {
    guard let surface, let primary = run.evaluatedPrimarySurface else { return false }
    return primary.isOnScreen && !surface.isOnScreen
  }

  /// How many frames came late, how long the worst held the picture, and what limits this, as sentences;
  /// then which other surface is worse.
  var sentenceOnLateness: String {
    guard isOfVerdict else { return sentenceOnOwnLateness }
    let others = [(run.worstOtherSurface, ""), (run.worstSurfaceOfOtherApp, ", another app,")]
    return others.reduce(sentenceOnOwnLateness) { text, entry in
      guard let other = entry.0 else { return text }
      let rating = Self.word(for: other.rated(by: thresholds).rating)
      let ratio = other.ratio.map { " (\(Quantity.rounded($0, in: thresholds)))" } ?? ""
      return "\(text) '\(name(other.name))'\(entry.1) is \(rating)\(ratio)."
    }
  }

  /// How many frames of the surface came late, how long the worst held the picture, and what limits this, as
  /// sentences.
  var sentenceOnOwnLateness: String {
    ([sentenceOnFrames] + remarksOnLateness).joined(separator: " ")
  }

  /// That the picture was smoother than what it showed, which another surface has, as sentences.
  var sentenceBeforeContent: String {
    let text =
      rated?.rating == .good
      ? ["The picture moved smoothly, but its content came late."]
      : [sentenceOnFrames, "The content of the picture came even later."]
    return (text + remarksOnLateness).joined(separator: " ")
  }

  /// As `sentenceOnOwnLateness`, without remarks that are the same on another surface.
  func sentenceOnLateness(after other: RunMessages) -> String {
    let known = other.remarksOnLateness
    return ([sentenceOnFrames] + remarksOnLateness.filter { !known.contains($0) })
      .joined(separator: " ")
  }

  /// How many frames of the surface came late, and how long the worst held the picture or, of its content, how
  /// late it was.
  private var sentenceOnFrames: String {
    guard let surface else { return "" }
    let count = surface.hitchesInMotion
    let when =
      surface.measuredTime.kind == .interaction && !run.options.isAlwaysMoving
      ? " while scrolling"
      : surface.measuredTime.duration == .zero
        ? "" : " in \(Quantity.rounded(surface.measuredTime.duration))"
    var text: String
    if count > 0, let longest = surface.longestHitchInMotion {
      let length = Quantity.rounded(longest)
      // A frame that is late behind a late one delays nothing more.
      let misses = surface.countsInMotion.deadlineMisses ?? 0
      let missed = misses >= 2 * count && misses > 9 ? "; \(misses) missed their deadline" : ""
      let held = isContent ? "by \(length)" : "held the picture for \(length)"
      text =
        count == 1
        ? "1 frame came late\(when)\(isContent ? "," : " and") \(held)\(missed)."
        : "\(count) frames came late\(when)\(placeOfHitches(surface)); the worst \(held)\(missed)."
    } else {
      text = onTime(surface, when)
    }
    let outside = surface.hitchesOutside
    if count == 0, outside > 0, let worst = surface.worstHitches.first {
      text +=
        " \(outside == 1 ? "1 was" : "\(outside) were") late at rest, for up to"
        + " \(Quantity.rounded(worst.length))."
    }
    return text
  }

  /// What limits what is known of the lateness, as sentences.
  private var remarksOnLateness: [String] {
    guard let surface else { return [] }
    var remarks: [String] = []
    if run.lacksInteractions(surface) {
      remarks.append(
        surface.basis == .hitchList
          ? "No interaction is known, so the whole recording counts."
          : "No interaction is known, so late frames of the whole recording count, but skipped"
            + " refreshes do not.")
      remarks += surface.stallsBetweenFrames.map { [sentence(on: $0)] } ?? []
    }
    if isRateEstimated(of: surface), !isRateUsual(of: surface) {
      remarks.append("The refresh rate is estimated from the frames; --refresh-rate sets it.")
    }
    if let given = run.options.refreshInterval, given > .zero, let spacing = evenSpacing,
      let rate = usualRate(of: spacing)
    {
      // No display shows pictures so evenly between its refreshes.
      let refreshes = Double(spacing.nanoseconds) / Double(given.nanoseconds)
      if surface.hitchesInMotion > 0, (refreshes - refreshes.rounded()).magnitude > 0.1 {
        remarks.append(
          "The pictures come every \(Quantity.length(spacing)), as at"
            + " \(Quantity.fixed(rate, decimals: 0)) Hz: check --refresh-rate.")
      } else if rate == 60, usualRate(of: given) == rate {
        remarks.append(
          "If the display has 120 Hz, give that: the pictures come at every second refresh then.")
      }
    }
    if let frame = surface.openFrame {
      remarks.append(
        "Frame \(frame.frame) was open for \(Quantity.rounded(frame.window.length)) at the end.")
    }
    if let reason = ratingReason(of: surface), !headlineSaysReason {
      remarks.append("\(Self.capitalized(reason)).")
    } else if let ledger = surface.ledger, surface.hitchesInMotion > 0,
      ledger.isUnknown(above: RatedHitches.usualUnknownShare)
    {
      let unknown = RatingReason.unknownRefreshes(share: ledger.unknownShare).text
      remarks.append("\(unknown), so there may be more.")
    }
    if trace.states.contains(where: { $0.key == "configuration" && $0.value == "debug" }) {
      remarks.append("This is a debug build, which is slower: measure a release build.")
    }
    if !trace.losses.isEmpty, run.headline?.word != Headline.dataLost(nil).word {
      remarks.append("Data was lost.")
    }
    return remarks
  }

  /// That the main thread was busy where frames may be missing.
  private func sentence(on stalls: StallsBetweenFrames) -> String {
    let longest = Quantity.rounded(stalls.longest)
    let time =
      stalls.count == 1
      ? "for \(longest) between two frames"
      : "\(stalls.count) times between frames, for up to \(longest)"
    let work = stalls.work.name.map { " ('\(name($0))')" } ?? ""
    return
      "The main thread was busy \(time)\(work): if something moved then, add --always-moving."
  }

  /// Whether the refresh rate follows from the frames, which may not come at every refresh. Other surfaces
  /// beside the primary one have the same.
  private func isRateEstimated(of surface: SurfaceAnalysis) -> Bool {
    surface.surface == run.primarySurface?.surface && surface.refreshInterval != nil
      && run.options.refreshInterval == nil
      && trace.surfaces.contains { $0.name == surface.name && $0.derivesRefreshInterval }
  }

  /// The rates of most displays in hertz.
  private static let usualRates = [60.0, 72, 75, 90, 120, 144, 165, 240]

  /// Whether the refresh rate is within a hundredth of that of most displays.
  private func isRateUsual(of surface: SurfaceAnalysis) -> Bool {
    surface.refreshInterval.flatMap(usualRate) != nil
  }

  /// The rate of most displays that an interval is within a hundredth of, or `nil`.
  private func usualRate(of interval: TimeSpan) -> Double? {
    guard interval > .zero else { return nil }
    let rate = 1e9 / Double(interval.nanoseconds)
    return Self.usualRates.first { (rate - $0).magnitude <= $0 / 100 }
  }

  /// The time between pictures if they come as evenly as a display refreshes, or `nil`.
  private var evenSpacing: TimeSpan? {
    surface?.frameSpacing.flatMap { ($0.p90 - $0.p50) * 50 <= $0.p50 ? $0.p50 : nil }
  }

  /// The value of `--refresh-rate`: the rate of pictures that come evenly, or else a word to replace, also for
  /// what is rather half of a higher rate.
  var rateArgument: String {
    evenSpacing.flatMap(usualRate).flatMap { rate in
      rate == 60 || rate >= 90 ? Quantity.fixed(rate, decimals: 0) : nil
    } ?? "HZ"
  }

  /// Where all hitches are, if a short part of the measured time has them; else empty.
  private func placeOfHitches(_ surface: SurfaceAnalysis) -> String {
    guard surface.hitchesInMotion >= Self.fewHitches, surface.hitchTime ?? .zero > .zero else {
      return ""
    }
    return startsOfHitches(surface) ?? interactionsOfHitches(surface) ?? stateOfHitches(surface)
      ?? endOfTimeOfHitches(surface) ?? ""
  }

  /// Whether a time with all hitches is short beside the measured time. Hitches make it longer.
  private func isShort(_ time: TimeSpan, of surface: SurfaceAnalysis) -> Bool {
    let late = surface.hitchTime ?? .zero
    return (time - late) * 5 <= (surface.measuredTime.duration - late) * 3
  }

  /// That each hitch is at the start of one of several interactions, or `nil`.
  private func startsOfHitches(_ surface: SurfaceAnalysis) -> String? {
    let all = surface.interactions.stablySorted { $0.range.start < $1.range.start }
    guard Self.start * Int64(4 * all.count) <= surface.measuredTime.duration else { return nil }
    var found: Set<Int> = []
    for hitch in surface.hitches where hitch.lengthInMotion > .zero {
      let next = all.partitionPoint { $0.range.start > hitch.range.start }
      guard next > 0, hitch.range.start - all[next - 1].range.start <= Self.start else {
        return nil
      }
      found.insert(next - 1)
    }
    guard found.count >= Self.fewInteractions, let first = found.first.map({ all[$0] }) else {
      return nil
    }
    let named =
      if !first.name.isEmpty, found.allSatisfy({ all[$0].name == first.name }) {
        "'\(name(first.name, 24))'"
      } else if found.allSatisfy({ all[$0].kind == first.kind }) {
        "'\(name(first.kind, 24))' interactions"
      } else { "interactions" }
    return ", all at the start of \(named)"
  }

  /// That all hitches are in one of several interactions, or in all of one name or kind, or `nil`.
  private func interactionsOfHitches(_ surface: SurfaceAnalysis) -> String? {
    let all = surface.interactions
    let bad = all.filter { $0.hitchTime != .zero }
    guard all.count >= Self.fewInteractions, let first = bad.first,
      let sums = surface.sums(over: bad), isShort(sums.duration, of: surface)
    else { return nil }
    func areAll(alike text: (InteractionAnalysis) -> String) -> Bool {
      !text(first).isEmpty
        && all.allSatisfy { ($0.hitchTime != .zero) == (text($0) == text(first)) }
    }
    if areAll(alike: \.name) { return ", all in '\(name(first.name, 24))'" }
    if bad.count == 1 {
      let named =
        first.name.isEmpty ? "the \(name(first.kind, 24))" : "'\(name(first.name, 24))'"
      return ", all in \(named) at \(instant(first.range.start))"
    }
    return areAll(alike: \.kind)
      ? ", all in the \(bad.count) '\(name(first.kind, 24))' interactions" : nil
  }

  /// The state that all hitches are in, unless a finding names it, or `nil`.
  private func stateOfHitches(_ surface: SurfaceAnalysis) -> String? {
    let states = surface.states.filter {
      $0.counts.hitches == surface.hitchesInMotion && isShort($0.duration, of: surface)
    }
    guard let state = states.min(by: { $0.duration < $1.duration }) else { return nil }
    let text = "\(state.key)=\(state.value)"
    return run.findings.contains { $0.state == text } ? nil : ", all with \(name(text, 40))"
  }

  /// That all hitches are at the start of the measured time, or many at its end or in a part of it, or `nil`.
  private func endOfTimeOfHitches(_ surface: SurfaceAnalysis) -> String? {
    let late = surface.hitches.filter { $0.lengthInMotion > .zero }.map(\.range)
    guard !run.options.selection.narrowsTime, let start = late.map(\.start).min(),
      let end = late.map(\.end).max()
    else { return nil }
    let measured = TimeRangeSet(
      union: surface.measuredTime.kind == .interaction
        ? surface.interactions.map(\.range) : [trace.range])
    let time = measured.coveredLength(of: TimeRange(start: trace.range.start, end: end))
    if time * 4 <= measured.length { return ", all in the first \(Quantity.rounded(time))" }
    // What slows the app down lasts longer than what is slow at its first use.
    let rest = measured.coveredLength(of: TimeRange(start: start, end: trace.range.end))
    guard late.count >= Self.manyHitches, isShort(rest, of: surface) else { return nil }
    let part = measured.coveredLength(of: TimeRange(start: start, end: end))
    return part * 2 <= rest
      ? ", all from \(instant(start)) to \(instant(end))"
      : ", all in the last \(Quantity.rounded(rest))"
  }

  /// The fewest interactions, and the fewest hitches, that say something by where the hitches are.
  private static let fewInteractions = 3
  private static let fewHitches = 3
  /// The fewest hitches that are not all in a large part of the time by chance.
  private static let manyHitches = 9
  /// How long an interaction has started. A frame is on screen two or three refreshes after its begin.
  private static let start = TimeSpan.milliseconds(150)

  /// Whether what comes before the ratio is why the rating is not the ratio's.
  private var headlineSaysReason: Bool {
    switch (run.headline, rated?.reason) {
    case (.machineBusy, .starved), (.blank, .blank): true
    default: false
    }
  }

  /// How many frames were on time, how much time most had to spare, and how many nobody saw.
  private func onTime(_ surface: SurfaceAnalysis, _ when: String) -> String {
    let counts = surface.countsInMotion
    let dropped = counts.dropped ?? 0
    guard let evaluated = counts.evaluated, evaluated > dropped else {
      return "No frame came late\(when)."
    }
    let onTime = evaluated - dropped
    var text = "\(onTime) of \(Quantity.count(onTime, "frame")) on time\(when)"
    if let slack = surface.slackP5, slack > .zero {
      text += "; 95% had \(Quantity.rounded(slack)) or more to spare"
    }
    if let misses = counts.deadlineMisses, misses > 0 {
      text +=
        "; \(Quantity.count(misses, "commit")) missed \(misses == 1 ? "its" : "their") deadline"
    }
    if dropped > 0 {
      text += "; \(dropped) more \(dropped == 1 ? "was" : "were") dropped"
      if dropped > onTime / 4 { text += ": begin one frame for each refresh" }
    }
    return text + "."
  }

  static func capitalized(_ text: String) -> String {
    (text.first.map { String($0).uppercased() } ?? "") + text.dropFirst()
  }

  var verdictSentence: String {
    guard surface?.hitchTime != nil else { return headline.text.text }
    let before = headlineBeforeRatio.map { "\($0.word.text) \($0.text). " } ?? ""
    let ratio = ratioBesideLimit(isNamed: !isOfVerdict)
    return before + (ratio.isEmpty ? "" : ratio + ". ") + sentenceOnLateness
  }

  // MARK: - No data

  /// The reason why nothing is measurable.
  var reasonForNoData: String {
    let frames = trace.surfaces.reduce(0) { $0 + $1.frames.count }
    if listsHitchesOfUnknownTime {
      let hitches =
        trace.surfaces.contains { !$0.listedHitches.isEmpty } ? "hitches, but" : "no hitch, and"
      return "the source lists \(hitches) not the length of the recording"
    }
    if frames > 0, run.options.namesInteractions,
      run.surfaces.allSatisfy({ $0.measuredTime.duration == .zero })
    {
      return "no defined interaction lies within the recording"
    }
    if frames > 0, run.selectedTime?.isEmpty == true {
      return "the selection is outside the recording"
    }
    if frames > 0, run.options.selection.narrowsTime {
      return "the selection contains no frame that can be evaluated"
    }
    if let surface, surface.isEvaluated { return ratingReason(of: surface) ?? ratioBesideLimit() }
    let reason =
      frames == 0
      ? "the trace contains no frames"
      : "none of \(Quantity.count(frames, "frame")) can be evaluated\(causeOfNoData)"
    guard let loss = trace.losses.first else { return reason }
    return reason + "; data was lost: " + sentence(wording.text(of: loss))
  }

  /// What is known of the main thread if no hitch is, or `nil` if nothing is.
  var textOfLongestWork: String? {
    let refresh = run.knownRefreshInterval
    let sections = run.frameSections(longerThan: refresh ?? Self.refreshAt60Hz)
    let long = sections.filter { $0.longCount > 0 }
    var texts = (long.isEmpty ? Array(sections.prefix(1)) : long).map { text(of: $0, refresh) }
    let longest = run.longestWork.flatMap { longest -> String? in
      guard sections.allSatisfy({ $0.longest.length < longest.range.length }) else { return nil }
      let name = text(ofWork: longest.work.category, longest.work.name ?? "")
      let verb = longest.isWait ? "waits in" : "is"
      let around =
        longest.around.map { " inside \(text(ofWork: $0.category, $0.name ?? ""))" } ?? ""
      let others = longest.others > 0 ? "; \(longest.others) more take half of that or longer" : ""
      let function = longest.isTask ? textOfLongestFunction.map { " " + $0 } ?? "" : ""
      return "The longest work of the main thread \(verb) \(name)\(around):"
        + " \(Quantity.rounded(longest.range.length)), at \(instant(longest.range.start))\(others)."
        + function
    }
    texts += [longest ?? (texts.isEmpty ? textOfLongestFunction : nil)].compactMap(\.self)
    return texts.isEmpty ? nil : texts.joined(separator: " ")
  }

  private static let refreshAt60Hz = TimeSpan(nanoseconds: 16_666_667)

  /// How long the sections around the work for frames took.
  private func text(of sections: FrameSections, _ refresh: TimeSpan?) -> String {
    let count = sections.longCount > 0 ? "\(sections.longCount)" : "None"
    let limit = refresh.map(Quantity.length) ?? "16.7 ms at 60 Hz"
    let work = sections.work.map { (work, time) -> String in
      ", \(Quantity.rounded(time)) of it in \(text(ofWork: work.category, work.name ?? ""))"
    }
    return "\(count) of \(sections.count) '\(sections.name)' took longer than a refresh (\(limit));"
      + " the longest \(Quantity.rounded(sections.longest.length)),"
      + " at \(instant(sections.longest.start))\(work ?? "")."
  }

  /// The function of the app that most samples are in, of those that not all are in, or `nil` if there is none.
  private var textOfLongestFunction: String? {
    guard let account = run.samples?.measured, !account.isOnlyOrder,
      let function = account.ownFunctions.first(where: { $0.totalSamples < account.samples }),
      function.hasRow(in: account)
    else { return nil }
    return "The sampled thread was in '\(name(function.name))' for"
      + " \(Quantity.rounded(function.total)) of \(Quantity.rounded(account.sampled))."
  }

  /// The required data that is unknown for every surface with frames.
  private var causeOfNoData: String {
    let surfaces = trace.surfaces.filter { $0.frames.count > 0 }
    let problems = surfaces.compactMap(\.problem)
    if problems.count == surfaces.count, let first = problems.first {
      return ": " + sentence(first)
    }
    let names = Set(surfaces.map(\.name))
    let notices = Set(run.notices)
    var causes: [String] = []
    if names.allSatisfy({ notices.contains(.noInterval(surface: $0)) }) {
      causes.append("the refresh interval is unknown")
    }
    let isCadence = run.surfaces.allSatisfy { $0.basis == .cadence || !names.contains($0.name) }
    if isCadence, names.allSatisfy({ notices.contains(.noInteractions(surface: $0)) }) {
      causes.append(isOfBrowser ? "no scroll was recorded" : "no interaction is known")
    } else if isCadence, let surface, surface.measuredTime.kind == .interaction {
      causes.append("none is in the \(Quantity.rounded(surface.measuredTime.duration)) of motion")
    }
    return causes.isEmpty ? "" : ": \(causes.joined(separator: ", and "))"
  }

  /// Whether the trace is of a browser, which shows no pictures while nothing changes.
  var isOfBrowser: Bool {
    trace.tracks.contains { ["CrRendererMain", "CrBrowserMain"].contains($0.name) }
  }

  /// Whether there are only listed hitches of a recording with unknown
  /// length.
  var listsHitchesOfUnknownTime: Bool {
    !trace.source.hasKnownLength && trace.surfaces.contains { $0.basis == .hitchList }
  }

  // MARK: - Input and method

  var source: Document.Source {
    let size = trace.source.byteCount.map { " · " + Quantity.bytes($0) } ?? ""
    let length =
      trace.source.hasKnownLength ? Quantity.length(trace.range.length) : "length unknown"
    return Document.Source(
      path: path, facts: "\(name(trace.source.format, 20))\(size) · \(length)")
  }

  /// The input with its length and its refresh rate.
  var shortSource: Document.Source {
    let length =
      trace.source.hasKnownLength ? Quantity.rounded(trace.range.length) : "length unknown"
    let rates = (surface?.distinctRefreshIntervals ?? []).prefix(3).map(Quantity.rate)
    return Document.Source(path: path, facts: ([length] + rates).joined(separator: " · "))
  }

  /// The end of the path, visible.
  private var path: String {
    let path = trace.source.path.isEmpty ? "(no file)" : trace.source.path
    return EscapingContext.terminal.escape(String(path.unicodeScalars.suffix(2_000)))
  }

  /// Returns the end of a name, which identifies a path best.
  func nameEnding(_ text: String, _ columns: Int) -> String { VisibleName.end(of: text, columns) }

  /// The selected part of the trace, or `nil` if everything is selected.
  var textOfSelection: String? {
    guard let text = wording.text(of: run.options.selection) else { return nil }
    let time = run.selectedTime.map { "; \(Quantity.length($0.length)) in total" } ?? ""
    return "selected: \(sentence(text))\(time)"
  }

  /// The ratio assuming that the surface always moved, or `nil` if it does not apply.
  var textOfAssumption: String? {
    guard let surface, let moving = surface.assumingAlwaysMoving, let ratio = moving.ratio,
      !isOfBrowser
    else { return nil }
    let hitches = Quantity.count(moving.hitches, "hitch", "hitches")
    let longest =
      moving.hitches > 1 ? ", the longest \(Quantity.length(moving.longestHitch))" : ""
    return "assuming \(name(surface.name)) always moves: \(text(of: ratio)), \(hitches),"
      + " \(Quantity.length(moving.hitchTime)) of hitch time\(longest)"
  }

  func textOfBasis(_ surface: SurfaceAnalysis) -> String {
    var text = "\(name(surface.name)): "
    if let total = surface.counts.total, let evaluated = surface.counts.evaluated {
      text += "\(evaluated) of \(Quantity.count(total, "frame")) "
    }
    text += "evaluated against \(wording.text(of: surface.basis))"
    if surface.tolerance > .zero { text += " (tolerance \(Quantity.length(surface.tolerance)))" }
    let intervals = refreshIntervals(of: surface)
    if !intervals.isEmpty {
      let texts = intervals.prefix(4).map { interval in
        intervals.count > 1
          ? "\(interval.rate) (\(interval.length), \(Quantity.count(interval.frames, "frame")))"
          : "\(interval.rate) (\(interval.length))"
      }
      text += "; \(texts.joined(separator: ", "))"
    }
    if surface.refreshIntervals.isEmpty { text += "; refresh interval unknown" }
    if isRateEstimated(of: surface) { text += ", estimated from the frames" }
    return text
  }

  /// Returns the refresh intervals with their frames, combining those that are displayed equally.
  private func refreshIntervals(
    of surface: SurfaceAnalysis
  ) -> [(rate: String, length: String, frames: Int)] {
    var intervals: [(rate: String, length: String, frames: Int)] = []
    for interval in surface.refreshIntervals {
      let rate = Quantity.rate(interval.refreshInterval)
      let length = Quantity.interval(interval.refreshInterval)
      if let index = intervals.firstIndex(where: { $0.rate == rate && $0.length == length }) {
        intervals[index].frames += interval.frames
      } else {
        intervals.append((rate, length, interval.frames))
      }
    }
    return intervals
  }

  var textOfThresholds: String {
    let limits = thresholds.limits.map { Quantity.fixed($0, decimals: 0) }
    let names = Rating.allCases.dropFirst().prefix(limits.count)
    let (good, bad) = thresholds == .scroll ? ("<", "≥") : ("≤", ">")
    let others = zip(names, limits).dropFirst().map { ", \($0.rawValue) \(bad) \($1)" }.joined()
    return
      "Good \(good) \(limits.first ?? "")\(others) ms/s of hitch time (\(thresholds.citation))."
  }

  // MARK: - Hitches and work

  func shownHitches(of surface: SurfaceAnalysis) -> [Hitch] {
    Array(surface.worstHitches.prefix(limits.hitches ?? surface.hitches.count))
  }

  func anchor(ofHitch index: Int) -> String { "\(anchor)hitch-\(index + 1)" }

  /// Returns a cause with its hitch time, its share and its number of hitches.
  func sentence(on cause: CauseSummary, of surface: SurfaceAnalysis) -> String {
    "\(text(of: cause.kind, on: surface)), \(Quantity.length(cause.hitchTime)) of hitch time"
      + " (\(Quantity.share(surface.share(of: cause.hitchTime))),"
      + " \(Quantity.count(cause.hitchCount, "hitch", "hitches")))"
  }

  /// Returns a cause of hitches in words; of unrecorded time, with the function that most of it is in, if
  /// samples say it.
  ///
  /// - Parameter width: The maximum number of columns of work.
  func text(
    of kind: CauseSummary.Kind, on surface: SurfaceAnalysis, width: Int = widestWork
  ) -> String {
    if case .work(let category, let name) = kind {
      return text(ofWork: category, name, width: width)
    }
    guard kind == .unrecorded, let text = textOfUnrecorded(run.samples?.hitches[surface.surface])
    else { return text(of: kind) }
    return text
  }

  /// Returns a cause as `text(of:on:width:)`, but work by its name alone if no other cause has that. Reserved
  /// categories say what is done, so they stay.
  func shortText(
    of kind: CauseSummary.Kind, on surface: SurfaceAnalysis, width: Int = widestWork
  ) -> String {
    guard case .work(let category, let name) = kind, !name.isEmpty,
      !category.hasPrefix(Label.reservedPrefix),
      !surface.causes.contains(where: { $0.kind != kind && $0.kind.workName == name })
    else { return text(of: kind, on: surface, width: width) }
    return self.name(name, min(40, width))
  }

  /// Returns unrecorded time in words with the function that most of it is in, or `nil` if samples do not
  /// say it.
  func textOfUnrecorded(_ account: SampleAccount?) -> String? {
    guard let code = account?.unrecorded, code.isMost else { return nil }
    if code.isIdle { return "not instrumented, mostly waiting for events" }
    let plain = QualifiedName(code.function).plain
    return "not instrumented, mostly \(name(plain.isEmpty ? code.function : plain))"
  }

  func text(of kind: CauseSummary.Kind) -> String {
    switch kind {
    case .work(let category, let name): text(ofWork: category, name)
    case .waiting(let wait): FindingText.plain(wait.phrase) { name($0, 40) }
    default: Messages.text(of: kind, inFrame: false)
    }
  }

  /// Returns a category without the prefix of reserved ones. A list of several is truncated if
  /// space is limited, so that the name after it is not.
  func label(_ category: String) -> String {
    limits.nameColumns > 0
      ? Messages.label(ofCategory: category)
      : Messages.shortLabel(ofCategory: category, ellipsis: "…")
  }

  /// The maximum number of columns for the category and name of work.
  static let widestWork = 42
  /// The fewest columns in which a part of a category is worth reading.
  private static let narrowestCategory = 4

  /// Returns the category and name of work, truncating the category if space is limited.
  func text(ofWork category: String, _ name: String, width: Int = widestWork) -> String {
    let name = self.name(name, min(40, width))
    let label = label(category)
    guard limits.nameColumns == 0, !name.isEmpty, !label.isEmpty else {
      return [self.name(label), name].filter { !$0.isEmpty }.joined(separator: "/")
    }
    let room = width - 1 - ColumnWidth.of(name)
    guard room >= Self.narrowestCategory else { return name }
    guard ColumnWidth.of(label) > room else { return "\(self.name(label, room))/\(name)" }
    // The first category of a list is more useful than a part of the second one.
    let first = category.prefix { $0 != "," }
    let short = first.count < category.count ? "\(first),…" : label
    return "\(VisibleName.front(of: short, room))/\(name)"
  }
}

extension CauseSummary.Kind {
  /// The name of work, or `nil` of other causes.
  fileprivate var workName: String? {
    if case .work(_, let name) = self { name } else { nil }
  }
}
