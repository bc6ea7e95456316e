import ScrollTraceModel

/// What one benchmark measured.
struct MacrobenchmarkResult {
  /// A metric with one value for each iteration, or with many: then it is a sampled one.
  struct Metric {
    let name: String
    /// What is told of all iterations together: `minimum`, `median`, `P90` and so on.
    var told: [(name: String, value: Double)] = []
    /// The values of each iteration.
    var runs: [[Double]] = []

    /// The unit, which is a part of the name.
    var unit: String {
      if name.hasSuffix("Ms") { return "ms" }
      if name.hasSuffix("Ns") || name == "timeNs" { return "ns" }
      if name.hasSuffix("Kb") { return "kB" }
      if name.hasSuffix("Percent") { return "%" }
      return name == "frameCount" ? "frames" : ""
    }
  }

  var name = ""
  var className = ""
  var metrics: [Metric] = []
  var sampledMetrics: [Metric] = []
  var repeatCount: Double?

  /// The class without its package, and the test.
  var title: String {
    let last = className.split(separator: ".").last.map(String.init) ?? ""
    return last.isEmpty ? (name.isEmpty ? "benchmark" : name) : "\(last).\(name)"
  }

  /// Whether it measured frames.
  var measuresFrames: Bool {
    sampledMetrics.contains { $0.name.hasPrefix("frame") && !$0.runs.joined().isEmpty }
      || metrics.contains { $0.name.hasPrefix("gfxFrame") }
  }

  /// How many percentiles are told that are not those of the samples.
  private(set) var differingCount = 0

  /// Adds what was measured to `numbers`.
  mutating func add(to numbers: inout ResultNumbers) {
    let title = title
    numbers.add("iterations", "", repeatCount, of: title)
    for metric in sampledMetrics {
      let samples = metric.runs.flatMap { $0 }
      let sorted = samples.sorted()
      for (name, value) in metric.told {
        numbers.add(metric.name + name, metric.unit, value, of: title)
        guard name.hasPrefix("P"), let percent = Double(name.dropFirst()),
          let own = sorted.percentile(percent)
        else { continue }
        if abs(own - value) > 1e-6 * max(1, abs(own)) { differingCount += 1 }
      }
      numbers.add(metric.name, metric.unit, samples, of: title)
      if metric.name == "frameOverrunMs" { addOverruns(metric.runs, to: &numbers) }
    }
    for metric in metrics {
      for (name, value) in metric.told {
        let isFactor = name == "coefficientOfVariation"
        numbers.add(
          metric.name + name.capitalized, isFactor ? "" : metric.unit, value, of: title)
      }
      numbers.add(metric.name, metric.unit, metric.runs.flatMap { $0 }, of: title)
    }
  }

  /// Adds what follows from the overruns: positive ones are deadlines missed by so much (M-1).
  private func addOverruns(_ runs: [[Double]], to numbers: inout ResultNumbers) {
    let samples = runs.joined()
    guard !samples.isEmpty else { return }
    let missed = samples.filter { $0 > 0 }
    numbers.add("sampledFrames", "frames", Double(samples.count), of: title)
    numbers.add("deadlinesMissed", "frames", Double(missed.count), of: title)
    numbers.add(
      "deadlinesMissedShare", "%", 100 * Double(missed.count) / Double(samples.count), of: title)
    numbers.add("overrunSum", "ms", missed.reduce(0, +), of: title)
    numbers.add("overrunMaximum", "ms", samples.max(), of: title)
    numbers.add(
      "deadlinesMissedPerIteration", "frames", runs.map { Double($0.count { $0 > 0 }) },
      of: title)
  }
}

extension String {
  /// The text with its first letter large.
  fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
