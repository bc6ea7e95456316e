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

  /// Whether there is time for all tests: `SCROLLTRACE_THOROUGH` is set.
  static var includesLongTests: Bool { !thoroughness.isEmpty }

  /// Whether there is time for all cases too: `SCROLLTRACE_THOROUGH` is not `tests`.
  public static var isThorough: Bool { includesLongTests && thoroughness != "tests" }

  private static var thoroughness: String {
    ProcessInfo.processInfo.environment["SCROLLTRACE_THOROUGH"] ?? ""
  }

  /// `count` of the cases, evenly spread, or all of them if there is time.
  public static func some<Cases: Collection>(_ count: Int, of cases: Cases) -> [Cases.Element] {
    let all = Array(cases)
    guard !isThorough, count < all.count else { return all }
    return (0..<count).map { all[$0 * all.count / count] }
  }
}
