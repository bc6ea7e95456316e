import ScrollTraceKit

/// The options of the commands that evaluate traces against a budget.
enum GateFlags {
  static let budget = Flag(
    name: "budget", value: "file", standard: "nearest .scrolltrace.json", group: .limits,
    help: "Budget file or inline JSON.")
  static let thresholds = Flag(
    name: "thresholds", value: "name", choices: Budget.Preset.allCases.map(\.rawValue),
    standard: Budget.Preset.scroll.rawValue, group: .limits,
    help: "Rating thresholds as limits, or cpu for limits that load hardly affects.")
  static let maxRatio = Flag(
    name: "max-ratio", value: "ms/s", group: .limits,
    help: "Maximum hitch time ratio.")
  static let maxHitchTime = Flag(
    name: "max-hitch-time", value: "time", group: .limits,
    help: "Maximum hitch time in motion: 500ms.")
  static let maxMisses = Flag(
    name: "max-deadline-misses", value: "count", group: .limits,
    help: "Maximum deadline misses, whole recording.")
  static let maxLongest = Flag(
    name: "max-longest-hitch", value: "time", group: .limits,
    help: "Maximum length of any hitch: 100ms. The whole recording counts.")
  static let baseline = Flag(
    name: "baseline", value: "file", standard: "\(Self.baselineName), if it exists",
    group: .limits, help: "Fail on regressions from this baseline.")
  static let requireBaseline = Flag(
    name: "require-baseline", group: .limits, help: "Exit 2 if no baseline exists.")
  static let device = Flag(
    name: "device", value: "name", group: .input, help: "Device class, if the traces lack it.")
  static let buildType = Flag(
    name: "build-type", value: "name", group: .input,
    help: "Build configuration, such as release, if the traces lack it.")
  static let group = Flag(
    name: "group", value: "glob", isRepeatable: true, group: .select,
    help: "Evaluate traces that match GLOB as a group.")
  static let strict = Flag(
    name: "strict", group: .limits, help: "Exit 2 on too few runs.")
  static let detect = Flag(
    name: "detect", value: "share", group: .limits,
    help: "Exit 2 if this increase would not be seen: 50%.")

  static let baselineName = ".scrolltrace-baseline.json"

  /// The options for the budget and the baseline.
  static let limits = [budget, thresholds, maxRatio, maxHitchTime, maxMisses, maxLongest]

  static let circumstances = [group, device, buildType]

  static func limits(_ arguments: ParsedArguments) throws(UsageError) -> [Budget.Limit] {
    var limits: [Budget.Limit] = []
    for (flag, name) in [
      (maxRatio, "hitchTimeRatioMsPerS"), (maxHitchTime, "hitchTimeNs"),
      (maxMisses, "deadlineMisses"), (maxLongest, "longestHitchNs"),
    ] {
      guard let text = arguments.value(of: flag), let metric = Metric.named(name) else {
        continue
      }
      let isTime = metric.unit == .ns
      let bound =
        isTime
        ? TimeSpan(argument: text).map { Double($0.nanoseconds) } : Double(argument: text)
      guard let bound, bound.isFinite, bound >= 0 else {
        throw .invalidValue(
          text, of: flag, expecting: isTime ? "a time such as 500ms" : "a number")
      }
      limits.append(Budget.Limit(metric, bound))
    }
    return limits
  }

  /// Returns the increase that the runs have to be able to show, or `nil` if none is given.
  static func detectable(_ arguments: ParsedArguments) throws(UsageError) -> Double? {
    guard let text = arguments.value(of: detect) else { return nil }
    guard text.hasSuffix("%"), let percent = Double(argument: String(text.dropLast())),
      percent.isFinite, percent > 0
    else { throw .invalidValue(text, of: detect, expecting: "a share such as 50%") }
    return percent / 100
  }
}
