import ScrollTraceAnalysis
package import ScrollTraceModel

/// A JSON value whose objects keep the order of their keys.
package enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([(String, JSONValue)])

  /// The value as text: two spaces of indent, innermost containers on one line, a final newline.
  package var text: String { text(indent: 0) + "\n" }

  /// The value on one line, with a final newline.
  package var line: String { text(indent: nil) + "\n" }

  /// The value as text inside of others: lines after the first are indented by `indent` spaces more, or there
  /// is only one, and there is no final newline.
  func text(indent: Int?) -> String {
    var bytes: [UInt8] = []
    append(to: &bytes, indent: indent)
    return String(decoding: bytes, as: UTF8.self)
  }

  private var isContainer: Bool {
    switch self {
    case .array, .object: true
    default: false
    }
  }

  // Recursion is bounded: reports nest a few levels deep, whatever the trace holds.
  private func append(to bytes: inout [UInt8], indent: Int?) {
    let indent = indent == nil || isFlat ? nil : indent
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .integer(let value): bytes += String(value).utf8
    case .unsigned(let value): bytes += String(value).utf8
    case .number(let value): bytes += (value.isFinite ? "\(value)" : "null").utf8
    case .string(let value): Self.append(quoted: value, to: &bytes)
    case .array(let values):
      Self.append(values, brackets: "[]", to: &bytes, indent: indent) {
        $0.append(to: &$1, indent: $2)
      }
    case .object(let members):
      Self.append(members, brackets: "{}", to: &bytes, indent: indent) {
        Self.append(quoted: $0.0, to: &$1)
        $1 += ": ".utf8
        $0.1.append(to: &$1, indent: $2)
      }
    }
  }

  /// Whether nothing inside is itself a container.
  private var isFlat: Bool {
    switch self {
    case .array(let values): !values.contains(where: \.isContainer)
    case .object(let members): !members.contains { $0.1.isContainer }
    default: true
    }
  }

  private static func append<Element>(
    _ elements: [Element], brackets: String, to bytes: inout [UInt8], indent: Int?,
    appendElement: (Element, inout [UInt8], Int?) -> Void
  ) {
    func breakLine(_ indent: Int?, _ bytes: inout [UInt8]) {
      guard let indent else { return }
      bytes.append(UInt8(ascii: "\n"))
      bytes += repeatElement(UInt8(ascii: " "), count: indent)
    }
    let inner = indent.map { $0 + 2 }
    bytes += brackets.utf8.prefix(1)
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes += (indent == nil ? ", " : ",").utf8 }
      breakLine(inner, &bytes)
      appendElement(element, &bytes, inner)
    }
    breakLine(indent, &bytes)
    bytes += brackets.utf8.suffix(1)
  }

  private static func append(quoted text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    bytes += EscapingContext.json.escape(text).utf8
    bytes.append(UInt8(ascii: "\""))
  }
}

extension JSONValue {
  /// A duration in nanoseconds, or null if unknown.
  package static func nanoseconds(_ span: TimeSpan?) -> JSONValue {
    span.map { .integer($0.nanoseconds) } ?? .null
  }

  package static func count(_ count: Int?) -> JSONValue {
    count.map { .integer(Int64($0)) } ?? .null
  }

  package static func count(_ count: UInt64?) -> JSONValue { count.map { .unsigned($0) } ?? .null }

  /// A value in the unit of its metric, or null if unknown.
  static func value(_ value: MetricValue?) -> JSONValue {
    switch value {
    case .time(let span): .nanoseconds(span)
    case .count(let count): Int64(exactly: count).map { .integer($0) } ?? .number(count)
    case .share(let value), .factor(let value), .millisecondsPerSecond(let value),
      .perSecond(let value):
      .number(value)
    case nil: .null
    }
  }
}
