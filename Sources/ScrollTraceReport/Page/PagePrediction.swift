import ScrollTraceAnalysis
import ScrollTracePrediction

/// The predictions for one run as sections of a page.
struct PagePrediction {
  private let prediction: TextPrediction

  /// The sections of `prediction`.
  init(_ prediction: TextPrediction) {
    self.prediction = prediction
  }

  /// All that is predicted.
  var sections: [PageSection] {
    let text = prediction.text
    var head: [PageBlock] = []
    if let reason = prediction.reasonForNothing {
      head.append(.statement(TextLine("NOT MEASURABLE", .near), reason))
    } else if let outcome = prediction.outcome {
      head += [.statement(outcome.word, outcome.text), .paragraph(outcome.trust, .faint)]
    }
    head.append(.paragraph(text.source(in: 200).plain, .faint))
    if let surface = text.surface, surface.isEvaluated {
      head.append(.paragraph("Recorded: \(text.facts(of: surface))", .plain))
    }
    let start = PageSection(title: "", blocks: head)
    guard prediction.reasonForNothing == nil else { return [start] }
    var changes = prediction.changes.map { [PageBlock.table($0)] } ?? []
    if let idle = prediction.textOfIdle { changes.append(.paragraph(idle, .plain)) }
    if prediction.predictions.predictions.isEmpty, prediction.hasHitches {
      changes.append(.paragraph(TextPrediction.nothingToChange, .plain))
    }
    let pairs = prediction.pairs.map { [PageBlock.table($0)] } ?? []
    let requirements = prediction.predictions.requiredSpeedups.map {
      PageSection(
        title: prediction.title(of: $0), blocks: [.facts(prediction.facts(of: $0))])
    }
    let assumptions = prediction.textsOfAssumptions.map { ($0, TextRole.plain) }
    let whatIf = changes + pairs
    return [start] + (whatIf.isEmpty ? [] : [PageSection(title: "What if", blocks: whatIf)])
      + requirements
      + (assumptions.isEmpty
        ? []
        : [
          PageSection(
            title: TextPrediction.titleOfAssumptions, blocks: [.list(assumptions, note: nil)],
            isDetail: true)
        ])
  }
}
