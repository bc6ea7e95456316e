public import Testing

/// Why a test is skipped, and how to run it.
extension Trait where Self == ConditionTrait {
  /// Traces that are not part of the package.
  public static var needsExtraCases: Self {
    .enabled(
      if: ExtraCases.folder != nil,
      """
      its traces are not part of the package; to run it: \
      SCROLLTRACE_CASES=<their folder> swift test
      """
    )
  }

  /// Time: it takes many seconds.
  public static var needsTime: Self {
    .enabled(
      if: ExtraCases.includesLongTests,
      "it takes long; to run it: SCROLLTRACE_THOROUGH=1 swift test")
  }

  /// A command, which `isInstalled` says is there.
  public static func needs(
    _ command: String, if isInstalled: @autoclosure @escaping @Sendable () throws -> Bool
  ) -> Self {
    .enabled(
      if: try isInstalled(),
      "\(command) is not installed; to run it: install \(command), then swift test")
  }
}
