import ScrollTraceKit

/// The options of the commands that evaluate traces against a budget.
enum GateFlags {
  static let config = Flag(
    name: "config", value: "file", standard: "nearest .scrolltrace.json",
    help: "Budget file or inline JSON.")
  static let thresholds = AnalysisFlags.thresholds.with(
    help: "Rating thresholds; also warning and failure limits.")
  static let maxRatio = Flag(
    name: "max-ratio", value: "ms/s", help: "Maximum hitch time ratio.")
  static let maxHitchTime = Flag(
    name: "max-hitch-time", value: "time", help: "Maximum hitch time in motion, such as 500ms.")
  static let maxMisses = Flag(
    name: "max-deadline-misses", value: "count",
    help: "Maximum deadline misses, whole recording.")
  static let maxLongest = Flag(
    name: "max-longest-hitch", value: "time",
    help: "Maximum length of any hitch, whole recording, such as 100ms.")
  static let baseline = Flag(
    name: "baseline", value: "file", standard: "\(Self.baselineName), if it exists",
    help: "Fail on regressions from this baseline.")
  static let requireBaseline = Flag(
    name: "require-baseline", help: "Exit 2 if no baseline exists.")
  static let device = Flag(
    name: "device", value: "name", help: "Device class, if the traces lack it.")
  static let configuration = Flag(
    name: "configuration", value: "name", help: "Build configuration, if the traces lack it.")
  static let group = Flag(
    name: "group", value: "glob", isRepeatable: true,
    help: "Evaluate traces matching a glob as one group.")
  static let strict = Flag(
    name: "strict", help: "Exit 2 on too few runs or inconclusive results.")

  /// The default path of the baseline.
  static let baselineName = ".scrolltrace-baseline.json"

  /// The options for the budget and the baseline.
  static let limits = [config, thresholds, maxRatio, maxHitchTime, maxMisses, maxLongest]

  /// The options for the groups of traces and the circumstances of their recording.
  static let circumstances = [group, device, configuration]

  /// Returns the limits in `arguments`.
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
        let form = isTime ? "a time in s, ms, us or ns, such as 500ms" : "a number"
        throw .invalidValue(text, of: flag, advice: "Please provide \(form).")
      }
      limits.append(Budget.Limit(metric, bound))
    }
    return limits
  }
}
