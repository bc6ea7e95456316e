import ScrollTraceModel

/// Names calls of scripts by what they call: `update (feed.html:15)` instead of `FunctionCall`.
///
/// Chrome calls all of them the same and says in the arguments which function of which file it was.
struct ChromeCallNames {
  /// The name in the making, kept so that its memory is.
  private var text: [UInt8] = []

  /// What an event's arguments say of the call.
  private struct Target {
    var function: UnsafeRawBufferPointer?
    var url: UnsafeRawBufferPointer?
    var line: Int64?
    var type: UnsafeRawBufferPointer?
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

  private static func target(in data: JSONView) -> Target {
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
        append(function)
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
      append(type)
      append(")")
      return true
    default: return false
    }
  }

  /// Writes the file, without the way to it, and the line: ` (feed.html:15)`.
  private mutating func appendPlace(_ target: Target) {
    guard let url = target.url, !url.isEmpty else { return }
    if url.contains(UInt8(ascii: "\\")) {
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
      text.append(contentsOf: String(line).utf8)
    }
    append(")")
  }

  /// The last part of a path; of an address without a path the host.
  private static func lastComponent(of url: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer>
  {
    // The text of such an address is the script itself.
    if url.hasPrefix("data:") { return url[..<5] }
    var end = url.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? url.count
    while end > 0, url[end - 1] == UInt8(ascii: "/") { end -= 1 }
    let path = url[..<end]
    return path.lastIndex(of: UInt8(ascii: "/")).map { path[($0 + 1)...] } ?? path
  }

  private mutating func append(_ raw: UnsafeRawBufferPointer) {
    if raw.contains(UInt8(ascii: "\\")) {
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
