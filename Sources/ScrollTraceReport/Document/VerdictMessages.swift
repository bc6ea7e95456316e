import ScrollTraceAnalysis

/// The words for what a budget says. All renderers speak with them.
enum VerdictMessages {
  /// An answer as a word.
  static func word(for status: Verdict.Status) -> String {
    switch status {
    case .pass: "PASS"
    case .fail: "FAIL"
    case .inconclusive: "INCONCLUSIVE"
    case .notEnoughRuns: "TOO FEW RUNS"
    case .notEvaluated: "NOT EVALUATED"
    }
  }

  /// The role of a result.
  static func role(of status: Verdict.Status) -> TextRole {
    switch status {
    case .pass: .good
    case .fail: .late
    case .inconclusive, .notEnoughRuns, .notEvaluated: .near
    }
  }

  /// The metric's name.
  static func metric(of result: LimitResult) -> String { clipped(result.metric) }

  /// The metric's name as people read it: `hitchTimeRatioMsPerS` is `hitch time ratio`.
  static func label(of result: LimitResult) -> String {
    // Names that somebody else gave, and paths into lists, stay as they are.
    if result.metric.hasPrefix("told.") || result.metric.hasPrefix("lists.") {
      return EscapingContext.terminal.escape(metric(of: result))
    }
    var words = ""
    for scalar in clipped(result.metric).unicodeScalars {
      if ("A"..."Z").contains(scalar) {
        words += " " + String(scalar).lowercased()
      } else {
        words += scalar == "." ? " " : String(scalar)
      }
    }
    var parts = words.split(separator: " ").map(String.init)
    for unit in [["ms", "per", "s"], ["ns"], ["ms"], ["bytes"]] {
      if let start = parts.indices.first(where: { parts[$0...].starts(with: unit) }), start > 0 {
        parts.removeSubrange(start..<(start + unit.count))
      }
    }
    return EscapingContext.terminal.escape(parts.joined(separator: " "))
  }

  /// The metric and what it is of.
  static func name(of result: LimitResult) -> String {
    let subject = result.subject.isEmpty ? "" : " of '\(clipped(result.subject))'"
    return clipped(result.metric) + subject
  }

  /// The value, or that there is none; with as many places as show on which side of the limit it is.
  static func value(of result: LimitResult) -> String {
    guard let value = result.value else { return "not measurable" }
    if let short = GateNumber.nanoseconds(value, unit: result.unit) { return short }
    let limit = bound(of: result.limit)
    for places in 2...6 where value != limit {
      let text = number(value, places: places)
      if text != number(limit, places: places) { return text + unit(of: result) }
    }
    return number(value, places: value == limit ? 2 : 6) + unit(of: result)
  }

  /// What the value is held against.
  static func limit(of result: LimitResult) -> String {
    func text(_ value: Double) -> String {
      GateNumber.nanoseconds(value, unit: result.unit)
        ?? number(value) + unit(of: result)
    }
    return switch result.limit {
    case .atMost(let value): "at most \(text(value))"
    case .atLeast(let value): "at least \(text(value))"
    case .baseline(let value, let relative, let absolute):
      "baseline \(text(value)), \(Quantity.share(relative)) and \(text(absolute)) worse at most"
    }
  }

  /// The interval of the difference to the baseline; empty where there is none.
  static func interval(of result: LimitResult) -> String {
    result.confidenceInterval.map { interval in
      "\(number(interval.lowerBound)) to \(number(interval.upperBound))\(unit(of: result))"
    } ?? ""
  }

  /// The answer in one sentence: its reason, which has the numbers, and what it is of.
  static func sentence(on result: LimitResult) -> String {
    let subject = result.subject.isEmpty ? "" : "\(clipped(result.subject)): "
    return subject + clipped(result.reason, to: 1_000)
  }

  /// The number that a value is on one side of.
  private static func bound(of limit: LimitResult.Limit) -> Double {
    switch limit {
    case .atMost(let value), .atLeast(let value): value
    case .baseline(let value, _, _): value
    }
  }

  private static func number(_ value: Double, places: Int = 2) -> String {
    value.rounded() == value && value.magnitude < 1e15
      ? Quantity.fixed(value, places: 0) : Quantity.fixed(value, places: places)
  }

  private static func unit(of result: LimitResult) -> String {
    result.unit.isEmpty ? "" : " \(clipped(result.unit, to: 20))"
  }

  /// A sentence of a verdict as it can be shown.
  static func shown(_ text: String) -> String {
    EscapingContext.terminal.escape(clipped(text, to: 1_000))
  }

  /// The front of a text that may be of any length.
  static func clipped(_ text: String, to count: Int = 200) -> String {
    String(text.unicodeScalars.prefix(count))
  }
}
