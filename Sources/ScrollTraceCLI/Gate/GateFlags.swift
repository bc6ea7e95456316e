import ScrollTraceKit

/// The options of the commands that hold traces against a budget.
enum GateFlags {
  static let config = Flag(
    name: "config", value: "file", standard: "the nearest .scrolltrace.json upwards",
    help: "The budget: a file, or JSON that begins with '{'.")
  static let preset = Flag(
    name: "preset", value: "preset", choices: RatingThresholds.allCases.map(\.rawValue),
    help: "Warn from the profile's first limit on and fail above its second one. What holds where"
      + " there is no budget at all: scroll.")
  static let maxRatio = Flag(
    name: "max-ratio", value: "ms/s", help: "Fail above this hitch time ratio.")
  static let maxHitchTime = Flag(
    name: "max-hitch-time", value: "time", help: "Fail above this hitch time, such as 500ms.")
  static let maxMisses = Flag(
    name: "max-misses", value: "count",
    help: "Fail above this many missed deadlines, in the whole recording.")
  static let maxLongest = Flag(
    name: "max-longest", value: "time",
    help: "Fail where a hitch is longer, in the whole recording, such as 100ms.")
  static let baseline = Flag(
    name: "baseline", value: "file", standard: Self.baselineName + " where it is there",
    help:
      "Fail where the runs are worse than those of this baseline, and exit with 2 where it is not"
      + " there.")
  static let requireBaseline = Flag(
    name: "require-baseline",
    help: "Exit with 2 where there is no baseline, also where only the budget names one.")
  static let device = Flag(
    name: "device", value: "name",
    help: "The class of device, where no state 'device' in the traces says it.")
  static let configuration = Flag(
    name: "configuration", value: "name",
    help: "The build configuration, where no state 'configuration' in the traces says it.")
  static let group = Flag(
    name: "group", value: "pattern", isRepeatable: true,
    help: "Take the traces whose names the pattern with '*' and '?' fits for runs of one thing. Can"
      + " be repeated, for a verdict on each; without it all are runs of one thing.")
  static let strict = Flag(
    name: "strict", help: "Exit with 2 where there are too few runs, or where it is in doubt.")

  /// Where a baseline is kept unless the command line or the budget says another place.
  static let baselineName = ".scrolltrace-baseline.json"

  /// Those that say what traces are held against.
  static let limits = [config, preset, maxRatio, maxHitchTime, maxMisses, maxLongest]

  /// Those that say of what traces are, and under what circumstances they were recorded.
  static let circumstances = [group, device, configuration]

  /// The limits that `arguments` name.
  static func limits(_ arguments: ParsedArguments) throws(UsageError) -> [Budget.Limit] {
    var limits: [Budget.Limit] = []
    for (flag, name) in [
      (maxRatio, "hitchTimeRatioMsPerS"), (maxHitchTime, "hitchTimeNs"),
      (maxMisses, "deadlineMisses"), (maxLongest, "longestHitchNs"),
    ] {
      guard let text = arguments.value(of: flag), let metric = Metric.named(name) else {
        continue
      }
      let bound =
        metric.unit == .ns ? TimeSpan(argument: text).map { Double($0.nanoseconds) } : Double(text)
      guard let bound, bound.isFinite, bound >= 0 else {
        let form = metric.unit == .ns ? "a time in s, ms, us or ns, such as 500ms" : "a number"
        throw .invalidValue(text, of: flag, advice: "Please provide \(form).")
      }
      limits.append(Budget.Limit(metric, bound))
    }
    return limits
  }
}
