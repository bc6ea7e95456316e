import ScrollTraceModel

extension SurfaceAnalysis {
  /// The hitches, longest first, of equal ones the earlier first.
  public var worstHitches: [Hitch] {
    hitches.sorted { ($1.length, $0.range.begin) < ($0.length, $1.range.begin) }
  }
}
