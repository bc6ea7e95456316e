package import ScrollTraceModel

/// Reads OpenTelemetry's events `app.jank` in logs of OTLP's JSON, one request after another.
///
/// The article *Frames of web pages and apps in the field* of this module describes the mapping.
package struct JankEventImporter: TraceImporter, JSONTextReader {
  package static let name = "otlp-jank"

  package static let fileEndings = ["json", "jsonl"]

  /// Creates an importer; memory grows only with the data, so no option applies.
  package init(options: ImportOptions) {}

  /// Returns whether the text is an object with logs that have such an event.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    let answer = JSONSniff.sniff(prefix, of: ["\"app.jank\"", "\"app.jank.frame_count\""])
    guard case .yes = answer else { return answer }
    return JSONSniff.contains("\"resourceLogs\"", prefix) ? .yes : .needMoreBytes
  }

  private struct Event {
    var service: String
    /// The end of the period, in nanoseconds since 1970, or `nil` if unknown.
    let time: Int64?
    let frames: Double
    /// The length of the period in seconds, or `nil` if unknown.
    let period: Double?
    /// The shortest duration of a counted frame in seconds, or `nil` if unknown.
    let threshold: Double?
  }

  /// The events of one app that count frames of one length.
  private struct Group: Hashable {
    let service: String
    let threshold: Double?

    var source: String {
      guard let threshold else { return service }
      let milliseconds = (threshold * 10_000).rounded() / 10
      return "\(service): frames over \(milliseconds) ms"
    }
  }

  private var events: [Event] = []
  private var otherCount = 0
  private var invalidCount: UInt64 = 0

  package static let parts = "events"

  package var isEmpty: Bool { events.isEmpty }

  package mutating func readText(
    _ scanner: inout JSONScanner, _ builder: inout TraceBuilder
  ) throws(ScanFault) {
    repeat {
      try scanner.passMembers { (name, scanner) throws(ScanFault) in
        guard name == "resourceLogs" else {
          _ = try scanner.passValue()
          return
        }
        try scanner.passElements { (scanner) throws(ScanFault) in try readResource(&scanner) }
      }
    } while try scanner.peek() != 0
  }

  private mutating func readResource(_ scanner: inout JSONScanner) throws(ScanFault) {
    let first = events.count
    var service: String?
    try scanner.passMembers { (name, scanner) throws(ScanFault) in
      switch name {
      case "resource":
        let text = try scanner.passView {
          $0.attribute("service.name")?.member("stringValue")?.text
        }
        if let text, !text.isEmpty { service = text }
      case "scopeLogs":
        try scanner.passElements { (scanner) throws(ScanFault) in
          try scanner.passMembers { (name, scanner) throws(ScanFault) in
            guard name == "logRecords" else {
              _ = try scanner.passValue()
              return
            }
            try scanner.passElements { (scanner) throws(ScanFault) in
              try scanner.passView { readRecord($0) }
            }
          }
        }
      default: _ = try scanner.passValue()
      }
    }
    // The resource can come after its records.
    guard let service else { return }
    for index in first..<events.count { events[index].service = String(service.prefix(256)) }
  }

  private mutating func readRecord(_ view: JSONView) {
    let isNamed =
      view.member("eventName")?.isText("app.jank")
      ?? view.attribute("event.name")?.member("stringValue")?.isText("app.jank")
    guard isNamed == true else { return otherCount += 1 }
    func number(_ name: StaticString) -> Double? {
      guard let number = view.attribute(name)?.anyNumber, number >= 0, number < 1e12 else {
        return nil
      }
      return number
    }
    guard let frames = number("app.jank.frame_count") else { return invalidCount += 1 }
    events.append(
      Event(
        service: "app", time: view.member("timeUnixNano")?.integer, frames: frames,
        period: number("app.jank.period"), threshold: number("app.jank.threshold")))
  }

  // MARK: - The end

  package mutating func finish(in builder: inout TraceBuilder) throws(ImportError) {
    guard !events.isEmpty else { throw ImportError("the logs contain no event 'app.jank'") }
    var numbers = ResultNumbers()
    let groups = Dictionary(grouping: events) {
      Group(service: $0.service, threshold: $0.threshold)
    }
    let ordered = groups.sorted {
      ($0.key.source, $0.value.count) < ($1.key.source, $1.value.count)
    }
    for (group, events) in ordered {
      builder.setBasis(.aggregate, of: builder.surface(group.service))
      numbers.add("jankFrames", "frames", events.reduce(0) { $0 + $1.frames }, of: group.source)
      numbers.add("jankPeriods", "periods", Double(events.count), of: group.source)
      let periods = events.compactMap(\.period)
      if periods.count == events.count {
        numbers.add("jankPeriodTime", "s", periods.reduce(0, +), of: group.source)
      }
      numbers.add("jankFramesPerPeriod", "frames", events.map(\.frames), of: group.source)
    }
    addSamples(to: &builder)
    numbers.invalidCount = invalidCount
    numbers.finish(in: &builder)
    builder.source.hasKnownLength = false
    builder.addNotice(
      .source(
        "the source counts slow frames in periods that have any, not all frames: a hitch time ratio,"
          + " and the share of slow frames, are unknown"))
    if otherCount > 0 {
      builder.addNotice(.source("records of other events, omitted: \(otherCount)"))
    }
  }

  /// Adds the counts as samples, from the first event on.
  private func addSamples(to builder: inout TraceBuilder) {
    guard let first = events.compactMap(\.time).min() else { return }
    for event in events {
      guard let time = event.time else { continue }
      let (distance, overflows) = time.subtractingReportingOverflow(first)
      // A day is more than any session.
      guard !overflows, distance <= 86_400_000_000_000 else { continue }
      let group = Group(service: event.service, threshold: event.threshold)
      builder.addSample(
        event.frames, of: builder.label(category: group.source, name: "jankFrames"),
        at: Timestamp.zero + TimeSpan(nanoseconds: distance))
    }
  }
}

extension JSONView {
  /// Returns the value of an attribute of OTLP's JSON, or `nil` if there is none.
  fileprivate func attribute(_ key: StaticString) -> JSONView? {
    var found: JSONView?
    member("attributes")?.forEachElement { element in
      if found == nil, element.member("key")?.isText(key) == true {
        found = element.member("value")
      }
    }
    return found
  }

  /// The number in a value of OTLP's JSON, in which whole ones are strings.
  fileprivate var anyNumber: Double? {
    if let value = member("intValue") { return value.integer.map { Double($0) } }
    return member("doubleValue")?.double
  }
}
