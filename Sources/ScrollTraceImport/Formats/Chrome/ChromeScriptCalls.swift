import ScrollTraceModel

/// The script calls of all threads, to find the call in which a page's measure was taken.
///
/// Chrome writes `performance.measure` as asynchronous work, because it can span anything. A
/// measure inside one call is ordinary work of the thread, with a better name.
struct ChromeScriptCalls {
  /// The maximum time by which a measure can seem to start before its call: pages see a clock
  /// truncated to this step, so that a measure's end is never late.
  private static let clockStep = TimeSpan(nanoseconds: 100_000)

  /// The maximum number of calls within one clock step that are searched.
  private static let searchedCount = 64

  private struct Call {
    var start: Timestamp
    var end: Timestamp
    /// The latest end of this call and all earlier ones; known after sorting.
    var latestEnd = Timestamp.zero
  }

  private var calls: [[Call]] = []

  mutating func add(from start: Timestamp, to end: Timestamp, on track: TrackID) {
    while calls.count <= track.index { calls.append([]) }
    calls[track.index].append(Call(start: start, end: end))
  }

  mutating func sort() {
    for track in calls.indices {
      calls[track].sort { ($0.start, $1.end) < ($1.start, $0.end) }
      var latest = Timestamp.zero
      for index in calls[track].indices {
        latest = max(latest, calls[track][index].end)
        calls[track][index].latestEnd = latest
      }
    }
  }

  /// Returns the start of a measure that lies inside one call on `track`, or `nil` if no call
  /// contains it.
  ///
  /// The result is the measure's own start, or the call's start if the measure seems to start just
  /// before the call.
  func begin(ofMeasureFrom start: Timestamp, to end: Timestamp, on track: TrackID) -> Timestamp? {
    guard track.index < calls.count, start < end else { return nil }
    let calls = calls[track.index]
    let before = calls.partitionPoint { $0.start > start }
    let near = calls.partitionPoint { $0.start > start + Self.clockStep }
    for index in (max(before, near - Self.searchedCount)..<near).reversed()
    where calls[index].end >= end && calls[index].start < end { return calls[index].start }
    guard before > 0, calls[before - 1].latestEnd >= end else { return nil }
    return start
  }
}

/// Names script calls after the called function: `update (feed.html:15)` instead of `FunctionCall`.
///
/// Chrome gives all of them one name and identifies the function and the file in the arguments.
struct ChromeCallNames {
  /// The name under construction, a property so that its memory is reused.
  private var text: [UInt8] = []
  /// The site of the page, or that of the first script if no event has named the page before it.
  private var pageSite: [UInt8] = []

  /// The called function, from an event's arguments.
  struct Target {
    var function: UnsafeRawBufferPointer?
    var url: UnsafeRawBufferPointer?
    var line: Int64?
    var type: UnsafeRawBufferPointer?
    /// Whether the strings contain JSON escapes.
    var isEscaped = true
  }

  /// Returns the entry of the call in `known`, or the event's own entry if the arguments add
  /// nothing.
  ///
  /// The name consists of the event's own text, so it meets the limits of all names.
  mutating func entry(
    of known: ChromeKnownEvent, in labels: inout ChromeLabels, _ builder: inout TraceBuilder
  ) -> ChromeLabels.Entry {
    let data =
      known.meaning == .scriptFile ? known.arguments : known.arguments.member("data")
    guard let category = known.category, let data,
      write(Self.target(in: data), of: known.meaning)
    else { return known.entry }
    return text.withUnsafeBytes { name in
      labels.entry(category: category, name: name, in: &builder)
    }
  }

  /// Returns the name of the call of `target`, or `nil` if it adds nothing to the event's name.
  mutating func name(
    of target: Target, _ meaning: ChromeName, in builder: inout TraceBuilder
  ) -> StringID? {
    guard write(target, of: meaning) else { return nil }
    return text.withUnsafeBufferPointer { builder.string($0) }
  }

  /// Returns the called function in the `data` of an event's arguments.
  static func target(in data: JSONView) -> Target {
    var target = Target()
    data.forEachMember { key, value in
      if key.hasBytes(of: "functionName") {
        target.function = value.rawText
      } else if key.hasBytes(of: "url") || key.hasBytes(of: "fileName") {
        target.url = value.rawText
      } else if key.hasBytes(of: "lineNumber") {
        target.line = value.integer
      } else if key.hasBytes(of: "type") {
        target.type = value.rawText
      }
    }
    return target
  }

  private mutating func write(_ target: Target, of meaning: ChromeName) -> Bool {
    text.removeAll(keepingCapacity: true)
    switch meaning {
    case .functionCall:
      if let function = target.function, !function.isEmpty {
        append(function, isEscaped: target.isEscaped)
      } else if target.url?.isEmpty == false {
        append("(anonymous)")
      }
      appendFileAndLine(target)
      return !text.isEmpty
    case .evaluateScript, .scriptFile:
      append(meaning == .evaluateScript ? "EvaluateScript" : "v8.run")
      let count = text.count
      appendFileAndLine(target)
      return text.count > count
    case .eventDispatch:
      guard let type = target.type, !type.isEmpty else { return false }
      append("EventDispatch (")
      append(type, isEscaped: target.isEscaped)
      append(")")
      return true
    default: return false
    }
  }

  /// Sets the site of the page, from the arguments of the event that names its frames.
  mutating func setPage(_ arguments: JSONView) {
    arguments.member("data")?.member("frames")?.forEachElement { frame in
      guard pageSite.isEmpty, let url = frame.member("url")?.text else { return }
      pageSite = Array(url.utf8).withUnsafeBytes { url in
        Self.host(of: url).map { Array(Self.site(of: $0)) } ?? []
      }
    }
  }

  /// Writes the file name without its path, and the line: ` (feed.html:15)`, ` (extension content.js:1)` of the
  /// browser's extensions, or ` (widget.example.com/loader.js:1)` of other sites than the page's.
  private mutating func appendFileAndLine(_ target: Target) {
    guard let url = target.url, !url.isEmpty else { return }
    if target.isEscaped, url.contains(UInt8(ascii: "\\")) {
      JSONText.unescape(url).withUnsafeBytes { appendFileAndLine(url: $0, line: target.line) }
    } else {
      appendFileAndLine(url: url, line: target.line)
    }
  }

  private mutating func appendFileAndLine(url: UnsafeRawBufferPointer, line: Int64?) {
    append(" (")
    if url.hasPrefix("chrome-extension:") || url.hasPrefix("extension:") { append("extension ") }
    let file = Self.lastComponent(of: url)
    if let host = Self.host(of: url) {
      let site = Self.site(of: host)
      if pageSite.isEmpty { pageSite = Array(site) }
      if !site.elementsEqual(pageSite), host.baseAddress != file.baseAddress {
        text.append(contentsOf: host)
        append("/")
      }
    }
    text.append(contentsOf: file)
    if let line, line > 0 {
      append(":")
      append(number: line)
    }
    append(")")
  }

  /// Returns the last component of a path, or the host of a URL without a path.
  private static func lastComponent(of url: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    // The text of a data URL is the script itself.
    if url.hasPrefix("data:") { return UnsafeRawBufferPointer(rebasing: url[..<5]) }
    var end = 0
    while end < url.count, url[end] != UInt8(ascii: "?"), url[end] != UInt8(ascii: "#") {
      end &+= 1
    }
    while end > 0, url[end &- 1] == UInt8(ascii: "/") { end &-= 1 }
    var start = end
    while start > 0, url[start &- 1] != UInt8(ascii: "/") { start &-= 1 }
    return UnsafeRawBufferPointer(rebasing: url[start..<end])
  }

  /// Returns the host of an address on the web, with its port, or `nil` for other addresses.
  private static func host(of url: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard url.hasPrefix("https://") || url.hasPrefix("http://") else { return nil }
    let rest = url[(url.hasPrefix("https://") ? 8 : 7)...]
    let host = rest.prefix {
      $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
    }
    return host.isEmpty ? nil : UnsafeRawBufferPointer(rebasing: host)
  }

  /// Domains in which countries have the sites of others: `co` in `example.co.uk`.
  private static let sharedDomains: Set = ["ac", "co", "com", "edu", "gov", "net", "or", "org"]

  /// Returns the part of a host that all hosts of a site have in common: `example.com` of `static.example.com`.
  private static func site(of host: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let name = UnsafeRawBufferPointer(
      rebasing: host[..<(host.firstIndex(of: UInt8(ascii: ":")) ?? host.count)])
    let labels = name.split(separator: UInt8(ascii: "."))
    // The last label of an address of numbers is one.
    guard labels.count > 2, let last = labels.last, let first = last.first,
      !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
    else { return name }
    let isShared =
      last.count == 2
      && sharedDomains.contains(String(decoding: labels[labels.count - 2], as: UTF8.self))
    return UnsafeRawBufferPointer(
      rebasing: name[labels[labels.count - (isShared ? 3 : 2)].startIndex...])
  }

  private mutating func append(number: Int64) {
    var unit: Int64 = 1
    while number / unit >= 10 { unit *= 10 }
    while unit > 0 {
      text.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number / unit % 10))
      unit /= 10
    }
  }

  private mutating func append(_ raw: UnsafeRawBufferPointer, isEscaped: Bool) {
    if isEscaped, raw.contains(UInt8(ascii: "\\")) {
      text.append(contentsOf: JSONText.unescape(raw))
    } else {
      text.append(contentsOf: raw)
    }
  }

  private mutating func append(_ part: StaticString) {
    text.append(
      contentsOf: UnsafeBufferPointer(start: part.utf8Start, count: part.utf8CodeUnitCount))
  }
}

/// The content of a page's `performance.measure` events.
enum ChromeUserTiming {
  private static let itemNames: [StaticString] = ["item", "id", "index", "i"]

  /// Returns the item in a measure's `detail` as an argument list, or an empty list if there is
  /// none.
  ///
  /// Chrome writes the detail as a string that contains JSON.
  static func item(of known: ChromeKnownEvent, in builder: inout TraceBuilder) -> ArgumentListID {
    guard let detail = known.arguments.member("detail")?.rawText else {
      return copiedItem(of: known, in: &builder)
    }
    let text = JSONText.unescape(detail)
    let value: ArgumentValue? = text.withUnsafeBytes { bytes in
      let object = JSONView(bytes: bytes)
      for name in itemNames {
        if let found = object.member(name), let value = item(found, in: &builder) { return value }
      }
      return nil
    }
    return list(value, in: &builder)
  }

  /// Returns the item that our exporters write as an argument of its own, likewise.
  static func copiedItem(
    of known: ChromeKnownEvent, in builder: inout TraceBuilder
  ) -> ArgumentListID {
    guard let value = known.arguments.member("item") else { return .none }
    return list(item(value, in: &builder), in: &builder)
  }

  private static func item(_ view: JSONView, in builder: inout TraceBuilder) -> ArgumentValue? {
    if let number = view.integer { return .integer(number) }
    if let name = view.text { return .string(builder.string(name)) }
    return nil
  }

  private static func list(
    _ item: ArgumentValue?, in builder: inout TraceBuilder
  ) -> ArgumentListID {
    guard let item else { return .none }
    return builder.argumentList([Argument(key: builder.string("item"), value: item)])
  }
}
