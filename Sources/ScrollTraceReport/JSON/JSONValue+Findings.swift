import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTracePrediction

extension JSONValue {
  static func finding(_ finding: Finding, of run: Analysis) -> JSONValue {
    let start = run.trace.range.start
    let words = FindingMessages(of: run.trace)
    let (surface, list): (String?, String?) =
      switch finding.subject {
      case .surface(let name): (name, nil)
      case .list(let name): (nil, name)
      case .trace: (nil, nil)
      }
    let (evidence, details) = (finding.evidence, finding.details)
    return .object([
      ("kind", .string(finding.id.rawValue)),
      ("surface", .name(surface)), ("list", .name(list)),
      ("count", .count(evidence.count)), ("totalNs", .nanoseconds(evidence.total)),
      ("hitches", .count(evidence.hitches)), ("hitchTimeNs", .nanoseconds(evidence.hitchTime)),
      ("predictedRemovedNs", .nanoseconds(finding.predictedRemoval?.replayed)),
      (
        "predictedLikelyNs",
        .range(finding.predictedRemoval.map { RemovedTime(low: $0.low, high: $0.high) })
      ), ("hitRate", .number(finding.predictedRemoval?.hitRate)),
      ("worstFrame", evidence.worst?.frame.map { .unsigned($0) } ?? .null),
      ("worstAtNs", .nanoseconds(evidence.worst?.time, from: start)),
      ("item", .name(details.item)),
      ("items", .array(details.items.map { .string($0) })), ("state", .name(details.state)),
      ("longestNs", .nanoseconds(details.longest)), ("medianNs", .nanoseconds(details.median)),
      ("category", .name(details.work?.category)),
      ("name", .name(details.work?.name)), ("of", .count(details.of)),
      ("share", .number(details.share)), ("timeNs", .nanoseconds(details.time)),
      ("threads", .array(details.threads.map { .string($0) })),
      ("title", .string(words.title(of: finding))),
      ("text", .string(words.evidence(of: finding))),
      ("action", .string(words.fix(of: finding))),
      ("command", .string(RunSteps(RunMessages(run)).step(showing: finding).text())),
    ])
  }
}
