package import ScrollTraceModel

/// A conclusion of the analysis, with its evidence and the change it proposes (M-19).
package struct Finding: Equatable, Sendable {
  /// What a finding is about.
  package enum Subject: Equatable, Sendable {
    /// The surface of this name.
    case surface(String)
    /// The list of this name.
    case list(String)
    /// The recording itself.
    case trace
  }

  /// The place where something happened.
  package struct Occurrence: Equatable, Sendable {
    /// The frame, or `nil` if unknown.
    package let frame: UInt64?
    /// The time.
    package let time: Timestamp
  }

  /// The measurements that a finding rests on.
  package struct Evidence: Equatable, Sendable {
    /// The number of occurrences, at least one.
    package let count: Int
    /// The total duration, or `nil` if it is unknown or the occurrences have none.
    package var total: TimeSpan?
    /// The number of affected hitches.
    package var hitches = 0
    /// The hitch time of those hitches inside their surface's measured time.
    package var hitchTime = TimeSpan.zero
    /// The worst occurrence, or `nil` if it has no place.
    package var worst: Occurrence?
  }

  /// Values that only some rules know; their meaning depends on the rule.
  package struct Details: Equatable, Sendable {
    /// The item of the longest occurrence.
    package var item: String?
    /// The items of the longest occurrences, longest first.
    package var items: [String] = []
    /// The main-thread work.
    package var work: WorkName?
    /// What the work is about, if its name says so.
    package var topic: WorkTopic?
    /// The longest occurrence, and the median of all.
    package var longest, median: TimeSpan?
    /// The main-thread work before and after the time in question.
    package var before, after: String?
    /// The state of the device, as `--state` takes it.
    package var state: String?
    /// The hitch time ratio in ms/s in that state, and otherwise.
    package var ratio, otherRatio: Double?
    /// A Boolean value indicating whether stacks of the main thread were sampled.
    package var hasSamples = false
    /// The number that the evidence's count is a part of, or a second count.
    package var of: Int?
    /// A share, 0 to 1; of size estimates the mean error, which may be larger.
    package var share: Double?
    /// A time other than the evidence's total.
    package var time: TimeSpan?
    /// The refresh interval that `time` is compared with.
    package var refreshInterval: TimeSpan?
    /// A Boolean value indicating whether every cell had a registration of its own.
    package var hasRegistrationForEachCell = false
    /// The threads that held the cores, or the one that was waited for, with its work.
    package var threads: [String] = []
    /// A Boolean value indicating whether most hitch time of the surface has this cause, or the finding
    /// weighs more than all of it.
    package var isMainCause = false
    /// A Boolean value indicating whether the threads are known to have run, not only to have had spans.
    package var isCertain = true
  }

  /// The rule that made the finding.
  package let id: FindingID
  /// What the finding is about.
  package let subject: Subject
  /// The measurements that the finding rests on.
  package let evidence: Evidence
  /// Further values.
  package var details = Details()
  /// The change to predict, or `nil` if no change to the main thread's work fixes the finding.
  package var proposedChange: ProposedChange?
  /// The hitch time that the proposed change removes (M-17), or `nil` if it was not predicted or is not
  /// predictable.
  package var predictedRemoval: PredictedRemoval?
  /// The hitch time that a replay with the proposed change removes, also if it is not predictable, for the
  /// order of findings; `nil` without a replay that is like the recording.
  package var replayedRemoval: TimeSpan?
}

extension Finding {
  /// The hitch time that a change is likely to remove (M-17).
  package struct PredictedRemoval: Equatable, Sendable {
    package let low: TimeSpan
    package let high: TimeSpan
    /// The removal in the replay under the usual assumptions.
    package let replayed: TimeSpan
    /// The share of such predictions that held in the study, or `nil` if it was not measured.
    package let hitRate: Double?

    package init(low: TimeSpan, high: TimeSpan, replayed: TimeSpan, hitRate: Double?) {
      (self.low, self.high, self.replayed, self.hitRate) = (low, high, replayed, hitRate)
    }
  }
}

extension Finding.Subject {
  /// The position among findings that are equal otherwise.
  var rank: Int {
    switch self {
    case .surface: 0
    case .list: 1
    case .trace: 2
    }
  }

  /// The name of the surface or list; empty for the recording.
  var name: String {
    switch self {
    case .surface(let name), .list(let name): name
    case .trace: ""
    }
  }
}
