package import ScrollTraceAnalysis

/// Earlier runs to compare with, and the circumstances of their recording.
package struct Baseline: Hashable, Sendable {
  /// The runs of one scenario.
  package struct Group: Hashable, Sendable {
    /// The group's name, or an empty string if there is only one.
    package let name: String
    package let runs: [RunValuesByMetric]
    /// What the runs scrolled, or `nil` if unknown.
    package let scenario: ScenarioSignature?

    package init(name: String, runs: [RunValuesByMetric], scenario: ScenarioSignature? = nil) {
      self.name = name
      self.runs = runs
      self.scenario = scenario
    }
  }

  /// The circumstances of the recording.
  package let fingerprint: Fingerprint
  package let groups: [Group]

  package init(fingerprint: Fingerprint, groups: [Group]) {
    self.fingerprint = fingerprint
    self.groups = groups
  }

  /// A group, or `nil` if there is none of this name.
  package func group(_ name: String) -> Group? { groups.first { $0.name == name } }

  /// The medians that differ from those of `other`, one line each, in the order of the metrics.
  package func changes(from other: Baseline) -> [String] {
    groups.flatMap { group -> [String] in
      let before = other.group(group.name)?.runs ?? []
      let subjects = Set((group.runs + before).flatMap { $0.values.keys }).sorted()
      return subjects.flatMap { subject in
        Metric.all.compactMap { metric in
          let old = Self.median(of: before, metric, subject)
          let new = Self.median(of: group.runs, metric, subject)
          guard old != new else { return nil }
          let prefix = [group.name, subject].filter { !$0.isEmpty }.joined(separator: ", ")
          let unit = metric.unit.rawValue
          func text(_ value: Double?, _ other: Double?) -> String {
            value.map { GateNumber.text($0, besides: other, unit: unit) } ?? "unknown"
          }
          return (prefix.isEmpty ? "" : prefix + ": ") + metric.label
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
