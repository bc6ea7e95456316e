package import ScrollTraceAnalysis
package import ScrollTraceImport
import ScrollTraceModel

/// Reads a budget from JSON; what it does not know is an error that says what was meant.
package enum BudgetDecoder {
  /// The name of the shape.
  package static let schema = "scrolltrace.budget/1"

  /// What a configuration says that is no budget of the tool.
  package struct Mistake: Error {
    /// What is wrong, and what was meant if that can be guessed.
    package let message: String
  }

  private static let keys = [
    "schema", "preset", "limits", "maxUnknownShare", "regression", "baseline", "rules",
  ]
  private static let ruleKeys = [
    "traces", "surface", "interaction", "state", "preset", "limits", "regression",
  ]

  /// The budget that `document` is, and the path of its baseline.
  package static func decode(
    _ document: JSONDocument
  ) throws(Mistake) -> (budget: Budget, baseline: String?) {
    guard document.members != nil else { throw Mistake(message: "it has to be an object") }
    try check(document, keys, in: "the budget")
    if let schema = document["schema"], schema.text != Self.schema {
      throw Mistake(message: "it has another schema than \(Self.schema)")
    }
    var first = Budget.Rule()
    first.limits = try limits(document, .leading)
    first.regressions =
      try document["regression"].map { value throws(Mistake) in try regressions(value, .leading) }
      ?? Budget.usualRegressions
    var rules = [first]
    if let list = document["rules"] {
      guard let elements = list.elements else { throw Mistake(message: "'rules' has to be a list") }
      for element in elements { rules.append(try rule(element)) }
    }
    let baseline = try text("baseline", of: document)
    var budget = Budget(rules: rules)
    if let value = document["maxUnknownShare"] {
      guard let share = share(value), (0...1).contains(share) else {
        throw Mistake(message: "'maxUnknownShare' is a share, 0 to 1, or a text such as \"5 %\"")
      }
      budget.maxUnknownShare = share
    }
    return (budget, baseline)
  }

  private static func rule(_ document: JSONDocument) throws(Mistake) -> Budget.Rule {
    guard document.members != nil else { throw Mistake(message: "a rule has to be an object") }
    try check(document, ruleKeys, in: "a rule")
    let subject = try subject(document)
    var rule = Budget.Rule(traces: try text("traces", of: document), subject: subject)
    rule.limits = try limits(document, subject)
    if let value = document["regression"] { rule.regressions = try regressions(value, subject) }
    return rule
  }

  private static func subject(_ document: JSONDocument) throws(Mistake) -> BudgetSubject {
    let surface = try text("surface", of: document).map { BudgetSubject.surface($0) }
    let interaction = try text("interaction", of: document).map { BudgetSubject.interaction($0) }
    var state: BudgetSubject?
    if let text = try text("state", of: document) {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw Mistake(message: "the state '\(text)' has to be KEY=VALUE")
      }
      state = .state(key: String(parts[0]), value: String(parts[1]))
    }
    let all = [surface, interaction, state].compactMap { $0 }
    guard all.count <= 1 else {
      throw Mistake(message: "a rule can be about one surface, interaction or state, not several")
    }
    return all.first ?? .leading
  }

  private static func limits(
    _ document: JSONDocument, _ subject: BudgetSubject
  ) throws(Mistake) -> [Budget.Limit] {
    var limits: [Budget.Limit] = []
    if let name = try text("preset", of: document) {
      guard let preset = BandProfile(rawValue: name) else {
        throw unknown("preset", name, BandProfile.allCases.map(\.rawValue))
      }
      limits = Budget.limits(of: preset)
    }
    guard let value = document["limits"] else { return limits }
    guard let members = value.members else {
      throw Mistake(message: "'limits' has to be an object of metrics and their limits")
    }
    for (name, value) in members {
      let metric = try metric(name, subject)
      limits.removeAll { $0.metric == metric }
      // A list of lists is several limits of one metric: one to warn of, one that fails.
      let several = value.elements.flatMap { $0.first?.elements == nil ? nil : $0 }
      for value in several ?? [value] {
        let (level, value) = try level(value, of: name)
        guard level != .off else { continue }
        guard let value, let bound = number(value, metric) else {
          throw Mistake(message: "the limit of '\(name)' has to be \(form(of: metric))")
        }
        guard !metric.isShare || (0...1).contains(bound) else {
          throw Mistake(
            message: "the limit of '\(name)' is a share, 0 to 1, or a text such as \"97 %\"")
        }
        limits.append(Budget.Limit(metric, bound, level: level))
      }
    }
    return limits
  }

  private static func regressions(
    _ value: JSONDocument, _ subject: BudgetSubject
  ) throws(Mistake) -> [Budget.Regression] {
    guard let members = value.members else {
      throw Mistake(message: "'regression' has to be an object of metrics and their tolerances")
    }
    var regressions: [Budget.Regression] = []
    for (name, value) in members {
      let metric = try metric(name, subject)
      guard metric.told == nil else {
        throw Mistake(message: "'\(name)' can have a limit, and none that comes of a baseline")
      }
      let (level, value) = try level(value, of: name)
      guard level != .off else { continue }
      guard let value, value.members != nil else {
        throw Mistake(message: "the tolerance of '\(name)' has to be an object")
      }
      try check(value, ["relative", "absolute"], in: "the tolerance of '\(name)'")
      guard let relative = value["relative"].flatMap(share),
        let absolute = value["absolute"].flatMap({ number($0, metric) }), relative >= 0,
        absolute >= 0
      else {
        throw Mistake(
          message: "the tolerance of '\(name)' needs 'relative', such as 0.1 or \"10 %\", and"
            + " 'absolute', \(form(of: metric))")
      }
      regressions.append(
        Budget.Regression(metric, relative: relative, absolute: absolute, level: level))
    }
    return regressions
  }

  /// The level of `[level, value]`, of `"off"`, or of a value alone, which is an error.
  private static func level(
    _ value: JSONDocument, of name: String
  ) throws(Mistake) -> (Judgement.Level, JSONDocument?) {
    if value.text == Judgement.Level.off.rawValue { return (.off, nil) }
    guard let elements = value.elements else { return (.error, value) }
    guard let word = elements.first?.text, elements.count <= 2 else {
      throw Mistake(message: "'\(name)' has to be a value, \"off\", or [\"warn\", value]")
    }
    guard let level = Judgement.Level(rawValue: word) else {
      throw unknown("level", word, Judgement.Level.allCases.map(\.rawValue))
    }
    return (level, elements.dropFirst().first)
  }

  private static func metric(
    _ name: String, _ subject: BudgetSubject
  ) throws(Mistake) -> BudgetMetric {
    let known = BudgetMetric.all.filter { $0.isKnown(of: subject) }
    if let metric = known.first(where: { $0.name == name }) { return metric }
    if let metric = BudgetMetric.named(name) {
      if metric.isKnown(of: subject) { return metric }
      throw Mistake(message: "'\(name)' is not known of the \(subject.text), only of surfaces")
    }
    throw unknown("metric", name, known.map(\.name))
  }

  /// A number in the metric's unit, from JSON's number in the unit of its name, or with its unit.
  package static func number(_ value: JSONDocument, _ metric: BudgetMetric) -> Double? {
    if let number = value.double {
      return metric.unit == .time ? number / 1_000_000 : number
    }
    guard let text = value.text?.filter({ $0 != " " }) else { return nil }
    switch metric.unit {
    case .time: return TimeSpan(argument: text)?.milliseconds
    case .ratio:
      return Double(text.hasSuffix("ms/s") ? String(text.dropLast(4)) : text).flatMap(finite)
    // What a source tells is in the unit in which it does.
    case .number: return metric.told == nil ? share(value) : value.double
    }
  }

  private static func share(_ value: JSONDocument) -> Double? {
    if let number = value.double { return number }
    guard let text = value.text?.filter({ $0 != " " }), text.hasSuffix("%") else { return nil }
    return Double(text.dropLast()).flatMap(finite).map { $0 / 100 }
  }

  private static func finite(_ value: Double) -> Double? { value.isFinite ? value : nil }

  private static func form(of metric: BudgetMetric) -> String {
    switch metric.unit {
    case .ratio: "a number of ms/s, such as 5"
    case .time: "a number of nanoseconds, or a time such as \"500 ms\""
    case .number: metric.isShare ? "a share, such as 0.97 or \"97 %\"" : "a number"
    }
  }

  private static func text(
    _ name: String, of document: JSONDocument
  ) throws(Mistake) -> String? {
    guard let value = document[name] else { return nil }
    guard let text = value.text else { throw Mistake(message: "'\(name)' has to be a text") }
    return text
  }

  private static func check(
    _ document: JSONDocument, _ known: [String], in place: String
  ) throws(Mistake) {
    for (name, _) in document.members ?? [] where !known.contains(name) {
      throw unknown("key", name, known, in: place)
    }
  }

  private static func unknown(
    _ kind: String, _ name: String, _ known: [String], in place: String? = nil
  ) -> Mistake {
    // A metric's name without its unit is what most people type.
    let longer = known.filter { $0.hasPrefix(name) && !name.isEmpty }.min { $0.count < $1.count }
    let guess = Suggestion.nearest(to: name, in: known) ?? longer
    return Mistake(
      message: "unknown \(kind) '\(name)'" + (place.map { " in \($0)" } ?? "")
        + (guess.map { "; did you mean '\($0)'?" } ?? ""))
  }
}
