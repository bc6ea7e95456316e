import ScrollTraceAnalysis
import ScrollTraceModel

/// Checks whether runs that share a median can be of one scenario (M-20).
struct ScenarioConsistency {
  /// The maximum number of runs that are tried as the representative one.
  private static let candidates = 16
  private static let maximumNames = 3

  private let outlines: [(name: String, outline: ScenarioSignature)]
  /// The runs in which nothing can have moved.
  private let resting: [String]
  /// The runs that lost data, each with the length of the time that was kept.
  private let lossy: [(name: String, length: TimeSpan)]

  /// Creates a check of `runs`; runs without data do not count.
  init(_ runs: [Analysis]) {
    outlines = runs.compactMap { run in
      run.evaluatedPrimarySurface.map {
        (Budget.fileName(of: run), ScenarioSignature(of: $0, in: run))
      }
    }
    resting = runs.filter { $0.evaluatedPrimarySurface?.isAtRest == true }.map(Budget.fileName)
    lossy = runs.compactMap { run in
      run.lengthAfterLoss.map { (Budget.fileName(of: run), $0) }
    }
  }

  /// The run that the most others resemble, with the others, or `nil` if no run has data.
  private var representative: (index: Int, others: [(name: String, outline: ScenarioSignature)])? {
    outlines.prefix(Self.candidates).enumerated().map { index, candidate in
      (index, outlines.filter { !candidate.outline.resembles($0.outline) })
    }.min { $0.1.count < $1.1.count }
  }

  /// What the runs scrolled, or `nil` if they are not of one scroll, or have no data.
  var scenario: ScenarioSignature? {
    guard let scenario = representative.map({ outlines[$0.index].outline }),
      outlines.allSatisfy({ scenario.isComparable(to: $0.outline) })
    else { return nil }
    return scenario
  }

  /// Returns the note that all runs scrolled something else than the baseline's, or `nil` if one can be
  /// of the same scroll.
  func note(comparing baseline: ScenarioSignature?) -> VerdictNote? {
    guard let baseline, let scenario = outlines.first?.outline,
      outlines.allSatisfy({ !baseline.isComparable(to: $0.outline) })
    else { return nil }
    return VerdictNote(
      .scenarios, .error,
      "not compared: the baseline has a different scenario,"
        + " \(baseline.text); these traces have \(scenario.text);"
        + " record the same scroll, or make a new baseline")
  }

  /// Returns a note on the runs in which nothing can have moved, and on those to compare of which no interaction is
  /// known, though it is of others or of the baseline's, or `nil` if there is none: where nothing moved, nothing was
  /// late.
  func noteOnRest(comparing baseline: Baseline.Group?) -> VerdictNote? {
    let still = outlines.filter { $0.outline.measuredTime.kind == .recording }.map(\.name)
    let isOfScrolls = baseline?.scenario?.measuredTime.kind == .interaction
    let isCompared = baseline != nil && (isOfScrolls || still.count < outlines.count)
    let names = (isCompared ? still : resting).map { $0.isEmpty ? "the trace" : $0 }
    guard !names.isEmpty else { return nil }
    let part = outlines.count > 1 ? " in \(names.count) of \(outlines.count) runs" : ""
    return VerdictNote(
      .scenarios, .error,
      "\(names.listed(maximum: Self.maximumNames)): no interaction\(part), as if nothing had moved;"
        + " record \(names.count == 1 ? "it" : "them") again")
  }

  /// A note on the runs of a different scenario than most, or `nil` if there is none.
  var noteOnOthers: VerdictNote? {
    guard let (index, others) = representative, !others.isEmpty else { return nil }
    let list = others.map(\.name).listed(maximum: Self.maximumNames)
    return VerdictNote(
      .scenarios, .warning,
      "\(others.count) of \(outlines.count) runs recorded a different scenario from"
        + " \(outlines[index].name): \(list); the median is of all runs, and --group PATTERN"
        + " separates them")
  }
}

extension ScenarioConsistency {
  /// Returns a note on the runs of one side that lost data and are shorter than the other side's, or `nil` if
  /// there is none: what is left can be the slow part of the same scroll, or the smooth one.
  func noteOnLostTime(comparing baseline: Baseline.Group?) -> VerdictNote? {
    guard let baseline else { return nil }
    let old = baseline.runs.compactMap { run in
      run.lengthAfterLoss.map { (name: run.trace.fileName, length: $0) }
    }
    return Self.note(on: lossy, shorterThan: baseline.scenario)
      ?? Self.note(on: old, shorterThan: scenario)
  }

  private static func note(
    on lossy: [(name: String, length: TimeSpan)], shorterThan other: ScenarioSignature?
  ) -> VerdictNote? {
    guard let other else { return nil }
    let shorter = lossy.filter {
      $0.length < other.measuredTime.duration && !other.isAsLong(as: $0.length)
    }
    guard let first = shorter.first else { return nil }
    let names = shorter.map { $0.name.isEmpty ? "the trace" : $0.name }
    return VerdictNote(
      .scenarios, .error,
      "not compared: data was lost, and only \(GateNumber.text(first.length.seconds, unit: "s"))"
        + " of \(other.length) are left in \(names.listed(maximum: maximumNames));"
        + " record \(names.count == 1 ? "it" : "them") again")
  }

  /// Returns a note with both lengths if the runs of one scenario last longer than others, or than the
  /// baseline's, or `nil` if none does.
  func noteOnLength(comparing baseline: ScenarioSignature?) -> VerdictNote? {
    guard let index = representative?.index else { return nil }
    let usual = outlines[index].outline
    let alike = outlines.map(\.outline).filter(usual.resembles).sorted {
      $0.measuredTime.duration < $1.measuredTime.duration
    }
    guard let shortest = alike.first, let longest = alike.last else { return nil }
    let middle = alike[alike.count / 2]
    let text: String
    if let baseline, baseline.isComparable(to: middle),
      !baseline.isAsLong(as: middle.measuredTime.duration)
    {
      text = "the baseline's runs last \(baseline.length), these \(middle.length)"
    } else if !shortest.isAsLong(as: longest.measuredTime.duration) {
      let range = shortest.measuredTime.duration.seconds...longest.measuredTime.duration.seconds
      text = "the runs last \(GateNumber.text(range, unit: "s"))"
    } else {
      return nil
    }
    return VerdictNote(.scenarios, .warning, "\(text); counts and sums grow with the length")
  }
}

extension ScenarioSignature {
  fileprivate var length: String { GateNumber.text(measuredTime.duration.seconds, unit: "s") }

  /// The interactions, their length and the displayed items.
  fileprivate var text: String {
    let kinds = parts.map { "\($0.count) \($0.kind.isEmpty ? "interaction" : $0.kind)" }
    let items = displayedItems.map { ["\($0) displayed \($0 == 1 ? "item" : "items")"] } ?? []
    return (kinds + [length] + items).joined(separator: ", ")
  }
}

extension SurfaceAnalysis {
  /// Whether no interaction is known, and most pictures come so far apart, and on time, that they are those of a cursor
  /// or a clock.
  fileprivate var isAtRest: Bool {
    guard measuredTime.kind == .recording, hitchTime == TimeSpan.zero, let frameSpacing else {
      return false
    }
    return frameSpacing.p50 >= .milliseconds(250)
  }
}
