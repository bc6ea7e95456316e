public import ScrollTraceSummary

extension TraceSummary {
  /// Creates the summary in a JSON line of schema `scrolltrace.summary/2`, or of `/1`, whose ledger
  /// counts refreshes.
  ///
  /// Members that this version does not know are ignored. Throws if one that it knows is missing or
  /// impossible, or if the line has another version.
  public init(line: String) throws(ImportError) { try self.init(line: Array(line.utf8)) }

  package init(line bytes: [UInt8]) throws(ImportError) {
    if let summary = bytes.withUnsafeBytes(SummaryLineCursor.summary) {
      self = summary
      return
    }
    try self.init(anyLine: bytes)
  }

  /// Creates the summary in the bytes of a line with its members in any order.
  package init(anyLine bytes: [UInt8]) throws(ImportError) {
    self = try JSONView.read(bytes, as: "a line of JSON", Self.read)
  }

  private static func read(_ view: JSONView) throws(ImportError) -> TraceSummary {
    let line = try SummaryObject(view, "the line")
    let countsRefreshes = try schema(of: line) == SummaryLine.formerSchema
    let quality = try line.object("quality")
    var row = SummaryRow()
    for name in SummaryQuality.allCases { row[name] = try quality.number(name.rawValue) }
    guard row[.traces] > 0 else { throw ImportError("has no traces in 'quality'") }
    if !line.isNull("id") {
      row.identity = try identity(line.object("id"))
      row.identity?.problem = line.has("problem") ? try line.text("problem") : nil
    }
    var key = SummaryKey(
      surface: try line.optionalText("surface"), basis: try line.optionalText("basis"),
      refreshInterval: try line.optionalNumber("refreshIntervalNs").map { Int64(clamping: $0) })
    let attributes = try line.object("attributes")
    for (name, value) in attributes.members {
      guard let value = value.text, key.attributes.set(name, to: value) else {
        throw ImportError(
          "has an attribute that is no text, is longer than \(SummaryAttributes.maximumBytes) bytes, or"
            + " is one of more than \(SummaryAttributes.maximumPairs)")
      }
    }
    let ledger = LedgerReading(
      refreshInterval: countsRefreshes ? key.refreshInterval ?? 0 : 1, weight: row[.weight],
      name: countsRefreshes ? "refreshes" : "ledgerNs", isOneTrace: row[.traces] == 1,
      session: row.identity?.session)
    for view in try line.elements("scopes") {
      let scope = try SummaryObject(view, "a scope")
      let name = try scope.text("scope")
      guard row.scopes.updateValue(try self.scope(scope, ledger), forKey: name) == nil else {
        throw ImportError("has the scope '\(name)' twice")
      }
    }
    for view in try line.elements("causes") {
      let cause = try SummaryObject(view, "a cause")
      let name = SummaryCause(
        category: try cause.optionalText("category"), name: try cause.text("name"),
        function: cause.has("function") ? try cause.optionalText("function") : nil)
      let sums = SummaryCauseSums(
        hitchTime: try cause.number("hitchTimeNs"), hitches: try cause.number("hitches"))
      guard row.causes.updateValue(sums, forKey: name) == nil else {
        throw ImportError("has the cause '\(name.name)' twice")
      }
    }
    row.otherCauses = try line.number("otherCausesNs")
    return TraceSummary(key, row)
  }

  /// Returns the schema of a line, which is one that this version reads.
  private static func schema(of line: SummaryObject) throws(ImportError) -> String {
    let schema = line.has("schema") ? try line.text("schema") : ""
    guard schema != SummaryLine.schema, schema != SummaryLine.formerSchema else { return schema }
    let family = String(SummaryLine.schema.prefix { $0 != "/" }) + "/"
    throw schema.hasPrefix(family)
      ? ImportError(
        "has schema '\(schema.prefix(64))'", advice: "update scrolltrace")
      : ImportError(
        "is not a summary", advice: "run 'scrolltrace summarize' first")
  }

  private static func identity(_ object: SummaryObject) throws(ImportError) -> SummaryIdentity {
    var identity = SummaryIdentity()
    identity.session = try object.optionalText("session")
    identity.content = try object.optionalText("content")
    // A wall clock can stand before 1970, and is only passed on.
    identity.startWall = object["startWallNs"]?.integer
    identity.recorder = try object.optionalText("recorder")
    identity.tool = try object.optionalText("tool")
    return identity
  }

  /// How a line contains the ledger, and what it does not repeat in each scope.
  private struct LedgerReading {
    /// The length of a unit, or 0 if it is unknown.
    let refreshInterval: Int64
    /// The number of traces that the line stands for.
    let weight: WideInteger
    let name: String
    let isOneTrace: Bool
    let session: String?
  }

  private static func scope(
    _ object: SummaryObject, _ reading: LedgerReading
  ) throws(ImportError) -> SummaryScope {
    var scope = SummaryScope()
    let partial = object.has("partial") ? try object.object("partial") : nil
    func value(
      _ known: WideInteger?, unknownIn name: String
    ) throws(ImportError) -> SummaryValue {
      let count =
        partial?.has(name) == true
        ? try partial?.number(name) : nil
      return SummaryValue(known: known, unknownCount: count ?? (known == nil ? 1 : 0))
    }
    let hasSquares = SummaryField.squares.allSatisfy { object.has($0.rawValue) }
    for field in SummaryField.allCases where !SummaryField.ledger.contains(field) {
      let name = field.rawValue
      if SummaryField.squares.contains(field), !hasSquares {
        scope[field] = SummaryValue(known: nil, unknownCount: reading.weight)
        continue
      }
      scope[field] = try value(object.optionalNumber(name, maximum: field.maximum), unknownIn: name)
    }
    if !hasSquares, reading.isOneTrace { scope.setSquares() }
    if object.has("longestHitchSession") {
      scope.longestHitchSession = try object.optionalText("longestHitchSession")
    } else if scope[.longestHitch].known ?? 0 > 0 {
      scope.longestHitchSession = reading.session
    }
    let ledger = object.isNull(reading.name) ? nil : try object.object(reading.name)
    for field in SummaryField.ledger {
      let time = try ledger?.number(field.rawValue).timesUpToMost(reading.refreshInterval)
      scope[field] =
        reading.refreshInterval > 0
        ? try value(time, unknownIn: reading.name)
        : SummaryValue(known: nil, unknownCount: reading.weight)
    }
    let histograms = try object.object("histograms")
    for name in SummaryHistogramName.allCases {
      scope[name] = try histogram(histograms.object(name.rawValue), name: name.rawValue)
    }
    return scope
  }

  private static func histogram(
    _ object: SummaryObject, name: String
  ) throws(ImportError) -> LogLinearHistogram {
    if object.has("subBucketBits"),
      try object.number("subBucketBits") != WideInteger(LogLinearHistogram.subBucketBits)
    {
      throw ImportError(
        "has other buckets in '\(name)' than this version: they cannot be added",
        advice: "summarize the traces again with one version")
    }
    var (buckets, counts): ([Int], [WideInteger]) = ([], [])
    for view in try object.elements("buckets") {
      buckets.append(Int(clamping: try object.number(view, "buckets")))
    }
    for view in try object.elements("counts") { counts.append(try object.number(view, "counts")) }
    guard let histogram = LogLinearHistogram(buckets: buckets, counts: counts) else {
      throw ImportError(
        "has an impossible histogram '\(name)': buckets from 0 to"
          + " \(LogLinearHistogram.bucketCount - 1) must ascend, each with one count above 0")
    }
    return histogram
  }
}

/// An object of a summary line, whose members are looked up by name.
private struct SummaryObject {
  /// The members in the order of the line.
  let members: [(name: String, value: JSONView)]
  private let noun: String

  /// Creates the object in `view`, which errors call `noun`.
  init(_ view: JSONView, _ noun: String) throws(ImportError) {
    guard view.kind == .object else { throw ImportError("'\(noun)' is not an object") }
    var members: [(name: String, value: JSONView)] = []
    view.forEachMember { name, value in
      members.append((String(decoding: JSONText.unescape(name), as: UTF8.self), value))
    }
    guard Set(members.lazy.map(\.name)).count == members.count else {
      throw ImportError("'\(noun)' has a member twice")
    }
    self.members = members
    self.noun = noun
  }

  subscript(_ name: String) -> JSONView? { members.first { $0.name == name }?.value }

  func has(_ name: String) -> Bool { self[name] != nil }

  /// Returns whether the member is `null`; a missing one is not.
  func isNull(_ name: String) -> Bool { self[name]?.bytes.hasBytes(of: "null") ?? false }

  private func required(_ name: String) throws(ImportError) -> JSONView {
    guard let value = self[name] else { throw ImportError("has no '\(name)' in '\(noun)'") }
    return value
  }

  func object(_ name: String) throws(ImportError) -> SummaryObject {
    try SummaryObject(required(name), name)
  }

  func elements(_ name: String) throws(ImportError) -> [JSONView] {
    let view = try required(name)
    guard view.kind == .array else { throw ImportError("'\(name)' is not an array") }
    var elements: [JSONView] = []
    view.forEachElement { elements.append($0) }
    return elements
  }

  func text(_ name: String) throws(ImportError) -> String {
    guard let text = try required(name).text else { throw ImportError("'\(name)' is no text") }
    return text
  }

  func optionalText(_ name: String) throws(ImportError) -> String? {
    isNull(name) ? nil : try text(name)
  }

  func optionalNumber(
    _ name: String, maximum: WideInteger = .maximumInSummary
  ) throws(ImportError) -> WideInteger? {
    isNull(name) ? nil : try number(required(name), name, maximum: maximum)
  }

  func number(_ name: String) throws(ImportError) -> WideInteger {
    try number(required(name), name)
  }

  /// Returns the whole number in `view`, from zero to the largest of a summary.
  func number(
    _ view: JSONView, _ name: String, maximum: WideInteger = .maximumInSummary
  ) throws(ImportError) -> WideInteger {
    if view.kind == .number, view.bytes.first == UInt8(ascii: "-") {
      throw ImportError("'\(name)' is negative")
    }
    var number: WideInteger = 0
    for byte in view.bytes {
      let digit = byte &- UInt8(ascii: "0")
      guard view.kind == .number, digit < 10 else {
        throw ImportError("'\(name)' is not a whole number")
      }
      number = number * 10 + WideInteger(digit)
      guard number <= maximum else { throw ImportError("'\(name)' is too large") }
    }
    return number
  }
}
