import ScrollTraceAnalysis
package import ScrollTraceGate
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceReport
import ScrollTraceSummary

/// Reads and writes baselines as JSON, with values in the units of the metrics' names.
package enum BaselineFile {
  private static let schemaName = "scrolltrace.baseline/"
  private static let schemaVersion = 2
  private static var schema: String { "\(schemaName)\(schemaVersion)" }

  /// Returns the text of `baseline`, keys in a stable order.
  package static func encode(_ baseline: Baseline) -> String {
    let print = baseline.fingerprint
    func name(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
    let fingerprint = JSONValue.object([
      ("refreshIntervalsNs", .array(print.refreshIntervals.map { .nanoseconds($0) })),
      ("device", name(print.device)), ("configuration", name(print.configuration)),
      ("metrics", .count(print.metricsVersion)),
    ])
    let groups = baseline.groups.map { group in
      JSONValue.object([
        ("name", .string(group.name)), ("scenario", group.scenario.map(scenario) ?? .null),
        ("runs", .array(group.runs.map(run))),
      ])
    }
    return JSONValue.object([
      ("schema", .string(schema)), ("fingerprint", fingerprint), ("groups", .array(groups)),
    ]).text
  }

  private static func scenario(_ scenario: ScenarioSignature) -> JSONValue {
    let interactions = scenario.parts.map {
      JSONValue.object([
        ("kind", .string($0.kind)), ("count", .count($0.count)),
        ("lengthNs", .nanoseconds($0.length)),
      ])
    }
    return .object([
      ("interactions", .array(interactions)),
      ("measuredTime", .string(scenario.measuredTime.kind.rawValue)),
      ("durationNs", .nanoseconds(scenario.measuredTime.duration)),
      ("displayedItems", .count(scenario.displayedItems)),
    ])
  }

  private static func scenario(_ document: JSONDocument) -> ScenarioSignature? {
    guard let kind = document["measuredTime"]?.text.flatMap(MeasuredTimeKind.init(rawValue:)),
      let duration = integer(document["durationNs"])
    else { return nil }
    let parts = (document["interactions"]?.elements ?? []).compactMap {
      part -> ScenarioSignature.Part? in
      guard let count = integer(part["count"]), let length = integer(part["lengthNs"]) else {
        return nil
      }
      return ScenarioSignature.Part(
        kind: part["kind"]?.text ?? "", count: Int(count), length: TimeSpan(nanoseconds: length))
    }
    return ScenarioSignature(
      parts: parts,
      measuredTime: MeasuredTime(kind: kind, duration: TimeSpan(nanoseconds: duration)),
      displayedItems: integer(document["displayedItems"]).map { Int($0) })
  }

  private static func run(_ run: RunValuesByMetric) -> JSONValue {
    .object([
      ("trace", .string(run.trace.fileName)),
      ("values", values(run.values.mapValues { $0.mapValues { .some($0) } })),
      ("valuesWithoutLoad", values(run.valuesWithoutLoad)),
      ("work", run.work.map { .array($0.map(cost)) } ?? .null),
      ("lengthAfterLossNs", .nanoseconds(run.lengthAfterLoss)),
    ])
  }

  private static func values(_ values: [String: [String: Double?]]) -> JSONValue {
    .object(
      values.keys.sorted().map { subject in
        let members = Metric.all.compactMap { metric in
          (values[subject]?[metric.name]).map { value in
            (metric.name, value.map { BudgetFile.number($0, metric) } ?? .null)
          }
        }
        return (subject, .object(members))
      })
  }

  private static func cost(_ cost: WorkCost) -> JSONValue {
    .object([
      ("name", .string(cost.name)), ("isWait", .bool(cost.isWait)),
      ("perFrameNs", .nanoseconds(cost.perFrame)), ("perItemNs", .nanoseconds(cost.perItem)),
    ])
  }

  private static func cost(_ document: JSONDocument) -> WorkCost? {
    guard let name = document["name"]?.text, case .bool(let isWait)? = document["isWait"],
      let perFrame = integer(document["perFrameNs"])
    else { return nil }
    return WorkCost(
      name: name, isWait: isWait, perFrame: TimeSpan(nanoseconds: perFrame),
      perItem: integer(document["perItemNs"]).map { TimeSpan(nanoseconds: $0) })
  }

  private static func integer(_ document: JSONDocument?) -> Int64? {
    document?.double.flatMap { Int64(exactly: $0) }.flatMap { $0 >= 0 ? $0 : nil }
  }

  package static func decode(_ text: String) throws(ImportError) -> Baseline {
    let again = "create it again"
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw ImportError("is empty", advice: again)
    }
    let document: JSONDocument
    do throws(ImportError) {
      document = try JSONDocument(text)
    } catch {
      throw ImportError(error.reason, at: error.offset, advice: again)
    }
    let found = document["schema"]?.text ?? ""
    guard found == schema else {
      let number = found.hasPrefix(schemaName) ? Int(found.dropFirst(schemaName.count)) : nil
      throw number ?? 0 > schemaVersion
        ? ImportError("has the newer schema \(found)", advice: "update \(ToolIdentity.name)")
        : ImportError("is not of schema \(schema)", advice: again)
    }
    guard let print = document["fingerprint"],
      let version = print["metrics"]?.double.flatMap({ Int(exactly: $0) }),
      let groups = document["groups"]?.elements
    else { throw ImportError("has no fingerprint or no groups", advice: again) }
    guard !groups.isEmpty, groups.allSatisfy({ $0["runs"]?.elements?.isEmpty == false }) else {
      throw ImportError("has no runs, or a group without any", advice: again)
    }
    let intervals = (print["refreshIntervalsNs"]?.elements ?? []).compactMap {
      $0.double.flatMap { Int64(exactly: $0) }.map { TimeSpan(nanoseconds: $0) }
    }
    return Baseline(
      fingerprint: Fingerprint(
        refreshIntervals: intervals, device: print["device"]?.text,
        configuration: print["configuration"]?.text, metricsVersion: version),
      groups: groups.map { group in
        Baseline.Group(
          name: group["name"]?.text ?? "", runs: (group["runs"]?.elements ?? []).map(run),
          scenario: group["scenario"].flatMap(scenario))
      })
  }

  private static func run(_ document: JSONDocument) -> RunValuesByMetric {
    RunValuesByMetric(
      trace: document["trace"]?.text ?? "",
      values: values(document["values"]).mapValues { $0.compactMapValues(\.self) },
      valuesWithoutLoad: values(document["valuesWithoutLoad"]),
      work: document["work"]?.elements?.compactMap(cost),
      lengthAfterLoss: integer(document["lengthAfterLossNs"]).map { TimeSpan(nanoseconds: $0) })
  }

  private static func values(_ document: JSONDocument?) -> [String: [String: Double?]] {
    var values: [String: [String: Double?]] = [:]
    for (subject, metrics) in document?.members ?? [] {
      for (name, value) in metrics.members ?? [] {
        guard let metric = Metric.named(name) else { continue }
        values[subject, default: [:]][metric.name] = .some(BudgetFile.number(value, metric))
      }
    }
    return values
  }
}
