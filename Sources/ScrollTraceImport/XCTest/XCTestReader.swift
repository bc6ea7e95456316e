import ScrollTraceModel

/// Walks over the metrics of tests, test by test.
struct XCTestReader: JSONTextReader {
  /// The metrics of a test in one run, by their subject.
  private struct Group {
    var title: String
    var metrics: [XCTestMetric] = []
  }

  private var groups: [Group] = []
  private var positions: [String: Int] = [:]
  private var devices: [String] = []

  /// More than any file tells.
  private static let maximumGroupCount = 2000

  static let parts = "metrics"

  var isEmpty: Bool { groups.isEmpty }

  mutating func readText(
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

  /// Takes a test with its runs, each of which has metrics.
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

  /// Takes a metric called by its identifier, or a group of such.
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

  func finish(in builder: inout TraceBuilder) throws(ImportError) {
    guard groups.contains(where: { $0.metrics.contains { !$0.values.isEmpty } }) else {
      throw ImportError(
        "no metric was measured",
        advice: "xcrun xcresulttool get test-results metrics --path X.xcresult")
    }
    builder.source.tellsLength = false
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
          ? "hitches are told by their sums, and no frames; xcrun xctrace record with 'Animation"
            + " Hitches' tells each hitch"
          : "no test measured hitches; XCTOSSignpostMetric.scrollingAndDecelerationMetric does"))
  }

  /// The hitch time of all iterations divided by their length (M-5); `nil` where one is not told.
  private static func ratio(of group: Group) -> Double? {
    func seconds(_ word: String) -> [Double]? {
      // Where values are missing, nobody knows which iterations the others are of.
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
