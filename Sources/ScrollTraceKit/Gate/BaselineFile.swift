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
            .object([("name", .string(group.name)), ("runs", .array(group.runs.map(run)))])
          })
      ),
    ]).text
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
    ])
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
          name: group["name"]?.text ?? "", runs: (group["runs"]?.elements ?? []).map(run))
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
    return RunValuesByMetric(trace: document["trace"]?.text ?? "", values: values)
  }
}
