package import ScrollTraceModel

/// Reads payloads of Apple's MetricKit from `jsonRepresentation()`, one or an array.
///
/// The article *Results of benchmarks* of this module describes the mapping.
package struct MetricKitImporter: TraceImporter, JSONTextReader {
  package static let name = "metrickit"

  package static let fileEndings = ["json"]

  /// Creates an importer; memory grows only with the data, so no option applies.
  package init(options: ImportOptions) {}

  /// Returns whether the text is an object, or an array of objects, with a member that only
  /// payloads have.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    let words: [StaticString] = [
      "\"animationMetrics\"", "\"applicationResponsivenessMetrics\"", "\"signpostMetrics\"",
      "\"applicationTimeMetrics\"",
    ]
    return JSONSniff.sniff(prefix, of: words, allowsArray: true)
  }

  private var payloads: [MetricKitPayload] = []
  private var otherCount: UInt64 = 0

  package static let parts = "payloads"

  package var isEmpty: Bool { payloads.isEmpty }

  package mutating func readText(
    _ scanner: inout JSONScanner, _ builder: inout TraceBuilder
  ) throws(ScanFault) {
    try scanner.passOneOrMany { (scanner) throws(ScanFault) in try readPayload(&scanner) }
  }

  private mutating func readPayload(_ scanner: inout JSONScanner) throws(ScanFault) {
    let found = try scanner.passView { view in
      MetricKitPayload(view).map { [$0] } ?? Self.payloads(inMembersOf: view)
    }
    payloads += found
    if found.isEmpty { otherCount += 1 }
  }

  /// Returns the payloads wrapped in an object, individually or in arrays.
  private static func payloads(inMembersOf view: JSONView) -> [MetricKitPayload] {
    var found: [MetricKitPayload] = []
    view.forEachMember { _, value in
      if let payload = MetricKitPayload(value) { found.append(payload) }
      value.forEachElement { if let payload = MetricKitPayload($0) { found.append(payload) } }
      return true
    }
    return found
  }

  package func finish(in builder: inout TraceBuilder) throws(ImportError) {
    guard !payloads.isEmpty else { throw ImportError("no payload reports hitches or hangs") }
    builder.source.hasKnownLength = false
    var numbers = ResultNumbers()
    for payload in payloads {
      let source = payload.add(to: &numbers, isOnly: payloads.count == 1)
      if payload.tellsHitches { builder.setBasis(.aggregate, of: builder.surface(source)) }
    }
    numbers.finish(in: &builder)
    if let first = payloads.first, !first.start.isEmpty {
      let device = [first.device, first.system].filter { !$0.isEmpty }.joined(separator: ", ")
      builder.addNotice(
        .source("from \(first.start) to \(first.end)\(device.isEmpty ? "" : ", \(device)")"))
    }
    builder.addNotice(
      .source(
        payloads.contains(where: \.tellsHitches)
          ? "the ratios are Apple's own, over all movement in that time; hitchTimeRatio is"
            + " perceptually adjusted; neither is comparable to a ratio of one recording"
          : "no hitch time ratio is reported: the app scrolled too little, or not on a real device")
    )
    if otherCount > 0 {
      builder.addNotice(.source("payloads without hitches or hangs: \(otherCount)"))
    }
  }
}

/// The content of a payload for one day of an app.
struct MetricKitPayload {
  /// A number of a signpost or of the whole app.
  private struct Number {
    var metric: String
    var unit: String
    var values: [Double]
    /// The signpost's category and name, or an empty string for the whole app.
    var signpost: String
  }

  private var numbers: [Number] = []
  private var identifier = "app"
  private(set) var device = ""
  private(set) var system = ""
  private(set) var start = ""
  private(set) var end = ""
  private(set) var invalidCount: UInt64 = 0
  /// A Boolean value indicating whether it contains a hitch time ratio.
  private(set) var tellsHitches = false

  /// Creates the payload in `view`, or returns `nil` if it contains nothing about hitches or hangs.
  init?(_ view: JSONView) {
    view.forEachMember { name, value in
      if name.hasBytes(of: "metaData") {
        readMetaData(value)
      } else if name.hasBytes(of: "timeStampBegin") {
        start = value.text ?? ""
      } else if name.hasBytes(of: "timeStampEnd") {
        end = value.text ?? ""
      } else if name.hasBytes(of: "animationMetrics") {
        readRatios(value)
      } else if name.hasBytes(of: "applicationTimeMetrics") {
        if let time = value.member("cumulativeForegroundTime") { add("foregroundTime", time) }
      } else if name.hasBytes(of: "applicationResponsivenessMetrics") {
        if let times = value.member("histogrammedAppHangTime") {
          addHistogram("appHangTime", count: "appHangs", of: "", times)
        }
      } else if name.hasBytes(of: "signpostMetrics") {
        value.forEachElement { readSignpost($0) }
      }
      return true
    }
    if numbers.isEmpty { return nil }
  }

  /// Adds the content to `numbers`, with the app and the day if there are several, and returns the
  /// app.
  func add(to numbers: inout ResultNumbers, isOnly: Bool) -> String {
    let source = isOnly || start.isEmpty ? identifier : "\(identifier) \(start)"
    for number in self.numbers {
      let place =
        number.signpost.isEmpty
        ? source
        : isOnly || start.isEmpty
          ? number.signpost : "\(number.signpost) \(start)"
      numbers.add(number.metric, number.unit, number.values, of: place)
    }
    numbers.invalidCount += invalidCount
    return source
  }

  // MARK: - Parts

  private mutating func readMetaData(_ view: JSONView) {
    identifier = view.member("bundleIdentifier")?.text ?? identifier
    device = view.member("deviceType")?.text ?? ""
    system = view.member("osVersion")?.text ?? ""
  }

  private mutating func readRatios(_ view: JSONView) {
    view.forEachMember { name, value in
      let name = String(decoding: name.prefix(64), as: UTF8.self)
      guard name.hasSuffix("itchTimeRatio") else { return true }
      if add(name, value) { tellsHitches = true }
      return true
    }
  }

  private mutating func readSignpost(_ view: JSONView) {
    let names = [view.member("signpostCategory")?.text, view.member("signpostName")?.text]
    let signpost = names.compactMap { $0.map { String($0.prefix(256)) } }.joined(separator: "/")
    if let count = view.member("totalSignpostCount") { add("signpostCount", count, of: signpost) }
    guard let data = view.member("signpostIntervalData") else { return }
    data.forEachMember { name, value in
      let name = String(decoding: name.prefix(64), as: UTF8.self)
      if name.hasSuffix("itchTimeRatio") {
        if add(name, value, of: signpost) { tellsHitches = true }
      } else if name == "signpostCumulativeCPUTime" {
        add(name, value, of: signpost)
      } else if name == "histogrammedSignpostDurations" {
        addHistogram("signpostDuration", count: "signpostIntervals", of: signpost, value)
      }
      return true
    }
  }

  @discardableResult
  private mutating func add(
    _ metric: String, _ view: JSONView, of signpost: String = ""
  ) -> Bool {
    guard let quantity = MetricKitQuantity(view) else {
      invalidCount += 1
      return false
    }
    numbers.append(
      Number(
        metric: metric, unit: quantity.unit, values: [quantity.value], signpost: signpost))
    return true
  }

  /// Adds the counts of a histogram, the bounds of its buckets, and the bounds of their sum.
  private mutating func addHistogram(
    _ metric: String, count: String, of signpost: String, _ view: JSONView
  ) {
    var (counts, ends): ([Double], [Double]) = ([], [])
    var (least, most) = (0.0, 0.0)
    var unit = "ms"
    view.member("histogramValue")?.forEachMember { _, bucket in
      guard let number = bucket.member("bucketCount")?.double, number >= 0,
        let begin = bucket.member("bucketStart").flatMap({ MetricKitQuantity($0) }),
        let end = bucket.member("bucketEnd").flatMap({ MetricKitQuantity($0) }),
        begin.unit == end.unit, begin.value <= end.value
      else {
        invalidCount += 1
        return true
      }
      counts.append(number)
      ends.append(end.value)
      unit = end.unit
      least += number * begin.value
      most += number * end.value
      return true
    }
    guard !counts.isEmpty else { return }
    for (metric, unit, values) in [
      (count, "", [counts.reduce(0, +)]), (metric + "AtLeast", unit, [least]),
      (metric + "AtMost", unit, [most]), (metric + "Histogram", "", counts),
      (metric + "HistogramEnds", unit, ends),
    ] where values.allSatisfy(\.isFinite) {
      numbers.append(Number(metric: metric, unit: unit, values: values, signpost: signpost))
    }
  }
}

/// A number with its unit, in MetricKit's notation: `50 ms per s`.
struct MetricKitQuantity {
  let value: Double
  let unit: String

  /// Creates the quantity in `view`, a string or a number, or returns `nil` if it is invalid.
  init?(_ view: JSONView) {
    if let value = view.double {
      self.value = value
      unit = ""
      return
    }
    guard let text = view.text, text.utf8.count <= 100 else { return nil }
    // Some languages separate thousands with no-break spaces.
    let parts = text.split { " \u{A0}\u{202F}".contains($0) }
    let digits = parts.prefix { $0.first.map { "-+.,0123456789".contains($0) } ?? false }
    guard let value = Self.number(digits.joined()) else { return nil }
    self.value = value
    let unit = parts.dropFirst(digits.count).joined(separator: " ")
    self.unit = unit == "ms per s" ? "ms/s" : unit
  }

  /// Returns a number that can have another language's separators.
  ///
  /// Of points and commas the last is the decimal separator. If there are only commas, one before
  /// exactly three final digits separates thousands, unless only a zero precedes it.
  private static func number(_ text: String) -> Double? {
    var text = text
    if let comma = text.lastIndex(of: ",") {
      let isLast = text.lastIndex(of: ".").map { $0 < comma } ?? true
      let dividesThousands =
        !text.contains(".")
        && (text.firstIndex(of: ",") != comma
          || (text[text.index(after: comma)...].count == 3
            && !["0", "-0", ""].contains(text[..<comma])))
      if isLast, !dividesThousands {
        text = text.replacingAll(".", with: "").replacingAll(",", with: ".")
      } else {
        text = text.replacingAll(",", with: "")
      }
    }
    guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 || "-.eE+".utf8.contains($0) }) else {
      return nil
    }
    return Double(text).flatMap { $0.isFinite ? $0 : nil }
  }
}
