/// What says that runs became worse than their baseline, and not only by chance (M-21).
///
/// A metric is worse where its medians differ by more than both tolerances, the interval of that
/// difference lies beyond them, and the one-sided test stays below the level after Holm's correction
/// over all metrics that are asked for.
package struct RegressionRule: Hashable, Sendable {
  /// The part of clean changes that may fail, over all metrics together.
  package static let level = 0.05

  /// How much worse a value may be before it matters.
  package struct Tolerance: Hashable, Sendable {
    /// As a part of the base.
    package let relative: Double
    /// As a difference; needed because a good base is zero.
    package let absolute: Double

    /// A tolerance: both have to be exceeded.
    package init(relative: Double, absolute: Double) {
      self.relative = relative
      self.absolute = absolute
    }

    /// The difference that exceeds neither.
    func margin(at base: Double) -> Double { max(relative * base.magnitude, absolute) }
  }

  /// One metric of the two sides.
  package struct Question: Hashable, Sendable {
    /// Its statistics.
    package let statistics: RunStatistics
    /// How much worse it may be.
    package let tolerance: Tolerance
    /// Whether a higher value is the better one.
    package let higherIsBetter: Bool

    /// A question about one metric.
    package init(
      _ statistics: RunStatistics, tolerance: Tolerance, higherIsBetter: Bool = false
    ) {
      self.statistics = statistics
      self.tolerance = tolerance
      self.higherIsBetter = higherIsBetter
    }

    /// By how much the new side is worse; negative where it is better.
    var worsening: Double {
      higherIsBetter ? -statistics.difference : statistics.difference
    }

    /// The least worsening that the interval allows.
    var leastWorsening: Double {
      higherIsBetter
        ? -statistics.confidenceInterval.upperBound : statistics.confidenceInterval.lowerBound
    }

    /// The greatest worsening that the interval allows.
    var greatestWorsening: Double {
      higherIsBetter
        ? -statistics.confidenceInterval.lowerBound : statistics.confidenceInterval.upperBound
    }

    /// How likely one population is worse by as much, and not better.
    var p: Double {
      let isWorse = statistics.test.isHigher != higherIsBetter
      return isWorse ? statistics.test.p / 2 : 1 - statistics.test.p / 2
    }
  }

  /// The answer to one question.
  package struct Answer: Hashable, Sendable {
    /// Passed, failed, inconclusive or too few runs.
    package let status: Verdict.Status
    /// A Boolean value indicating whether the runs differ too much to show a change as small as the
    /// tolerance.
    package let isTooNoisy: Bool
    /// The one-sided probability after Holm's correction.
    package let p: Double
    /// How many runs a side it takes to find anything where as much is asked at once.
    package let fewestRuns: Int
  }

  /// The answers to `questions`, which are asked together, in their order.
  package static func answers(to questions: [Question]) -> [Answer] {
    let probabilities = questions.map(\.p)
    let corrected = Holm.corrected(probabilities)
    let fewestRuns = RunStatistics.fewestRuns(for: questions.count, level: level)
    return questions.indices.map { index in
      let question = questions[index]
      let statistics = question.statistics
      let p = corrected[index]
      func answer(_ status: Verdict.Status, isTooNoisy: Bool = false) -> Answer {
        Answer(status: status, isTooNoisy: isTooNoisy, p: p, fewestRuns: fewestRuns)
      }
      let margin = question.tolerance.margin(at: statistics.baseMedian)
      guard statistics.hasEnoughRuns else { return answer(.tooFewRuns) }
      guard question.worsening > margin else {
        // Runs that are shown to be better are not worse, however much they differ.
        return statistics.smallestDetectableChange <= margin || question.greatestWorsening < 0
          ? answer(.passed) : answer(.inconclusive, isTooNoisy: true)
      }
      if question.leastWorsening > margin, p <= level { return answer(.failed) }
      // Where even sides that do not overlap would say nothing, it is no matter of doubt.
      var best = probabilities
      best[index] = min(best[index], statistics.leastP)
      return answer(Holm.corrected(best)[index] > level ? .tooFewRuns : .inconclusive)
    }
  }
}
