/// A condition that is worth a finding (M-19).
///
/// A rule is one file: its identifier, its thresholds with their sources, the change it proposes, and
/// the evidence it collects. Its position in `FindingRules.all` is its severity. Its words are an
/// entry of `FindingMessages`.
protocol FindingRule: Sendable {
  /// The identifier of the rule's findings.
  static var id: FindingID { get }
  /// The change that fixes the rule's findings; a finding that names its own work proposes its own.
  static var proposedChange: ProposedChange? { get }
  /// The thresholds that the rule uses.
  static var thresholds: [any NamedThreshold] { get }

  /// Returns the findings in an analysis, in any order.
  func findings(in context: FindingContext) -> [Finding]
}

extension FindingRule {
  static var proposedChange: ProposedChange? { nil }
  static var thresholds: [any NamedThreshold] { [] }

  /// Creates a finding of this rule that proposes the rule's change.
  func finding(
    of subject: Finding.Subject, _ evidence: Finding.Evidence,
    details: Finding.Details = Finding.Details()
  ) -> Finding {
    Finding(
      id: Self.id, subject: subject, evidence: evidence, details: details,
      proposedChange: Self.proposedChange)
  }
}
