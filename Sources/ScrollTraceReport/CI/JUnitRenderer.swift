import ScrollTraceAnalysis
import ScrollTraceGate
import ScrollTraceModel
import ScrollTraceSummary

/// Renders a report as JUnit XML, in the subset that every build server reads.
///
/// The limits of a budget are the test cases of one suite. Every trace has a suite with one case,
/// that it was analyzed, and its rating and numbers as properties.
public struct JUnitRenderer: ReportRenderer {
  /// Creates a renderer.
  public init() {}

  /// Renders the report as one document.
  public func render(_ report: Report) -> String {
    let cases = report.verdict.results.map(Self.testCase)
    let problems = report.verdict.notes.filter { $0.level == .error }
    let budget = cases + (problems.isEmpty ? [] : [Self.testCase(problems)])
    let notes = report.verdict.notes.filter { $0.level != .error }.map {
      (name: $0.kind.rawValue, value: VerdictMessages.clipped($0.text, to: 1_000))
    }
    let suites =
      (budget.isEmpty && notes.isEmpty
        ? [] : [JUnitSuite(name: "limits", cases: budget, properties: notes)])
      + zip(MeasuredSurface.traceNames(of: report), report.runs).map { name, run in
        suite(name, run, isGated: !budget.isEmpty)
      }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      + "<testsuites name=\"\(ToolIdentity.name)\"\(JUnitSuite.counts(suites.flatMap(\.cases)))>\n"
      + suites.map(\.text).joined() + "</testsuites>\n"
  }

  private func suite(_ name: String, _ run: Analysis, isGated: Bool) -> JUnitSuite {
    let properties = MeasuredSurface.surfaces(of: run, named: name).flatMap { surface in
      let rating = [("rating", surface.rated.rating.rawValue)]
      let reason = surface.rated.reason.map { [("ratingReason", $0.text)] } ?? []
      let numbers = surface.measurements.map { ($0.metric.name, $0.text) }
      let subject = surface.isOneOfSeveral ? "\(surface.surface): " : ""
      return (rating + reason + numbers).map { (name: subject + $0, value: $1) }
    }
    let summary = RunSummary(run)
    let reason = "no data: \(summary.text)"
    // Without a budget nothing was asked, so that having no answer is no error.
    let outcome: JUnitCase.Outcome =
      run.isEvaluated
      ? .passed("\(summary.word)  \(summary.text)") : isGated ? .error(reason) : .skipped(reason)
    return JUnitSuite(
      name: name,
      cases: [
        JUnitCase(
          group: name, name: "analyzed", outcome: outcome, length: run.trace.range.length)
      ], properties: properties)
  }

  /// The name of a limit's case, the same from run to run: without values.
  private static func name(of result: LimitResult) -> String {
    let kind =
      switch result.limit {
      case .maximum: "maximum"
      case .minimum: "minimum"
      case .baseline: "baseline"
      }
    let level = result.level == .error ? "" : " (\(result.level.rawValue))"
    return "\(VerdictMessages.name(of: result)), \(kind)\(level)"
  }

  private static func testCase(_ result: LimitResult) -> JUnitCase {
    let sentence = VerdictMessages.sentence(on: result)
    let word = VerdictMessages.word(for: result.status).lowercased()
    let outcome: JUnitCase.Outcome =
      switch (result.status, result.level) {
      case (.passed, _): .passed(sentence)
      case (.failed, .error): .failed(sentence)
      case (.notEvaluated, .error): .error(sentence)
      case (_, .warn): .skipped("warning, \(word): \(sentence)")
      case (_, .off): .skipped("not evaluated: \(sentence)")
      case (.tooFewRuns, .error): .skipped("\(word): \(sentence)")
      }
    return JUnitCase(
      group: "limits",
      name: name(of: result),
      outcome: outcome, length: .zero)
  }

  /// The case that all traces could be evaluated, which they could not.
  private static func testCase(_ problems: [VerdictNote]) -> JUnitCase {
    JUnitCase(
      group: "limits", name: "evaluated",
      outcome: .error(
        problems.map { VerdictMessages.clipped($0.text, to: 1_000) }.joined(separator: "; ")),
      length: .zero)
  }
}

/// A suite of test cases.
struct JUnitSuite {
  let name: String
  let cases: [JUnitCase]
  var properties: [(name: String, value: String)] = []

  var text: String {
    let properties = properties.map { property in
      "      <property name=\"\(escape(property.name))\" value=\"\(escape(property.value))\"/>\n"
    }
    return "  <testsuite name=\"\(escape(name))\"\(Self.counts(cases))>\n"
      + (properties.isEmpty
        ? "" : "    <properties>\n\(properties.joined())    </properties>\n")
      + cases.map(\.text).joined() + "  </testsuite>\n"
  }

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
}

private func escape(_ text: String) -> String { EscapingContext.xml.escape(text) }
