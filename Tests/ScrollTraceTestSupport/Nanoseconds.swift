public import ScrollTraceRecorder

// In these tests, times are numbers of nanoseconds.

extension RecorderTime: ExpressibleByIntegerLiteral {
  /// Creates a time from nanoseconds.
  public init(integerLiteral count: Int64) {
    self = .nanoseconds(count)
  }
}

extension TraceRecorder {
  @_disfavoredOverload
  package func setTime(_ time: Int64) { setTime(.nanoseconds(time)) }

  @_disfavoredOverload
  package func recordSpan(
    _ name: RecordedName, _ category: SpanCategory = .work, from begin: Int64, to end: Int64,
    item: ItemID? = nil
  ) {
    recordSpan(name, category, from: .nanoseconds(begin), to: .nanoseconds(end), item: item)
  }
}

extension FrameTiming {
  @_disfavoredOverload
  package init(
    start: Int64? = nil, deadline: Int64? = nil, target: Int64? = nil,
    refreshInterval: Int64? = nil
  ) {
    self.init(
      start: start.map { .nanoseconds($0) }, deadline: deadline.map { .nanoseconds($0) },
      target: target.map { .nanoseconds($0) },
      refreshInterval: refreshInterval.map { .nanoseconds($0) })
  }
}

extension RecordedFrame {
  @_disfavoredOverload
  package func markPresented(at time: Int64) { markPresented(at: .nanoseconds(time)) }
}
