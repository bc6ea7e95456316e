package import ScrollTraceModel

/// What a report says before the hitch time ratio, because the ratio alone would not answer how bad it is.
package enum Headline: Equatable, Sendable {
  case notMeasurable
  /// The app ended while it recorded, in this span of the main thread, or `nil` if none was open.
  case appEnded(OpenSpan?)
  /// Records were lost: for this time, or `nil` if it is unknown when.
  case dataLost(TimeSpan?)
  /// The longest time in motion without a new picture, and whether nothing may have moved then.
  case noNewPicture(TimeSpan, mayPause: Bool)
  /// The share of the motion in which the main thread was ready and had no core.
  case machineBusy(share: Double)
  /// The share of displayed cells that showed a placeholder.
  case blank(share: Double)

  package var word: String {
    switch self {
    case .notMeasurable: "notMeasurable"
    case .appEnded: "appEnded"
    case .dataLost: "dataLost"
    case .noNewPicture: "noNewPicture"
    case .machineBusy: "machineBusy"
    case .blank: "blank"
    }
  }
}

extension Analysis {
  /// The shortest time without a new picture that comes before the ratio.
  private static let longStill = TimeSpan.milliseconds(250)

  /// What comes before the ratio, or `nil` if the ratio says how bad it is.
  package var headline: Headline? {
    guard let surface = evaluatedPrimarySurface, surface.hitchTime != nil else {
      return .notMeasurable
    }
    if notices.contains(.trace(.notClosed)) {
      let main = trace.openSpans.filter { $0.until == nil && $0.track == trace.mainTrack }
      return .appEnded(main.max { $0.since < $1.since } ?? nil)
    }
    // A digest has no surfaces.
    let holes = trace.surfaces.dropFirst(surface.surface.index).first?.holes ?? []
    let missing = holes.reduce(into: TimeSpan.zero) { $0 += $1.length }
    if trace.losses.contains(where: { $0.reason.leavesGaps }) {
      // How much a cut file lacks, it does not say.
      let isCut = trace.losses.contains { $0.reason == .cutAtEnd }
      return .dataLost(missing > .zero && !isCut ? missing : nil)
    }
    if let longest = surface.longestHitchInMotion, longest >= Self.longStill {
      return .noNewPicture(
        longest, mayPause: findings.first?.words.fix == HitchGroup.fixOfPause)
    }
    if case .starved(let share)? = surface.rated(by: options.thresholds).reason {
      return .machineBusy(share: share)
    }
    if let ratio = surface.blankRatio, ratio > RatedHitches.usualBlankRatio {
      return .blank(share: min(1, ratio / 1_000))
    }
    return nil
  }
}

extension Loss.Reason {
  /// A Boolean value indicating whether frames may be missing, rather than details of them.
  package var leavesGaps: Bool {
    [
      .recorderOutOfSpace, .recordTooLarge, .sourceDroppedRecords, .missingChunk,
      .checksumMismatch, .damagedBytes, .cutAtEnd, .malformedRecord, .invalidValue,
      .timeOutOfRange, .limitReached, .fileChanged,
    ].contains(self)
  }
}
