package import ScrollTraceModel

/// Reads the results of Android's Macrobenchmark and Microbenchmark, `…-benchmarkData.json`.
///
/// The article *Results of benchmarks* of this module describes the mapping.
package struct MacrobenchmarkImporter: TraceImporter, JSONTextReader {
  package static let name = "macrobenchmark"

  package static let fileEndings = ["json"]

  /// Creates an importer; memory grows only with the data, so no option applies.
  package init(options: ImportOptions) {}

  /// Returns whether the text is an object with a member that only such results have.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    JSONSniff.sniff(prefix, of: ["\"sampledMetrics\"", "\"thermalThrottleSleepSeconds\""])
  }

  private var results: [MacrobenchmarkResult] = []
  private var numbers = ResultNumbers()
  private var model: String?
  private var level: Double?
  private var isClockLocked = true
  private var isEmulated = false

  package static let parts = "benchmarks"

  package var isEmpty: Bool { results.isEmpty }

  package mutating func readText(
    _ scanner: inout JSONScanner, _ builder: inout TraceBuilder
  ) throws(ScanFault) {
    try scanner.passMembers { (name, scanner) throws(ScanFault) in
      switch name {
      case "context": try readContext(&scanner)
      case "benchmarks":
        try scanner.passElements { (scanner) throws(ScanFault) in
          try readBenchmark(&scanner)
        }
      default: _ = try scanner.passValue()
      }
    }
  }

  // MARK: - Walking

  private mutating func readContext(_ scanner: inout JSONScanner) throws(ScanFault) {
    try scanner.passMembers { (name, scanner) throws(ScanFault) in
      switch name {
      case "build":
        try scanner.passMembers { (name, scanner) throws(ScanFault) in
          switch name {
          case "model": model = try scanner.passText()
          case "fingerprint": isEmulated = Self.isEmulator(try scanner.passText() ?? "")
          case "version":
            try scanner.passMembers { (name, scanner) throws(ScanFault) in
              let value = try scanner.passView { $0.double }
              if name == "sdk" { level = value }
            }
          default: _ = try scanner.passValue()
          }
        }
      case "cpuLocked": isClockLocked = try scanner.passView { $0.bytes.hasBytes(of: "true") }
      default: _ = try scanner.passValue()
      }
    }
  }

  private mutating func readBenchmark(_ scanner: inout JSONScanner) throws(ScanFault) {
    var result = MacrobenchmarkResult()
    var isBenchmark = false
    try scanner.passMembers { (name, scanner) throws(ScanFault) in
      isBenchmark = true
      switch name {
      case "name": result.name = try scanner.passText() ?? ""
      case "className": result.className = try scanner.passText() ?? ""
      case "repeatIterations": result.repeatCount = try scanner.passView { $0.double }
      case "metrics": result.metrics += try metrics(&scanner)
      case "sampledMetrics": result.sampledMetrics += try metrics(&scanner)
      default: _ = try scanner.passValue()
      }
    }
    if isBenchmark { results.append(result) } else { numbers.invalidCount += 1 }
  }

  private mutating func metrics(
    _ scanner: inout JSONScanner
  ) throws(ScanFault) -> [MacrobenchmarkResult.Metric] {
    var metrics: [MacrobenchmarkResult.Metric] = []
    try scanner.passMembers { (name, scanner) throws(ScanFault) in
      var metric = MacrobenchmarkResult.Metric(name: name)
      try scanner.passMembers { (name, scanner) throws(ScanFault) in
        if name == "runs" {
          try scanner.passElements { (scanner) throws(ScanFault) in
            metric.runs.append(try run(&scanner))
          }
        } else if let value = try scanner.passView({ $0.double }) {
          metric.reported.append((name, value))
        } else {
          numbers.invalidCount += 1
        }
      }
      metrics.append(metric)
    }
    return metrics
  }

  /// Returns the values of an iteration: many for a sampled metric, or else one.
  private mutating func run(_ scanner: inout JSONScanner) throws(ScanFault) -> [Double] {
    if try scanner.peek() == UInt8(ascii: "[") {
      let (values, otherCount) = try scanner.passNumbers()
      numbers.invalidCount += otherCount
      return values
    }
    guard let value = try scanner.passView({ $0.double }) else {
      numbers.invalidCount += 1
      return []
    }
    return [value]
  }

  // MARK: - The end

  package mutating func finish(in builder: inout TraceBuilder) throws(ImportError) {
    for index in results.indices { results[index].add(to: &numbers) }
    guard !numbers.all.isEmpty else { throw ImportError("the results contain no benchmark") }
    numbers.finish(in: &builder)
    builder.source.hasKnownLength = false
    noteDevice(in: &builder)
    let framed = results.filter(\.measuresFrames)
    for result in framed { builder.setBasis(.aggregate, of: builder.surface(result.title)) }
    builder.addNotice(
      .source(
        framed.isEmpty
          ? "no benchmark measured frames; FrameTimingMetric does, within measureRepeated"
          : "the results report how long frames took, not when: deadline misses are known,"
            + " a hitch time ratio is not"))
    let differing = results.reduce(0) { $0 + $1.differingCount }
    if differing > 0 {
      builder.addNotice(.source("percentiles that do not match the samples: \(differing)"))
    }
  }

  private func noteDevice(in builder: inout TraceBuilder) {
    guard let model else { return }
    let level = level.flatMap { Int(exactly: $0) }.map { ", API level \($0)" } ?? ""
    let clock = isClockLocked ? "" : "; its clock was not locked"
    builder.addNotice(.source("measured on \(model)\(level)\(clock)"))
    if isEmulated {
      builder.addNotice(.source("measured on an emulator: its times say little about a device"))
    }
  }

  /// Returns whether an Android build is for emulators.
  private static func isEmulator(_ fingerprint: String) -> Bool {
    ["emulator", "sdk_gphone", "generic", "emu64", "ranchu", "goldfish"].contains {
      fingerprint.lowercased().includes($0)
    }
  }
}

/// The measurements of one benchmark.
struct MacrobenchmarkResult {
  /// A metric with one value per iteration, or with many if it is sampled.
  struct Metric {
    let name: String
    /// The numbers reported for all iterations together: `minimum`, `median`, `P90` and so on.
    var reported: [(name: String, value: Double)] = []
    /// The values of each iteration.
    var runs: [[Double]] = []

    /// The unit, which is part of the name.
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

  /// A Boolean value indicating whether it measured frames.
  var measuresFrames: Bool {
    sampledMetrics.contains { $0.name.hasPrefix("frame") && !$0.runs.joined().isEmpty }
      || metrics.contains { $0.name.hasPrefix("gfxFrame") }
  }

  /// The number of reported percentiles that differ from those of the samples.
  private(set) var differingCount = 0

  /// Adds the measurements to `numbers`.
  mutating func add(to numbers: inout ResultNumbers) {
    let title = title
    numbers.add("iterations", "", repeatCount, of: title)
    for metric in sampledMetrics {
      let samples = metric.runs.flatMap { $0 }
      let sorted = samples.sorted()
      for (name, value) in metric.reported {
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
      for (name, value) in metric.reported {
        let isFactor = name == "coefficientOfVariation"
        numbers.add(
          metric.name + name.capitalized, isFactor ? "" : metric.unit, value, of: title)
      }
      numbers.add(metric.name, metric.unit, metric.runs.flatMap { $0 }, of: title)
    }
  }

  /// Adds the results of overruns: positive ones are missed deadlines with that overrun (M-1).
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
  /// The text with its first letter in upper case.
  fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
