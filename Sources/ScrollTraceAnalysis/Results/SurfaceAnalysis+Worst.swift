package import ScrollTraceModel

extension SurfaceAnalysis {
  /// The hitches, those first of which most counts in the ratio; of equal ones the longer, then the
  /// earlier first.
  package var worstHitches: [Hitch] { hitches.sorted { $0.comesBefore($1) } }

  /// How many hitches have no part in the ratio.
  package var hitchesOutside: Int { hitches.count - hitchesInMotion }

  /// The part that `time` is of the surface's hitch time, 0 ... 1; 0 where there is none.
  package func share(of time: TimeSpan) -> Double {
    guard let whole = hitchTime, whole > .zero else { return 0 }
    return Double(time.nanoseconds) / Double(whole.nanoseconds)
  }
}

extension Hitch {
  /// Whether a list of the worst hitches names this one before `other`.
  ///
  /// A longer one at rest tells less of how it scrolled than a shorter one in motion.
  package func comesBefore(_ other: Hitch) -> Bool {
    (other.lengthInMotion, other.length, range.start)
      < (lengthInMotion, length, other.range.start)
  }
}
