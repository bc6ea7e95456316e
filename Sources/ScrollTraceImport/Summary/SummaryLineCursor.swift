import ScrollTraceSummary

/// Reads a line of the current schema whose members have the order in which they are written, without a look
/// at anything twice.
///
/// Every method returns `nil` or false where the line is not as it would be written; such a line is read
/// member by member.
struct SummaryLineCursor {
  private let bytes: UnsafeRawBufferPointer
  private var place = 0

  /// Returns the summary in a line, or `nil` if the line has to be read member by member.
  static func summary(in bytes: UnsafeRawBufferPointer) -> TraceSummary? {
    var cursor = SummaryLineCursor(bytes: bytes)
    return cursor.line()
  }

  private init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  // MARK: - Parts of a line

  private mutating func line() -> TraceSummary? {
    guard take("{\"schema\":\""), take(SummaryLine.schema), take("\",\"id\":") else { return nil }
    var row = SummaryRow()
    if !take("null") {
      guard let identity = identity() else { return nil }
      row.identity = identity
    }
    var key = SummaryKey()
    guard take(",\"attributes\":"), attributes(&key.attributes), take(",\"quality\":{") else {
      return nil
    }
    for (index, quality) in SummaryQuality.allCases.enumerated() {
      guard index == 0 || take(","), take("\""), take(quality.rawValue), take("\":"),
        let number = number()
      else { return nil }
      row[quality] = number
    }
    guard row[.traces] > 0, take("},\"surface\":") else { return nil }
    if !take("null") {
      guard let surface = text() else { return nil }
      key.surface = surface
    }
    guard take(",\"basis\":") else { return nil }
    if !take("null") {
      guard let basis = text() else { return nil }
      key.basis = basis
    }
    guard take(",\"refreshIntervalNs\":") else { return nil }
    if !take("null") {
      guard let interval = number() else { return nil }
      key.refreshInterval = Int64(clamping: interval)
    }
    guard scopes(&row), causes(&row), take(",\"otherCausesNs\":"), let other = number(), take("}")
    else { return nil }
    row.otherCauses = other
    while place < bytes.count, bytes[place] <= 0x20 {
      guard [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) else { return nil }
      place += 1
    }
    return place == bytes.count ? TraceSummary(key, row) : nil
  }

  private mutating func identity() -> SummaryIdentity? {
    var identity = SummaryIdentity()
    guard take("{\"session\":"), optionalText(&identity.session), take(",\"content\":"),
      optionalText(&identity.content), take(",\"startWallNs\":")
    else { return nil }
    if !take("null") {
      guard let time = number() else { return nil }
      identity.startWall = Int64(exactly: time)
    }
    guard take(",\"recorder\":"), optionalText(&identity.recorder), take(",\"tool\":"),
      optionalText(&identity.tool), take("}")
    else { return nil }
    return identity
  }

  private mutating func attributes(_ attributes: inout SummaryAttributes) -> Bool {
    guard take("{") else { return false }
    if take("}") { return true }
    repeat {
      guard let name = text(), take(":"), let value = text(), attributes[name] == nil,
        attributes.set(name, to: value)
      else { return false }
    } while take(",")
    return take("}")
  }

  private mutating func scopes(_ row: inout SummaryRow) -> Bool {
    guard take(",\"scopes\":[") else { return false }
    if take("]") { return true }
    repeat {
      guard take("{\"scope\":"), let name = text(), let scope = scope(),
        row.scopes.updateValue(scope, forKey: name) == nil
      else { return false }
    } while take(",")
    return take("]")
  }

  private mutating func scope() -> SummaryScope? {
    var session: String?
    var values: [SummaryValue] = []
    values.reserveCapacity(Self.fields.count)
    for field in Self.fields {
      guard take(field.start) else { return nil }
      if field.isFirstOfLedger {
        guard !take("null") else {
          for _ in SummaryField.ledger { values.append(SummaryValue(known: nil, unknownCount: 1)) }
          continue
        }
        guard ledger(&values) else { return nil }
        continue
      }
      if take("null") {
        values.append(SummaryValue(known: nil, unknownCount: 1))
      } else {
        guard let number = number(field.maximum) else { return nil }
        values.append(SummaryValue(known: number, unknownCount: 0))
      }
      if field.isLongest {
        guard take(",\"longestHitchSession\":"), optionalText(&session) else { return nil }
      }
    }
    guard take(",\"histograms\":{") else { return nil }
    var histograms: [LogLinearHistogram] = []
    histograms.reserveCapacity(Self.histograms.count)
    for start in Self.histograms {
      guard take(start), let histogram = histogram() else { return nil }
      histograms.append(histogram)
    }
    // A scope with values that are unknown in part is rare.
    guard take("}}") else { return nil }
    return SummaryScope(values: values, histograms: histograms, longestHitchSession: session)
  }

  private mutating func ledger(_ values: inout [SummaryValue]) -> Bool {
    for start in Self.ledger {
      guard take(start), let number = number() else { return false }
      values.append(SummaryValue(known: number, unknownCount: 0))
    }
    return take("}")
  }

  private mutating func histogram() -> LogLinearHistogram? {
    guard take("{\"buckets\":["), let buckets = numbers(), take(",\"counts\":[") else {
      return nil
    }
    guard !buckets.isEmpty else {
      return take("]}") ? LogLinearHistogram() : nil
    }
    var counts: [WideInteger] = []
    counts.reserveCapacity(buckets.count)
    repeat {
      guard let count = number() else { return nil }
      counts.append(count)
    } while take(",")
    guard take("]}") else { return nil }
    return LogLinearHistogram(buckets: buckets, counts: counts)
  }

  private mutating func numbers() -> [Int]? {
    if take("]") { return [] }
    var numbers: [Int] = []
    repeat {
      guard let number = number() else { return nil }
      numbers.append(Int(clamping: number))
    } while take(",")
    return take("]") ? numbers : nil
  }

  private mutating func causes(_ row: inout SummaryRow) -> Bool {
    guard take(",\"causes\":[") else { return false }
    if take("]") { return true }
    repeat {
      var category: String?
      guard take("{\"category\":"), optionalText(&category), take(",\"name\":"), let name = text()
      else { return false }
      var cause = SummaryCause(category: category, name: name)
      if take(",\"function\":") {
        guard let function = text() else { return false }
        cause.function = function
      }
      guard take(",\"hitchTimeNs\":"), let time = number(), take(",\"hitches\":"),
        let hitches = number(), take("}")
      else { return false }
      let sums = SummaryCauseSums(hitchTime: time, hitches: hitches)
      guard row.causes.updateValue(sums, forKey: cause) == nil else { return false }
    } while take(",")
    return take("]")
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

  /// Passes over `word` if it is next; returns whether it is.
  private mutating func take(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard bytes.count - place >= count else { return false }
    for index in 0..<count where bytes[place + index] != word.utf8Start[index] { return false }
    place += count
    return true
  }

  private mutating func take(_ word: [UInt8]) -> Bool {
    guard bytes.count - place >= word.count else { return false }
    for index in word.indices where bytes[place + index] != word[index] { return false }
    place += word.count
    return true
  }

  private mutating func take(_ word: String) -> Bool {
    var at = place
    for byte in word.utf8 {
      guard at < bytes.count, bytes[at] == byte else { return false }
      at += 1
    }
    place = at
    return true
  }

  private mutating func optionalText(_ text: inout String?) -> Bool {
    if take("null") { return true }
    text = self.text()
    return text != nil
  }

  /// Passes over a string of ASCII without an escape sequence, or returns `nil`.
  private mutating func text() -> String? {
    guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { return nil }
    let start = place + 1
    var end = start
    while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
      let byte = bytes[end]
      guard byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\\") else { return nil }
      end += 1
    }
    guard end < bytes.count else { return nil }
    place = end + 1
    return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
  }

  /// Passes over a whole number of at most `maximum`, or returns `nil`.
  private mutating func number(_ maximum: WideInteger = .maximumInSummary) -> WideInteger? {
    let start = place
    var value: UInt64 = 0
    var wide: WideInteger?
    while place < bytes.count {
      let digit = bytes[place] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      if place - start < 19 {
        value = value &* 10 &+ UInt64(digit)
      } else {
        let next = (wide ?? WideInteger(value)) * 10 + WideInteger(digit)
        guard next <= maximum else { return nil }
        wide = next
      }
      place += 1
    }
    // JSON has no leading zeros.
    let count = place - start
    guard count > 0, count == 1 || bytes[start] != UInt8(ascii: "0") else { return nil }
    return wide ?? WideInteger(value)
  }
}
