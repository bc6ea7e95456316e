/// A remark on a verdict, in addition to its results.
public struct VerdictNote: Codable, Hashable, Sendable {
  /// The effect of a note on the verdict.
  public enum Level: String, Codable, Sendable, CaseIterable {
    /// The note changes nothing.
    case note
    /// The result may be misleading.
    case warning
    /// A requested check was impossible, so that the verdict cannot be a pass.
    case error
  }

  /// The subject of a note.
  public enum Kind: String, Codable, Sendable, CaseIterable {
    /// The file of the budget.
    case budget
    /// A baseline that runs are not compared with, or only in part.
    case baseline
    /// Rules that match no trace.
    case rules
    /// Runs of different scenarios.
    case scenarios
    /// A trace that was given more than once.
    case duplicates
    /// The reason why runs have no data, or a trace is left out.
    case noData
    /// Traces that lost data.
    case lostData
    /// Runs with too little data for a result.
    case unevaluated
    /// Runs that exceed a limit that their median meets.
    case overLimit
  }

  /// The subject.
  public let kind: Kind
  /// The effect on the verdict.
  public let level: Level
  /// The note, as a sentence without a period.
  public let text: String

  package init(_ kind: Kind, _ level: Level, _ text: String) {
    self.kind = kind
    self.level = level
    self.text = text
  }

  /// The note on a group, a surface or the like, whose name is empty if there is only one.
  func ofGroup(_ name: String) -> VerdictNote {
    VerdictNote(kind, level, Verdict.Group.prefix(name) + text)
  }

  /// Returns each text of `notes` once, at its most severe level.
  static func distinct(_ notes: [VerdictNote]) -> [VerdictNote] {
    let errors = Set(notes.filter { $0.level == .error }.map(\.text))
    return notes.reduce(into: []) { known, note in
      let isStronger = note.level == .error || !errors.contains(note.text)
      if isStronger, !known.contains(note) { known.append(note) }
    }
  }
}
