import class Foundation.ProcessInfo

/// Traces that are not part of the package; tests use them where they are at hand.
public enum ExtraCases {
  /// The folder that the environment variable `SCROLLTRACE_CASES` names.
  public static var folder: String? {
    ProcessInfo.processInfo.environment["SCROLLTRACE_CASES"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The number of random traces to try: `SCROLLTRACE_RANDOM_TRACES`, or else `usual`.
  public static func randomTraces(_ usual: Int) -> Int {
    ProcessInfo.processInfo.environment["SCROLLTRACE_RANDOM_TRACES"].flatMap(Int.init) ?? usual
  }

  /// Whether there is time to try everything: `SCROLLTRACE_THOROUGH` is set.
  public static var isThorough: Bool {
    ProcessInfo.processInfo.environment["SCROLLTRACE_THOROUGH"].map { !$0.isEmpty } ?? false
  }

  /// `count` of the cases, evenly spread, or all of them if `SCROLLTRACE_THOROUGH` is set.
  public static func some<Cases: Collection>(_ count: Int, of cases: Cases) -> [Cases.Element] {
    let all = Array(cases)
    guard !isThorough, count < all.count else { return all }
    return (0..<count).map { all[$0 * all.count / count] }
  }
}
