/// A choice the engine works by, as the status line names it.
struct LivePolicy: Sendable {
  /// What is chosen: `prefetch`.
  var name: String
  /// What it is now: `two screens`.
  var value: String
}
