package import ScrollTraceAnalysis
package import ScrollTraceModel

/// The circumstances of a recording. Only runs with equal ones can be compared.
package struct Fingerprint: Hashable, Sendable {
  /// The refresh intervals of at least a twentieth of the frames, ascending.
  package let refreshIntervals: [TimeSpan]
  /// The device class, or `nil` if unknown.
  package let device: String?
  /// The build configuration, such as `release`, or `nil` if unknown.
  package let configuration: String?
  package let metricsVersion: Int

  /// The version of the metrics' definitions in this tool.
  ///
  /// It increases when the meaning of a metric changes, so that old and new values cannot be
  /// compared.
  package static let currentMetricsVersion = 6

  package init(
    refreshIntervals: [TimeSpan], device: String?, configuration: String?,
    metricsVersion: Int = Fingerprint.currentMetricsVersion
  ) {
    self.refreshIntervals = refreshIntervals
    self.device = device
    self.configuration = configuration
    self.metricsVersion = metricsVersion
  }

  /// Creates the fingerprint of `runs`, with the traces' states `device` and `configuration` if the
  /// arguments are `nil`.
  package init(of runs: [Analysis], device: String?, configuration: String?) {
    let intervals = runs.flatMap { $0.evaluatedPrimarySurface?.usualIntervals ?? [] }.sorted()
    self.init(
      refreshIntervals: intervals.reduce(into: []) { known, interval in
        if known.last?.isNear(interval) != true { known.append(interval) }
      },
      device: device ?? Self.state("device", in: runs),
      configuration: configuration ?? Self.state("configuration", in: runs))
  }

  /// The difference that prevents a comparison with `other`: the field's name and both values, or
  /// `nil`.
  package func difference(from other: Fingerprint) -> String? {
    func text(_ value: String?) -> String { value.map { "'\($0)'" } ?? "unknown" }
    if metricsVersion != other.metricsVersion {
      return "metrics: the baseline has definitions \(metricsVersion), this tool has"
        + " \(other.metricsVersion)"
    }
    for (name, mine, theirs) in [
      ("device", device, other.device), ("configuration", configuration, other.configuration),
    ] where mine != theirs {
      return "\(name): the baseline has \(text(mine)), these traces have \(text(theirs))"
    }
    let isAlike =
      refreshIntervals.allSatisfy { mine in other.refreshIntervals.contains { $0.isNear(mine) } }
      && other.refreshIntervals.allSatisfy { theirs in
        refreshIntervals.contains { $0.isNear(theirs) }
      }
    guard !isAlike else { return nil }
    return "refresh rate: the baseline has \(Self.rates(refreshIntervals)), these traces have"
      + " \(Self.rates(other.refreshIntervals))"
  }

  /// Returns a note that names the runs without a refresh rate of the first, or `nil` if there is none.
  static func noteOnRates(of runs: [Analysis]) -> VerdictNote? {
    let rates = runs.map { (run: $0, known: $0.evaluatedPrimarySurface?.usualIntervals ?? []) }
      .filter { !$0.known.isEmpty }
    guard let first = rates.first?.known else { return nil }
    let others = rates.filter { other in
      !other.known.contains { interval in first.contains { $0.isNear(interval) } }
    }
    let names = others.map { Budget.fileName(of: $0.run) }.listed(maximum: 4)
    return others.first.map {
      VerdictNote(
        .scenarios, .warning,
        "runs of different refresh rates share a median, \(Self.rates(first)) and"
          + " \(Self.rates($0.known)) (\(names)); --group PATTERN separates them")
    }
  }

  /// Returns a note on runs of several devices or build configurations, or `nil` if all are of one.
  static func noteOnDevices(of runs: [Analysis]) -> VerdictNote? {
    let several = ["device", "configuration"].compactMap { key -> String? in
      let values = values(of: key, in: runs)
      return values.count > 1 ? "\(key) \(values.joined(separator: " and "))" : nil
    }
    guard !several.isEmpty else { return nil }
    return VerdictNote(
      .scenarios, .warning,
      "runs of different kinds share a median, \(several.joined(separator: "; "));"
        + " --group PATTERN separates them")
  }

  private static func rates(_ refreshIntervals: [TimeSpan]) -> String {
    let rates = refreshIntervals.filter { $0 > .zero }.map {
      GateNumber.text(1e9 / Double($0.nanoseconds), unit: "Hz")
    }
    return rates.isEmpty ? "an unknown one" : rates.joined(separator: " and ")
  }

  /// These values as one, or `nil` if there is none.
  private static func state(_ key: String, in runs: [Analysis]) -> String? {
    let values = values(of: key, in: runs)
    return values.isEmpty ? nil : values.joined(separator: " and ")
  }

  /// The different first values of a state in the traces that have it, sorted.
  package static func values(of key: String, in runs: [Analysis]) -> [String] {
    Set(runs.compactMap { $0.trace.states.firstValue(of: key) }).sorted()
  }
}
