public import ScrollTraceModel

/// Why no hitch time is removed without a cause (M-17).
public enum PredictionReason: String, Codable, Sendable, CaseIterable {
  /// The cause is no work of the app.
  case notOfTheApp
  /// Without the cause, the frames are still late.
  case staysLate
}

/// The hitch time removed without one cause (M-17).
package struct Prediction: Sendable {
  /// What the hitch time is attributed to.
  package enum Subject: Hashable, Sendable {
    case removable(RemovableCause)
    /// A cause that no change of the main thread's work removes.
    case other(CauseSummary.Kind)
  }

  /// The hitch time removed without two causes.
  package struct Pair: Sendable {
    package let cause: RemovableCause
    package let together: TimeSpan
  }

  package let subject: Subject
  /// How many times as fast the cause would be, or `nil` if it were gone.
  package let speedup: Double?
  /// The maximum of the removed hitch time.
  package let upTo: TimeSpan
  /// All hitch time.
  package let whole: TimeSpan
  /// The hitch time attributed to the cause, or `nil` if it is none of its own.
  package var attributed: TimeSpan?
  /// The causes of the same late frames, with the hitch time removed without both.
  package internal(set) var with: [Pair] = []

  package var reason: PredictionReason? {
    if case .other = subject { return .notOfTheApp }
    return upTo > .zero || whole == .zero ? nil : .staysLate
  }
}

/// The hitch time removed from one run without each of its causes (M-17).
package struct PredictionReport: Sendable {
  /// How much faster one kind of work is to be.
  package struct Speedup: Sendable {
    package let work: WorkName
    package let factor: Double

    package init(_ work: WorkName, factor: Double) {
      (self.work, self.factor) = (work, factor)
    }
  }

  package let analysis: Analysis
  /// The surface that the predictions are of, or `nil` if no frame was evaluated.
  package let surface: SurfaceAnalysis?
  /// The predictions, largest first, then the causes that are not the app's.
  package let predictions: [Prediction]
  /// The speedups required for zero hitch time, one for each rate.
  package let requiredSpeedups: [RequiredSpeedup]
  /// A Boolean value indicating whether the required speedup at the surface's refresh interval is of all frames,
  /// each at its own rate.
  package let isAtRecordedRates: Bool

  /// The number of causes that are combined in pairs.
  private static let pairedCauses = 5
  private static let listedItems = 3

  /// Judges the hitches again of the surface of `analysis` that its first screen explains.
  ///
  /// - Parameters:
  ///   - analysis: The analysis of the recording.
  ///   - speedups: The speedups to judge; `nil` for each cause without its time.
  ///   - refreshIntervals: The refresh intervals of required speedups; `nil` for the recorded one, if
  ///     there are hitches, and that of 120 Hz.
  package init(
    of analysis: Analysis, speedups: [Speedup]? = nil, refreshIntervals: [TimeSpan]? = nil
  ) {
    self.analysis = analysis
    surface = analysis.predictedSurface
    let isAtRecordedRates = refreshIntervals == nil || surface?.refreshIntervals.count == 1
    self.isAtRecordedRates = isAtRecordedRates
    guard let surface, let whole = surface.hitchTime else {
      (predictions, requiredSpeedups) = ([], [])
      return
    }
    if let speedups {
      predictions = speedups.map {
        let cause = RemovableCause.work($0.work)
        return Prediction(
          subject: .removable(cause), speedup: $0.factor,
          upTo: surface.lateFrames.removed(cause, speedup: $0.factor), whole: whole)
      }.stablySorted { $0.upTo > $1.upTo }
    } else {
      predictions = Self.predictions(of: surface, whole)
    }
    requiredSpeedups = (refreshIntervals ?? Self.usualIntervals(of: surface)).compactMap {
      RequiredSpeedup(
        at: $0, of: surface, in: analysis,
        isRecorded: isAtRecordedRates && $0 == surface.refreshInterval)
    }
  }

  fileprivate static func predictions(
    of surface: SurfaceAnalysis, _ whole: TimeSpan
  ) -> [Prediction] {
    var removable: [(cause: RemovableCause, attributed: TimeSpan)] = []
    var others: [Prediction] = []
    for cause in surface.causes where cause.hitchTime > .zero {
      let found: RemovableCause? =
        switch cause.kind {
        case .work(let category, let name): .work(WorkName(category: category, name: name))
        case .waiting(let wait): .wait(wait)
        case .unrecorded: .unrecorded
        default: nil
        }
      if let found {
        removable.append((found, cause.hitchTime))
      } else {
        others.append(
          Prediction(
            subject: .other(cause.kind), speedup: nil, upTo: .zero, whole: whole,
            attributed: cause.hitchTime))
      }
    }
    let frames = surface.lateFrames
    var found = removable.map { cause, attributed in
      Prediction(
        subject: .removable(cause), speedup: nil, upTo: frames.removed([cause]), whole: whole,
        attributed: attributed)
    }.stablySorted { $0.upTo > $1.upTo }
    let first = found.prefix(pairedCauses).filter { $0.upTo > .zero }
    for (index, one) in first.enumerated() {
      found[index].with = pairs(of: one, among: first, frames)
    }
    found += items(of: first, frames, whole)
    return found.stablySorted { $0.upTo > $1.upTo } + others
  }

  /// The causes that make the same frames late: what goes with both is not the sum.
  private static func pairs(
    of one: Prediction, among all: [Prediction], _ frames: [LateFrame]
  ) -> [Prediction.Pair] {
    guard case .removable(let cause) = one.subject else { return [] }
    return all.compactMap { other in
      guard case .removable(let second) = other.subject, second != cause,
        !cause.overlaps(second)
      else { return nil }
      let together = frames.removed([cause, second])
      let minimum = one.whole.nanoseconds / 20
      guard (together - max(one.upTo, other.upTo)).nanoseconds >= minimum,
        (together - (one.upTo + other.upTo)).magnitude.nanoseconds >= minimum
      else { return nil }
      return Prediction.Pair(cause: second, together: together)
    }
  }

  /// The items with most to go, where a few have a good part of their work's.
  private static func items(
    of all: [Prediction], _ frames: [LateFrame], _ whole: TimeSpan
  ) -> [Prediction] {
    var found: [Prediction] = []
    for prediction in all {
      guard case .removable(.work(let work)) = prediction.subject else { continue }
      var names: Set<String> = []
      for frame in frames where frame.hitchTime > .zero {
        for occupant in frame.attribution?.occupants ?? [] where work.includes(occupant.work) {
          if let item = occupant.item { names.insert(item) }
        }
      }
      guard names.count > 1 else { continue }
      for item in names.sorted() {
        let cause = RemovableCause.item(work, item)
        let upTo = frames.removed([cause])
        guard upTo.nanoseconds > prediction.upTo.nanoseconds / 4 else { continue }
        found.append(
          Prediction(subject: .removable(cause), speedup: nil, upTo: upTo, whole: whole))
      }
    }
    return Array(found.stablySorted { $0.upTo > $1.upTo }.prefix(listedItems))
  }

  private static func usualIntervals(of surface: SurfaceAnalysis) -> [TimeSpan] {
    let fast = TimeSpan(nanoseconds: 8_333_333)
    let recorded = surface.hitchTime == .zero ? [] : surface.refreshInterval.map { [$0] } ?? []
    return (surface.refreshInterval ?? fast) * 10 > fast * 11 ? recorded + [fast] : recorded
  }
}

extension Analysis {
  /// The surface that predictions are of: the one whose hitches the first screen explains, or where that has none, the
  /// one that the first finding about a surface is about, else the worst; `nil` if no frame was evaluated.
  fileprivate var predictedSurface: SurfaceAnalysis? {
    if let explainedSurface, explainedSurface.hitchTime ?? .zero > .zero { return explainedSurface }
    for case .surface(let name) in findings.lazy.map(\.subject) {
      if let surface = selectedSurfaces.first(where: { $0.name == name && $0.hitchTime != nil }) {
        return surface
      }
    }
    return worstOtherSurface ?? evaluatedPrimarySurface
  }

  /// The hitch time removed without each cause of a surface's hitch time, largest first; empty without hitch time
  /// (M-17). The surface is that of `PredictionReport`. It is computed whenever it is asked for.
  package var predictions: [Prediction] {
    guard !isDigest, options.findsCauses, let surface = predictedSurface,
      let whole = surface.hitchTime, whole > .zero
    else { return [] }
    return PredictionReport.predictions(of: surface, whole)
  }
}

extension RemovableCause {
  /// Returns a Boolean value indicating whether the time of one cause may include the other's.
  fileprivate func overlaps(_ other: RemovableCause) -> Bool {
    switch (self, other) {
    case (.wait, .wait), (.unrecorded, .unrecorded): false
    case (.work(let work), .unrecorded), (.unrecorded, .work(let work)): work.isFrameOfOtherWork
    case (.work(let first), .work(let second)):
      first.category == second.category && (first.name == nil || second.name == nil)
    default: true
    }
  }
}

/// The speedup required for zero hitch time at a refresh rate (M-17).
public struct RequiredSpeedup: Codable, Sendable {
  /// The refresh interval.
  public let refreshInterval: TimeSpan
  /// The hitch time of the recorded commits at that rate.
  public let hitchTime: TimeSpan
  /// The number of late commits with hitch time at that rate.
  public let lateCommits: Int
  /// The work in late commits, longest first.
  public let parts: [Part]
  /// As `Part.percent`, for all work in late commits together.
  public let percentOfAll: Int?
  /// The hitch time that remains even if that work takes no time; zero if `percentOfAll` is enough.
  public let remainingHitchTime: TimeSpan

  /// The required speedup of one kind of work.
  public struct Part: Codable, Sendable {
    /// The category of the work.
    public let category: String
    /// The name of the work, or `nil` for all of the category.
    public let name: String?
    /// The greatest percentage of its duration with zero hitch time, or `nil` if even zero is not enough.
    public let percent: Int?
  }

  private enum CodingKeys: String, CodingKey {
    case refreshInterval = "refreshIntervalNs", hitchTime = "hitchTimeNs", lateCommits, parts
    case percentOfAll, remainingHitchTime = "remainingHitchTimeNs"
  }

  private static let listedWork = 5

  /// Judges the commits of `surface` at a refresh interval; returns `nil` if no deadline is known.
  ///
  /// - Parameter isRecorded: Whether each commit is judged at its own refresh interval instead.
  init?(
    at refreshInterval: TimeSpan, of surface: SurfaceAnalysis, in analysis: Analysis,
    isRecorded: Bool
  ) {
    guard surface.overrun != nil else { return nil }
    let isRecorded =
      isRecorded
      || surface.refreshIntervals.allSatisfy {
        ($0.refreshInterval - refreshInterval).magnitude.nanoseconds <= refreshInterval.nanoseconds
          / 100
      }
    let frames =
      isRecorded
      ? surface.lateFrames.filter(\.isOfLateCommit)
      : FramePass(
        of: surface.surface, in: analysis.trace, options: analysis.options,
        besides: surface.hitches
      )
      .lateCommits(at: refreshInterval, in: analysis.selectedTime)
    let whole = frames.reduce(TimeSpan.zero) { $0 + $1.hitchTime }
    var times: [String: TimeSpan] = [:]
    for occupant in frames.lazy.compactMap(\.attribution).flatMap(\.occupants) {
      let work = occupant.around ?? occupant.work
      guard work.category != "scrolltrace.frame" else { continue }
      times[work.category, default: .zero] += occupant.time
    }
    let categories = times.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    func removed(_ categories: [String], _ percent: Int) -> TimeSpan {
      frames.removed { attribution in
        categories.reduce(.zero) { sum, category in
          let time = RemovableCause.work(WorkName(category: category)).time(in: attribution)
          return sum + TimeSpan(nanoseconds: time.nanoseconds / 100 * Int64(100 - percent))
        }
      }
    }
    func highest(_ categories: [String]) -> Int? {
      guard removed(categories, 0) == whole else { return nil }
      var (low, high) = (0, 100)
      while high - low > 1 {
        let middle = (low + high) / 2
        if removed(categories, middle) == whole { low = middle } else { high = middle }
      }
      return whole == .zero ? 100 : low
    }
    self.refreshInterval = refreshInterval
    hitchTime = whole
    lateCommits = frames.count { $0.hitchTime > .zero }
    parts = categories.prefix(Self.listedWork).map {
      Part(category: $0, name: nil, percent: highest([$0]))
    }
    percentOfAll = highest(categories)
    remainingHitchTime = percentOfAll == nil ? whole - removed(categories, 0) : .zero
  }
}

extension Trace {
  /// The kinds of work on the main track without spans that only wrap frames, longest first.
  package var mainWork: [WorkName] {
    guard let main = mainTrack else { return [] }
    let names = WorkNames(of: self, on: main)
    var times: [LabelID: TimeSpan] = [:]
    for span in tracks[main.index].spans {
      times[names.representative(of: span.label), default: .zero] += span.range.length
    }
    let waits = WaitingLabels(of: self)
    return times.filter { label, _ in !waits[label] && !isFrame(label) }
      .sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
      .map { label, _ in names[label] }
  }

  /// Returns a Boolean value indicating whether the main track has such work.
  package func holds(_ work: WorkName) -> Bool { mainWork.contains(where: work.includes) }
}
