import ScrollTraceModel

/// What a thread waited for.
public enum WaitKind: String, Codable, Sendable, CaseIterable {
  /// A lock that another thread of the host held.
  case lock
  /// Work of another thread of the host that began after the wait.
  case result
  /// The thread that draws, which had not taken the frame.
  case renderThread
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

  /// The thread that was waited for, with its work.
  package struct Owner: Hashable, Sendable {
    package let thread: String
    /// The name of its span, or `nil` if none was open.
    package let work: String?
  }

  package let span: WorkName
  package let kind: Kind
  /// Who held the lock or had the result, or `nil` if there is none or nobody knows.
  package var owner: Owner?
}

extension WaitKind {
  /// What was waited for, after a verb, or nothing if there are no words.
  var phrase: Phrase {
    switch self {
    case .renderThread: " for the render thread"
    case .disk: " for the disk"
    case .process: " for another process"
    case .timer: " for a timer"
    case .lock, .result, .display, .unknown: ""
    }
  }
}

/// Determines what the main thread waited for.
struct WaitResolver {
  /// How long before the end of a wait the work that ended it can have ended.
  private static let maximumDelay: Int64 = 1_000_000
  /// The number of callers that are searched for a function that waits.
  private static let searchedCallers = 4

  /// The name that Android and its tools give to the thread that draws.
  private static let renderThread = "RenderThread"
  /// The starts of the names of threads that do what other processes ask for.
  private static let answeringThreads = ["binder:", "Binder:", "HwBinder:"]

  private let trace: Trace
  private let names: WorkNames
  private let timelines: [BusyTimeline]
  private let track: TrackID
  /// A thread that waits for `track`, so that `track` cannot wait for it.
  private let waiter: TrackID?
  private let samples: SampleSeries?

  init(
    of trace: Trace, _ workload: TrackWorkload, on track: TrackID,
    isAwaitedBy waiter: TrackID? = nil
  ) {
    self.trace = trace
    self.track = track
    self.waiter = waiter
    names = workload.names
    timelines = workload.timelines
    samples = trace.samples.filter { $0.track == track && $0.count > 0 }
      .max { $0.count < $1.count }
  }

  private func isOfFiles(_ label: LabelID) -> Bool {
    WorkTopic(WorkName(category: trace.category(of: label), name: trace.name(of: label))) == .files
  }

  /// Returns the wait in a span.
  ///
  /// - Parameters:
  ///   - range: The time of the span.
  ///   - latestStart: The latest time at which the thread can have begun to wait.
  ///   - isMarked: Whether the span is a wait as a whole.
  ///   - readsFromDisk: Whether the thread read from disk meanwhile, or `nil` if unknown.
  func wait(
    in label: LabelID, _ range: TimeRange, latestStart: Int64, isMarked: Bool, readsFromDisk: Bool?
  ) -> Wait {
    let span = names[label]
    let named = isMarked ? Self.kind(ofName: span.name ?? "") : nil
    if named == .display || named == .timer { return Wait(span: span, kind: named ?? .unknown) }
    // The name of all such waits is made for one.
    if isMarked, let contention = LockContention(trace.name(of: label), in: trace) {
      let span = WorkName(category: span.category, name: contention.waiting)
      return Wait(span: span, kind: .lock, owner: contention.owner)
    }
    let blocked = blockedRange(in: range)
    let other =
      ending(of: range)
      ?? owner(in: blocked ?? range, latestStart: blocked?.start.nanoseconds ?? latestStart)
    if let other {
      // A thread can have begun what the main thread joins before it waits.
      let words = QualifiedName.words(of: span.name ?? "")
      let isResult = other.kind == .lock && !Self.results.isDisjoint(with: words)
      return Wait(span: span, kind: isResult ? .result : other.kind, owner: other.owner)
    }
    let sampled = sampledKind(in: range, readsFromDisk: readsFromDisk)
    let name = span.name ?? ""
    // Without arguments, `select` or `open` may be any work.
    let called =
      name.includes("(") ? Self.kind(ofFunction: name, readsFromDisk: readsFromDisk) : nil
    let kind =
      named ?? sampled ?? called
      ?? (readsFromDisk == true || isOfFiles(label)
        ? .disk : Self.asksOthers(name) ? .process : .unknown)
    return Wait(span: span, kind: kind)
  }

  // MARK: - Who was waited for

  /// What a wait was for.
  private struct Ending: Hashable {
    let kind: Wait.Kind
    var owner: Wait.Owner?

    var order: String {
      "\(kind.rawValue)\0\(owner?.thread ?? "")\0\(owner?.work ?? "")"
    }
  }

  /// The time from the first to the last state of `range` in which the scheduler says that the thread was
  /// blocked, or `nil` if there is none.
  private func blockedRange(in range: TimeRange) -> TimeRange? {
    var found: TimeRange?
    forEachBlockedSlice(in: range) { states, index in
      let start = Timestamp(clamping: max(states.starts[index], range.start.nanoseconds))
      let end = Timestamp(clamping: min(states.ends[index], range.end.nanoseconds))
      found = TimeRange(start: found?.start ?? start, end: end)
    }
    return found
  }

  /// Calls `body` with the position of each slice of the thread's states in which it was blocked in `range`.
  private func forEachBlockedSlice(
    in range: TimeRange, _ body: (ThreadStateColumns, Int) -> Void
  ) {
    let states = trace.tracks[track.index].threadStates
    for index in states.indexes(in: range) where states.states[index] == .blocked {
      body(states, index)
    }
  }

  /// What ended most of the time that the thread was blocked in `range`, by the scheduler, or `nil` if it does
  /// not say.
  private func ending(of range: TimeRange) -> Ending? {
    var sums: [Ending: Int64] = [:]
    forEachBlockedSlice(in: range) { states, index in
      guard let ending = ending(ofSlice: index, of: states) else { return }
      sums[ending, default: 0] = sums[ending, default: 0].saturatingAdd(
        states.ends[index] - states.starts[index])
    }
    return sums.max { ($0.value, $1.key.order) < ($1.value, $0.key.order) }?.key
  }

  private func ending(ofSlice index: Int, of states: ThreadStateColumns) -> Ending? {
    if states.isUninterruptible(at: index) { return Ending(kind: .disk) }
    guard index + 1 < states.count, let waker = states.waker(at: index + 1), waker != track else {
      return nil
    }
    let thread = trace.displayName(of: waker)
    guard trace.processes[trace.tracks[waker.index].process.index].isHost else {
      // Others can have been interrupted by what woke the thread.
      let isAnswering = Self.answeringThreads.contains { thread.hasPrefix($0) }
      return isAnswering
        ? Ending(kind: .process, owner: Wait.Owner(thread: thread, work: nil)) : nil
    }
    let work = work(of: waker, at: states.ends[index])
    return Ending(
      kind: kind(of: waker, workSince: work?.start, waitSince: states.starts[index]),
      owner: Wait.Owner(thread: thread, work: work?.name))
  }

  /// The kind of a wait for a thread of the host. What began after the wait did cannot have been in its way:
  /// it is what the main thread asked for.
  private func kind(of owner: TrackID, workSince: Int64?, waitSince: Int64) -> Wait.Kind {
    if trace.tracks[owner.index].name == Self.renderThread { return .renderThread }
    return (workSince ?? .min) < waitSince ? .lock : .result
  }

  /// The innermost work of a thread, and the start of the outermost.
  private func work(of track: TrackID, at instant: Int64) -> (name: String, start: Int64)? {
    let window = TimeRange(
      start: Timestamp(clamping: max(0, instant - Self.maximumDelay)),
      end: Timestamp(clamping: instant))
    let spans = trace.tracks[track.index].spans
    let indexes = timelines[track.index].spanIndexes(in: window).indexes
    guard let first = indexes.first, let last = indexes.last else { return nil }
    return (trace.name(of: spans.labels[last]), spans.times[first].start)
  }

  /// The thread of the host whose span ends with `range` and covers half of it, or covers nine tenths and is
  /// of a thread that is not busy anyway: such a thread is beside every wait.
  private func owner(in range: TimeRange, latestStart: Int64) -> Ending? {
    let length = range.length.nanoseconds
    var best: (owner: Ending, overlap: Int64, span: Int64)?
    for (id, other) in trace.numberedTracks
    where id != track && id != waiter && trace.processes[other.process.index].isHost {
      let spans = other.spans
      for index in timelines[id.index].spanIndexes(in: range).indexes {
        let time = spans.times[index]
        let overlap =
          min(time.end, range.end.nanoseconds) - max(time.start, range.start.nanoseconds)
        let ends = abs(time.end - range.end.nanoseconds) <= Self.maximumDelay
        guard ends && overlap >= length / 2 || overlap >= length / 10 * 9 && !isAlwaysBusy(id)
        else { continue }
        // Of those that fit equally, the innermost says most.
        if let best, (overlap, best.span) <= (best.overlap, time.length) { continue }
        let owner = Wait.Owner(
          thread: trace.displayName(of: id), work: trace.name(of: spans.labels[index]))
        let kind = kind(of: id, workSince: time.start, waitSince: latestStart)
        best = (Ending(kind: kind, owner: owner), overlap, time.length)
      }
    }
    return best?.owner
  }

  private func isAlwaysBusy(_ track: TrackID) -> Bool {
    timelines[track.index].busy(in: trace.range).nanoseconds > trace.range.length.nanoseconds / 2
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

  /// The kind of wait that a function of the system stands for, with or without its arguments, or `nil`.
  static func kind(ofFunction name: String, readsFromDisk: Bool? = nil) -> Wait.Kind? {
    var name = name.drop { $0 == "_" }
    // As the GNU C library does: `__GI___libc_read`.
    for prefix in ["GI_", "libc_", "lll_"] where name.hasPrefix(prefix) {
      name = name.dropFirst(prefix.count).drop { $0 == "_" }
    }
    let arguments = name.drop { $0 != "(" }
    name = name.prefix { $0 != "(" }
    if name.hasSuffix("64") { name = name.dropLast(2) }
    // A socket or a pipe is read and written by the same functions as a file.
    var file: Wait.Kind {
      streams.isDisjoint(with: QualifiedName.words(of: arguments)) ? .disk : .process
    }
    switch name {
    case "read", "readv": return readsFromDisk == false ? .process : file
    case "pread", "preadv", "write", "pwrite", "writev", "pwritev", "fsync",
      "fdatasync", "msync", "sync", "open", "openat", "fopen", "fread", "stat", "fstat", "getdents":
      return file
    case "recv", "recvfrom", "recvmsg", "send", "sendto", "sendmsg", "poll", "ppoll", "select",
      "pselect", "epoll_wait", "epoll_pwait", "connect", "accept", "waitpid", "wait4":
      return .process
    case "nanosleep", "clock_nanosleep", "usleep", "sleep": return .timer
    case "lock_wait", "lock_wait_private", "pthread_mutex_lock", "pthread_rwlock_rdlock",
      "pthread_rwlock_wrlock", "psynch_mutexwait", "ulock_wait", "os_unfair_lock_lock",
      "os_unfair_lock_lock_slow", "pthread_mutex_firstfit_lock_slow",
      "pthread_mutex_firstfit_lock_wait":
      return .lock
    default: return nil
    }
  }

  /// Returns whether a name is that of a request, which another process or machine answers.
  private static func asksOthers(_ name: String) -> Bool {
    ["GET /", "POST /", "PUT /"].contains { name.hasPrefix($0) }
      || !requests.isDisjoint(with: QualifiedName.words(of: name))
  }

  /// The words of waits for what another thread makes.
  private static let results: Set<String> = [
    "join", "await", "future", "promise", "semaphore", "latch", "group", "job", "blocking",
  ]

  /// The words of what another process or machine reads or writes at the other end.
  private static let streams: Set<String> = [
    "stdin", "stdout", "stderr", "pipe", "socket", "tty", "console",
  ]

  private static let requests: Set<String> = [
    "http", "https", "socket", "network", "download",
  ]

  /// The kind that the name of a wait says, or `nil`.
  static func kind(ofName name: String) -> Wait.Kind? {
    // Android's main thread gives a frame to the thread that draws.
    if name == "postAndWait" || name == "sync" { return .renderThread }
    if WaitingNames.isOfDisplay(name) { return .display }
    if let kind = kind(ofFunction: name) { return kind }
    let inOrder = QualifiedName.words(of: name)
    let words = Set(inOrder)
    func has(_ known: Set<String>) -> Bool { !words.isDisjoint(with: known) }
    // The rest of such a name is that of what was asked for.
    if has(["binder", "aidl", "xpc", "dbus"]) { return .process }
    // Threads are parked for many reasons.
    if has(["park"]) { return nil }
    if has(["vsync", "swap", "present", "vblank", "drawable", "dequeue", "buffers", "fps"]) {
      return .display
    }
    if has(["lock", "mutex"]) { return .lock }
    if has(["disk", "file", "fsync", "read", "write", "fdatasync", "pread"]) { return .disk }
    if has([
      "socket", "recv", "poll", "network", "download", "request", "response", "http",
      "https", "fetch", "ipc", "rpc", "pipe",
    ]) {
      return .process
    }
    if has(results) || inOrder.suffix(2) == ["and", "wait"] { return .result }
    if has(["acquire"]) { return .display }
    return has(["sleep", "timer", "delay"]) ? .timer : nil
  }
}

/// What Android's runtime writes into the name of a wait for a monitor.
private struct LockContention {
  /// The function that waits, or the kind of the wait if the name does not say it.
  let waiting: String
  let owner: Wait.Owner

  /// Creates the contention of names such as `monitor contention with owner worker (4260) at void
  /// app.Cache.trim(int)(Cache.java:88) waiters=0 blocking from void app.Cache.get()(Cache.java:31)` and
  /// `Lock contention on a monitor lock (owner tid: 4260)`, or `nil` for others.
  init?(_ name: String, in trace: Trace) {
    if let words = name.firstOccurrence(of: " (owner tid: ") {
      guard let number = UInt64(name[words.upperBound...].prefix { $0 != ")" }) else { return nil }
      let thread = trace.numberedTracks.first {
        $1.systemID == number && trace.processes[$1.process.index].isHost
      }
      waiting = String(name[..<words.lowerBound])
      owner = Wait.Owner(
        thread: thread.map { trace.displayName(of: $0.0) } ?? "thread \(number)", work: nil)
      return
    }
    let opening = "monitor contention with owner "
    guard name.hasPrefix(opening) else { return nil }
    let rest = name.dropFirst(opening.count)
    guard let end = rest.firstOccurrence(of: " (") else { return nil }
    func function(after words: String) -> (name: String, location: String)? {
      guard let start = rest.firstOccurrence(of: words)?.upperBound else { return nil }
      let text = rest[start...]
      return Self.short(
        text[..<(text.firstOccurrence(of: " waiters=")?.lowerBound ?? text.endIndex)])
    }
    waiting = function(after: " blocking from ")?.name ?? "monitor contention"
    owner = Wait.Owner(
      thread: String(rest[..<end.lowerBound]),
      work: function(after: ") at ").map { $0.name + $0.location })
  }

  /// The class and the name of a function, `Cache.trim`, and its location, ` (Cache.java:88)`, of
  /// `void app.Cache.trim(int)(Cache.java:88)`.
  private static func short(_ method: Substring) -> (name: String, location: String)? {
    guard let arguments = method.firstIndex(of: "("),
      let path = method[..<arguments].split(separator: " ").last
    else { return nil }
    let location = method.lastIndex(of: "(").flatMap { $0 > arguments ? " \(method[$0...])" : nil }
    return (path.split(separator: ".").suffix(2).joined(separator: "."), location ?? "")
  }
}
