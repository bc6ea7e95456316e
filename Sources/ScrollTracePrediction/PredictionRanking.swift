package import ScrollTraceAnalysis
import ScrollTraceModel

/// The findings of an analysis, ranked by the hitch time that fixing them removes (M-19).
package struct PredictionRanking: Sendable {
  /// The analysis with ranked findings.
  package let analysis: Analysis
  /// The predictions for the changes that the findings propose, ranked; empty if there is no hitch or
  /// nothing can be predicted. `PredictionReport` predicts more.
  package let predictions: [Prediction]

  /// Ranks the findings of `analysis`.
  package init(of analysis: Analysis) {
    guard !analysis.isDigest, let surface = analysis.evaluatedPrimarySurface,
      surface.hitchTime ?? .zero > .zero,
      analysis.findings.contains(where: { $0.change(for: surface) != nil }),
      let predictor = try? Predictor(of: analysis, surface: surface)
    else {
      self.init(unranked: analysis)
      return
    }
    self.init(of: analysis, with: predictor)
  }

  /// Ranks the findings of `analysis` by predictions of `predictor`.
  init(of analysis: Analysis, with predictor: Predictor) {
    guard predictor.surface.hitchTime ?? .zero > .zero else {
      self.init(unranked: analysis)
      return
    }
    var analysis = analysis
    var predictions: [Prediction] = []
    for (index, finding) in analysis.findings.enumerated() {
      guard let change = finding.change(for: predictor.surface) else { continue }
      let known = predictions.first { $0.changes == [change] }
      guard let prediction = known ?? predictor.predictRange([change]) else { continue }
      if known == nil { predictions.append(prediction) }
      analysis.findings[index].replayedRemoval = prediction.likeliestRemoval
      analysis.findings[index].predictedRemoval = prediction.ranges.map {
        Finding.PredictedRemoval(
          low: $0.likely.low, high: $0.likely.high, replayed: prediction.removed,
          hitRate: $0.hitRate)
      }
    }
    analysis.findings = FindingRules.ordered(analysis.findings)
    self.init(analysis: analysis, predictions: predictions.stablySorted { $0.removed > $1.removed })
  }

  /// Keeps the order of findings whose changes cannot be predicted.
  init(unranked analysis: Analysis) {
    self.init(analysis: analysis, predictions: [])
  }

  private init(analysis: Analysis, predictions: [Prediction]) {
    self.analysis = analysis
    self.predictions = predictions
  }
}

extension Finding {
  /// Returns the change to predict for `surface`, or `nil` if the finding is about another surface or
  /// proposes none.
  func change(for surface: SurfaceAnalysis) -> ProposedChange? {
    if case .surface(let name) = subject, name != surface.name { return nil }
    return proposedChange
  }
}
