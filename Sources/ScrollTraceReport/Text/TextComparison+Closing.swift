import ScrollTraceAnalysis
import ScrollTraceModel

extension TextComparison {
  /// What came of it in words, with the numbers, and what it does not say.
  func closing(_ new: TextRun) -> [TextLine] {
    new.sentence(outcome.text, behind: outcome.word)
      + wrapped(caution, first: 2, indent: 2, ink: .faint)
      + new.lines(of: new.command("analyze"))
  }

  /// What came of it: a word, and the numbers behind it.
  var outcome: (word: TextLine, text: String) {
    var sentences: [String] = []
    switch comparison.outcome {
    case .identical: sentences.append("in anything that is compared here")
    case .noData:
      let sides = [
        ("base", comparison[.hitchTimeRatio].base), ("new", comparison[.hitchTimeRatio].new),
      ]
      let missing = sides.filter { $0.1 == nil }.map(\.0).joined(separator: " and ")
      sentences.append("\(missing) cannot be judged, which is neither better nor worse")
    case .better, .worse, .mixed, .same:
      if isUnlike { sentences.append("not of the same scroll") }
      sentences.append("hitch time ratio \(change(.hitchTimeRatio, unit: " ms/s"))")
      if comparison[.deadlineMisses].difference != nil {
        sentences.append(change(.deadlineMisses, noun: " deadlines missed"))
      }
      if comparison[.mainBusy].difference != nil {
        sentences.append("main work \(change(.mainBusy, unit: " ms"))")
      }
      if !isUnlike, comparison.isOfOneScenario == false {
        sentences.append("not of the same session")
      }
    }
    return (TextLine(wordOfOutcome, ink), sentences.joined(separator: "; "))
  }

  /// What the outcome does not say; empty where there is nothing to be careful about.
  var caution: String {
    guard ![.identical, .noData].contains(comparison.outcome) else { return "" }
    if isUnlike {
      return "What differs may be what was scrolled: compare recordings of one scroll."
    }
    return comparison.isOfSingleRuns
      ? "One run a side: a difference, no claim that it would come again."
      : "Medians over runs: a difference, no test of whether it is more than chance."
  }

  /// Whether the two sides are not of the same scroll, so that neither is better than the other.
  private var isUnlike: Bool {
    ![.identical, .noData].contains(comparison.outcome) && !comparison.isOfOneScroll
  }

  private var wordOfOutcome: String {
    if isUnlike { return "UNLIKE" }
    return switch comparison.outcome {
    case .better: "BETTER"
    case .worse: "WORSE"
    case .mixed: "MIXED"
    case .same: "SAME"
    case .identical: "NO DIFFERENCE"
    case .noData: "NO DATA"
    }
  }

  private var ink: TextRole {
    if isUnlike { return .near }
    return switch comparison.outcome {
    case .better: .good
    case .worse: .late
    case .mixed, .noData: .near
    case .same, .identical: .plain
    }
  }

  /// `31.88 → 0.00 ms/s`: the unit once, or the number once where both sides say the same.
  private func change(_ metric: Metric, unit: String = "", noun: String = "") -> String {
    let value = comparison[metric]
    let (base, new) = (text(value.base), text(value.new))
    guard base != new else { return "\(base)\(noun) on both sides" }
    let isShared = base.hasSuffix(unit) && new.hasSuffix(unit)
    return "\(isShared ? String(base.dropLast(unit.count)) : base) \(glyphs.arrow) \(new)\(noun)"
  }
}
