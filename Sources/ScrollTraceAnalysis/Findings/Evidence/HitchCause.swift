import ScrollTraceModel

/// A cause that alone explains most of the time of two hitches or more, or of the worst (M-19).
struct HitchCause {
  var cause: RemovableCause
  let surface: SurfaceAnalysis
  /// The hitches that it explains, each with what filled its window.
  let hitches: [(hitch: Hitch, attribution: Attribution)]
  var time = TimeSpan.zero
  /// The hitch time removed without the cause (M-17).
  let removable: TimeSpan
  /// What goes together with another cause of the same frames, or `nil` if there is none.
  var together: Finding.Together?

  /// What filled the windows, each once: hitches that one frame delayed share one.
  private var attributions: [Attribution] {
    var windows: Set<TimeRange> = []
    return hitches.map(\.attribution).filter { windows.insert($0.window).inserted }
  }

  var windowCount: Int { attributions.count }

  /// The length of the windows.
  var window: TimeSpan { attributions.reduce(.zero) { $0 + $1.window.length } }

  /// The number of spans of `work` in an explained window, on average.
  func count(of work: WorkName, in context: FindingContext) -> Int {
    guard context.workload.main != nil else { return 0 }
    let count = attributions.map(\.window).reduce(0) { sum, window in
      sum
        + context.mainSpans(in: window).count {
          window.contains($0.range.middle) && work.includes(context.workload.names[$0.label])
        }
    }
    return max(1, perWindow(count))
  }

  /// Returns a number in all explained windows as the average in one, rounded.
  func perWindow(_ count: Int) -> Int { (count + windowCount / 2) / max(1, windowCount) }

  /// The part of the work of a list that lies in the explained windows, most in one window first.
  func sums(of work: WindowSums?, in context: FindingContext) -> [WindowSums.Sum] {
    let windows = Set(hitches.map(\.attribution.window))
    return (work?.merged.sums ?? []).filter {
      windows.contains(context.late.windows[$0.window].range)
    }.stablySorted { $0.longest > $1.longest }
  }

  /// How long `work` waited, and the kind of most of it, or `nil` if it did not wait.
  func waits(in work: WorkName) -> (time: TimeSpan, kind: Wait.Kind?) {
    var (waited, waits): (TimeSpan, [Wait.Kind: TimeSpan]) = (.zero, [:])
    for attribution in attributions {
      for occupant in attribution.occupants {
        guard let wait = occupant.wait, occupant.work == work || occupant.around == work else {
          continue
        }
        waited += occupant.waited
        waits[wait.kind, default: .zero] += occupant.waited
      }
    }
    let kind = waits.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key
    return (waited, kind)
  }

  /// How long the thread waited or had no core in the explained windows where nothing says which.
  var offCore: TimeSpan { attributions.reduce(.zero) { $0 + $1.notRunning } }

  /// The new memory that the late frames touched, if it is much more than other frames do.
  func freshMemory(in context: FindingContext) -> FreshMemory? {
    let known = hitches.compactMap(\.attribution.thread?.faults)
    guard !known.isEmpty, let main = context.trace.mainTrack else { return nil }
    // As far as each is below the limit of a sum.
    let late = known.reduce(0) { $0 + $1 / Int64(known.count) }
    let samples = context.trace.tracks[main.index].threadTimes
    let counted = (0..<samples.count).lazy.compactMap { samples[$0].faults }
    let frames = Int64(max(1, surface.counts.evaluated ?? 1))
    let all = (counted.last ?? 0).subtractingReportingOverflow(counted.first ?? 0)
    guard !all.overflow else { return nil }
    let rest = all.partialValue.subtractingReportingOverflow(late * Int64(known.count))
    let others = rest.overflow ? 0 : max(0, rest.partialValue) / max(1, frames - Int64(known.count))
    guard late >= FreshMemory.minimumFaults, late / 4 >= others else { return nil }
    let each = time.nanoseconds / Int64(max(1, windowCount))
    return FreshMemory(
      faults: Int(clamping: late), others: Int(clamping: others),
      isMost: late >= each / 2 / FreshMemory.cost.nanoseconds)
  }

  /// The work, or the span of the wait, or `nil` if no span names it.
  var work: WorkName? {
    switch cause {
    case .work(let work), .whole(let work), .item(let work, _): work
    case .wait(let wait): wait.span
    case .unrecorded: nil
    }
  }

  var isWhole: Bool { if case .whole = cause { true } else { false } }

  private var includesOthers: Bool { isWhole || ownWork?.isCategory == true }

  /// The work, with or without what is inside it, or `nil` if it is none of all items.
  var ownWork: WorkName? {
    switch cause {
    case .work(let work), .whole(let work): work
    case .item, .wait, .unrecorded: nil
    }
  }

  var hitchTime: TimeSpan { hitches.reduce(.zero) { $0 + $1.hitch.lengthInMotion } }

  func measures(count: Int?) -> Finding.Measures {
    let worst = hitches.max { Self.isLess($0.hitch, $1.hitch) }
    return Finding.Measures(
      count: count ?? windowCount, total: time, hitches: hitches.count, hitchTime: hitchTime,
      worst: worst.map {
        Finding.Occurrence(
          frame: $0.hitch.delayedByFrame ?? $0.hitch.frame, time: $0.attribution.window.start)
      })
  }

  /// The causes of a surface, most removable hitch time first.
  static func all(of surface: SurfaceAnalysis) -> [HitchCause] {
    let hitches = surface.hitches.filter { $0.lengthInMotion > .zero }
    guard let worst = hitches.max(by: Self.isLess) else { return [] }
    func share(_ causes: [HitchCause]) -> Double {
      (causes.first?.removable ?? .zero).share(of: surface.hitchTime ?? .zero)
    }
    var found = causes(of: surface, hitches, worst, .parts)
    let largest = share(found)
    if found.first?.isWhole == true || largest < FindingThresholds.explainedShare {
      let level: Level = largest < FindingThresholds.manyCauses ? .rows : .wholes
      let wholes = causes(of: surface, hitches, worst, level)
      if share(wholes) >= FindingThresholds.explainedShare { found = wholes }
    }
    addPairs(to: &found, surface)
    return found
  }

  /// What can be a cause.
  private enum Level {
    /// The parts of work, and only where all are small, the work around them.
    case parts
    /// The work around parts too, where no part fills half of a window.
    case wholes
    /// A row around them everywhere.
    case rows
  }

  /// The causes of hitches, most removable hitch time first.
  private static func causes(
    of surface: SurfaceAnalysis, _ hitches: [Hitch], _ worst: Hitch, _ level: Level
  ) -> [HitchCause] {
    var found: [RemovableCause: [(hitch: Hitch, attribution: Attribution)]] = [:]
    for hitch in hitches where !hitch.isAfterCommit {
      guard let attribution = hitch.chargedAttribution else { continue }
      for cause in explanations(of: hitch, attribution, level) {
        found[cause, default: []].append((hitch, attribution))
      }
    }
    // Work that is a cause with all that is inside is none without.
    for case .whole(let work) in Array(found.keys) {
      guard let alone = found.removeValue(forKey: .work(work)) else { continue }
      var ranges = Set(found[.whole(work), default: []].map(\.hitch.range))
      found[.whole(work), default: []] += alone.filter { ranges.insert($0.hitch.range).inserted }
    }
    return found.compactMap { cause, explained -> HitchCause? in
      guard explained.count > 1 || explained[0].hitch.range == worst.range else { return nil }
      // In other windows, a part of the category is the cause, or none is.
      var windows: TimeRangeSet?
      if case .work(let work) = cause, work.isCategory {
        windows = TimeRangeSet(union: explained.map(\.attribution.window))
      }
      var found = HitchCause(
        cause: cause, surface: surface, hitches: explained,
        removable: surface.lateFrames.removed { attribution in
          guard let windows, windows.index(containing: attribution.window.middle) == nil else {
            return cause.time(in: attribution)
          }
          return .zero
        })
      found.time = found.attributions.reduce(.zero) { $0 + cause.time(in: $1) }
      return found
    }.stablySorted {
      ($1.removable, $1.time, $0.cause.order) < ($0.removable, $0.time, $1.cause.order)
    }
  }

  private static func isLess(_ left: Hitch, _ right: Hitch) -> Bool {
    (left.lengthInMotion, right.range.start) < (right.lengthInMotion, left.range.start)
  }

  /// Adds to each cause what goes with the one that adds most, if neither removes all alone.
  private static func addPairs(to causes: inout [HitchCause], _ surface: SurfaceAnalysis) {
    guard let whole = surface.hitchTime else { return }
    let minimum = whole.nanoseconds / 20
    let combined = min(causes.count, FindingThresholds.combinedCauses)
    for index in 0..<combined {
      // The time of a whole or a category includes that of others.
      for other in 0..<combined
      where other != index && !causes[index].includesOthers && !causes[other].includesOthers {
        let time = surface.lateFrames.removed([causes[index].cause, causes[other].cause])
        let sum = causes[index].removable + causes[other].removable
        guard (time - sum).magnitude.nanoseconds >= minimum,
          (time - max(causes[index].removable, causes[other].removable)).nanoseconds >= minimum,
          time > causes[index].together?.time ?? .zero
        else { continue }
        causes[index].together = Finding.Together(cause: causes[other].cause, time: time)
      }
    }
  }

  // MARK: - One hitch

  /// The causes that explain most of a hitch: they fill half of its window, or it is half as long without
  /// them, or, if none does, they fill a quarter, else the work around small parts.
  private static func explanations(
    of hitch: Hitch, _ attribution: Attribution, _ level: Level
  ) -> [RemovableCause] {
    let window = attribution.window.length.nanoseconds
    // Work that hardly ran did not make the frame late (M-25).
    guard attribution.notScheduled.nanoseconds < window / 2 else { return [] }
    let amounts = amounts(in: attribution)
    let largest = amounts.filter { cause, time in
      time.nanoseconds >= window / 2
        || cause != .unrecorded && time.nanoseconds >= window / 4
          && shortens(hitch, by: cause.time(in: attribution))
    }
    let whole = innermostWhole(in: attribution)
    if !largest.isEmpty {
      let row = whole.flatMap { level == .rows && WorkTopic($0) == .cells ? $0 : nil }
      return largest.map(\.key) + [row].compactMap { $0.map { .whole($0) } }
    }
    let other = attribution.notScheduled + attribution.idle + attribution.lateStart
    guard other.nanoseconds < window / 2 else { return [] }
    let large = amounts.filter { $0.value.nanoseconds >= window / 4 }.map(\.key)
    if let whole, level != .parts || large.isEmpty { return [.whole(whole)] }
    return large.isEmpty ? categories(of: amounts, atLeast: window / 2) : large
  }

  /// The innermost work that fills half of a window with all that is inside, or `nil` if there is none.
  private static func innermostWhole(in attribution: Attribution) -> WorkName? {
    let minimum = attribution.window.length.nanoseconds / 2
    return attribution.enclosing.last {
      ($0.time - attribution.notScheduled).nanoseconds >= minimum
    }?.work
  }

  /// The category of work that fills a time in many small parts, if there is one.
  private static func categories(
    of amounts: [RemovableCause: TimeSpan], atLeast minimum: Int64
  ) -> [RemovableCause] {
    var sums: [String: TimeSpan] = [:]
    for case (.work(let work), let time) in amounts {
      sums[work.category, default: .zero] += time
    }
    return sums.filter { $0.value.nanoseconds >= minimum && !$0.key.isEmpty }
      .map { .work(WorkName(category: $0.key)) }
  }

  /// Whether a hitch is at most half as long if its frame ends earlier.
  private static func shortens(_ hitch: Hitch, by time: TimeSpan) -> Bool {
    guard let overrun = hitch.overrun, overrun > .zero, let missed = hitch.refreshesMissed,
      missed > 0
    else { return false }
    let interval = TimeSpan(nanoseconds: max(1, hitch.length.nanoseconds / Int64(missed)))
    let rest = (overrun - time).nanoseconds
    let left = rest <= 0 ? 0 : (rest - 1) / interval.nanoseconds + 1
    return left * 2 <= Int64(missed)
  }

  /// The time on a core of each kind of work, the waits, and what no span names. Loads and decodes are to be
  /// moved whether they compute or wait, and so is work that computes while it waits for nobody in the app.
  private static func amounts(in attribution: Attribution) -> [RemovableCause: TimeSpan] {
    var amounts: [RemovableCause: TimeSpan] = [:]
    for cause in attribution.causes {
      let work = WorkName(category: cause.category, name: cause.name)
      amounts[work.isFrameOfOtherWork ? .unrecorded : .work(work), default: .zero] += cause.selfTime
    }
    amounts[.unrecorded, default: .zero] += attribution.unrecorded
    for occupant in attribution.occupants {
      guard let wait = occupant.wait, occupant.waited > .zero else { continue }
      let work = occupant.isWait ? occupant.around : occupant.work
      let isOfWork =
        !occupant.isWait && wait.owner == nil
        && (occupant.time - occupant.waited).nanoseconds >= occupant.waited.nanoseconds / 2
      if let work, work.isMovedWhole || isOfWork {
        amounts[.work(work), default: .zero] += occupant.waited
      } else {
        amounts[.wait(wait), default: .zero] += occupant.waited
      }
    }
    // Where nothing says whether the thread waited or had no core, the work that it was in is all there is.
    if attribution.notRunning.isPart(0.5, of: attribution.window.length),
      let most = attribution.occupants.first(where: { !$0.isWait && !$0.work.isFrameOfOtherWork })
    {
      amounts[.work(most.work)] = max(amounts[.work(most.work)] ?? .zero, most.time)
    }
    return amounts.filter { $0.value > .zero }
  }
}

/// New memory that each of some late frames touched.
struct FreshMemory {
  /// 4 MB take about as long as a tenth of a refresh.
  static let minimumFaults = Int64(1024)
  /// To map and clear a page takes about a microsecond.
  static let cost = TimeSpan(nanoseconds: 1_000)

  /// The page faults of a late frame, on average.
  let faults: Int
  /// Those of another frame.
  let others: Int
  /// Whether they take half of the time of the work, by what one usually costs.
  let isMost: Bool

  private var bytes: UInt64 {
    UInt64(clamping: faults).multipliedReportingOverflow(by: 4096).partialValue
  }

  var phrase: Phrase {
    "; each touched \(bytes: bytes) of new memory (\(faults, "page fault"); other frames: \(others))"
  }

  /// The end of a title, if it is most of the time.
  var title: Phrase {
    isMost ? ": each late frame touches \(bytes: bytes) of new memory" : ""
  }

  /// What to do as a sentence, if it is most of the time.
  var fix: Phrase {
    isMost
      ? "Keep buffers and views and use them again: the first touch of new memory takes most of this time. "
      : ""
  }
}

extension WorkName {
  /// Whether the work is to be done elsewhere, waits included: a load or decode.
  var isMovedWhole: Bool { [.load, .decode, .thumbnail].contains(listWord) }
}

extension RemovableCause {
  /// The order of causes that are equal otherwise.
  var order: String {
    switch self {
    case .work(let work): "0\(work.category)/\(work.name ?? "")"
    case .item(let work, let item): "1\(work.category)/\(work.name ?? "")/\(item)"
    case .wait(let wait):
      "2\(wait.span.category)/\(wait.span.name ?? "")/\(wait.kind)/\(wait.owner?.thread ?? "")"
        + "/\(wait.owner?.work ?? "")"
    case .unrecorded: "3"
    case .whole(let work): "4\(work.category)/\(work.name ?? "")"
    }
  }
}

/// Hitches in whose windows one thing that is no work of the app fills most of the time.
struct HitchGroup {
  private(set) var count = 0
  private(set) var length = TimeSpan.zero
  private(set) var total = TimeSpan.zero
  /// The windows, each once: hitches that one frame delayed share it.
  private(set) var ranges: [TimeRange] = []
  /// The part of the length inside the measured time.
  private var inMotion = TimeSpan.zero
  private var worst: Hitch?

  init() {}

  /// Creates the group of the hitches whose window holds at least a share of `time`, or `nil` if it
  /// has neither two hitches nor one with half of the lateness.
  init?(of surface: SurfaceAnalysis, minimum: Double = 0.5, time: (Attribution) -> TimeSpan) {
    for hitch in surface.countedHitches where !hitch.isAfterCommit {
      guard let attribution = hitch.chargedAttribution else { continue }
      let part = time(attribution)
      if part.isPart(minimum, of: attribution.window.length) { add(hitch, part) }
    }
    guard isEnough(of: surface) else { return nil }
  }

  /// The longest time without a frame that something else than a pause of the motion explains.
  static let longestDelay = TimeSpan.milliseconds(250)

  /// What to do about a longer one where the user says that something moves.
  static var fixOfPause: Phrase {
    "If nothing moved then, as between two flings, define only the times in which something did"
      + " (--define); if something did, look for what kept the app from asking for a frame."
  }

  /// Whether longer ones are most of the windows.
  var isOfLongDelays: Bool {
    let long = ranges.reduce(TimeSpan.zero) { $1.length > Self.longestDelay ? $0 + $1.length : $0 }
    return long.isPart(0.5, of: windows)
  }

  var windows: TimeSpan { ranges.reduce(.zero) { $0 + $1.length } }

  /// Adds a hitch, after those before it, and the time of the cause in its window.
  mutating func add(_ hitch: Hitch, _ time: TimeSpan) {
    count += 1
    length += hitch.length
    inMotion += hitch.lengthInMotion
    let window = hitch.chargedAttribution?.window
    if window == nil || window != ranges.last { total += time }
    if let window, window != ranges.last { ranges.append(window) }
    if hitch.length > worst?.length ?? .zero { worst = hitch }
  }

  /// Returns a Boolean value indicating whether the group has two hitches, or one with half of the surface's
  /// lateness.
  func isEnough(of surface: SurfaceAnalysis) -> Bool {
    let all = surface.hitches.reduce(TimeSpan.zero) { $0 + $1.length }
    return count > 1 || count == 1 && length.nanoseconds >= all.nanoseconds / 2
  }

  func measures(total: TimeSpan) -> Finding.Measures {
    Finding.Measures(
      count: count, total: total, hitches: count, hitchTime: inMotion,
      worst: worst.map {
        Finding.Occurrence(
          frame: $0.frame, time: $0.chargedAttribution?.window.start ?? $0.range.start)
      })
  }
}
