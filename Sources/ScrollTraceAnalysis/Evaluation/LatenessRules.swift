/// The limits from which a picture counts as late.
package enum LatenessRules {
  /// The lateness from which a frame counts as late (M-2), in nanoseconds.
  ///
  /// - Parameter tolerance: The accuracy of the source's presentation times.
  @inline(__always)
  static func tolerance(_ tolerance: Int64, at refreshInterval: Int64) -> Int64 {
    max(tolerance, refreshInterval / 20)
  }

  /// Returns whether a gap between pictures is long enough to contain a missed refresh (M-3): over
  /// 1.25 refresh intervals if it is exact, otherwise over 1.5.
  @inline(__always)
  package static func isOver(_ gap: Int64, refreshInterval: Int64, isExact: Bool) -> Bool {
    let gap = min(max(gap, -(1 << 60)), 1 << 60)
    return isExact ? gap * 4 > refreshInterval * 5 : gap * 2 > refreshInterval * 3
  }
}
