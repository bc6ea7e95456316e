import ScrollTraceModel

/// What a payload tells of one day of an app.
struct MetricKitPayload {
  /// A number of a signpost or of the whole app.
  private struct Number {
    var metric: String
    var unit: String
    var values: [Double]
    /// The signpost's category and name; empty for the whole app.
    var signpost: String
  }

  private var numbers: [Number] = []
  private var identifier = "app"
  private(set) var device = ""
  private(set) var system = ""
  private(set) var start = ""
  private(set) var end = ""
  private(set) var invalidCount: UInt64 = 0
  /// Whether a hitch time ratio is told.
  private(set) var tellsHitches = false

  /// The payload that `view` is; `nil` where it tells nothing of what is asked here.
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

  /// Adds what is told to `numbers`, of the app on the day where there are several; gives the app.
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

  /// Adds the counts of a histogram, the ends of its buckets, and between what their sum must lie.
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
