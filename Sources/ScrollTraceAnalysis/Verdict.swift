/// What a budget says of the runs: the answer a gate gives, with its reasons.
public struct Verdict: Hashable, Sendable {
  /// The answers there are.
  public enum Status: String, Sendable, CaseIterable {
    /// Every limit is kept.
    case pass
    /// At least one limit is not.
    case fail
    /// A limit lies inside the uncertainty.
    case inconclusive
    /// There are too few runs to tell.
    case notEnoughRuns
    /// Nothing was asked, or there is no data to answer with.
    case notJudged
  }

  /// The answer.
  public let status: Status
  /// Why, in plain words, the weightiest reason first.
  public let reasons: [String]

  /// A verdict with its reasons.
  public init(_ status: Status, reasons: [String]) {
    self.status = status
    self.reasons = reasons
  }

  /// The verdict where nobody set limits.
  public static let withoutBudget = Verdict(.notJudged, reasons: ["no budget was set"])
}
