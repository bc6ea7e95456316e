import ScrollTraceModel

/// A test case and what came of it.
struct JUnitCase {
  /// What can come of a case, and what there is to say of it.
  enum Outcome {
    case passed(String)
    case failed(String)
    case error(String)
    case skipped(String)
  }

  /// What the case belongs to.
  let group: String
  let name: String
  let outcome: Outcome
  /// The time that the case covers.
  let length: TimeSpan

  /// The element.
  var text: String {
    let begin =
      "    <testcase classname=\"\(ToolIdentity.name).\(escape(group))\" name=\"\(escape(name))\""
      + " time=\"\(Self.seconds(length))\">\n"
    return begin + "      \(result)\n    </testcase>\n"
  }

  private var result: String {
    switch outcome {
    case .passed(let text): "<system-out>\(escape(text))</system-out>"
    case .failed(let text):
      "<failure type=\"limit\" message=\"\(escape(text))\">\(escape(text))</failure>"
    case .error(let text):
      "<error type=\"no data\" message=\"\(escape(text))\">\(escape(text))</error>"
    case .skipped(let text): "<skipped message=\"\(escape(text))\"/>"
    }
  }

  /// A length of time in seconds.
  static func seconds(_ span: TimeSpan) -> String {
    Quantity.decimal(span.nanoseconds, per: 1_000_000_000, places: 3)
  }

  private func escape(_ text: String) -> String { EscapingContext.xml.escape(text) }
}
