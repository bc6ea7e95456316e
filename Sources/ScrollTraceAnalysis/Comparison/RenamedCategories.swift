import ScrollTraceModel

/// The categories that only changed their names: no run of the other side has them, and of all such
/// categories, one of each side has the same names of work.
struct RenamedCategories {
  /// The names on the new side by those in the base.
  let names: [String: String]

  init(_ base: ComparisonSide, _ new: ComparisonSide) {
    let (before, after) = (Self.work(of: base), Self.work(of: new))
    func categories(
      in own: [String: Set<String>], without other: [String: Set<String>]
    ) -> [Set<String>: [String]] {
      Dictionary(grouping: own.keys.filter { other[$0] == nil }) { own[$0] ?? [] }
    }
    let appeared = categories(in: after, without: before)
    var names: [String: String] = [:]
    for (work, gone) in categories(in: before, without: after) {
      guard gone.count == 1, let same = appeared[work], same.count == 1 else { continue }
      names[gone[0]] = same[0]
    }
    self.names = names
  }

  /// The names of the work of each category that is the host's own.
  private static func work(of side: ComparisonSide) -> [String: Set<String>] {
    var work: [String: Set<String>] = [:]
    for trace in side.runs.map(\.trace) {
      for label in trace.labels.labels {
        let category = trace.strings[label.category]
        guard !category.hasPrefix(Label.reservedPrefix) else { continue }
        work[category, default: []].insert(trace.strings[label.name])
      }
    }
    return work
  }

  /// Returns a category of the base by its name on the new side.
  func new(_ category: String) -> String { names[category] ?? category }

  /// Returns a cause of the base with the category's name on the new side.
  func new(_ kind: CauseSummary.Kind) -> CauseSummary.Kind {
    guard case .work(let category, let name) = kind else { return kind }
    return .work(category: new(category), name: name)
  }

  func new(_ cause: RemovableCause) -> RemovableCause {
    func renamed(_ work: WorkName) -> WorkName {
      WorkName(category: new(work.category), name: work.name)
    }
    return switch cause {
    case .work(let work): .work(renamed(work))
    case .whole(let work): .whole(renamed(work))
    case .item(let work, let item): .item(renamed(work), item)
    case .wait, .unrecorded: cause
    }
  }
}
