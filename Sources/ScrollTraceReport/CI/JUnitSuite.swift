import ScrollTraceModel

/// A suite of test cases.
struct JUnitSuite {
  let name: String
  let cases: [JUnitCase]
  var properties: [(name: String, value: String)] = []

  /// The element.
  var text: String {
    let properties = properties.map { property in
      "      <property name=\"\(escape(property.name))\" value=\"\(escape(property.value))\"/>\n"
    }
    return "  <testsuite name=\"\(escape(name))\"\(Self.counts(cases))>\n"
      + (properties.isEmpty
        ? "" : "    <properties>\n\(properties.joined())    </properties>\n")
      + cases.map(\.text).joined() + "  </testsuite>\n"
  }

  private func escape(_ text: String) -> String { EscapingContext.xml.escape(text) }

  /// Returns the attributes with the numbers of cases.
  static func counts(_ cases: [JUnitCase]) -> String {
    func count(_ isCounted: (JUnitCase.Outcome) -> Bool) -> Int {
      cases.count { isCounted($0.outcome) }
    }
    let failures = count { if case .failed = $0 { true } else { false } }
    let errors = count { if case .error = $0 { true } else { false } }
    let skipped = count { if case .skipped = $0 { true } else { false } }
    let time = cases.reduce(into: TimeSpan.zero) { $0 += $1.length }
    return " tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(errors)\""
      + " skipped=\"\(skipped)\" time=\"\(JUnitCase.seconds(time))\""
  }
}
