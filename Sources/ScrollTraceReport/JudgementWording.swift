import ScrollTraceAnalysis

/// The words for what a budget says. All renderers speak with them.
enum JudgementWording {
  /// An answer as a word.
  static func word(for status: Verdict.Status) -> String {
    switch status {
    case .pass: "PASS"
    case .fail: "FAIL"
    case .inconclusive: "INCONCLUSIVE"
    case .notEnoughRuns: "NOT ENOUGH RUNS"
    case .notJudged: "NOT JUDGED"
    }
  }

  /// The ink of an answer.
  static func ink(of status: Verdict.Status) -> Ink {
    switch status {
    case .pass: .good
    case .fail: .late
    case .inconclusive, .notEnoughRuns, .notJudged: .near
    }
  }

  /// The metric's name.
  static func metric(of judgement: Judgement) -> String { clipped(judgement.metric) }

  /// The metric and what it is of.
  static func name(of judgement: Judgement) -> String {
    let subject = judgement.subject.isEmpty ? "" : " of '\(clipped(judgement.subject))'"
    return clipped(judgement.metric) + subject
  }

  /// The value, or that there is none; with as many places as show on which side of the limit it is.
  static func value(of judgement: Judgement) -> String {
    guard let value = judgement.value else { return "no data" }
    if let short = GateNumber.nanoseconds(value, unit: judgement.unit) { return short }
    let limit = bound(of: judgement.limit)
    for places in 2...6 where value != limit {
      let text = number(value, places: places)
      if text != number(limit, places: places) { return text + unit(of: judgement) }
    }
    return number(value, places: value == limit ? 2 : 6) + unit(of: judgement)
  }

  /// What the value is held against.
  static func limit(of judgement: Judgement) -> String {
    func text(_ value: Double) -> String {
      GateNumber.nanoseconds(value, unit: judgement.unit)
        ?? number(value) + unit(of: judgement)
    }
    return switch judgement.limit {
    case .atMost(let value): "at most \(text(value))"
    case .atLeast(let value): "at least \(text(value))"
    case .baseline(let value, let relative, let absolute):
      "baseline \(text(value)), \(Quantity.share(relative)) and \(text(absolute)) worse at most"
    }
  }

  /// The interval of the difference to the baseline; empty where there is none.
  static func interval(of judgement: Judgement) -> String {
    judgement.interval.map { interval in
      "\(number(interval.lowerBound)) to \(number(interval.upperBound))\(unit(of: judgement))"
    } ?? ""
  }

  /// The answer in one sentence: its reason, which has the numbers, and what it is of.
  static func sentence(on judgement: Judgement) -> String {
    let subject = judgement.subject.isEmpty ? "" : "\(clipped(judgement.subject)): "
    return subject + clipped(judgement.reason, to: 1_000)
  }

  /// All answers in a table; `nil` where there are none.
  static func table(of judgements: [Judgement]) -> TitledTable? {
    guard !judgements.isEmpty else { return nil }
    var table = TextTable([
      .init(title: "verdict"), .init(title: "metric"), .init(title: "value", alignment: .right),
      .init(title: "limit"), .init(title: "difference"), .init(title: "runs", alignment: .right),
      .init(title: "reason", isFlexible: true),
    ])
    for judgement in judgements {
      let level = judgement.level == .error ? "" : " (\(judgement.level.rawValue))"
      table.add([
        TextLine(word(for: judgement.status) + level, ink(of: judgement.status)),
        TextLine(shown(name(of: judgement))), TextLine(value(of: judgement)),
        TextLine(limit(of: judgement)), TextLine(interval(of: judgement)),
        TextLine("\(judgement.runs)"),
        TextLine(shown(judgement.reason)),
      ])
    }
    return TitledTable(title: "Limits", table: table)
  }

  /// The number that a value is on one side of.
  private static func bound(of limit: Judgement.Limit) -> Double {
    switch limit {
    case .atMost(let value), .atLeast(let value): value
    case .baseline(let value, _, _): value
    }
  }

  private static func number(_ value: Double, places: Int = 2) -> String {
    value.rounded() == value && value.magnitude < 1e15
      ? Quantity.fixed(value, places: 0) : Quantity.fixed(value, places: places)
  }

  private static func unit(of judgement: Judgement) -> String {
    judgement.unit.isEmpty ? "" : " \(clipped(judgement.unit, to: 20))"
  }

  /// A sentence of a verdict as it can be shown.
  static func shown(_ text: String) -> String { Sink.terminal.escape(clipped(text, to: 1_000)) }

  /// The front of a text that may be of any length.
  static func clipped(_ text: String, to count: Int = 200) -> String {
    String(text.unicodeScalars.prefix(count))
  }
}
