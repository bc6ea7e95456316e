import ScrollTraceModel

/// Names calls of scripts by what they call: `update (feed.html:15)` instead of `FunctionCall`.
///
/// Chrome calls all of them the same and says in the arguments which function of which file it was.
struct ChromeCallNames {
  /// The name in the making, kept so that its memory is.
  private var text: [UInt8] = []

  /// What an event's arguments say of the call.
  struct Target {
    var function: UnsafeRawBufferPointer?
    var url: UnsafeRawBufferPointer?
    var line: Int64?
    var type: UnsafeRawBufferPointer?
    /// Whether the texts are those of JSON, with its escapes.
    var isEscaped = true
  }

  /// The label of the call that `known` tells of; that of the event where it says no more.
  ///
  /// A name is part of the event's own text, so that it meets the limits of all names.
  mutating func label(
    of known: ChromeKnownEvent, in labels: inout ChromeLabels,
    _ builder: inout TraceBuilder
  ) -> LabelID {
    guard let category = known.category, let data = known.arguments.member("data"),
      write(Self.target(in: data), of: known.meaning)
    else { return known.label }
    return text.withUnsafeBytes { name in
      labels.entry(category: category, name: name, in: &builder).label
    }
  }

  /// The name of the call of `target`; `nil` where that says no more than the event's own name.
  mutating func name(
    of target: Target, _ meaning: ChromeName, in builder: inout TraceBuilder
  ) -> StringID? {
    guard write(target, of: meaning) else { return nil }
    return text.withUnsafeBufferPointer { builder.string($0) }
  }

  /// What the `data` of an event's arguments says of the call.
  static func target(in data: JSONView) -> Target {
    var target = Target()
    data.forEachMember { key, value in
      if key.hasBytes(of: "functionName") {
        target.function = value.rawText
      } else if key.hasBytes(of: "url") {
        target.url = value.rawText
      } else if key.hasBytes(of: "lineNumber") {
        target.line = value.integer
      } else if key.hasBytes(of: "type") {
        target.type = value.rawText
      }
      return true
    }
    return target
  }

  /// Writes the name of the call; whether there is one.
  private mutating func write(_ target: Target, of meaning: ChromeName) -> Bool {
    text.removeAll(keepingCapacity: true)
    switch meaning {
    case .functionCall:
      if let function = target.function, !function.isEmpty {
        append(function, isEscaped: target.isEscaped)
      } else if target.url?.isEmpty == false {
        append("(anonymous)")
      }
      appendPlace(target)
      return !text.isEmpty
    case .evaluateScript:
      append("EvaluateScript")
      let count = text.count
      appendPlace(target)
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

  /// Writes the file, without the way to it, and the line: ` (feed.html:15)`.
  private mutating func appendPlace(_ target: Target) {
    guard let url = target.url, !url.isEmpty else { return }
    if target.isEscaped, url.contains(UInt8(ascii: "\\")) {
      JSONText.unescape(url).withUnsafeBytes { appendPlace(url: $0, line: target.line) }
    } else {
      appendPlace(url: url, line: target.line)
    }
  }

  private mutating func appendPlace(url: UnsafeRawBufferPointer, line: Int64?) {
    append(" (")
    text.append(contentsOf: Self.lastComponent(of: url))
    if let line, line > 0 {
      append(":")
      append(number: line)
    }
    append(")")
  }

  /// The last part of a path; of an address without a path the host.
  private static func lastComponent(of url: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    // The text of such an address is the script itself.
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
