import ScrollTraceModel

/// Walks over results, benchmark by benchmark.
struct MacrobenchmarkReader: JSONTextReader {
  private var results: [MacrobenchmarkResult] = []
  private var numbers = ResultNumbers()
  private var model: String?
  private var level: Double?
  private var isClockLocked = true
  private var isEmulated = false

  static let parts = "benchmarks"

  var isEmpty: Bool { results.isEmpty }

  mutating func readText(
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
          metric.told.append((name, value))
        } else {
          numbers.invalidCount += 1
        }
      }
      metrics.append(metric)
    }
    return metrics
  }

  /// The values of an iteration: of a sampled metric many, else one.
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

  mutating func finish(in builder: inout TraceBuilder) throws(ImportError) {
    for index in results.indices { results[index].add(to: &numbers) }
    guard !numbers.all.isEmpty else { throw ImportError("the results hold no benchmark") }
    numbers.finish(in: &builder)
    builder.source.tellsLength = false
    noteDevice(in: &builder)
    let framed = results.filter(\.measuresFrames)
    for result in framed { builder.setBasis(.aggregate, of: builder.surface(result.title)) }
    builder.addNotice(
      .source(
        framed.isEmpty
          ? "no benchmark measured frames; FrameTimingMetric does, within measureRepeated"
          : "frames are told by how long they took and not by when: deadlines missed are known,"
            + " a hitch time ratio is not"))
    let differing = results.reduce(0) { $0 + $1.differingCount }
    if differing > 0 {
      builder.addNotice(.source("percentiles that are not those of the samples: \(differing)"))
    }
  }

  private func noteDevice(in builder: inout TraceBuilder) {
    guard let model else { return }
    let level = level.flatMap { Int(exactly: $0) }.map { ", API level \($0)" } ?? ""
    let clock = isClockLocked ? "" : "; its clock was not locked"
    builder.addNotice(.source("measured on \(model)\(level)\(clock)"))
    if isEmulated {
      builder.addNotice(.source("this was an emulator: its times say little of any device"))
    }
  }

  /// Whether a build of Android is one for emulators.
  private static func isEmulator(_ fingerprint: String) -> Bool {
    ["emulator", "sdk_gphone", "generic", "emu64", "ranchu", "goldfish"].contains {
      fingerprint.lowercased().contains($0)
    }
  }
}
