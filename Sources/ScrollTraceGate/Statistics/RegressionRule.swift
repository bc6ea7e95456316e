/// The rule by which runs are worse than their baseline, not only by chance (M-21).
///
/// A metric is worse if its medians differ by more than both tolerances, the 95% CI of the
/// difference exceeds them, and the one-sided test stays below the level after Holm's correction
/// over all metrics.
package struct RegressionRule: Hashable, Sendable {
  /// The probability that unchanged code fails, over all metrics together.
  package static let level = 0.05

  /// The change for the worse that is tolerated.
  package struct Tolerance: Hashable, Sendable {
    /// The tolerance relative to the base.
    package let relative: Double
    /// The absolute tolerance, which is needed because a good base is zero.
    package let absolute: Double

    /// Creates a tolerance. A change must exceed both.
    package init(relative: Double, absolute: Double) {
      self.relative = relative
      self.absolute = absolute
    }

    /// The largest tolerated difference.
    func margin(at base: Double) -> Double { max(relative * base.magnitude, absolute) }
  }

  /// A metric on both sides.
  package struct Question: Equatable, Sendable {
    package let statistics: RunStatistics
    /// The tolerated change.
    package let tolerance: Tolerance
    /// A Boolean value indicating whether a higher value is better.
    package let higherIsBetter: Bool

    package init(
      _ statistics: RunStatistics, tolerance: Tolerance, higherIsBetter: Bool = false
    ) {
      self.statistics = statistics
      self.tolerance = tolerance
      self.higherIsBetter = higherIsBetter
    }

    /// The change for the worse, negative if the new side is better.
    var worsening: Double {
      higherIsBetter ? -statistics.difference : statistics.difference
    }

    /// The smallest change for the worse within the confidence interval.
    var leastWorsening: Double {
      higherIsBetter
        ? -statistics.confidenceInterval.upperBound : statistics.confidenceInterval.lowerBound
    }

    /// The largest change for the worse within the confidence interval.
    var greatestWorsening: Double {
      higherIsBetter
        ? -statistics.confidenceInterval.lowerBound : statistics.confidenceInterval.upperBound
    }

    /// The one-sided probability of at least this change for the worse by chance.
    var p: Double {
      let isWorse = statistics.test.isHigher != higherIsBetter
      return isWorse ? statistics.test.p / 2 : 1 - statistics.test.p / 2
    }
  }

  /// The answer to a question.
  package struct Answer: Equatable, Sendable {
    /// Passed, failed, inconclusive or too few runs.
    package let status: Verdict.Status
    /// A Boolean value indicating whether the runs differ too much to show a change as small as the
    /// tolerance.
    package let isTooNoisy: Bool
    /// The one-sided probability after Holm's correction.
    package let p: Double
    /// The number of runs per side needed to detect anything with this number of metrics.
    package let fewestRuns: Int
  }

  /// Answers `questions` together, in their order.
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
        // Runs that are shown to be better are not worse, however much they vary.
        return statistics.smallestDetectableChange <= margin || question.greatestWorsening < 0
          ? answer(.passed) : answer(.inconclusive, isTooNoisy: true)
      }
      if question.leastWorsening > margin, p <= level { return answer(.failed) }
      // If even sides that do not overlap could not be significant, there are too few runs.
      var best = probabilities
      best[index] = min(best[index], statistics.leastP)
      return answer(Holm.corrected(best)[index] > level ? .tooFewRuns : .inconclusive)
    }
  }
}
