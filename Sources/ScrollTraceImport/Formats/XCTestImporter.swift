package import ScrollTraceModel

/// Reads the measurements of XCTest performance tests from `xcresulttool get test-results metrics`.
///
/// The article *Results of benchmarks* of this module describes the mapping.
package struct XCTestImporter: TraceImporter, JSONTextReader {
  package static let name = "xctest"

  package static let fileEndings = ["json"]

  /// Creates an importer; memory grows only with the data, so no option applies.
  package init(options: ImportOptions) {}

  /// Returns whether the text is an array or object that contains an XCTest metric.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    let words: [StaticString] = ["\"com.apple.dt.XCTMetric", "\"unitOfMeasurement\""]
    return JSONSniff.sniff(prefix, of: words, allowsArray: true)
  }

  /// The metrics of a test in one run, by their subject.
  private struct Group {
    var title: String
    var metrics: [XCTestMetric] = []
  }

  private var groups: [Group] = []
  private var positions: [String: Int] = [:]
  private var devices: [String] = []

  /// More than any file contains.
  private static let maximumGroupCount = 2000

  package static let parts = "metrics"

  package var isEmpty: Bool { groups.isEmpty }

  package mutating func readText(
    _ scanner: inout JSONScanner, _ builder: inout TraceBuilder
  ) throws(ScanFault) {
    if try scanner.peek() == UInt8(ascii: "[") {
      try scanner.passElements { (scanner) throws(ScanFault) in
        try scanner.passView { readTest($0, &builder) }
      }
    } else {
      try scanner.passMembers { (name, scanner) throws(ScanFault) in
        try scanner.passView { readMember($0, name, &builder) }
      }
    }
  }

  // MARK: - Walking

  /// Reads a test with its runs, each of which has metrics.
  private mutating func readTest(_ view: JSONView, _ builder: inout TraceBuilder) {
    let test = view.member("testIdentifier")?.text ?? ""
    var runs: [JSONView] = []
    view.member("testRuns")?.forEachElement { runs.append($0) }
    for (index, run) in runs.enumerated() {
      let title = runs.count > 1 ? "\(test) #\(index + 1)" : test
      if let device = run.member("device")?.member("deviceName")?.text,
        !devices.contains(device), devices.count < 8
      {
        devices.append(device)
      }
      run.member("metrics")?.forEachElement { add(XCTestMetric($0), of: title, &builder) }
    }
    if runs.isEmpty { builder.countLoss(.unknownRecord) }
  }

  /// Reads a metric keyed by its identifier, or a group of them.
  private mutating func readMember(
    _ view: JSONView, _ name: String, _ builder: inout TraceBuilder
  ) {
    guard view.kind == .object else { return }
    if let metric = XCTestMetric(view, identifier: name) { return add(metric, of: "", &builder) }
    view.forEachMember { identifier, value in
      let identifier = String(decoding: identifier.prefix(256), as: UTF8.self)
      if value.kind == .object, let metric = XCTestMetric(value, identifier: identifier) {
        add(metric, of: name, &builder)
      }
      return true
    }
  }

  private mutating func add(
    _ metric: XCTestMetric?, of test: String, _ builder: inout TraceBuilder
  ) {
    guard let metric, groups.count < Self.maximumGroupCount else {
      return builder.countLoss(metric == nil ? .invalidValue : .limitReached)
    }
    builder.countLoss(.invalidValue, count: metric.invalidCount)
    let title = [String(test.prefix(256)), metric.subject].filter { !$0.isEmpty }
      .joined(separator: ": ")
    let position = positions[title] ?? groups.count
    if position == groups.count {
      groups.append(Group(title: title.isEmpty ? "test" : title))
      positions[title] = position
    }
    groups[position].metrics.append(metric)
  }

  // MARK: - The end

  package func finish(in builder: inout TraceBuilder) throws(ImportError) {
    guard groups.contains(where: { $0.metrics.contains { !$0.values.isEmpty } }) else {
      throw ImportError(
        "no metric was measured",
        advice: "xcrun xcresulttool get test-results metrics --path X.xcresult")
    }
    builder.source.hasKnownLength = false
    var numbers = ResultNumbers()
    var hasHitches = false
    for group in groups {
      for metric in group.metrics {
        numbers.add(metric.word + "Average", metric.unit, metric.values.mean, of: group.title)
        numbers.add(metric.word + "Baseline", metric.unit, metric.baseline, of: group.title)
        numbers.add(metric.word, metric.unit, metric.values, of: group.title)
      }
      numbers.add("hitchTimeRatioOfSums", "ms/s", Self.ratio(of: group), of: group.title)
      if group.metrics.contains(where: { $0.word == "hitchTimeRatio" }) {
        hasHitches = true
        builder.setBasis(.aggregate, of: builder.surface(group.title))
      }
    }
    numbers.finish(in: &builder)
    if !devices.isEmpty {
      builder.addNotice(.source("measured on \(devices.joined(separator: ", "))"))
    }
    builder.addNotice(
      .source(
        hasHitches
          ? "the results report hitch totals, not frames; xcrun xctrace record with 'Animation"
            + " Hitches' lists each hitch"
          : "no test measured hitches; XCTOSSignpostMetric.scrollingAndDecelerationMetric does"))
  }

  /// Returns the hitch time of all iterations divided by their duration (M-5), or `nil` if one is
  /// missing.
  private static func ratio(of group: Group) -> Double? {
    func seconds(_ word: String) -> [Double]? {
      // If values are missing, the iterations of the others are unknown.
      guard let metric = group.metrics.first(where: { $0.word == word }), metric.invalidCount == 0
      else { return nil }
      switch metric.unit {
      case "s": return metric.values
      case "ms": return metric.values.map { $0 / 1000 }
      default: return nil
      }
    }
    guard let hitches = seconds("hitchesTotalDuration"), let lengths = seconds("duration"),
      hitches.count == lengths.count
    else { return nil }
    let length = lengths.reduce(0, +)
    return length > 0 ? 1000 * hitches.reduce(0, +) / length : nil
  }
}

/// A metric with its value for each iteration of a test.
struct XCTestMetric {
  /// The metric's name in one word: `hitchTimeRatio`.
  let word: String
  /// The signpost or process that the metric belongs to, or an empty string.
  let subject: String
  let unit: String
  let values: [Double]
  /// The average of the baseline, or `nil` if there is none.
  let baseline: Double?
  /// The number of invalid values.
  let invalidCount: UInt64

  /// Creates the metric in `view`, whose key is `identifier`, or returns `nil` if it is not a
  /// metric.
  init?(_ view: JSONView, identifier: String = "") {
    var (display, unit, identifier) = ("", "", identifier)
    var values: [Double]?
    var baseline: Double?
    var invalidCount: UInt64 = 0
    view.forEachMember { name, value in
      if name.hasBytes(of: "displayName") || name.hasBytes(of: "name") {
        display = value.text ?? display
      } else if name.hasBytes(of: "unitOfMeasurement") || name.hasBytes(of: "unit") {
        unit = value.text ?? unit
      } else if name.hasBytes(of: "identifier") {
        identifier = value.text ?? identifier
      } else if name.hasBytes(of: "baselineAverage") {
        baseline = value.double
      } else if name.hasBytes(of: "measurements") || name.hasBytes(of: "values"),
        value.kind == .array
      {
        var numbers: [Double] = []
        value.forEachElement { element in
          if let number = element.double { numbers.append(number) } else { invalidCount += 1 }
        }
        values = numbers
      }
      return true
    }
    guard let values, !values.isEmpty || invalidCount > 0 else { return nil }
    self.values = values
    self.unit = unit == "ms per s" ? "ms/s" : String(unit.prefix(16))
    self.baseline = baseline
    self.invalidCount = invalidCount
    (word, subject) = Self.name(display: display, identifier: identifier)
  }

  /// Returns the word and the subject of a name such as `Hitch Time Ratio (Scroll_Deceleration)`.
  private static func name(display: String, identifier: String) -> (String, String) {
    let display = display.isEmpty ? Self.display(of: identifier) : String(display.prefix(256))
    let parts = display.split(separator: "(", maxSplits: 1)
    let words = (parts.first ?? "").split { !($0.isLetter || $0.isNumber) }
    let word = words.enumerated().map { index, word in
      index == 0 ? word.lowercased() : word.prefix(1).uppercased() + word.dropFirst()
    }.joined()
    let subject = parts.count > 1 ? parts[1].prefix { $0 != ")" } : ""
    return (word.isEmpty ? "metric" : word, String(subject))
  }

  /// Returns Xcode's display name of an identifier, for hitch metrics.
  private static func display(of identifier: String) -> String {
    let identifier = identifier.prefix(256)
    let ends = [
      ("time.ratio", "Hitch Time Ratio"), ("total.duration", "Hitches Total Duration"),
      ("hitch.number", "Number of Hitches"), (".number", "Number of Hitches"),
      ("frame.rate", "Frame Rate"), ("frame.count", "Frame Count"), (".duration", "Duration"),
    ]
    let subject = identifier.split(separator: "-", maxSplits: 1).last?.prefix { $0 != "." } ?? ""
    for (end, name) in ends where identifier.hasSuffix(end) { return "\(name) (\(subject))" }
    return String(identifier.split(separator: ".").last ?? "")
  }
}
