import ScrollTraceModel

/// Converts thread states into context switches and wakeups, as the kernel records them.
struct PerfettoSwitches {
  struct Event {
    let time: Int64
    let core: Int16
    /// The thread that lost the core, or that woke the other one, or `nil` if there is none.
    let thread: TrackID?
    /// The thread that got the core, or became ready, or `nil` for an idle core.
    let other: TrackID?
    /// The kernel's number of the reason the thread lost the core, or `nil` for a wakeup.
    let reason: UInt64?
  }

  /// The kernel's numbers of the reasons a thread lost its core.
  private enum Reason {
    static let none: UInt64 = 0
    static let wait: UInt64 = 1
    static let uninterruptibleWait: UInt64 = 2
    /// The thread ended: no later state is known.
    static let end: UInt64 = 16
  }

  private struct Turn {
    let start: Int64
    let end: Int64
    let track: TrackID
    let reason: UInt64
  }

  private let trace: Trace
  private let last: Int64
  private var turns: [Int16: [Turn]] = [:]
  private(set) var events: [Event] = []
  /// The number of slices that no event represents.
  private(set) var unwrittenCount = 0

  /// Creates the events of `trace`, of which all cores must be known.
  init(_ trace: Trace) {
    self.trace = trace
    last = trace.tracks.compactMap(\.threadStates.ends.last).max() ?? 0
    for (id, track) in trace.numberedTracks { read(track.threadStates, of: id) }
    for core in turns.keys.sorted() { addSwitches(of: core) }
    // A thread becomes ready before it gets a core.
    events = events.stablySorted {
      ($0.core, $0.time, $0.reason == nil ? 0 : 1) < ($1.core, $1.time, $1.reason == nil ? 0 : 1)
    }
  }

  /// Returns whether events can represent the thread states of `trace`: all cores must be known,
  /// and no two threads can have the same number.
  static func canTell(_ trace: Trace, _ numbers: SmallNumbers) -> Bool {
    var seen: Set<Int64> = [0]
    for (id, track) in trace.numberedTracks where !track.threadStates.isEmpty {
      let number = numbers.threads[id.index]
      guard number > 0, number <= Int64(Int32.max), seen.insert(number).inserted else {
        return false
      }
      let states = track.threadStates
      for index in 0..<states.count where states.states[index] == .running {
        guard states.cores[index] >= 0 else { return false }
      }
    }
    return true
  }

  private mutating func read(_ states: ThreadStateColumns, of track: TrackID) {
    for index in 0..<states.count {
      let hasNext = index + 1 < states.count && states.starts[index + 1] == states.ends[index]
      let next = hasNext ? states.states[index + 1] : nil
      let hasPrevious = index > 0 && states.ends[index - 1] == states.starts[index]
      switch states.states[index] {
      case .running:
        turns[states.cores[index], default: []].append(
          Turn(
            start: states.starts[index], end: states.ends[index], track: track,
            reason: Self.reason(
              before: next,
              isUninterruptible: hasNext && states.isUninterruptible(at: index + 1))))
      case .ready:
        // A slice directly after another was preempted, one after a wait was woken.
        if !hasPrevious { addWakeup(of: track, at: states.starts[index], states.waker(at: index)) }
      case .blocked:
        if !hasPrevious || states.states[index - 1] != .running { unwrittenCount += 1 }
        let waker = next == .ready ? states.waker(at: index + 1) : nil
        let core = next == .running ? states.cores[index + 1] : nil
        guard next != nil || states.ends[index] == last else { continue }
        addWakeup(of: track, at: states.ends[index], waker, core: core)
      }
    }
  }

  private static func reason(before next: ThreadState?, isUninterruptible: Bool) -> UInt64 {
    switch next {
    case .blocked: isUninterruptible ? Reason.uninterruptibleWait : Reason.wait
    case nil: Reason.end
    case .running, .ready: Reason.none
    }
  }

  private mutating func addWakeup(
    of track: TrackID, at time: Int64, _ waker: TrackID?, core: Int16? = nil
  ) {
    events.append(
      Event(
        time: time, core: core ?? waker.flatMap { self.core(of: $0, at: time) } ?? 0,
        thread: waker, other: track, reason: nil))
  }

  /// Returns the core on which a thread ran at a time, or `nil` if it did not.
  private func core(of track: TrackID, at time: Int64) -> Int16? {
    let states = trace.tracks[track.index].threadStates
    let index = states.firstIndex(endingAfter: time)
    guard index < states.count, states.starts[index] <= time, states.states[index] == .running
    else { return nil }
    return states.cores[index]
  }

  private mutating func addSwitches(of core: Int16) {
    let sorted = (turns[core] ?? []).stablySorted { $0.start }
    for (index, turn) in sorted.enumerated() {
      let isDirect = index > 0 && sorted[index - 1].end >= turn.start
      if !isDirect {
        events.append(
          Event(time: turn.start, core: core, thread: nil, other: turn.track, reason: Reason.none))
      }
      let next = index + 1 < sorted.count ? sorted[index + 1] : nil
      let end = min(turn.end, next?.start ?? turn.end)
      if end < turn.end { unwrittenCount += 1 }
      let successor = next.flatMap { $0.start <= turn.end ? $0.track : nil }
      events.append(
        Event(time: end, core: core, thread: turn.track, other: successor, reason: turn.reason))
    }
  }
}
