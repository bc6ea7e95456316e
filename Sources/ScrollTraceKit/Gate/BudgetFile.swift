import ScrollTraceAnalysis
public import ScrollTraceGate
package import ScrollTraceImport
import ScrollTraceModel
package import ScrollTraceReport

extension Budget {
  /// Creates the budget in the text of a `.scrolltrace.json`; see <doc:ContinuousIntegration>.
  ///
  /// ```swift
  /// let budget = try Budget(json: #"{"limits": {"commitNs.p95": "12 ms"}}"#)
  /// ```
  ///
  /// An unknown name is an error that suggests the nearest known one.
  public init(json text: String) throws(ImportError) {
    let document = try JSONDocument(text)
    do throws(BudgetFile.Mistake) {
      self = try BudgetFile.decode(document).budget
    } catch {
      throw ImportError("the budget is invalid: \(error.message)")
    }
  }
}

/// Reads and writes budgets as JSON.
package enum BudgetFile {
  package static let schema = "scrolltrace.budget/2"

  package struct Mistake: Error {
    /// What is wrong, and the nearest known name.
    package let message: String
  }

  private static let keys = [
    "schema", "thresholds", "limits", "maxUnknownShare", "maxReadyShare", "regression", "baseline",
    "rules",
  ]
  private static let ruleKeys = [
    "traces", "surface", "interaction", "state", "thresholds", "limits", "regression",
  ]

  // MARK: - Writing

  /// Returns the budget with everything that holds by default.
  package static func encode(_ budget: Budget, baseline: String?) -> JSONValue {
    let first = budget.rules.first ?? Budget.Rule()
    var members: [(String, JSONValue)] = [("schema", .string(schema))]
    members += self.members(of: first)
    members.append(("maxUnknownShare", .number(budget.maxUnknownShare)))
    if let share = budget.maxReadyShare { members.append(("maxReadyShare", .number(share))) }
    if let baseline { members.append(("baseline", .string(baseline))) }
    let others = budget.rules.dropFirst().map { rule in
      var members: [(String, JSONValue)] = []
      if let traces = rule.traces { members.append(("traces", .string(traces))) }
      switch rule.subject {
      case .primary: break
      case .surface(let name): members.append(("surface", .string(name)))
      case .interaction(let name): members.append(("interaction", .string(name)))
      case .state(let key, let value): members.append(("state", .string("\(key)=\(value)")))
      }
      return JSONValue.object(members + self.members(of: rule))
    }
    if !others.isEmpty { members.append(("rules", .array(others))) }
    return .object(members)
  }

  private static func members(of rule: Budget.Rule) -> [(String, JSONValue)] {
    let metrics = Metric.all.filter { metric in
      rule.limits.contains { $0.metric == metric }
    }
    let limits = metrics.map { metric in
      let values = rule.limits.filter { $0.metric == metric }.map { limit in
        let bound =
          limit.isInRefreshes
          ? .string("\(limit.bound) refreshes") : number(limit.bound, metric)
        return JSONValue.array([.string(limit.level.rawValue), bound])
      }
      return (metric.name, values.count == 1 ? values[0] : .array(values))
    }
    let regressions = rule.regressions.map { regression in
      let tolerance = JSONValue.object([
        ("relative", .number(regression.tolerance.relative)),
        ("absolute", number(regression.tolerance.absolute, regression.metric)),
      ])
      return (
        regression.metric.name,
        regression.level == .error
          ? tolerance : .array([.string(regression.level.rawValue), tolerance])
      )
    }
    return [("limits", .object(limits)), ("regression", .object(regressions))]
  }

  /// Returns a value in the unit of the metric's name.
  package static func number(_ value: Double, _ metric: Metric) -> JSONValue {
    guard metric.unit == .count || metric.unit == .ns, let count = Int64(exactly: value) else {
      return .number(value)
    }
    return .integer(count)
  }

  // MARK: - Reading

  package static func decode(
    _ document: JSONDocument
  ) throws(Mistake) -> (budget: Budget, baseline: String?) {
    guard document.members != nil else { throw Mistake(message: "it must be an object") }
    try check(document, keys, in: "the budget")
    if let schema = document["schema"], schema.text != Self.schema {
      throw Mistake(message: "its schema is not \(Self.schema)")
    }
    var first = Budget.Rule()
    first.limits = try limits(document, .primary)
    let preset = try preset(document)
    first.regressions =
      try document["regression"].map { value throws(Mistake) in try regressions(value, .primary) }
      ?? (preset ?? .scroll).regressions
    var rules = [first]
    if let list = document["rules"] {
      guard let elements = list.elements else { throw Mistake(message: "'rules' must be a list") }
      for element in elements { rules.append(try rule(element)) }
    }
    let baseline = try text("baseline", of: document)
    var budget = Budget(rules: rules, thresholds: preset?.thresholds)
    if let share = try share("maxUnknownShare", of: document) { budget.maxUnknownShare = share }
    if let share = try share("maxReadyShare", of: document) { budget.maxReadyShare = share }
    return (budget, baseline)
  }

  private static func share(_ key: String, of document: JSONDocument) throws(Mistake) -> Double? {
    guard let value = document[key] else { return nil }
    guard let share = share(value), (0...1).contains(share) else {
      throw Mistake(message: "'\(key)' must be a share from 0 to 1, or a text such as \"5%\"")
    }
    return share
  }

  private static func rule(_ document: JSONDocument) throws(Mistake) -> Budget.Rule {
    guard document.members != nil else { throw Mistake(message: "a rule must be an object") }
    try check(document, ruleKeys, in: "a rule")
    let subject = try subject(document)
    var rule = Budget.Rule(traces: try text("traces", of: document), subject: subject)
    rule.limits = try limits(document, subject)
    if let value = document["regression"] { rule.regressions = try regressions(value, subject) }
    return rule
  }

  private static func subject(_ document: JSONDocument) throws(Mistake) -> MetricSubject {
    let surface = try text("surface", of: document).map { MetricSubject.surface($0) }
    let interaction = try text("interaction", of: document).map { MetricSubject.interaction($0) }
    var state: MetricSubject?
    if let text = try text("state", of: document) {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw Mistake(message: "the state '\(text)' must be KEY=VALUE")
      }
      state = .state(key: String(parts[0]), value: String(parts[1]))
    }
    let all = [surface, interaction, state].compactMap { $0 }
    guard all.count <= 1 else {
      throw Mistake(message: "a rule can be about one surface, interaction or state, not several")
    }
    return all.first ?? .primary
  }

  private static func preset(_ document: JSONDocument) throws(Mistake) -> Budget.Preset? {
    guard let name = try text("thresholds", of: document) else { return nil }
    guard let preset = Budget.Preset(rawValue: name) else {
      throw unknown("thresholds", name, Budget.Preset.allCases.map(\.rawValue))
    }
    return preset
  }

  private static func limits(
    _ document: JSONDocument, _ subject: MetricSubject
  ) throws(Mistake) -> [Budget.Limit] {
    var limits: [Budget.Limit] = []
    if let preset = try preset(document) { limits = preset.limits }
    guard let value = document["limits"] else { return limits }
    guard let members = value.members else {
      throw Mistake(message: "'limits' must be an object of metrics and their limits")
    }
    for (name, value) in members {
      let metric = try metric(name, subject)
      limits.removeAll { $0.metric == metric }
      // A list of lists is several limits of one metric: one to warn of, one that fails.
      let several = value.elements.flatMap { $0.first?.elements == nil ? nil : $0 }
      for value in several ?? [value] {
        let (level, value) = try level(value, of: name)
        guard level != .off else { continue }
        if let count = value.flatMap({ refreshes($0, metric) }) {
          limits.append(Budget.Limit(metric, count, level: level, isInRefreshes: true))
          continue
        }
        guard let value, let bound = number(value, metric) else {
          throw Mistake(message: "'\(name)' must be \(form(of: metric))")
        }
        guard bound >= 0 || metric.canBeNegative else {
          throw Mistake(message: "the limit of '\(name)' is negative; use 0 or more")
        }
        guard !metric.isShare || (0...1).contains(bound) else {
          throw Mistake(
            message: "the limit of '\(name)' is a share, 0 to 1, or a text such as \"97%\"")
        }
        limits.append(Budget.Limit(metric, bound, level: level))
      }
    }
    return limits
  }

  /// The number in a text such as `1 refreshes`, or `nil` for all else.
  private static func refreshes(_ value: JSONDocument, _ metric: Metric) -> Double? {
    guard metric.unit == .ns, let text = value.text, let space = text.firstIndex(of: " "),
      ["refresh", "refreshes"].contains(text[space...].dropFirst())
    else { return nil }
    return Double(argument: String(text[..<space])).flatMap(finite).flatMap { $0 >= 0 ? $0 : nil }
  }

  private static func regressions(
    _ value: JSONDocument, _ subject: MetricSubject
  ) throws(Mistake) -> [Budget.Regression] {
    guard let members = value.members else {
      throw Mistake(message: "'regression' must be an object of metrics and their tolerances")
    }
    var regressions: [Budget.Regression] = []
    for (name, value) in members {
      let metric = try metric(name, subject)
      let (level, value) = try level(value, of: name)
      guard level != .off else { continue }
      guard let value, value.members != nil else {
        throw Mistake(message: "the tolerance of '\(name)' must be an object")
      }
      try check(value, ["relative", "absolute"], in: "the tolerance of '\(name)'")
      guard let relative = value["relative"].flatMap(share),
        let absolute = value["absolute"].flatMap({ number($0, metric) }), relative >= 0,
        absolute >= 0
      else {
        throw Mistake(
          message: "the tolerance of '\(name)' needs 'relative', such as 0.1 or \"10%\", and"
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
  ) throws(Mistake) -> (LimitResult.Level, JSONDocument?) {
    if value.text == LimitResult.Level.off.rawValue { return (.off, nil) }
    guard let elements = value.elements else { return (.error, value) }
    guard let word = elements.first?.text, elements.count <= 2 else {
      throw Mistake(message: "'\(name)' must be a value, \"off\", or [\"warn\", value]")
    }
    guard let level = LimitResult.Level(rawValue: word) else {
      throw unknown("level", word, LimitResult.Level.allCases.map(\.rawValue))
    }
    return (level, elements.dropFirst().first)
  }

  private static func metric(
    _ name: String, _ subject: MetricSubject
  ) throws(Mistake) -> Metric {
    let known = Metric.all.filter { $0.isKnown(of: subject) }
    if let metric = known.first(where: { $0.name == name }) { return metric }
    if let metric = Metric.named(name) {
      if metric.isKnown(of: subject) { return metric }
      throw Mistake(message: "'\(name)' is not known of the \(subject.text), only of surfaces")
    }
    throw unknown("metric", name, known.map(\.name))
  }

  /// Returns a number in the unit of the metric's name: JSON's number as it is, a text by its unit.
  package static func number(_ value: JSONDocument, _ metric: Metric) -> Double? {
    if let number = value.double { return number }
    guard let text = value.text?.filter({ $0 != " " }) else { return nil }
    switch metric.unit {
    case .ns: return TimeSpan(argument: text).map { Double($0.nanoseconds) }
    case .msPerS:
      return Double(text.hasSuffix("ms/s") ? String(text.dropLast(4)) : text).flatMap(finite)
    case .share: return share(value)
    case .count, .factor, .perS: return nil
    }
  }

  private static func share(_ value: JSONDocument) -> Double? {
    if let number = value.double { return number }
    guard let text = value.text?.filter({ $0 != " " }), text.hasSuffix("%") else { return nil }
    return Double(text.dropLast()).flatMap(finite).map { $0 / 100 }
  }

  private static func finite(_ value: Double) -> Double? { value.isFinite ? value : nil }

  private static func form(of metric: Metric) -> String {
    switch metric.unit {
    case .msPerS: "a number of ms/s, such as 5 or \"5 ms/s\""
    case .ns: "nanoseconds or \"500 ms\""
    case .share: "a share, such as 0.97 or \"97%\""
    case .count, .factor, .perS: "a number"
    }
  }

  private static func text(
    _ name: String, of document: JSONDocument
  ) throws(Mistake) -> String? {
    guard let value = document[name] else { return nil }
    guard let text = value.text else { throw Mistake(message: "'\(name)' must be a text") }
    return text
  }

  /// Throws if an object has an unknown key.
  private static func check(
    _ document: JSONDocument, _ known: [String], in object: String
  ) throws(Mistake) {
    for (name, _) in document.members ?? [] where !known.contains(name) {
      throw unknown("key", name, known, in: object)
    }
  }

  private static func unknown(
    _ kind: String, _ name: String, _ known: [String], in object: String? = nil
  ) -> Mistake {
    // A metric's name without its unit is what most people type.
    let longer = known.filter { $0.hasPrefix(name) && !name.isEmpty }.min { $0.count < $1.count }
    let guess = Suggestion.nearest(to: name, in: known) ?? longer
    return Mistake(
      message: "unknown \(kind) '\(name)'" + (object.map { " in \($0)" } ?? "")
        + (guess.map { "; did you mean '\($0)'?" } ?? ""))
  }
}
