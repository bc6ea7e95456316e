import ScrollTraceModel

/// Frames at an even spacing that is longer than the refresh interval, if no cause of their hitches is
/// named.
struct SteadilySlowFrames: FindingRule {
  static let id = FindingID.steadilySlowFrames
  /// The part of the frames that are all of them but the first and a few others.
  private static let allFrames = 0.95
  /// How far from a whole number of refreshes pictures are that do not just come inexactly.
  private static let betweenRefreshes = 0.1

  func findings(in context: FindingContext) -> [Finding] {
    context.evaluatedSurfaces.compactMap { finding(of: $0, in: context) }
  }

  private func finding(of surface: SurfaceAnalysis, in context: FindingContext) -> Finding? {
    let streaks = surface.hitchStreaks.filter(\.isSteady)
    guard let longest = streaks.max(by: { ($0.frames, $1.start) < ($1.frames, $0.start) }),
      let spacing = longest.spacing
    else { return nil }
    var measures = Finding.Measures(count: streaks.reduce(0) { $0 + $1.frames })
    var lasted = TimeSpan.zero
    var frame: UInt64?
    for streak in streaks {
      lasted += streak.length
      let first = surface.hitches.partitionPoint { $0.range.start >= streak.start }
      let end = surface.hitches.partitionPoint {
        $0.range.start >= streak.start + streak.length
      }
      for hitch in surface.hitches[first..<max(first, end)] {
        measures.hitches += 1
        measures.hitchTime += hitch.lengthInMotion
      }
      if streak == longest, first < end { frame = surface.hitches[first].frame }
    }
    measures.total = lasted
    measures.worst = Finding.Occurrence(frame: frame, time: longest.start)
    let isNamed = context.found.contains {
      $0.cause != nil && $0.cause != .unrecorded
        && $0.measures.hitchTime.nanoseconds >= measures.hitchTime.nanoseconds / 2
    }
    guard !isNamed else { return nil }
    let steadyTime = surface.steadyTime
    let steady = surface.hitches.filter { steadyTime.index(containing: $0.range.start) != nil }
    // Whether each frame was on time and the next one not begun.
    let isChosen = !steady.isEmpty && steady.allSatisfy(\.hasBegunLate)
    // Whether all pictures are as far apart as on a display of another rate than the one that was given.
    let isRateDoubtful =
      context.options.refreshInterval != nil
      && Double(measures.count) > Self.allFrames * Double(surface.countsInMotion.evaluated ?? 0)
      && Self.fallsBetweenRefreshes(spacing, surface.refreshInterval)
    let refresh = surface.refreshInterval.phrase {
      " on a display that refreshes every \(interval: $0)"
    }
    let term: Phrase = "\(.frameRate, of: context.toolkit)"
    let request: Phrase = "request the sustained rate from the display"
    let fix: Phrase =
      isRateDoubtful
      ? "Check --refresh-rate first: the pictures came every \(interval: spacing), as on a display of"
        + " \(rate: spacing), which is also the rate to give for a variable one. If it is right, make"
        + " every frame faster, or \(request)\(term)."
      : isChosen
        ? "Look for what limits the frame rate, such as a timer or a requested rate\(term): each frame was"
          + " done in time, and the next one was begun late. If this rate is on purpose, \(request), and"
          + " record its refresh interval."
        : "Make every frame faster, or \(request)\(term)."
    return finding(
      of: .surface(surface.name), measures,
      PlainEvidence(
        title: "frames are steadily slower than the display",
        sentence:
          "\(measures.count, "frame") every \(interval: spacing)\(refresh), for \(lasted)",
        facts: [
          ("spacingNs", .time(spacing)), ("refreshIntervalNs", .time(surface.refreshInterval)),
        ], fix: fix),
      // While the rate is doubtful, so is every other finding.
      in: context, certainty: isRateDoubtful ? .named : .organization)
  }

  /// Whether no display with this refresh interval shows pictures so evenly.
  private static func fallsBetweenRefreshes(
    _ spacing: TimeSpan, _ refreshInterval: TimeSpan?
  ) -> Bool {
    guard let refreshInterval, refreshInterval > .zero else { return false }
    let refreshes = Double(spacing.nanoseconds) / Double(refreshInterval.nanoseconds)
    return abs(refreshes - refreshes.rounded()) > betweenRefreshes
  }
}

extension Hitch {
  /// Whether nothing made the frame late but its late start.
  fileprivate var hasBegunLate: Bool {
    switch delay {
    case .noFrame, .ownRate: true
    default: false
    }
  }
}

extension SurfaceAnalysis {
  /// The time in which frames are steadily slower than the display.
  var steadyTime: TimeRangeSet {
    TimeRangeSet(
      union: hitchStreaks.filter(\.isSteady).map {
        TimeRange(start: $0.start, end: $0.start + $0.length)
      })
  }
}
