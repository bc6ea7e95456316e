import ScrollTraceAnalysis
import ScrollTraceModel

extension JSONValue {
  static func finding(_ finding: Finding, of run: Analysis) -> JSONValue {
    let start = run.trace.range.start
    let texts = FindingText(of: run.trace)
    let (surface, list): (String?, String?) =
      switch finding.subject {
      case .surface(let name): (name, nil)
      case .list(let name): (nil, name)
      case .trace: (nil, nil)
      }
    let measures = finding.measures
    return .object([
      ("kind", .string(finding.id.rawValue)),
      ("surface", .name(surface)), ("list", .name(list)),
      ("cause", finding.cause.map(cause) ?? .null),
      ("count", .count(measures.count)), ("totalNs", .nanoseconds(measures.total)),
      ("hitches", .count(measures.hitches)), ("hitchTimeNs", .nanoseconds(measures.hitchTime)),
      ("removableHitchTimeNs", .nanoseconds(finding.removable)),
      ("worstFrame", measures.worst?.frame.map { .unsigned($0) } ?? .null),
      ("worstAtNs", .nanoseconds(measures.worst?.time, from: start)),
      ("evidence", .object(finding.facts.map { ($0.key, value($0.value)) })),
      ("title", .string(texts.title(of: finding))),
      ("text", .string(texts.evidence(of: finding))),
      ("fix", .string(texts.fix(of: finding))),
      ("worth", .name(texts.worth(of: finding))),
      ("command", .string(RunSteps(RunMessages(run)).step(showing: finding).text())),
    ])
  }

  private static func value(_ value: Finding.Value) -> JSONValue {
    switch value {
    case .time(let time): .nanoseconds(time)
    case .count(let count): .count(count)
    case .number(let number): .number(number)
    case .name(let name): .name(name)
    case .names(let names): .array(names.map { .string($0) })
    case .flag(let flag): .bool(flag)
    }
  }
}
