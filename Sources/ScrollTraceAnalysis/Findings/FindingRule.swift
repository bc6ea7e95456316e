import ScrollTraceModel

/// A condition that is worth a finding (M-19).
///
/// A rule is one file: its identifier, its thresholds with their reasons, when it applies, and the evidence of
/// its findings with their words, as a type of its own if they need more than a few lines.
/// `FindingRules.all` lists it.
protocol FindingRule: Sendable {
  static var id: FindingID { get }

  /// Returns the findings in an analysis, in any order.
  func findings(in context: FindingContext) -> [Finding]
}

/// The evidence of one finding, in the words of its rule.
protocol FindingEvidence {
  /// A few words without a period.
  var title: Phrase { get }
  /// The evidence as a sentence without a period.
  var sentence: Phrase { get }
  var facts: Finding.Facts { get }

  /// Returns what to do, as sentences, in the terms of a toolkit.
  func fix(in toolkit: Toolkit?) -> Phrase
}

extension FindingEvidence { var facts: Finding.Facts { [] } }

/// Evidence in words that its rule writes where it finds it.
struct PlainEvidence: FindingEvidence {
  let title: Phrase
  let sentence: Phrase
  var facts: Finding.Facts = []
  let fix: Phrase

  func fix(in toolkit: Toolkit?) -> Phrase { fix }
}

extension FindingRule {
  /// Creates a finding of this rule, which no work of the app causes unless there is a `cause`.
  func finding(
    of subject: Finding.Subject, _ measures: Finding.Measures, _ evidence: some FindingEvidence,
    in context: FindingContext, state: String? = nil, certainty: Finding.Certainty = .kind,
    weight: TimeSpan? = nil, removable: TimeSpan? = nil, whole: TimeSpan? = nil,
    together: Finding.Together? = nil, cause: RemovableCause? = nil
  ) -> Finding {
    let words = Finding.Words(
      title: evidence.title, evidence: [evidence.sentence], fix: evidence.fix(in: context.toolkit))
    return Finding(
      id: Self.id, subject: subject, measures: measures, removable: removable, whole: whole,
      together: together, words: words, facts: evidence.facts, cause: cause, state: state,
      certainty: certainty, weight: weight ?? removable ?? measures.hitchTime)
  }

  /// Creates a finding for each surface with enough hitches of whose windows `part` is most.
  func findings(
    of part: KeyPath<Attribution, TimeSpan>, in context: FindingContext,
    _ evidence: (HitchGroup, SurfaceAnalysis) -> some FindingEvidence
  ) -> [Finding] {
    context.evaluatedSurfaces.compactMap { surface in
      HitchGroup(of: surface) {
        context.explained.onOtherSurfaces(than: surface, during: $0.window)
          ? .zero : $0[keyPath: part]
      }.map {
        finding(
          of: .surface(surface.name), $0.measures(total: $0.total), evidence($0, surface),
          in: context, certainty: .unknown, whole: surface.hitchTime)
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
  /// - Parameter isRemovable: Whether the hitch time is removed if the app takes the cause out of its frames.
  func finding(
    of cause: HitchCause, subject: Finding.Subject? = nil, count: Int? = nil,
    _ evidence: some FindingEvidence, in context: FindingContext,
    certainty: Finding.Certainty = .kind, isRemovable: Bool = true
  ) -> Finding {
    finding(
      of: subject ?? .surface(cause.surface.name), cause.measures(count: count), evidence,
      in: context, certainty: certainty, weight: cause.removable,
      removable: isRemovable ? cause.removable : nil, whole: cause.surface.hitchTime,
      together: isRemovable ? cause.together : nil, cause: cause.cause)
  }
}

/// The thresholds that several rules share (M-19); each rule declares its others.
package enum FindingThresholds {
  /// The part of a late frame's time that work must fill to count.
  /// Removing less than this rarely saves a frame.
  static let lateFrameShare = 0.1
  /// The part of the hitch time that a cause must explain.
  /// A cause of most of the hitch time is the one to fix first.
  static let explainedShare = 0.5
  /// The part of a late frame's time off a core from which no work in it is the cause (M-25).
  /// Work that hardly ran did not make the frame late.
  static let offCoreWindowShare = 0.5
  /// The part of the hitch time below which the largest cause is one of many.
  /// A first screen has three fixes, for three quarters of the time.
  static let manyCauses = 0.25
  /// The number of causes that are taken out in pairs. Nobody makes more changes at once.
  static let combinedCauses = 4
  /// How long a frame is open at the end of the recording that did not just happen to end in it.
  /// People notice that an app does not answer from about a quarter of a second on.
  static let openFrame = TimeSpan.milliseconds(250)
  /// The fewest cells that allow a statement about all of them. A list displays about this many.
  static let minimumCells = 8
  /// The fewest cells of a view whose replacement is a jump.
  /// A pager that displays fewer replaces all of them as it scrolls.
  static let minimumView = 4
  /// The fewest items with new cells. A few new cells now and then cost nothing.
  static let reloadedItems = 4
  /// The longest time between a snapshot and the preparation of a cell that it discarded.
  /// A list prepares its cells within frames.
  static let reloadTime = TimeSpan.milliseconds(100)
  /// The part of the work ahead that may be wasted. Every turn of the scroll wastes some.
  static let wastedShare = 0.25
  /// The longest wait of a cell for its data that nobody notices, if no refresh interval is known.
  /// One refresh at 60 Hz.
  static let visibleWait = TimeSpan.milliseconds(16)
}
