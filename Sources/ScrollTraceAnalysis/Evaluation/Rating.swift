package import ScrollTraceModel

/// The severity of hitches, or the reason why it is unknown (M-6, M-24).
public enum Rating: String, Codable, Sendable, CaseIterable {
  /// No action is needed.
  case good
  /// Worth investigating.
  case warning
  /// Needs to be fixed.
  case critical
  /// Needs to be fixed immediately. Only some thresholds have this rating.
  case severe
  /// Too much is unknown, or there are too few frames.
  case uncertain
  /// There is nothing to measure, or no time to measure against.
  case notMeasurable

  package var text: String { self == .notMeasurable ? "not measurable" : rawValue }

  /// Whether it is the rating of a ratio.
  package var isCertain: Bool { self != .uncertain && self != .notMeasurable }

  /// Returns whether the rating is worse than `other`. Both must be ratings of ratios.
  package func isWorse(than other: Rating) -> Bool {
    guard isCertain, other.isCertain else { return false }
    return order > other.order
  }

  private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The reason why a rating is not that of its ratio (M-24).
package enum RatingReason: Equatable, Sendable {
  /// A share of the expected refreshes is unknown.
  case unknownRefreshes(share: Double)
  /// The main thread was ready to run and had no core for this share of the motion (M-25).
  case starved(share: Double)
  /// Too few frames were evaluated, in too short a time.
  case fewFrames(count: Int, time: TimeSpan)
  case noFrames
  /// No frame in the measured time could be evaluated; others were.
  case noFramesInMotion
  case noTime
  /// Cells showed placeholders for this time in ms per second of motion (M-27).
  case blank(ratio: Double)

  package var text: String {
    // Rounded up, so that no share above the limit reads as the limit.
    func percent(_ share: Double) -> Double { (share * 1000).rounded(.up) / 10 }
    switch self {
    case .unknownRefreshes(let share):
      return "\(percent(share))% of the refreshes in motion are unknown"
    case .starved(let share):
      return "the main thread was ready but had no core for \(percent(share))% of the motion"
    case .fewFrames(let count, let time):
      let length = (time.seconds * 100).rounded() / 100
      let frames =
        count == 0 ? "no frame was" : count == 1 ? "only 1 frame was" : "only \(count) frames were"
      return "\(frames) evaluated in \(length) s"
    case .noFrames: return "no frame could be evaluated"
    case .noFramesInMotion: return "no frame in motion could be evaluated"
    case .noTime: return "there is no time to measure against"
    case .blank(let ratio):
      return "cells showed placeholders for \((ratio * 10).rounded() / 10) ms/s"
    }
  }
}

/// A rating and the reason if it is not that of the ratio.
package struct RatedHitches: Equatable, Sendable {
  package let rating: Rating
  /// The reason why the rating is uncertain or not measurable, or `nil`.
  package let reason: RatingReason?

  /// The maximum share of expected refreshes that may be unknown (M-24).
  package static let usualUnknownShare = 0.05
  /// The largest share of the motion in which the main thread may be ready without a core if nothing says
  /// what that cost (M-25).
  package static let usualReadyShare = 0.1
  /// The highest blank time ratio in ms/s with which a run can be good (M-27).
  package static let usualBlankRatio = 100.0
  /// The number of evaluated frames that is sufficient for reliable figures (M-8), and for a rating
  /// regardless of the time.
  package static let enoughFrames = 30
  /// The time that is sufficient for a rating, regardless of the number of frames.
  private static let enoughTime = TimeSpan.milliseconds(1000)

  /// Returns whether the frames evaluated in `duration` are too few for a rating.
  package static func areTooFew(_ frames: Int, in duration: TimeSpan) -> Bool {
    frames < enoughFrames && duration < enoughTime
  }
}

extension RatedHitches {
  /// Rates hitches of `hitchTime` in `duration`.
  ///
  /// - Parameters:
  ///   - hitchTime: The hitch time, or `nil` if no frame could be evaluated.
  ///   - duration: The measured time.
  ///   - evaluated: The number of evaluated frames, or `nil` if the source lists only hitches.
  ///   - ledger: The refreshes in motion, or `nil` if unknown.
  ///   - thread: What the main thread did by the system's own count, or `nil` if unknown.
  ///   - lowerBounds: What is left without the time in which that thread lacked a core, or `nil` if unknown.
  ///   - blankRatio: The highest blank time ratio of a list in ms/s, or `nil` if unknown.
  ///   - thresholds: The thresholds of the ratings.
  package init(
    hitchTime: TimeSpan?, duration: TimeSpan, evaluated: Int?, ledger: RefreshLedger?,
    thread: ThreadTimes? = nil, lowerBounds: LowerBounds? = nil, blankRatio: Double? = nil,
    by thresholds: RatingThresholds
  ) {
    guard let hitchTime, evaluated != 0 || hitchTime > .zero else {
      (rating, reason) = (.notMeasurable, .noFrames)
      return
    }
    guard let ratio = HitchTimeRatio(hitchTime: hitchTime, duration: duration) else {
      (rating, reason) = (.notMeasurable, .noTime)
      return
    }
    let found = thresholds.rating(of: ratio.millisecondsPerSecond)
    if let evaluated, Self.areTooFew(evaluated, in: duration) {
      (rating, reason) = (.uncertain, .fewFrames(count: evaluated, time: duration))
    } else if let ledger, ledger.isUnknown(above: Self.usualUnknownShare), found != .critical,
      found != .severe
    {
      // Unknown refreshes could only make it worse, so critical is certain.
      (rating, reason) = (.uncertain, .unknownRefreshes(share: ledger.unknownShare))
    } else if let share = thread?.readyShare,
      let byOwnWork = lowerBounds?.hitchTime ?? (share > Self.usualReadyShare ? .zero : nil),
      let lowest = HitchTimeRatio(hitchTime: byOwnWork, duration: duration),
      thresholds.rating(of: lowest.millisecondsPerSecond) != found
    {
      // A machine with a free core might have given another rating.
      (rating, reason) = (.uncertain, .starved(share: share))
    } else if found == .good, let blankRatio, blankRatio > Self.usualBlankRatio {
      (rating, reason) = (.warning, .blank(ratio: blankRatio))
    } else {
      (rating, reason) = (found, nil)
    }
  }
}

extension SurfaceAnalysis {
  package func rated(by thresholds: RatingThresholds) -> RatedHitches {
    let rated = RatedHitches(
      hitchTime: hitchTime, duration: measuredTime.duration, evaluated: countsInMotion.evaluated,
      ledger: ledger, thread: thread, lowerBounds: lowerBounds, blankRatio: blankRatio,
      by: thresholds)
    // Frames were evaluated, but none in the measured time.
    return rated.reason == .noFrames && isEvaluated
      ? RatedHitches(rating: .notMeasurable, reason: .noFramesInMotion) : rated
  }
}

extension InteractionAnalysis {
  package func rated(by thresholds: RatingThresholds) -> RatedHitches {
    sums.rated(by: thresholds)
  }
}

extension InteractionSums {
  package func rated(by thresholds: RatingThresholds) -> RatedHitches {
    RatedHitches(
      hitchTime: hitchTime, duration: duration, evaluated: counts.evaluated, ledger: ledger,
      thread: work.mainThread, blankRatio: blankRatio, by: thresholds)
  }
}

extension StateAnalysis {
  package func rated(by thresholds: RatingThresholds) -> RatedHitches {
    RatedHitches(
      hitchTime: hitchTime, duration: duration, evaluated: counts.evaluated, ledger: ledger,
      thread: thread, blankRatio: blankRatio, by: thresholds)
  }
}
