import ScrollTraceAnalysis

/// Earlier runs that later ones are compared with, with the circumstances they were recorded under.
package struct Baseline: Hashable, Sendable {
  /// The runs of one thing.
  package struct Group: Hashable, Sendable {
    /// What it is called; empty where there is only one.
    package let name: String
    /// Its runs.
    package let runs: [RunValuesByMetric]

    /// The runs of one thing.
    package init(name: String, runs: [RunValuesByMetric]) {
      self.name = name
      self.runs = runs
    }
  }

  /// Under what circumstances they were recorded.
  package let fingerprint: Fingerprint
  /// The runs, by what they are of.
  package let groups: [Group]

  /// A baseline of these runs.
  package init(fingerprint: Fingerprint, groups: [Group]) {
    self.fingerprint = fingerprint
    self.groups = groups
  }

  /// The runs of the group called `name`, or `nil` if there is none.
  package func runs(ofGroup name: String) -> [RunValuesByMetric]? {
    groups.first { $0.name == name }?.runs
  }

  /// The medians that differ from those of `other`, a line each, in the order of the metrics.
  package func changes(from other: Baseline) -> [String] {
    groups.flatMap { group -> [String] in
      let before = other.runs(ofGroup: group.name) ?? []
      let subjects = Set((group.runs + before).flatMap { $0.values.keys }).sorted()
      return subjects.flatMap { subject in
        Metric.all.compactMap { metric in
          let old = Self.median(of: before, metric, subject)
          let new = Self.median(of: group.runs, metric, subject)
          guard old != new else { return nil }
          let place = [group.name, subject].filter { !$0.isEmpty }.joined(separator: ", ")
          let unit = metric.unit.rawValue
          func text(_ value: Double?, _ other: Double?) -> String {
            value.map { GateNumber.text($0, besides: other, unit: unit) } ?? "unknown"
          }
          return (place.isEmpty ? "" : place + ": ") + metric.label
            + ": \(text(old, new)) -> \(text(new, old))"
        }
      }
    }
  }

  private static func median(
    of runs: [RunValuesByMetric], _ metric: Metric, _ subject: String
  ) -> Double? {
    RunValues(runs.compactMap { $0.values[subject]?[metric.name] })?.median
  }
}
