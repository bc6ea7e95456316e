import ScrollTraceKit

/// A baseline as the JSON file that is committed beside the code.
enum BaselineText {
  /// The name of the shape.
  static let schema = "scrolltrace.baseline/1"

  /// The file of `baseline`: values in the units of the metrics' names, keys in order.
  static func encode(_ baseline: Baseline) -> String {
    let print = baseline.fingerprint
    func name(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
    return JSONValue.object([
      ("schema", .string(schema)),
      (
        "fingerprint",
        .object([
          ("refreshIntervalsNs", .array(print.refreshIntervals.map { .integer($0.nanoseconds) })),
          ("device", name(print.device)), ("configuration", name(print.configuration)),
          ("tool", .string(print.tool)),
        ])
      ),
      (
        "groups",
        .array(
          baseline.groups.map { group in
            .object([("name", .string(group.name)), ("runs", .array(group.runs.map(run)))])
          })
      ),
    ]).text
  }

  private static func run(_ run: RunValuesByMetric) -> JSONValue {
    .object([
      ("trace", .string(run.trace.split(separator: "/").last.map(String.init) ?? run.trace)),
      (
        "values",
        .object(
          run.values.keys.sorted().map { subject in
            let values = run.values[subject] ?? [:]
            let members = BudgetMetric.all.compactMap { metric in
              values[metric.name].map { (metric.name, BudgetEncoder.number($0, metric)) }
            }
            return (subject, .object(members))
          })
      ),
    ])
  }

  /// The baseline in the text of such a file.
  static func decode(_ text: String) throws(ImportError) -> Baseline {
    let document = try JSONDocument(text)
    guard document["schema"]?.text == schema else {
      throw ImportError("is no baseline of the schema \(schema)", advice: "make it anew")
    }
    guard let print = document["fingerprint"], let tool = print["tool"]?.text,
      let groups = document["groups"]?.elements
    else { throw ImportError("has no fingerprint or no groups", advice: "make it anew") }
    let intervals = (print["refreshIntervalsNs"]?.elements ?? []).compactMap {
      $0.double.flatMap { Int64(exactly: $0) }.map { TimeSpan(nanoseconds: $0) }
    }
    return Baseline(
      fingerprint: Fingerprint(
        refreshIntervals: intervals, device: print["device"]?.text,
        configuration: print["configuration"]?.text, tool: tool),
      groups: groups.map { group in
        Baseline.Group(
          name: group["name"]?.text ?? "", runs: (group["runs"]?.elements ?? []).map(run))
      })
  }

  private static func run(_ document: JSONDocument) -> RunValuesByMetric {
    var values: [String: [String: Double]] = [:]
    for (subject, metrics) in document["values"]?.members ?? [] {
      for (name, value) in metrics.members ?? [] {
        guard let metric = BudgetMetric.named(name) else { continue }
        values[subject, default: [:]][name] = BudgetDecoder.number(value, metric)
      }
    }
    return RunValuesByMetric(trace: document["trace"]?.text ?? "", values: values)
  }
}
