import ScrollTraceSummary

/// Reads a line of the current schema whose members have the order in which they are written, without a look
/// at anything twice.
///
/// Every method returns `nil` or false where the line is not as it would be written; such a line is read
/// member by member.
struct SummaryLineCursor {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  /// Returns the summary in a line, or `nil` if the line has to be read member by member.
  static func summary(in bytes: UnsafeRawBufferPointer) -> TraceSummary? {
    var cursor = SummaryLineCursor(bytes: bytes)
    return cursor.line()
  }

  private init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  // MARK: - Parts of a line

  private mutating func line() -> TraceSummary? {
    guard consume("{\"schema\":\""), consume(SummaryLine.schema), consume("\",\"id\":") else {
      return nil
    }
    var row = SummaryRow()
    if !consume("null") {
      guard let identity = identity() else { return nil }
      row.identity = identity
    }
    var key = SummaryKey()
    guard consume(",\"attributes\":"), attributes(&key.attributes), consume(",\"quality\":{") else {
      return nil
    }
    for (index, quality) in SummaryQuality.allCases.enumerated() {
      guard index == 0 || consume(","), consume("\""), consume(quality.rawValue), consume("\":"),
        let number = number()
      else { return nil }
      row[quality] = number
    }
    guard row[.traces] > 0, consume("},\"surface\":") else { return nil }
    if !consume("null") {
      guard let surface = text() else { return nil }
      key.surface = surface
    }
    guard consume(",\"basis\":") else { return nil }
    if !consume("null") {
      guard let basis = text() else { return nil }
      key.basis = basis
    }
    guard consume(",\"refreshIntervalNs\":") else { return nil }
    if !consume("null") {
      guard let interval = number() else { return nil }
      key.refreshInterval = Int64(clamping: interval)
    }
    guard scopes(&row), causes(&row), consume(",\"otherCausesNs\":"), let other = number(),
      consume("}")
    else { return nil }
    row.otherCauses = other
    while offset < bytes.count, bytes[offset] <= 0x20 {
      guard [0x20, 0x09, 0x0A, 0x0D].contains(bytes[offset]) else { return nil }
      offset += 1
    }
    return offset == bytes.count ? TraceSummary(key, row) : nil
  }

  private mutating func identity() -> SummaryIdentity? {
    var identity = SummaryIdentity()
    guard consume("{\"session\":"), optionalText(&identity.session), consume(",\"content\":"),
      optionalText(&identity.content), consume(",\"startWallNs\":")
    else { return nil }
    if !consume("null") {
      guard let time = number() else { return nil }
      identity.startWall = Int64(exactly: time)
    }
    guard consume(",\"recorder\":"), optionalText(&identity.recorder), consume(",\"tool\":"),
      optionalText(&identity.tool), consume("}")
    else { return nil }
    return identity
  }

  private mutating func attributes(_ attributes: inout SummaryAttributes) -> Bool {
    guard consume("{") else { return false }
    if consume("}") { return true }
    repeat {
      guard let name = text(), consume(":"), let value = text(), attributes[name] == nil,
        attributes.set(name, to: value)
      else { return false }
    } while consume(",")
    return consume("}")
  }

  private mutating func scopes(_ row: inout SummaryRow) -> Bool {
    guard consume(",\"scopes\":[") else { return false }
    if consume("]") { return true }
    repeat {
      guard consume("{\"scope\":"), let name = text(), let scope = scope(),
        row.scopes.updateValue(scope, forKey: name) == nil
      else { return false }
    } while consume(",")
    return consume("]")
  }

  private mutating func scope() -> SummaryScope? {
    var session: String?
    var values: [SummaryValue] = []
    values.reserveCapacity(Self.fields.count)
    for field in Self.fields {
      guard consume(field.start) else { return nil }
      if field.isFirstOfLedger {
        guard !consume("null") else {
          for _ in SummaryField.ledger { values.append(SummaryValue(known: nil, unknownCount: 1)) }
          continue
        }
        guard ledger(&values) else { return nil }
        continue
      }
      if consume("null") {
        values.append(SummaryValue(known: nil, unknownCount: 1))
      } else {
        guard let number = number(field.maximum) else { return nil }
        values.append(SummaryValue(known: number, unknownCount: 0))
      }
      if field.isLongest {
        guard consume(",\"longestHitchSession\":"), optionalText(&session) else { return nil }
      }
    }
    guard consume(",\"histograms\":{") else { return nil }
    var histograms: [LogLinearHistogram] = []
    histograms.reserveCapacity(Self.histograms.count)
    for start in Self.histograms {
      guard consume(start), let histogram = histogram() else { return nil }
      histograms.append(histogram)
    }
    // A scope with values that are unknown in part is rare.
    guard consume("}}") else { return nil }
    return SummaryScope(values: values, histograms: histograms, longestHitchSession: session)
  }

  private mutating func ledger(_ values: inout [SummaryValue]) -> Bool {
    for start in Self.ledger {
      guard consume(start), let number = number() else { return false }
      values.append(SummaryValue(known: number, unknownCount: 0))
    }
    return consume("}")
  }

  private mutating func histogram() -> LogLinearHistogram? {
    guard consume("{\"buckets\":["), let buckets = numbers(), consume(",\"counts\":[") else {
      return nil
    }
    guard !buckets.isEmpty else { return consume("]}") ? LogLinearHistogram() : nil }
    var counts: [WideInteger] = []
    counts.reserveCapacity(buckets.count)
    repeat {
      guard let count = number() else { return nil }
      counts.append(count)
    } while consume(",")
    guard consume("]}") else { return nil }
    return LogLinearHistogram(buckets: buckets, counts: counts)
  }

  private mutating func numbers() -> [Int]? {
    if consume("]") { return [] }
    var numbers: [Int] = []
    repeat {
      guard let number = number() else { return nil }
      numbers.append(Int(clamping: number))
    } while consume(",")
    return consume("]") ? numbers : nil
  }

  private mutating func causes(_ row: inout SummaryRow) -> Bool {
    guard consume(",\"causes\":[") else { return false }
    if consume("]") { return true }
    repeat {
      var category: String?
      guard consume("{\"category\":"), optionalText(&category), consume(",\"name\":"),
        let name = text()
      else { return false }
      var cause = SummaryCause(category: category, name: name)
      if consume(",\"function\":") {
        guard let function = text() else { return false }
        cause.function = function
      }
      guard consume(",\"hitchTimeNs\":"), let time = number(), consume(",\"hitches\":"),
        let hitches = number(), consume("}")
      else { return false }
      let sums = SummaryCauseSums(hitchTime: time, hitches: hitches)
      guard row.causes.updateValue(sums, forKey: cause) == nil else { return false }
    } while consume(",")
    return consume("]")
  }

  // MARK: - Words

  /// A field of a scope, and what stands before its value.
  private struct Field {
    let start: [UInt8]
    let maximum: WideInteger
    let isLongest: Bool
    let isFirstOfLedger: Bool
  }

  private static let fields: [Field] = SummaryField.allCases.compactMap { field in
    guard field == .owed || !SummaryField.ledger.contains(field) else { return nil }
    let name = field == .owed ? "ledgerNs" : field.rawValue
    return Field(
      start: Array(",\"\(name)\":".utf8), maximum: field.maximum,
      isLongest: field == .longestHitch, isFirstOfLedger: field == .owed)
  }

  private static let ledger: [[UInt8]] = SummaryField.ledger.map { field in
    Array("\(field == .owed ? "{" : ",")\"\(field.rawValue)\":".utf8)
  }

  private static let histograms: [[UInt8]] = SummaryHistogramName.allCases.enumerated().map {
    Array("\($0.offset == 0 ? "" : ",")\"\($0.element.rawValue)\":".utf8)
  }

  /// Passes over `text` if it is next; returns whether it is.
  private mutating func consume(_ text: [UInt8]) -> Bool {
    guard bytes.count - offset >= text.count else { return false }
    for index in text.indices where bytes[offset + index] != text[index] { return false }
    offset += text.count
    return true
  }

  private mutating func consume(_ text: String) -> Bool {
    var end = offset
    for byte in text.utf8 {
      guard end < bytes.count, bytes[end] == byte else { return false }
      end += 1
    }
    offset = end
    return true
  }

  private mutating func optionalText(_ text: inout String?) -> Bool {
    if consume("null") { return true }
    text = self.text()
    return text != nil
  }

  /// Passes over a string of ASCII without an escape sequence, or returns `nil`.
  private mutating func text() -> String? {
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else { return nil }
    let start = offset + 1
    var end = start
    while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
      let byte = bytes[end]
      guard byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\\") else { return nil }
      end += 1
    }
    guard end < bytes.count else { return nil }
    offset = end + 1
    return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
  }

  /// Passes over a whole number of at most `maximum`, or returns `nil`.
  private mutating func number(_ maximum: WideInteger = .maximumInSummary) -> WideInteger? {
    let start = offset
    var value: UInt64 = 0
    var wide: WideInteger?
    while offset < bytes.count {
      let digit = bytes[offset] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      if offset - start < 19 {
        value = value &* 10 &+ UInt64(digit)
      } else {
        let next = (wide ?? WideInteger(value)) * 10 + WideInteger(digit)
        guard next <= maximum else { return nil }
        wide = next
      }
      offset += 1
    }
    // JSON has no leading zeros.
    let count = offset - start
    guard count > 0, count == 1 || bytes[start] != UInt8(ascii: "0") else { return nil }
    return wide ?? WideInteger(value)
  }
}
