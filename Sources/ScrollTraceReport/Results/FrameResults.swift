public import ScrollTraceAnalysis
public import ScrollTraceModel

/// What a report on one frame says, as values: its JSON is their encoding.
public struct FrameResults: Codable, Sendable {
  /// The schema of a report on one frame. Keys may be added to it.
  package static let schema = "scrolltrace.frame/2"

  /// The schema of the encoding: `scrolltrace.frame/2`.
  public let schema: String
  /// The program that wrote the report.
  public let tool: AnalysisResults.Tool
  /// The frame in each run.
  public let runs: [Run]

  /// The frame in one run.
  public struct Run: Codable, Sendable {
    /// The origin of the trace.
    public let input: AnalysisResults.Input
    /// The frame, or `nil` if the run has none with this number.
    public let frame: Details?
  }

  /// A frame, with the work while it was made.
  public struct Details: Codable, Sendable {
    /// The name of the surface.
    public let surface: String
    /// The number of the frame.
    public let frame: UInt64
    /// The number of frames of the surface with that number. This is the worst of them.
    public let sameNumber: Int
    /// The most specific status.
    public let status: FrameStatus
    /// The times of the frame.
    public let timestamps: Timestamps
    /// The refresh interval, or `nil` if unknown.
    public let refreshInterval: TimeSpan?
    /// The commit end minus the deadline (M-1), negative if it was met, or `nil` if unknown.
    public let overrun: TimeSpan?
    /// The source's own classification, or `nil` if there is none.
    public let sourceLabel: String?
    /// The interactions that it belongs to (M-5), by start.
    public let interactions: [Interaction]
    /// The states that it belongs to (M-18), by key.
    public let states: [AnalysisResults.StateValue]
    /// The hitch, or `nil` if it was on time or this is unknown.
    public let hitch: AnalysisResults.Hitch?
    /// The work of the main thread in its time (M-16), or `nil` if unknown.
    public let window: Window?
    /// From its first to its last time, or `nil` if none is known.
    public let range: Range?
    /// The spans of the main thread in this range, or `nil` if there are none.
    public let main: Track?
    /// What the scheduler did with the main thread (M-25); empty if unknown.
    public let schedule: [Slice]
    /// The samples in the window (M-26), or `nil` without samples.
    public let stacks: AnalysisResults.SampleSums?
    /// The app's other threads, the busiest first.
    public let background: [Track]

    private enum CodingKeys: String, CodingKey {
      case surface, frame, sameNumber, status, timestamps, refreshInterval = "refreshIntervalNs"
      case overrun = "overrunNs", sourceLabel, interactions, states, hitch, window, range, main
      case schedule, stacks, background
    }

    init(_ detail: FrameDetail, in run: Analysis) {
      let trace = run.trace
      let start = trace.range.start
      surface = detail.surface
      frame = detail.frame.id
      sameNumber = detail.sameNumberCount
      status = detail.status
      timestamps = Timestamps(detail.frame, from: start)
      refreshInterval = detail.refreshInterval
      overrun = detail.overrun
      sourceLabel = detail.sourceLabel
      interactions = detail.interactions.map { interaction in
        Interaction(
          kind: interaction.kind, name: interaction.name, start: interaction.start - start,
          end: interaction.end.map { $0 - start })
      }
      states = detail.states.map { AnalysisResults.StateValue(key: $0.key, value: $0.value) }
      hitch = detail.hitch.map {
        AnalysisResults.Hitch($0, from: start, run.samples?.timeline)
      }
      window = detail.attribution.map { Window($0, from: start) }
      range = detail.range.map { Range(start: $0.start - start, end: $0.end - start) }
      main = detail.main.map { Track($0, in: trace) }
      schedule = detail.mainStates.map {
        Slice(
          state: "\($0.state)", start: $0.range.start - start, end: $0.range.end - start)
      }
      if let samples = run.samples, let window = detail.attribution?.window {
        stacks = AnalysisResults.SampleSums(
          samples.timeline.account(of: TimeRangeSet(union: [window])))
      } else {
        stacks = nil
      }
      background = detail.background.map { Track($0, in: trace) }
    }
  }

  /// The times of a frame, each `nil` if unknown.
  public struct Timestamps: Codable, Sendable {
    /// The start.
    public let start: TimeSpan?
    /// The start of the commit.
    public let commitStart: TimeSpan?
    /// The end of the commit.
    public let commitEnd: TimeSpan?
    /// The time by which the commit had to end.
    public let deadline: TimeSpan?
    /// The time at which it should have been on screen.
    public let target: TimeSpan?
    /// The time it was presented.
    public let presented: TimeSpan?

    private enum CodingKeys: String, CodingKey {
      case start = "startNs", commitStart = "commitStartNs", commitEnd = "commitEndNs"
      case deadline = "deadlineNs", target = "targetNs", presented = "presentedNs"
    }

    init(_ frame: Frame, from origin: Timestamp) {
      start = frame.start.map { $0 - origin }
      commitStart = frame.commitStart.map { $0 - origin }
      commitEnd = frame.commitEnd.map { $0 - origin }
      deadline = frame.deadline.map { $0 - origin }
      target = frame.target.map { $0 - origin }
      presented = frame.presented.map { $0 - origin }
    }
  }

  /// An interaction that a frame belongs to.
  public struct Interaction: Codable, Sendable {
    /// The kind: drag, deceleration and so on, or a custom word.
    public let kind: String
    /// The name, or an empty string.
    public let name: String
    /// The start.
    public let start: TimeSpan
    /// The end, or `nil` if it never ended.
    public let end: TimeSpan?

    private enum CodingKeys: String, CodingKey { case kind, name, start = "startNs", end = "endNs" }
  }

  /// The work of the main thread in the window of a frame (M-16). Causes and times add up to the window.
  public struct Window: Codable, Sendable {
    /// The start.
    public let start: TimeSpan
    /// The end.
    public let end: TimeSpan
    /// The work, longest first.
    public let causes: [Cause]
    /// The time in spans marked as waiting.
    public let waiting: TimeSpan
    /// The time ready to run without a core, or `nil` if `thread` is.
    public let notScheduled: TimeSpan?
    /// The blocked time inside a span, or `nil` if `thread` is.
    public let blocked: TimeSpan?
    /// The time off a core inside a span, ready or blocked, or `nil` if `thread` is.
    public let notRunning: TimeSpan?
    /// The time from the frame's start to its commit's, without a span.
    public let lateStart: TimeSpan
    /// The time in which the main thread was idle.
    public let idle: TimeSpan
    /// The time that no span explains.
    public let unrecorded: TimeSpan
    /// The maximum of the time in `causes` and `unrecorded` that may be another cause's, or `nil` if `thread` is.
    public let estimated: TimeSpan?
    /// What the main thread did (M-25), or `nil` if nothing was counted.
    public let thread: ThreadTimes?

    private enum CodingKeys: String, CodingKey {
      case start = "startNs", end = "endNs", causes, waiting = "waitingNs"
      case notScheduled = "notScheduledNs", blocked = "blockedNs", notRunning = "notRunningNs"
      case lateStart = "lateStartNs", idle = "idleNs", unrecorded = "unrecordedNs"
      case estimated = "estimatedNs", thread
    }

    init(_ attribution: Attribution, from origin: Timestamp) {
      let counted = attribution.thread == nil ? nil : attribution
      start = attribution.window.start - origin
      end = attribution.window.end - origin
      causes = attribution.causes
      waiting = attribution.waiting
      notScheduled = counted?.notScheduled
      blocked = counted?.blocked
      notRunning = counted?.notRunning
      lateStart = attribution.lateStart
      idle = attribution.idle
      unrecorded = attribution.unrecorded
      estimated = counted?.estimated
      thread = attribution.thread
    }
  }

  /// A range of time.
  public struct Range: Codable, Sendable {
    /// The start.
    public let start: TimeSpan
    /// The end.
    public let end: TimeSpan

    private enum CodingKeys: String, CodingKey { case start = "startNs", end = "endNs" }
  }

  /// A slice of what the scheduler did with a thread (M-25).
  public struct Slice: Codable, Sendable {
    /// The state: `running`, `ready` or `blocked`.
    public let state: String
    /// The start.
    public let start: TimeSpan
    /// The end.
    public let end: TimeSpan

    private enum CodingKeys: String, CodingKey { case state, start = "startNs", end = "endNs" }
  }

  /// The work of a thread in the range of a frame.
  public struct Track: Codable, Sendable {
    /// The name of the thread.
    public let name: String
    /// The length of the union of its spans in the range.
    public let busy: TimeSpan
    /// The spans of the main thread, or the innermost span at each time; `nil` except for the 16 busiest threads.
    public let segments: [Segment]?

    private enum CodingKeys: String, CodingKey { case name, busy = "busyNs", segments }

    init(_ track: FrameTrack, in trace: Trace) {
      let origin = trace.range.start
      name = track.name
      busy = track.busy
      let found = track.pieces.map { segment in
        Segment(
          category: trace.category(of: segment.label), name: trace.name(of: segment.label),
          item: segment.item.flatMap(trace.displayText), start: segment.range.start - origin,
          end: segment.range.end - origin, depth: segment.depth)
      }
      segments = found.isEmpty ? nil : found
    }
  }

  /// A span of work, which can extend beyond the range.
  public struct Segment: Codable, Sendable {
    /// The category.
    public let category: String
    /// The name.
    public let name: String
    /// The item that the work is for, or `nil` if unknown.
    public let item: String?
    /// The start.
    public let start: TimeSpan
    /// The end.
    public let end: TimeSpan
    /// The number of enclosing spans.
    public let depth: Int

    private enum CodingKeys: String, CodingKey {
      case category, name, item, start = "startNs", end = "endNs", depth
    }
  }
}

extension FrameResults {
  init(_ report: Report, frame number: UInt64) {
    schema = Self.schema
    tool = .current
    runs = report.runs.map { run in
      Run(
        input: AnalysisResults.Input(of: run),
        frame: run.detail(ofFrame: number).map { Details($0, in: run) })
    }
  }
}
