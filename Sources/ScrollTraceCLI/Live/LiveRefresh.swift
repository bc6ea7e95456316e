/// What the main thread did for one refresh; times are nanoseconds.
struct LiveRefresh: Sendable {
  /// How long the main thread worked.
  var mainWork: Int64
  /// How long the refresh was, which is the time there was for the work.
  var refreshInterval: Int64
  /// Whether the frame was not ready in time.
  var missed = false
  /// The part of `mainWork` that was done ahead of its need.
  var prefetch: Int64 = 0

  /// The work as a multiple of the time there was; never negative.
  var load: Double { multiple(mainWork) }

  /// The work that could not have been done ahead, as a multiple of the time there was.
  var loadOnDemand: Double { multiple(mainWork) - min(multiple(mainWork), multiple(prefetch)) }

  private func multiple(_ time: Int64) -> Double {
    Double(max(0, time)) / Double(max(1, refreshInterval))
  }
}
