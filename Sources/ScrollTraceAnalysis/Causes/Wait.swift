import ScrollTraceModel

/// What a thread waited for.
public enum WaitKind: String, Codable, Sendable, CaseIterable {
  /// A lock that another thread of the host held.
  case lock
  /// A disk or a file.
  case disk
  /// A socket, a pipe or another process.
  case process
  case timer
  case display
  /// The trace does not show it.
  case unknown
}

/// A wait of the main thread: the span that it waited in, and what it waited for (M-16).
package struct Wait: Hashable, Sendable {
  package typealias Kind = WaitKind

  /// The thread that held a lock, with its work.
  package struct Owner: Hashable, Sendable {
    package let thread: String
    /// The name of its span, or `nil` if none was open.
    package let work: String?
  }

  package let span: WorkName
  package let kind: Kind
  /// Who held the lock, or `nil` if it was none or nobody knows.
  package var owner: Owner?
}

extension WaitKind {
  /// What was waited for, after a verb, or nothing if there are no words.
  var phrase: Phrase {
    switch self {
    case .disk: " for the disk"
    case .process: " for another process"
    case .timer: " for a timer"
    case .lock, .display, .unknown: ""
    }
  }
}

/// Determines what the main thread waited for.
struct WaitResolver {
  /// How long before the end of a wait the work that ended it can have ended.
  private static let maximumDelay: Int64 = 1_000_000
  /// The number of callers that are searched for a function that waits.
  private static let searchedCallers = 4

  private let trace: Trace
  private let timelines: [BusyTimeline]
  private let track: TrackID
  private let samples: SampleSeries?
  private let isDiskFile: [Bool]

  init(of trace: Trace, _ workload: TrackWorkload, on track: TrackID) {
    self.trace = trace
    self.track = track
    timelines = workload.timelines
    samples = trace.samples.filter { $0.track == track && $0.count > 0 }
      .max { $0.count < $1.count }
    isDiskFile = trace.labels.labels.map {
      WorkTopic(WorkName(category: trace.strings[$0.category], name: trace.strings[$0.name]))
        == .files
    }
  }

  /// Returns the wait in a span.
  ///
  /// - Parameters:
  ///   - range: The time of the span.
  ///   - isMarked: Whether the span is a wait as a whole.
  ///   - readsFromDisk: Whether the thread read from disk meanwhile, or `nil` if unknown.
  func wait(in label: LabelID, _ range: TimeRange, isMarked: Bool, readsFromDisk: Bool?) -> Wait {
    let span = trace.workName(of: label)
    let named = isMarked ? Self.kind(ofName: span.name ?? "") : nil
    if named == .display || named == .timer { return Wait(span: span, kind: named ?? .unknown) }
    if let owner = waker(in: range) ?? owner(in: range) {
      return Wait(span: span, kind: .lock, owner: owner)
    }
    let isFile = Int(label.rawValue) < isDiskFile.count && isDiskFile[Int(label.rawValue)]
    let sampled = sampledKind(in: range, readsFromDisk: readsFromDisk)
    let kind = named ?? sampled ?? (readsFromDisk == true || isFile ? .disk : .unknown)
    return Wait(span: span, kind: kind)
  }

  // MARK: - Who held it

  /// The thread that woke this one after most of the time that it was blocked in `range`, by the
  /// scheduler.
  private func waker(in range: TimeRange) -> Wait.Owner? {
    let states = trace.tracks[track.index].threadStates
    guard !states.isEmpty else { return nil }
    var sums: [Wait.Owner: Int64] = [:]
    var index = states.firstIndex(endingAfter: range.start.nanoseconds)
    while index < states.count, states.starts[index] < range.end.nanoseconds {
      if states.states[index] == .blocked, index + 1 < states.count,
        let waker = states.waker(at: index + 1), waker != track,
        trace.processes[trace.tracks[waker.index].process.index].isHost
      {
        let owner = Wait.Owner(
          thread: trace.displayName(of: waker), work: work(of: waker, at: states.ends[index]))
        sums[owner, default: 0] = sums[owner, default: 0].saturatingAdd(
          states.ends[index] - states.starts[index])
      }
      index += 1
    }
    return sums.max {
      ($0.value, $1.key.thread, $1.key.work ?? "") < ($1.value, $0.key.thread, $0.key.work ?? "")
    }?.key
  }

  private func work(of track: TrackID, at instant: Int64) -> String? {
    let window = TimeRange(
      start: Timestamp(clamping: max(0, instant - Self.maximumDelay)),
      end: Timestamp(clamping: instant))
    let spans = trace.tracks[track.index].spans
    return timelines[track.index].spanIndexes(in: window).indexes.last.map {
      trace.name(of: spans.labels[$0])
    }
  }

  /// The thread of the host whose span covers nine tenths of `range`, or half of it and ends with it.
  private func owner(in range: TimeRange) -> Wait.Owner? {
    let length = range.length.nanoseconds
    var best: (owner: Wait.Owner, overlap: Int64, span: Int64)?
    for (id, other) in trace.numberedTracks
    where id != track && trace.processes[other.process.index].isHost {
      let spans = other.spans
      for index in timelines[id.index].spanIndexes(in: range).indexes {
        let time = spans.times[index]
        let overlap =
          min(time.end, range.end.nanoseconds) - max(time.start, range.start.nanoseconds)
        let ends = abs(time.end - range.end.nanoseconds) <= Self.maximumDelay
        guard overlap >= length / 10 * 9 || ends && overlap >= length / 2 else { continue }
        // Of those that fit equally, the innermost says most.
        if let best, (overlap, best.span) <= (best.overlap, time.length) { continue }
        best = (
          Wait.Owner(thread: trace.displayName(of: id), work: trace.name(of: spans.labels[index])),
          overlap, time.length
        )
      }
    }
    return best?.owner
  }

  // MARK: - What kind it is

  /// The kind that most samples of `range` end in, or `nil` if they say none.
  private func sampledKind(in range: TimeRange, readsFromDisk: Bool?) -> Wait.Kind? {
    guard let samples else { return nil }
    var counts: [Wait.Kind: Int] = [:]
    var index = samples.times.partitionPoint { $0 >= range.start.nanoseconds }
    while index < samples.count, samples.times[index] < range.end.nanoseconds {
      if let kind = kind(of: samples.stack(at: index), readsFromDisk: readsFromDisk) {
        counts[kind, default: 0] += 1
      }
      index += 1
    }
    return counts.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key
  }

  private func kind(of stack: StackID, readsFromDisk: Bool?) -> Wait.Kind? {
    var stack = stack
    for _ in 0..<Self.searchedCallers where stack.rawValue >= 0 {
      let name = trace.strings[trace.stackTree.function(of: stack).name]
      if let kind = Self.kind(ofFunction: name, readsFromDisk: readsFromDisk) { return kind }
      stack = trace.stackTree.caller(of: stack)
    }
    return nil
  }

  /// The kind of wait that a function of the system stands for, or `nil`.
  static func kind(ofFunction name: String, readsFromDisk: Bool? = nil) -> Wait.Kind? {
    var name = name.drop { $0 == "_" }
    // As the GNU C library does: `__GI___libc_read`.
    for prefix in ["GI_", "libc_", "lll_"] where name.hasPrefix(prefix) {
      name = name.dropFirst(prefix.count).drop { $0 == "_" }
    }
    if name.hasSuffix("64") { name = name.dropLast(2) }
    switch name {
    // A socket or a pipe is read by the same function as a file.
    case "read", "readv": return readsFromDisk == false ? .process : .disk
    case "pread", "preadv", "write", "pwrite", "writev", "pwritev", "fsync",
      "fdatasync", "msync", "sync", "open", "openat", "fopen", "fread", "stat", "fstat", "getdents":
      return .disk
    case "recv", "recvfrom", "recvmsg", "send", "sendto", "sendmsg", "poll", "ppoll", "select",
      "pselect", "epoll_wait", "epoll_pwait", "connect", "accept", "waitpid", "wait4":
      return .process
    case "nanosleep", "clock_nanosleep", "usleep", "sleep": return .timer
    case "lock_wait", "lock_wait_private", "pthread_mutex_lock", "pthread_rwlock_rdlock",
      "pthread_rwlock_wrlock", "psynch_mutexwait", "ulock_wait", "os_unfair_lock_lock":
      return .lock
    default: return nil
    }
  }

  /// The kind that the name of a wait says, or `nil`.
  private static func kind(ofName name: String) -> Wait.Kind? {
    let words = Set(WorkTopic.words(of: name))
    func has(_ known: Set<String>) -> Bool { !words.isDisjoint(with: known) }
    if has(["vsync", "swap", "present", "vblank", "drawable", "acquire", "buffers"]) {
      return .display
    }
    if has(["lock", "mutex", "semaphore", "latch"]) { return .lock }
    if has(["disk", "file", "fsync", "read", "write", "fdatasync", "pread"]) { return .disk }
    if has(["socket", "recv", "poll", "network", "download", "request", "ipc", "rpc", "pipe"]) {
      return .process
    }
    return has(["sleep", "timer", "delay"]) ? .timer : nil
  }
}
