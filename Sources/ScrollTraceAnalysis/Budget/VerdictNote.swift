/// What stands beside the answers of a budget: what was not asked, or how the answers are meant.
public struct VerdictNote: Hashable, Sendable {
  /// What it means for the verdict.
  public enum Level: String, Sendable, CaseIterable {
    /// Nothing: it is told.
    case note
    /// The answer may not mean what it seems to.
    case warning
    /// What was asked for cannot be answered, so that there is no pass.
    case error
  }

  /// What it is about.
  public enum Kind: String, Sendable, CaseIterable {
    /// The file that the budget is from.
    case budget
    /// A baseline that runs are not held against.
    case baseline
    /// Rules that fit no trace.
    case rules
    /// Runs that are of different sessions.
    case sessions
    /// A trace that was given more than once.
    case copies
    /// Why runs have no data.
    case noData
    /// Runs of which too little is known for an answer.
    case unevaluated
  }

  /// What it is about.
  public let kind: Kind
  /// What it means.
  public let level: Level
  /// The note, as a sentence without a period.
  public let text: String

  /// A note with its weight.
  public init(_ kind: Kind, _ level: Level, _ text: String) {
    self.kind = kind
    self.level = level
    self.text = text
  }
}
