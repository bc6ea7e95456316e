public import ScrollTraceModel

extension SurfaceAnalysis {
  /// The hitches, longest first, of equal ones the earlier first.
  public var worstHitches: [Hitch] {
    hitches.sorted { ($1.length, $0.range.begin) < ($0.length, $1.range.begin) }
  }

  /// The part that `time` is of the surface's hitch time, 0 ... 1; 0 where there is none.
  public func share(of time: TimeSpan) -> Double {
    guard let whole = hitchTime, whole > .zero else { return 0 }
    return Double(time.nanoseconds) / Double(whole.nanoseconds)
  }
}
