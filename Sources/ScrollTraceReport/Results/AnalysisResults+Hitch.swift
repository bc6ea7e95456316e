public import ScrollTraceAnalysis
public import ScrollTraceModel

extension AnalysisResults {
  /// A frame that was presented later than expected (M-4), or a range of skipped refreshes.
  public struct Hitch: Codable, Sendable {
    /// The number of the frame, or `nil` for refreshes that no frame ended.
    public let frame: UInt64?
    /// The start of the frame, or of the gap for skipped refreshes without a frame, or `nil` if unknown.
    public let start: TimeSpan?
    /// The time by which the commit had to end, or `nil` if unknown.
    public let deadline: TimeSpan?
    /// The time at which the frame should have been on screen, or `nil` if unknown.
    public let target: TimeSpan?
    /// The time the frame was presented, or `nil` if unknown.
    public let presented: TimeSpan?
    /// The lateness of the frame (M-2, M-3).
    public let length: TimeSpan
    /// The part of `length` in the measured time (M-5).
    public let lengthInMotion: TimeSpan
    /// The commit end minus the deadline, negative for slack, or `nil` if unknown.
    public let overrun: TimeSpan?
    /// A Boolean value indicating whether `length` is estimated from the deadline (M-2).
    public let isEstimated: Bool
    /// The number of whole refreshes skipped (M-7), or `nil` if unknown.
    public let refreshesMissed: Int?
    /// The origin of the lateness.
    public let kind: HitchKind
    /// The severity in refreshes (M-7), or `nil` if unknown.
    public let severity: HitchSeverity?
    /// A Boolean value indicating whether the screen did not change for 700 ms or more (M-7).
    public let isFrozen: Bool
    /// The source's own classification, or `nil` if there is none.
    public let sourceLabel: String?
    /// The frame whose work made this one late, or `nil` if there is none or it is unknown.
    public let delayedByFrame: UInt64?
    /// The work in the window of the hitch (M-16), longest first.
    public let causes: [Cause]
    /// The time in spans marked as waiting, or `nil` without a window.
    public let waiting: TimeSpan?
    /// The time ready to run without a core, or `nil` if `thread` is.
    public let notScheduled: TimeSpan?
    /// The blocked time inside a span, or `nil` if `thread` is.
    public let blocked: TimeSpan?
    /// The time off a core inside a span, ready or blocked, or `nil` if `thread` is.
    public let notRunning: TimeSpan?
    /// The time from the frame's start to its commit's, without a span, or `nil` without a window.
    public let lateStart: TimeSpan?
    /// The time in which the main thread was idle, or `nil` without a window.
    public let idle: TimeSpan?
    /// The time that no span explains, or `nil` without a window.
    public let unrecorded: TimeSpan?
    /// The maximum of the time in `causes` and `unrecorded` that may be another cause's, since the system's
    /// count is shared by the lengths of spans, or `nil` if `thread` is.
    public let estimated: TimeSpan?
    /// What the main thread did in the window (M-25), or `nil` if nothing was counted.
    public let thread: ThreadTimes?
    /// The samples in the window (M-26), or `nil` without any.
    public let stacks: HitchStacks?

    private enum CodingKeys: String, CodingKey {
      case frame, start = "startNs", deadline = "deadlineNs", target = "targetNs"
      case presented = "presentedNs", length = "hitchNs", lengthInMotion = "hitchInMotionNs"
      case overrun = "overrunNs", isEstimated = "estimated", refreshesMissed, kind, severity
      case isFrozen = "frozen", sourceLabel, delayedByFrame, causes, waiting = "waitingNs"
      case notScheduled = "notScheduledNs", blocked = "blockedNs", notRunning = "notRunningNs"
      case lateStart = "lateStartNs", idle = "idleNs", unrecorded = "unrecordedNs"
      case estimated = "estimatedNs", thread, stacks
    }

    init(_ hitch: ScrollTraceAnalysis.Hitch, from start: Timestamp, _ samples: SampleTimeline?) {
      let window = hitch.attribution
      let counted = window?.thread == nil ? nil : window
      frame = hitch.frame
      self.start = hitch.start.map { $0 - start }
      deadline = hitch.deadline.map { $0 - start }
      target = hitch.target.map { $0 - start }
      presented = hitch.presented.map { $0 - start }
      length = hitch.length
      lengthInMotion = hitch.lengthInMotion
      overrun = hitch.overrun
      isEstimated = hitch.isEstimated
      refreshesMissed = hitch.refreshesMissed
      kind = hitch.kind
      severity = hitch.severity
      isFrozen = hitch.isFrozen
      sourceLabel = hitch.sourceLabel
      delayedByFrame = hitch.delayedByFrame
      causes = window?.causes ?? []
      waiting = window?.waiting
      notScheduled = counted?.notScheduled
      blocked = counted?.blocked
      notRunning = counted?.notRunning
      lateStart = window?.lateStart
      idle = window?.idle
      unrecorded = window?.unrecorded
      estimated = counted?.estimated
      thread = window?.thread
      stacks = HitchStacks(in: hitch.chargedAttribution?.window, samples)
    }
  }

  /// The samples in the window of a hitch (M-26).
  public struct HitchStacks: Codable, Sendable {
    /// The number of samples.
    public let samples: Int
    /// The time that samples represent.
    public let sampled: TimeSpan
    /// The rest of the window.
    public let notSampled: TimeSpan
    /// The five functions with the longest own time.
    public let functions: [Function]
    /// The functions of the heaviest call path, outermost first.
    public let path: [String]

    /// A function in the window of a hitch.
    public struct Function: Codable, Sendable {
      /// The name of the function.
      public let name: String
      /// The module or file, or `nil` if unknown.
      public let place: String?
      /// The time in which it was innermost, or `nil` if there are too few samples.
      public let own: TimeSpan?
      /// The number of samples in which it was innermost.
      public let ownSamples: Int

      private enum CodingKeys: String, CodingKey { case name, place, own = "ownNs", ownSamples }
    }

    private enum CodingKeys: String, CodingKey {
      case samples, sampled = "sampledNs", notSampled = "notSampledNs", functions, path
    }

    init?(in window: TimeRange?, _ timeline: SampleTimeline?) {
      guard let window, let timeline else { return nil }
      let account = timeline.account(of: TimeRangeSet(union: [window]))
      guard account.samples > 0 else { return nil }
      samples = account.samples
      sampled = account.sampled
      notSampled = account.notSampled
      functions = account.functions.prefix(5).map {
        Function(
          name: $0.name, place: $0.module, own: account.isOnlyOrder ? nil : $0.own,
          ownSamples: $0.ownSamples)
      }
      path = account.rows.flatMap(\.paths).max { $0.time < $1.time }?.functions ?? []
    }
  }

  /// One cause of a surface's hitches, with the hitch time attributed to it (M-16).
  public struct SurfaceCause: Codable, Sendable {
    /// The kind of the cause.
    public let kind: CauseKind
    /// The category of the work or of the span of the wait, or `nil` if it is neither.
    public let category: String?
    /// The name of the work or of the span of the wait, or `nil` if it is neither.
    public let name: String?
    /// What the wait was for, or `nil` if it is not a wait.
    public let waitKind: WaitKind?
    /// The thread that was waited for, or `nil` if it was none or is unknown.
    public let heldByThread: String?
    /// The work of that thread, or `nil` if unknown.
    public let heldByWork: String?
    /// The hitch time within the measured time.
    public let hitchTime: TimeSpan
    /// The share of the surface's hitch time, 0 to 1.
    public let share: Double
    /// The number of hitches with this cause.
    public let hitches: Int
    /// The number of different items, or 0 if the source does not name them.
    public let items: Int
    /// The total time of the cause in the windows of those hitches.
    public let time: TimeSpan
    /// The frame with the most hitch time of this cause, or `nil` if no frame ended that hitch.
    public let worstFrame: UInt64?
    /// The start of that hitch.
    public let worstAt: TimeSpan

    private enum CodingKeys: String, CodingKey {
      case kind, category, name, waitKind, heldByThread, heldByWork, hitchTime = "hitchTimeNs"
      case share, hitches, items, time = "timeNs", worstFrame, worstAt = "worstAtNs"
    }

    init(_ cause: CauseSummary, of surface: SurfaceAnalysis, from start: Timestamp) {
      let named = NamedCause(cause.kind)
      (kind, category, name, waitKind) = (named.kind, named.category, named.name, named.waitKind)
      (heldByThread, heldByWork) = (named.heldByThread, named.heldByWork)
      hitchTime = cause.hitchTime
      share = surface.share(of: cause.hitchTime)
      hitches = cause.hitchCount
      items = cause.itemCount
      time = cause.time
      worstFrame = cause.worstFrame
      worstAt = cause.worstAt - start
    }
  }

  /// A cause of hitches, by its names.
  public struct NamedCause: Codable, Sendable {
    /// The kind of the cause.
    public let kind: CauseKind
    /// The category of the work or of the span of the wait, or `nil` if it is neither.
    public let category: String?
    /// The name of the work or of the span of the wait, or `nil` if it is neither or all of a category.
    public let name: String?
    /// The item, or `nil` if the cause is not that of one item.
    public let item: String?
    /// What the wait was for, or `nil` if it is not a wait.
    public let waitKind: WaitKind?
    /// The thread that was waited for, or `nil` if it was none or is unknown.
    public let heldByThread: String?
    /// The work of that thread, or `nil` if unknown.
    public let heldByWork: String?

    private init(
      kind: CauseKind, _ work: WorkName? = nil, item: String? = nil, wait: Wait? = nil
    ) {
      self.kind = kind
      category = work?.category
      name = work?.name
      self.item = item
      waitKind = wait?.kind
      heldByThread = wait?.owner?.thread
      heldByWork = wait?.owner?.work
    }

    init(_ kind: CauseSummary.Kind) {
      switch kind {
      case .work(let category, let name):
        self.init(kind: .work, WorkName(category: category, name: name))
      case .waiting(let wait): self.init(kind: .waiting, wait.span, wait: wait)
      default: self.init(kind: kind.plain)
      }
    }

    init(_ cause: RemovableCause) {
      switch cause {
      case .work(let work), .whole(let work): self.init(kind: .work, work)
      case .item(let work, let item): self.init(kind: .item, work, item: item)
      case .wait(let wait): self.init(kind: .waiting, wait.span, wait: wait)
      case .unrecorded: self.init(kind: .unrecorded)
      }
    }
  }
}
