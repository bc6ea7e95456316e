package import ScrollTraceModel

/// A drag at 100 Hz in a host with one list: frame n starts at n · 10 ms, commits for 2 ms, and is due
/// after 10 ms. A late frame commits for 15 ms and is presented one refresh later.
package struct FindingTrace {
  private var builder = TraceBuilder(format: "built")
  private let main: TrackID
  private let loader: TrackID
  private let surface: SurfaceID
  private var counted = ThreadTimeSample()

  /// Creates a drag.
  ///
  /// - Parameters:
  ///   - late: The numbers of late frames.
  ///   - commit: The length of the other commits in milliseconds.
  ///   - lateOnScreen: The frames presented one refresh late after a commit on time.
  ///   - hasPhases: Whether each commit has a span of main-thread work.
  package init(
    frames: Int = 60, late: Set<Int> = [], commit: Double = 2, lateOnScreen: Set<Int> = [],
    hasPhases: Bool = true
  ) {
    let process = builder.process(1)
    builder.setHost(process)
    main = builder.track(1, of: process)
    builder.setMain(main)
    builder.setCompletelyRecorded(main)
    loader = builder.track(2, of: process)
    surface = builder.surface("display")
    for number in 0..<frames where !late.contains(number - 1) && !lateOnScreen.contains(number - 1)
    {
      let begin = Double(number) * 10
      let isLate = late.contains(number)
      var frame = Frame(id: UInt64(number))
      frame.start = Self.time(begin)
      frame.commitStart = Self.time(begin)
      frame.commitEnd = Self.time(begin + (isLate ? 15 : commit))
      frame.deadline = Self.time(begin + 10)
      frame.target = Self.time(begin + 20)
      let isShownLate = isLate || lateOnScreen.contains(number)
      frame.presented = Self.time(begin + (isShownLate ? 30 : 20))
      frame.outcome = .presented
      frame.refreshInterval = .milliseconds(10)
      frame.track = main
      builder.updateFrame(frame, of: surface)
      if hasPhases { span("phase.commit", begin, isLate ? 15 : commit) }
    }
    builder.addInteraction(from: .zero, to: Self.time(Double(frames) * 10 + 20))
  }

  private static func time(_ milliseconds: Double) -> Timestamp {
    Timestamp(clamping: Int64((milliseconds * 1_000_000).rounded()))
  }

  private mutating func list(_ pairs: [String: ArgumentValue]) -> ArgumentListID {
    let named = pairs.merging(["list": .string(builder.string("feed"))]) { mine, _ in mine }
    return builder.argumentList(
      named.sorted { $0.key < $1.key }.map {
        Argument(key: builder.string($0.key), value: $0.value)
      })
  }

  /// Adds a span, in milliseconds; a name without a dot belongs to the category `host`.
  package mutating func span(
    _ name: String, _ start: Double, _ length: Double, _ pairs: [String: ArgumentValue] = [:],
    isOnMain: Bool = true
  ) {
    let parts = name.split(separator: ".").map(String.init)
    let category = parts.count > 1 ? "scrolltrace.\(parts[0])" : "host"
    builder.addSpan(
      on: isOnMain ? main : loader, from: Self.time(start), to: Self.time(start + length),
      label: builder.label(category: category, name: parts[parts.count - 1]),
      arguments: parts.count > 1 ? list(pairs) : .none)
  }

  /// Adds a span with any name, in milliseconds.
  package mutating func span(
    category: String, name: String, _ start: Double, _ length: Double, isOnMain: Bool = true
  ) {
    builder.addSpan(
      on: isOnMain ? main : loader, from: Self.time(start), to: Self.time(start + length),
      label: builder.label(category: category, name: name))
  }

  /// Adds a span of a third thread, in milliseconds.
  package mutating func span(
    onThread thread: String, _ name: String, _ start: Double, _ length: Double
  ) {
    let track = builder.track(3, of: builder.process(1))
    builder.setName(thread, of: track)
    builder.addSpan(
      on: track, from: Self.time(start), to: Self.time(start + length),
      label: builder.label(category: "host", name: name))
  }

  /// Names the thread beside the main one.
  package mutating func nameLoader(_ name: String) { builder.setName(name, of: loader) }

  /// Adds a mark, in milliseconds.
  package mutating func mark(_ name: String, _ time: Double, _ pairs: [String: ArgumentValue] = [:])
  {
    let parts = name.split(separator: ".").map(String.init)
    builder.addMark(
      on: main, at: Self.time(time),
      label: builder.label(category: "scrolltrace.\(parts[0])", name: parts[1]),
      arguments: list(pairs))
  }

  /// Adds what the system counted for the main thread from `start` to `end`, in milliseconds, and nothing
  /// before and after.
  package mutating func count(
    _ start: Double, _ end: Double, cpu: Double?, ready: Double? = nil, diskFaults: Int64? = nil,
    faults: Int64? = nil
  ) {
    func nanoseconds(_ value: Double?) -> Int64? { value.map { Int64($0 * 1_000_000) } }
    var sample = ThreadTimeSample()
    if cpu != nil { sample.cpu = counted.cpu ?? 0 }
    if ready != nil { sample.ready = counted.ready ?? 0 }
    if diskFaults != nil { sample.diskFaults = counted.diskFaults ?? 0 }
    if faults != nil { sample.faults = counted.faults ?? 0 }
    builder.addThreadTime(sample, on: main, at: Self.time(start))
    sample.cpu = nanoseconds(cpu).map { $0 + (counted.cpu ?? 0) }
    sample.ready = nanoseconds(ready).map { $0 + (counted.ready ?? 0) }
    sample.diskFaults = diskFaults.map { $0 + (counted.diskFaults ?? 0) }
    sample.faults = faults.map { $0 + (counted.faults ?? 0) }
    builder.addThreadTime(sample, on: main, at: Self.time(end))
    counted = sample
  }

  /// Adds a slice of a schedule, in milliseconds.
  package mutating func slice(
    _ state: ThreadState, _ start: Double, _ end: Double, isOnMain: Bool = true,
    isWokenByLoader: Bool = false, isUninterruptible: Bool = false, wokenByOther: String? = nil
  ) {
    var waker = isWokenByLoader ? loader : nil
    if let wokenByOther {
      let thread = builder.track(99, of: builder.process(9))
      builder.setName(wokenByOther, of: thread)
      waker = thread
    }
    builder.addThreadState(
      state, on: isOnMain ? main : loader, from: Self.time(start), to: Self.time(end),
      core: state == .running ? 0 : nil, waker: waker,
      isUninterruptible: isUninterruptible)
  }

  /// Adds samples of a thread at equal distances, each in the middle of its part of a time in milliseconds.
  ///
  /// - Parameters:
  ///   - functions: The functions on the stack, outermost first, and their files; those with one are the app's.
  ///   - worker: The number of a thread named `worker`, or `nil` for the main thread.
  package mutating func sample(
    _ functions: [(name: String, file: String)], _ count: Int, _ start: Double, _ length: Double,
    onWorker worker: UInt64? = nil
  ) {
    let step = length / Double(max(1, count))
    let track = worker.map { builder.track($0, of: builder.process(1)) } ?? main
    if worker != nil { builder.setName("worker", of: track) }
    let series = builder.sampleSeries(
      of: track, reach: .period(Int64((step * 1_000_000).rounded())))
    let stack = functions.reduce(StackID.empty) { caller, function in
      let id = builder.sampledFunction(
        builder.string(function.name), in: builder.string(function.file))
      return builder.stack(of: id, calledBy: caller) ?? .empty
    }
    for index in 0..<count {
      builder.addSample(of: stack, at: Self.time(start + (Double(index) + 0.5) * step), to: series)
    }
  }

  /// Sets a state, in milliseconds.
  package mutating func state(_ key: String, _ value: String?, at time: Double) {
    builder.addState(StateChange(time: Self.time(time), key: key, value: value))
  }

  /// Returns the value of a string argument.
  package mutating func string(_ name: String) -> ArgumentValue { .string(builder.string(name)) }

  package mutating func lose(_ reason: Loss.Reason, _ count: UInt64) {
    builder.countLoss(reason, count: count)
  }

  package func trace() -> Trace { builder.finish() }
}
