import ScrollTraceModel
import ScrollTraceSummary

/// A test case and its outcome.
struct JUnitCase {
  enum Outcome {
    case passed(String)
    case failed(String)
    case error(String)
    case skipped(String)
  }

  let group: String
  let name: String
  let outcome: Outcome
  /// The recorded time that the case covers.
  let length: TimeSpan

  /// The element.
  var text: String {
    let start =
      "    <testcase classname=\"\(ToolIdentity.name).\(escape(group))\" name=\"\(escape(name))\""
      + " time=\"\(Self.seconds(length))\">\n"
    return start + "      \(result)\n    </testcase>\n"
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

  static func seconds(_ span: TimeSpan) -> String {
    Quantity.decimal(span.nanoseconds, per: 1_000_000_000, decimals: 3)
  }

  private func escape(_ text: String) -> String { EscapingContext.xml.escape(text) }
}
