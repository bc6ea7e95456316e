public import ScrollTraceModel

/// The origin of the lateness of a hitch.
public enum HitchKind: String, Codable, Sendable, CaseIterable {
  /// The commit ended after its deadline.
  case commit
  /// The commit was on time, but the presentation was late.
  case render
  /// No frame was presented although one was expected, and the next one was on time.
  case skippedRefresh
  /// The origin is unknown.
  case unknown
}

/// The severity of a hitch, in refreshes (M-7).
public enum HitchSeverity: String, Codable, Sendable, CaseIterable {
  /// Up to one refresh.
  case low
  /// Up to two refreshes.
  case moderate
  /// More than two refreshes.
  case high
}

/// A frame that was presented later than expected (M-4), or a range of skipped refreshes.
package struct Hitch: Sendable {
  /// The frame's number, or `nil` for refreshes that no frame ended.
  package let frame: UInt64?
  /// The frame's position in its surface's `FrameColumns`, or `nil` for refreshes that no frame
  /// ended.
  package internal(set) var frameIndex: Int?
  /// The start of the frame, or of the gap for skipped refreshes without a frame, or `nil` if
  /// unknown.
  package let start: Timestamp?
  /// The time by which the commit had to end, or `nil` if unknown.
  package let deadline: Timestamp?
  /// The time at which the frame should have been on screen, or `nil` if unknown.
  package let target: Timestamp?
  /// The time the frame was presented, or `nil` if unknown.
  package internal(set) var presented: Timestamp?
  /// The range in which the hitch is visible: from the expected to the actual time. `length` is
  /// less if only parts of a hitch at the end of a motion are known.
  package let range: TimeRange
  /// The lateness of the frame (M-2, M-3).
  package let length: TimeSpan
  /// The part of `length` in the measured time (M-5).
  package let lengthInMotion: TimeSpan
  /// The commit end minus the deadline, or `nil` if unknown.
  package internal(set) var overrun: TimeSpan?
  /// A Boolean value indicating whether `length` is estimated from the deadline (M-2).
  package internal(set) var isEstimated = false
  /// The number of whole refreshes skipped (M-7), or `nil` if unknown.
  package let refreshesMissed: Int?
  /// The number of whole refreshes of `lengthInMotion`, zero if no part counts.
  package let refreshesMissedInside: Int?
  package let kind: HitchKind
  package let severity: HitchSeverity?
  /// The source's own classification, or `nil` if there is none.
  package internal(set) var sourceLabel: String?
  /// The frame whose work delayed this one, or `nil` if there is none or it is unknown.
  package internal(set) var delayedByFrame: UInt64?
  /// The attribution of the window (M-16), or `nil` if there is no main track or no window.
  package internal(set) var attribution: Attribution?
  /// The attribution of the frame that delayed this one, or `nil` if there is none.
  package internal(set) var originAttribution: Attribution?
  /// The parts that count in the ratio, ascending in each motion.
  var pieces: [TimeRange]
  /// What made it late behind the main thread's work, if that was done in time although its kind does not say
  /// so, or `nil`.
  var delay: Delay?

  /// What makes a picture late although the main thread's work for it was done in time.
  enum Delay: Hashable, Sendable {
    /// The frame's deadline is unknown, and its commit ended as long before its target as those of half of
    /// the frames on time.
    case afterUsualCommit
    /// No frame was begun in this time.
    case noFrame(TimeRange)
    /// A frame is begun whenever so much time has passed, which is no whole number of refreshes.
    case ownRate(TimeSpan)
    /// A frame before it was done in time and dropped.
    case dropped
    /// A thread that draws worked on the frame, in a number of parts with the label, or waited with it.
    case drawing(thread: TrackID, label: LabelID, parts: Int, time: TimeSpan, Drawing)
    /// The display's own frame was late, whatever the app did.
    case display
  }

  /// What a thread that draws did for most of the time.
  enum Drawing: Hashable, Sendable {
    case works
    /// It was ready to run, and had no core.
    case hasNoCore
    case waits
    case waitsForDisk
    /// The GPU did its work, or the thread waited for that.
    case gpu
  }

  /// A Boolean value indicating whether the main thread's work was done in time, so that the cause comes
  /// after it.
  package var isAfterCommit: Bool { kind == .render || delay != nil }

  /// A Boolean value indicating whether the screen did not change for 700 ms or more (M-7).
  package var isFrozen: Bool { length >= .milliseconds(700) }

  /// The attribution of the hitch: of the frame that delayed it, or of its own window.
  package var chargedAttribution: Attribution? { originAttribution ?? attribution }
}

/// The work of one category, name and item in a window (M-16).
public struct Cause: Codable, Equatable, Sendable {
  /// The category of the work.
  public let category: String
  /// The name of the work.
  public let name: String
  /// The item as the source writes it, or `nil` if unknown.
  public let item: String?
  /// The time in such spans, without the spans inside them.
  public let selfTime: TimeSpan
  /// The share of the window, 0 to 1.
  public let share: Double

  private enum CodingKeys: String, CodingKey {
    case category, name, item, selfTime = "selfNs", share
  }
}

/// The main-thread work in the window of a hitch (M-16). The parts add up to the window.
package struct Attribution: Sendable {
  /// A span, or several of one name and item, that was innermost in a part of the window.
  package struct Occupant: Equatable, Sendable {
    package let work: WorkName
    /// The item as the source writes it, or `nil` if unknown.
    package let item: String?
    /// The time, on a core or not.
    package let time: TimeSpan
    /// The part of it in which the thread waited.
    package let waited: TimeSpan
    /// What it waited for, or `nil` if it did not.
    package internal(set) var wait: Wait?
    /// A Boolean value indicating whether the span is marked as a wait.
    package let isWait: Bool
    /// The work around a wait, and its item, or `nil` if there is none.
    package let around: WorkName?
    package let aroundItem: String?
  }

  package let window: TimeRange
  /// The work, longest first.
  package let causes: [Cause]
  /// The time in spans marked as waiting.
  package let waiting: TimeSpan
  /// The time in which the thread was ready to run and had no core (M-25).
  package let notScheduled: TimeSpan
  /// The time in which the thread was blocked inside a span that is not marked as waiting (M-25).
  package let blocked: TimeSpan
  /// The time off a core inside a span, of which the source does not say whether the thread was ready or
  /// blocked (M-25).
  package let notRunning: TimeSpan
  /// The time between the frame's start and its commit's, without a span and without need for a core.
  package let lateStart: TimeSpan
  /// The time in which the main thread was idle, so the cause is elsewhere.
  package let idle: TimeSpan
  /// The time that no span explains.
  package let unrecorded: TimeSpan
  /// The spans that were innermost in the window, longest first.
  package internal(set) var occupants: [Occupant]
  /// The most of the work that may be another cause's, since several spans share one count of the system by
  /// their lengths (M-25).
  package let estimated: TimeSpan
  /// What the thread did in the window by the system's own count (M-25), or `nil` if unknown.
  package let thread: ThreadTimes?
  /// The work around other work, longest first; of equal length, the outer one first.
  package var enclosing: [Enclosing] = []

  /// Work with all that is inside it.
  package struct Enclosing: Equatable, Sendable {
    package let work: WorkName
    /// The time, on a core or not.
    package let time: TimeSpan
  }
}

extension Attribution {
  /// The time in which the thread had work and was off a core, or came to its frame late (M-25).
  package var offCore: TimeSpan { notScheduled + blocked + notRunning + lateStart }

  /// The waits, longest first. They add up to the time waiting and blocked.
  package var waits: [(wait: Wait, time: TimeSpan)] {
    var found: [(wait: Wait, time: TimeSpan)] = []
    for occupant in occupants {
      guard let wait = occupant.wait, occupant.waited > .zero else { continue }
      if let index = found.firstIndex(where: { $0.wait == wait }) {
        found[index].time += occupant.waited
      } else {
        found.append((wait, occupant.waited))
      }
    }
    return found.stablySorted { $0.time > $1.time }
  }

  /// The parts of the window that are not work, in the order of reports.
  package var rest: [(kind: CauseSummary.Kind, time: TimeSpan)] {
    waits.map { (.waiting($0.wait), $0.time) } + [
      (.notScheduled, notScheduled), (.notRunning, notRunning), (.lateStart, lateStart),
      (.idle, idle), (.unrecorded, unrecorded),
    ]
  }
}

extension Hitch {
  /// The cause that takes the most of the window.
  package var mainCause: CauseSummary.Kind {
    guard !isAfterCommit else { return .render }
    guard let attribution = chargedAttribution, attribution.window.length > .zero else {
      return .unknown
    }
    let work = attribution.groups.map {
      (kind: CauseSummary.Kind.work(category: $0.category, name: $0.name), time: $0.selfTime)
    }
    return (work + attribution.rest).stablySorted { $0.time > $1.time }.first?.kind ?? .unknown
  }
}
