import ScrollTraceModel

/// The numbers that a dump tells of all frames of a process or window together.
struct GfxinfoSummary {
  /// Of what they are told.
  let source: String
  /// The surface of which nothing else may be known.
  let surface: String
  private(set) var aggregates: [Aggregate] = []
  private var total: Double?
  private var histogramCount: Double?

  /// A summary without a number, of `source`.
  init(of source: String, surface: String? = nil) {
    self.source = source
    self.surface = surface ?? source
  }

  /// Whether the histogram holds as many frames as the total tells, as far as both are there.
  var isConsistent: Bool { total == nil || histogramCount == nil || total == histogramCount }

  /// Takes a line, if it is one of a summary; gives how many aggregates it makes.
  @discardableResult
  mutating func read(_ line: GfxinfoLine) -> Int {
    if let text = line.text(behind: "HISTOGRAM:") {
      histogramCount = addHistogram(text, "frameTimeHistogram")
      return 2
    }
    if let text = line.text(behind: "GPU HISTOGRAM:") {
      _ = addHistogram(text, "gpuTimeHistogram")
      return 2
    }
    for (name, metric, unit) in Self.lines {
      guard let text = line.text(behind: name), let value = Self.leadingNumber(text) else {
        continue
      }
      if metric == "totalFrames" { total = value }
      aggregates.append(Aggregate(metric, unit: unit, values: [value], source: source))
      return 1
    }
    return 0
  }

  /// Adds how long each of the last frames took, in milliseconds, where nothing says when.
  mutating func add(_ lengths: [Double]) {
    aggregates.append(Aggregate("frameLengths", unit: "ms", values: lengths, source: source))
  }

  /// Adds the buckets that hold a frame; gives how many frames all hold.
  private mutating func addHistogram(_ text: String, _ metric: String) -> Double {
    var bounds: [Double] = []
    var counts: [Double] = []
    for bucket in text.split(separator: " ") {
      let parts = bucket.split(separator: "=")
      guard parts.count == 2, let bound = Self.leadingNumber(String(parts[0])),
        let count = Self.leadingNumber(String(parts[1])), count > 0
      else { continue }
      bounds.append(bound)
      counts.append(count)
    }
    aggregates.append(
      Aggregate(metric + "Buckets", unit: "ms", values: bounds, source: source))
    aggregates.append(Aggregate(metric, unit: "frames", values: counts, source: source))
    return counts.reduce(0, +)
  }

  /// The whole number a text begins with.
  private static func leadingNumber(_ text: String) -> Double? {
    let digits = text.drop { $0 == " " }.prefix { $0.isASCII && $0.isNumber }
    guard 1...15 ~= digits.count else { return nil }
    return Double(digits)
  }

  private static let lines: [(StaticString, String, String)] = [
    ("Total frames rendered:", "totalFrames", "frames"),
    ("Janky frames:", "jankyFrames", "frames"),
    ("Janky frames (legacy):", "jankyFramesLegacy", "frames"),
    ("50th percentile:", "frameTimeP50", "ms"), ("90th percentile:", "frameTimeP90", "ms"),
    ("95th percentile:", "frameTimeP95", "ms"), ("99th percentile:", "frameTimeP99", "ms"),
    ("Number Missed Vsync:", "missedVsync", "frames"),
    ("Number High input latency:", "highInputLatency", "frames"),
    ("Number Slow UI thread:", "slowUIThread", "frames"),
    ("Number Slow bitmap uploads:", "slowBitmapUploads", "frames"),
    ("Number Slow issue draw commands:", "slowIssueDrawCommands", "frames"),
    ("Number Frame deadline missed:", "frameDeadlineMissed", "frames"),
    ("Number Frame deadline missed (legacy):", "frameDeadlineMissedLegacy", "frames"),
    ("50th gpu percentile:", "gpuTimeP50", "ms"), ("90th gpu percentile:", "gpuTimeP90", "ms"),
    ("95th gpu percentile:", "gpuTimeP95", "ms"), ("99th gpu percentile:", "gpuTimeP99", "ms"),
  ]
}
