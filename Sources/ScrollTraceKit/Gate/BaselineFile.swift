import ScrollTraceAnalysis
package import ScrollTraceGate
import ScrollTraceImport
import ScrollTraceModel
import ScrollTraceReport

/// Reads and writes baselines as JSON, with values in the units of the metrics' names.
package enum BaselineFile {
  /// The schema that is read and written.
  private static let schema = "scrolltrace.baseline/2"

  /// Returns the text of `baseline`, keys in a stable order.
  package static func encode(_ baseline: Baseline) -> String {
    let print = baseline.fingerprint
    func name(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
    return JSONValue.object([
      ("schema", .string(schema)),
      (
        "fingerprint",
        .object([
          ("refreshIntervalsNs", .array(print.refreshIntervals.map { .integer($0.nanoseconds) })),
          ("device", name(print.device)), ("configuration", name(print.configuration)),
          ("metrics", .integer(Int64(print.metricsVersion))),
        ])
      ),
      (
        "groups",
        .array(
          baseline.groups.map { group in
            .object([
              ("name", .string(group.name)),
              ("scenario", group.scenario.map(scenario) ?? .null),
              ("runs", .array(group.runs.map(run))),
            ])
          })
      ),
    ]).text
  }

  private static func scenario(_ scenario: ScenarioSignature) -> JSONValue {
    .object([
      (
        "interactions",
        .array(
          scenario.parts.map {
            .object([
              ("kind", .string($0.kind)), ("count", .integer(Int64($0.count))),
              ("lengthNs", .integer($0.length.nanoseconds)),
            ])
          })
      ),
      ("measuredTime", .string(scenario.measuredTime.kind.rawValue)),
      ("durationNs", .integer(scenario.measuredTime.duration.nanoseconds)),
      ("displayedItems", scenario.displayedItems.map { .integer(Int64($0)) } ?? .null),
    ])
  }

  private static func scenario(_ document: JSONDocument) -> ScenarioSignature? {
    guard let kind = document["measuredTime"]?.text.flatMap(MeasuredTime.Kind.init(rawValue:)),
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
      (
        "values",
        .object(
          run.values.keys.sorted().map { subject in
            let values = run.values[subject] ?? [:]
            let members = Metric.all.compactMap { metric in
              values[metric.name].map { (metric.name, BudgetFile.number($0, metric)) }
            }
            return (subject, .object(members))
          })
      ),
      (
        "valuesWithoutLoad",
        .object(
          run.valuesWithoutLoad.keys.sorted().map { subject in
            let values = run.valuesWithoutLoad[subject] ?? [:]
            let members = Metric.all.compactMap { metric in
              values[metric.name].map { value in
                (metric.name, value.map { BudgetFile.number($0, metric) } ?? .null)
              }
            }
            return (subject, .object(members))
          })
      ),
      ("work", run.work.map { .array($0.map(cost)) } ?? .null),
    ])
  }

  private static func cost(_ cost: WorkCost) -> JSONValue {
    .object([
      ("name", .string(cost.name)), ("isWait", .bool(cost.isWait)),
      ("perFrameNs", .integer(cost.perFrame.nanoseconds)),
      ("perItemNs", cost.perItem.map { .integer($0.nanoseconds) } ?? .null),
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
    let document = try JSONDocument(text)
    guard document["schema"]?.text == schema else {
      throw ImportError("is not a baseline of the schema \(schema)", advice: "create it again")
    }
    guard let print = document["fingerprint"],
      let version = print["metrics"]?.double.flatMap({ Int(exactly: $0) }),
      let groups = document["groups"]?.elements
    else { throw ImportError("has no fingerprint or no groups", advice: "create it again") }
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
    var values: [String: [String: Double]] = [:]
    for (subject, metrics) in document["values"]?.members ?? [] {
      for (name, value) in metrics.members ?? [] {
        guard let metric = Metric.named(name) else { continue }
        values[subject, default: [:]][metric.name] = BudgetFile.number(value, metric)
      }
    }
    var best: [String: [String: Double?]] = [:]
    for (subject, metrics) in document["valuesWithoutLoad"]?.members ?? [] {
      for (name, value) in metrics.members ?? [] {
        guard let metric = Metric.named(name) else { continue }
        best[subject, default: [:]][metric.name] = .some(BudgetFile.number(value, metric))
      }
    }
    return RunValuesByMetric(
      trace: document["trace"]?.text ?? "", values: values, valuesWithoutLoad: best,
      work: document["work"]?.elements?.compactMap(cost))
  }
}
