import ScrollTraceModel

/// Late frames in which all work takes several times as long as in others: the main thread was slow, and no part
/// of its work is the cause.
struct SlowThread: FindingRule {
  static let id = FindingID.slowThread
  /// Fewer late frames are slow by accident.
  private static let minimumHitches = 4

  func findings(in context: FindingContext) -> [Finding] {
    guard NoFreeCore.groups(in: context).isEmpty else { return [] }
    func work(in attribution: Attribution) -> TimeSpan {
      attribution.causes.reduce(.zero) { $0 + $1.selfTime }
    }
    let slowed = context.evaluatedSurfaces.compactMap { surface in
      HitchGroup(of: surface, time: work).map { (surface: surface, group: $0) }
    }
    guard let worst = slowed.max(by: { $0.group.windows < $1.group.windows }),
      worst.group.count >= Self.minimumHitches, let slowdown = Slowdown(in: context)
    else { return [] }
    let holders = CoreHolders(of: context, in: TimeRangeSet(union: worst.group.ranges))
    let meanwhile = holders.isHost ? holders : nil
    let parts = slowdown.parts.prefix(3).enumerated().reduce("" as Phrase) { phrase, part in
      phrase + "\(words: part.offset == 0 ? "" : ", ")\(part.element.work)"
        + " \(part.element.late) instead of \(part.element.other)"
    }
    let cause: Phrase =
      holders.isHost
      ? "The main thread is slow then, not one part of its work: \(list: holders.names) may take its"
        + " cores. Run fewer background jobs, at a lower priority."
      : "The main thread is slow then, not one part of its work: look for other programs, heat or a"
        + " power mode that slows the device down, and code that is compiled at its first use."
    return [
      finding(
        of: .surface(worst.surface.name), worst.group.measures(total: worst.group.total),
        PlainEvidence(
          title:
            "all work takes \(slowdown.factor, decimals: 1) times as long in late frames as in others",
          sentence: parts + meanwhile.phrase(\.meanwhile),
          facts: [
            ("factor", .number(slowdown.factor)), ("threads", .names(meanwhile?.names ?? [])),
          ], fix: cause + " Record the threads' CPU times or schedule to be sure."),
        in: context, certainty: .named,
        weight: worst.surface.lateFrames
          .removedWithMisses(part: 1 - 1 / slowdown.factor, work).hitchTime)
    ]
  }
}

/// How much longer all work of the main thread takes in late frames.
struct Slowdown {
  struct Part {
    let work: WorkName
    /// The median without what is inside, in late frames and in others.
    let (late, other): (TimeSpan, TimeSpan)
    /// The total in late frames.
    let total: TimeSpan

    var factor: Double {
      Double(late.nanoseconds) / Double(max(1, other.nanoseconds))
    }
  }

  /// The fewest kinds of work. The two or three parts of a cell grow alike with what it shows.
  private static let minimumParts = 4
  /// The fewest occurrences of each, in late frames and in others.
  private static let minimumCalls = 5
  /// Caches that were cold cost less than that.
  private static let minimumFactor = 1.6
  /// How far a part's factor may be from the one in the middle: frames differ in what they do.
  private static let spread = 2.0
  /// How much of the work in late frames must be in such parts.
  private static let share = 0.8
  /// Work that takes less of the time in late frames is measured too coarsely.
  private static let smallest = 0.02

  /// The parts, the one with most time in late frames first.
  let parts: [Part]
  /// The factor in the middle.
  let factor: Double

  /// Measures the work of the main thread; returns `nil` if some of it takes no longer in late frames than in
  /// others, or too little is known.
  init?(in context: FindingContext) {
    guard let main = context.trace.mainTrack else { return nil }
    let (spans, names) = (context.trace.tracks[main.index].spans, context.workload.names)
    var selfTimes = [TimeSpan](repeating: .zero, count: spans.count)
    SelfTimeSweep.run(spans.times) { selfTimes[$2] += TimeSpan(nanoseconds: $1 - $0) }
    var (times, all) = ([LabelID: (late: [TimeSpan], other: [TimeSpan])](), TimeSpan.zero)
    for (span, selfTime) in zip(spans, selfTimes) {
      let label = names.representative(of: span.label)
      if context.late.index(ofMost: span.range) != nil {
        times[label, default: ([], [])].late.append(selfTime)
        all += selfTime
      } else {
        times[label, default: ([], [])].other.append(selfTime)
      }
    }
    parts = times.compactMap { label, times -> Part? in
      guard min(times.late.count, times.other.count) >= Self.minimumCalls,
        let late = Percentiles(of: times.late)?.p50, let other = Percentiles(of: times.other)?.p50,
        other > TimeSpan.zero
      else { return nil }
      let total = times.late.reduce(TimeSpan.zero) { $0 + $1 }
      guard total.isPart(Self.smallest, of: all) else { return nil }
      return Part(work: names[label], late: late, other: other, total: total)
    }.stablySorted { ($1.total, $0.work.name ?? "") < ($0.total, $1.work.name ?? "") }
    let factors = parts.map(\.factor).sorted()
    guard parts.count >= Self.minimumParts, let least = factors.first, let most = factors.last,
      least >= Self.minimumFactor
    else { return nil }
    factor = factors[factors.count / 2]
    let known = parts.reduce(TimeSpan.zero) { $0 + $1.total }
    guard least * Self.spread >= factor, most <= factor * Self.spread,
      known.isPart(Self.share, of: all)
    else { return nil }
  }
}
