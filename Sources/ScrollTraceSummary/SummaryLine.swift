/// The text of a summary: one JSON object with its keys in a fixed order and whole numbers only.
package enum SummaryLine {
  /// The schema of the lines that this version writes.
  package static let schema = "scrolltrace.summary/2"
  /// The schema of lines that this version reads too, whose ledger counts refreshes.
  package static let formerSchema = "scrolltrace.summary/1"

  /// Returns the line of a group, without a line feed.
  static func text(of key: SummaryKey, _ row: SummaryRow) -> String {
    var line = SummaryLineWriter()
    line.beginObject()
    line.text(schema, "schema")
    write(row.identity, to: &line)
    line.beginObject("attributes")
    for pair in key.attributes.pairs { line.text(pair.value, pair.name) }
    line.endObject()
    line.beginObject("quality")
    for quality in SummaryQuality.allCases { line.number(row[quality], quality.rawValue) }
    line.endObject()
    if let problem = row.identity?.problem { line.text(problem, "problem") }
    line.text(key.surface, "surface")
    line.text(key.basis, "basis")
    line.number(key.refreshInterval.map { WideInteger($0) }, "refreshIntervalNs")
    line.beginArray("scopes")
    for (name, scope) in row.scopes.sorted(by: { $0.key.precedesInBytes($1.key) }) {
      write(scope, name: name, to: &line)
    }
    line.endArray()
    line.beginArray("causes")
    for (cause, sums) in row.causes.sorted(by: comesFirst) {
      line.beginObject()
      line.text(cause.category, "category")
      line.text(cause.name, "name")
      if let function = cause.function { line.text(function, "function") }
      line.number(sums.hitchTime, "hitchTimeNs")
      line.number(sums.hitches, "hitches")
      line.endObject()
    }
    line.endArray()
    line.number(row.otherCauses, "otherCausesNs")
    line.endObject()
    return line.text
  }

  /// Returns whether a cause is listed first: by hitch time, largest first, then by category, name and function.
  package static func comesFirst(
    _ left: (key: SummaryCause, value: SummaryCauseSums),
    _ right: (key: SummaryCause, value: SummaryCauseSums)
  ) -> Bool {
    if left.value.hitchTime != right.value.hitchTime {
      return left.value.hitchTime > right.value.hitchTime
    }
    guard left.key.category == right.key.category else {
      return precedes(left.key.category, right.key.category)
    }
    guard left.key.name == right.key.name else {
      return left.key.name.precedesInBytes(right.key.name)
    }
    return precedes(left.key.function, right.key.function)
  }

  /// Returns whether `left` comes first: none, then in the order of bytes.
  private static func precedes(_ left: String?, _ right: String?) -> Bool {
    guard let left, let right else { return left == nil && right != nil }
    return left.precedesInBytes(right)
  }

  private static func write(_ identity: SummaryIdentity?, to line: inout SummaryLineWriter) {
    guard let identity else {
      line.text(nil, "id")
      return
    }
    line.beginObject("id")
    line.text(identity.session, "session")
    line.text(identity.content, "content")
    line.number(identity.startWall.map { WideInteger($0) }, "startWallNs")
    line.text(identity.recorder, "recorder")
    line.text(identity.tool, "tool")
    line.endObject()
  }

  private static func write(_ scope: SummaryScope, name: String, to line: inout SummaryLineWriter) {
    line.beginObject()
    line.text(name, "scope")
    for field in SummaryField.allCases {
      if field == .owed {
        writeLedger(of: scope, to: &line)
      }
      if SummaryField.ledger.contains(field) { continue }
      line.number(scope[field].known, field.rawValue)
      if field == .longestHitch { line.text(scope.longestHitchSession, "longestHitchSession") }
    }
    line.beginObject("histograms")
    for name in SummaryHistogramName.allCases {
      line.beginObject(name.rawValue)
      line.numbers(scope[name].buckets.map { WideInteger($0) }, "buckets")
      line.numbers(scope[name].counts, "counts")
      line.endObject()
    }
    line.endObject()
    writePartial(of: scope, to: &line)
    line.endObject()
  }

  private static func writeLedger(of scope: SummaryScope, to line: inout SummaryLineWriter) {
    guard scope[.owed].known != nil else {
      line.text(nil, "ledgerNs")
      return
    }
    line.beginObject("ledgerNs")
    for field in SummaryField.ledger { line.number(scope[field].known ?? 0, field.rawValue) }
    line.endObject()
  }

  /// Writes the number of traces in which a value is unknown, if it is not obvious: none for a
  /// number, one for null.
  private static func writePartial(of scope: SummaryScope, to line: inout SummaryLineWriter) {
    let parts = SummaryField.allCases.filter { field in
      (field == .owed || !SummaryField.ledger.contains(field))
        && scope[field].unknownCount != (scope[field].known == nil ? 1 : 0)
    }
    guard !parts.isEmpty else { return }
    line.beginObject("partial")
    for field in parts {
      line.number(scope[field].unknownCount, field == .owed ? "ledgerNs" : field.rawValue)
    }
    line.endObject()
  }
}

extension String {
  /// Returns whether the string comes before `other` in the order of their bytes.
  fileprivate func precedesInBytes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}
