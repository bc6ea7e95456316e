package import ScrollTraceModel

extension [Analysis] {
  /// The positions of the runs, the highest hitch time ratio first, equal ones in order; runs without a
  /// ratio are last.
  package var worstFirst: [Int] {
    let ratios = map { $0.evaluatedPrimarySurface?.ratio?.millisecondsPerSecond ?? -1 }
    return indices.sorted { (ratios[$1], $0) < (ratios[$0], $1) }
  }
}

extension Analysis {
  /// The blank time of the list with the most, or `nil` if no cell was blank.
  package var worstBlankTime: BlankTime? {
    lists.compactMap(\.blank).max { $0.time < $1.time }.flatMap { $0.time > .zero ? $0 : nil }
  }
}

extension SurfaceAnalysis {
  /// The interactions with hitch time, most first.
  package var worstInteractions: [InteractionAnalysis] {
    interactions.filter { $0.hitchTime ?? .zero > .zero }
      .stablySorted { ($0.hitchTime ?? .zero) > ($1.hitchTime ?? .zero) }
  }

  /// The kinds of interactions with their sums, most hitch time first.
  package var sumsByInteractionKind: [(kind: String, count: Int, sums: InteractionSums)] {
    Dictionary(grouping: interactions, by: \.kind)
      .compactMap { kind, rows in sums(over: rows).map { (kind, rows.count, $0) } }
      .sorted { ($1.sums.hitchTime ?? .zero, $0.kind) < ($0.sums.hitchTime ?? .zero, $1.kind) }
  }

  /// The hitches, sorted by the part that counts in the ratio, then by length, largest first, then by
  /// time; but the worst one is one with a cause to look at, if there is any.
  package var worstHitches: [Hitch] {
    worstFirst.map { hitches[$0] }
  }

  /// The indices of `worstHitches`.
  package var worstFirst: [Int] {
    var sorted = hitches.indices.sorted { hitches[$0].comesBefore(hitches[$1]) }
    let first = sorted.firstIndex { hitches[$0].hasCause && hitches[$0].lengthInMotion > .zero }
    if let first { sorted.insert(sorted.remove(at: first), at: 0) }
    return sorted
  }

  /// The number of hitches without a part in the ratio.
  package var hitchesOutside: Int { hitches.count - hitchesInMotion }

  /// Returns the share of the surface's hitch time, 0 to 1, or 0 if there is none.
  package func share(of time: TimeSpan) -> Double { time.share(of: hitchTime ?? .zero) }
}

extension Hitch {
  /// Whether the frame was late before its commit ended, and the main thread was busy for at least half of the window.
  var hasCause: Bool {
    guard !isAfterCommit, let attribution = chargedAttribution else { return false }
    return attribution.idle.nanoseconds < attribution.window.length.nanoseconds / 2
  }

  /// Returns whether this hitch precedes `other` in a list of the worst hitches.
  ///
  /// A long hitch at rest is less relevant to scrolling than a short one in motion.
  package func comesBefore(_ other: Hitch) -> Bool {
    (other.lengthInMotion, other.length, range.start)
      < (lengthInMotion, length, other.range.start)
  }
}
