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

extension FindingRule {
  static var thresholds: [any NamedThreshold] { [] }
}

/// The evidence of one finding, in the words of its rule.
protocol FindingEvidence {
  /// A few words without a period.
  var title: Phrase { get }
  /// The evidence as sentences without periods.
  var sentences: [Phrase] { get }
  /// What the evidence is in JSON.
  var facts: [(key: String, value: Finding.Value)] { get }

  /// Returns what to do, as sentences, in the terms of a toolkit.
  func fix(in toolkit: Toolkit?) -> Phrase
}

extension FindingEvidence {
  var facts: [(key: String, value: Finding.Value)] { [] }
}

extension FindingRule {
  /// Creates a finding of this rule that no work of the app causes, or whose cause costs no hitch time.
  func finding(
    of subject: Finding.Subject, _ measures: Finding.Measures, _ evidence: some FindingEvidence,
    in context: FindingContext, state: String? = nil,
    certainty: Finding.Certainty = .kind, weight: TimeSpan? = nil, removable: TimeSpan? = nil,
    whole: TimeSpan? = nil
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
      HitchGroup(of: surface) { $0[keyPath: part] }.map {
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

  /// Creates a finding of this rule about a cause of hitches.
  func finding(
    of cause: HitchCause, subject: Finding.Subject? = nil, count: Int? = nil,
    _ evidence: some FindingEvidence, in context: FindingContext,
    certainty: Finding.Certainty = .kind
  ) -> Finding {
    Finding(
      id: Self.id, subject: subject ?? .surface(cause.surface.name),
      measures: cause.measures(count: count), removable: cause.removable,
      whole: cause.surface.hitchTime, together: cause.together,
      words: context.words(of: evidence), facts: evidence.facts, cause: cause.cause, state: nil,
      certainty: certainty, weight: cause.removable)
  }
}
