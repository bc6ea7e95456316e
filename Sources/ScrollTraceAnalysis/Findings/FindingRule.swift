import ScrollTraceModel

/// A condition that is worth a finding (M-19).
///
/// A rule is one file: its identifier, its thresholds with their sources, when it applies, the evidence of
/// its findings as a type of its own, and their words. `FindingRules.all` lists it.
protocol FindingRule: Sendable {
  static var id: FindingID { get }
  static var thresholds: [any NamedThreshold] { get }

  /// Returns the findings in an analysis, in any order.
  func findings(in context: FindingContext) -> [Finding]
}

extension FindingRule { static var thresholds: [any NamedThreshold] { [] } }

/// The evidence of one finding, in the words of its rule.
protocol FindingEvidence {
  /// A few words without a period.
  var title: Phrase { get }
  /// The evidence as a sentence without a period.
  var sentence: Phrase { get }
  /// What the evidence is in JSON.
  var facts: Finding.Facts { get }

  /// Returns what to do, as sentences, in the terms of a toolkit.
  func fix(in toolkit: Toolkit?) -> Phrase
}

extension FindingEvidence { var facts: Finding.Facts { [] } }

extension FindingRule {
  /// Creates a finding of this rule that no work of the app causes, or whose cause costs no hitch time.
  func finding(
    of subject: Finding.Subject, _ measures: Finding.Measures, _ evidence: some FindingEvidence,
    in context: FindingContext, state: String? = nil, certainty: Finding.Certainty = .kind,
    weight: TimeSpan? = nil, removable: TimeSpan? = nil, whole: TimeSpan? = nil
  ) -> Finding {
    Finding(
      id: Self.id, subject: subject, measures: measures, removable: removable, whole: whole,
      together: nil, words: context.words(of: evidence), facts: evidence.facts, cause: nil,
      state: state, certainty: certainty, weight: weight ?? removable ?? measures.hitchTime)
  }

  /// Creates a finding for each surface with enough hitches of whose windows `part` is most.
  func findings(
    of part: KeyPath<Attribution, TimeSpan>, in context: FindingContext,
    _ evidence: (HitchGroup) -> some FindingEvidence
  ) -> [Finding] {
    context.evaluatedSurfaces.compactMap { surface in
      HitchGroup(of: surface) {
        context.isExplained($0.window, of: surface) ? .zero : $0[keyPath: part]
      }.map {
        finding(
          of: .surface(surface.name), $0.measures(total: $0.total), evidence($0), in: context,
          certainty: .unknown, whole: surface.hitchTime)
      }
    }
  }

  /// Creates a finding of this rule about a list's work in late frames.
  func finding(
    of list: ListAnalysis, _ work: FindingContext.LateWork, _ evidence: some FindingEvidence,
    in context: FindingContext, certainty: Finding.Certainty
  ) -> Finding {
    finding(
      of: .list(list.name), work.measures, evidence, in: context, certainty: certainty,
      removable: work.removable, whole: work.whole)
  }

  /// Creates a finding of this rule about a list's work, of which `late` is the part in late frames.
  func finding(
    of list: ListAnalysis, _ late: FindingContext.LateWork?, count: Int, total: TimeSpan?,
    worst: Timestamp? = nil, _ evidence: some FindingEvidence, in context: FindingContext,
    certainty: Finding.Certainty
  ) -> Finding {
    let measures = Finding.Measures(
      count: count, total: total, hitches: late?.measures.hitches ?? 0,
      hitchTime: late?.measures.hitchTime ?? .zero,
      worst: late?.measures.worst ?? worst.map { Finding.Occurrence(frame: nil, time: $0) })
    return finding(
      of: .list(list.name), measures, evidence, in: context, certainty: certainty,
      removable: late?.removable ?? .zero, whole: late?.whole)
  }

  /// Creates a finding of this rule about a cause of hitches.
  ///
  /// - Parameter isRemovable: Whether the hitch time would go if the app took the cause out of its frames.
  func finding(
    of cause: HitchCause, subject: Finding.Subject? = nil, count: Int? = nil,
    _ evidence: some FindingEvidence, in context: FindingContext,
    certainty: Finding.Certainty = .kind, isRemovable: Bool = true
  ) -> Finding {
    Finding(
      id: Self.id, subject: subject ?? .surface(cause.surface.name),
      measures: cause.measures(count: count), removable: isRemovable ? cause.removable : nil,
      whole: cause.surface.hitchTime, together: isRemovable ? cause.together : nil,
      words: context.words(of: evidence), facts: evidence.facts, cause: cause.cause, state: nil,
      certainty: certainty, weight: cause.removable)
  }
}

/// A limit of a rule, with its name and the reason for its value.
struct Threshold<Value: Sendable>: NamedThreshold {
  let name: String
  let value: Value
  let source: String

  init(_ name: String, _ value: Value, source: String) {
    self.name = name
    self.value = value
    self.source = source
  }
}

protocol NamedThreshold: Sendable {
  /// The name, unique among all rules.
  var name: String { get }
  /// The reason for the value.
  var source: String { get }
}

/// The thresholds that several rules share (M-19); each rule declares its others.
package enum FindingThresholds {
  /// The part of a late frame's time that work must fill to count.
  static let lateFrameShare = Threshold(
    "lateFrameShare", 0.1, source: "Removing less than this rarely saves a frame.")
  /// The part of the hitch time that a cause must explain.
  static let explainedShare = Threshold(
    "explainedShare", 0.5, source: "A cause of most of the hitch time is the one to fix first.")
  /// The part of a late frame's time off a core from which no work in it is the cause (M-25).
  static let offCoreWindowShare = Threshold(
    "offCoreWindowShare", 0.5, source: "Work that hardly ran did not make the frame late.")
  /// The part of the hitch time below which the largest cause is one of many.
  static let manyCauses = Threshold(
    "manyCauses", 0.25, source: "A first screen has three fixes, for three quarters of the time.")
  /// The number of causes that are taken out in pairs.
  static let combinedCauses = Threshold(
    "combinedCauses", 4, source: "Nobody makes more changes at once.")
  /// How long a frame is open at the end of the recording that did not just happen to end in it.
  static let openFrame = Threshold(
    "openFrame", TimeSpan.milliseconds(250),
    source: "People notice that an app does not answer from about a quarter of a second on.")
  /// The fewest cells that allow a statement about all of them.
  static let minimumCells = Threshold("minimumCells", 8, source: "A list displays about this many.")
  /// The fewest cells of a view whose replacement is a jump.
  static let minimumView = Threshold(
    "minimumView", 4, source: "A pager that displays fewer replaces all of them as it scrolls.")
  /// The fewest items with new cells.
  static let reloadedItems = Threshold(
    "reloadedItems", 4, source: "A few new cells now and then cost nothing.")
  /// The longest time between a snapshot and the preparation of a cell that it discarded.
  static let reloadTime = Threshold(
    "reloadTime", TimeSpan.milliseconds(100), source: "A list prepares its cells within frames.")
  /// The part of the work ahead that may be wasted.
  static let wastedShare = Threshold(
    "wastedShare", 0.25, source: "Every turn of the scroll wastes some.")
  /// The longest wait of a cell for its data that nobody notices, if no refresh interval is known.
  static let visibleWait = Threshold(
    "visibleWait", TimeSpan.milliseconds(16), source: "One refresh at 60 Hz.")
}
