import ScrollTraceModel

/// Walks over one payload or several.
struct MetricKitReader: JSONTextReader {
  private var payloads: [MetricKitPayload] = []
  private var otherCount: UInt64 = 0

  static let parts = "payloads"

  var isEmpty: Bool { payloads.isEmpty }

  mutating func readText(
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

  /// The payloads that somebody put into an object, one by one or in arrays.
  private static func payloads(inMembersOf view: JSONView) -> [MetricKitPayload] {
    var found: [MetricKitPayload] = []
    view.forEachMember { _, value in
      if let payload = MetricKitPayload(value) { found.append(payload) }
      value.forEachElement { if let payload = MetricKitPayload($0) { found.append(payload) } }
      return true
    }
    return found
  }

  func finish(in builder: inout TraceBuilder) throws(ImportError) {
    guard !payloads.isEmpty else { throw ImportError("no payload tells of hitches or hangs") }
    builder.source.tellsLength = false
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
          ? "the ratios are Apple's own, of everything the app moved in that time; hitchTimeRatio is"
            + " adjusted to what people notice; none is comparable to a ratio of one recording"
          : "no ratio of hitch time is told: the app scrolled too little, or not on a real device"))
    if otherCount > 0 {
      builder.addNotice(.source("payloads that tell nothing of hitches or hangs: \(otherCount)"))
    }
  }
}
