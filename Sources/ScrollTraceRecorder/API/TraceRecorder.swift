internal import CRecorderShims

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Records what a list engine does, frame by frame, into a trace that is valid at every instant.
///
/// ```swift
/// let recorder = try TraceRecorder(writingTo: "run.fxt")
///
/// while let tick = display.next() {
///   let frame = recorder.beginFrame(tick)
///   frame.withPhase(.layout) { list.layout() }
///   frame.withPhase(.commit) { renderer.commit() }
///   frame.end()
/// }
/// try recorder.finish()
/// ```
///
/// Any thread may record at any time. After the first event of its kind on a thread, recording an
/// event never allocates or throws, and takes a lock only to begin a chunk. Events that cannot be
/// recorded are counted by reason. A recorder is a pointer: copies refer to the same recorder. It
/// stays valid for the lifetime of the process; what is kept after `finish` is about a KiB.
///
/// A signal handler may record spans and marks like ones that its thread has recorded before. If it
/// has interrupted the recorder itself, its events are refused and counted.
public struct TraceRecorder: @unchecked Sendable {
  @usableFromInline let control: UnsafeMutablePointer<ControlBlock>

  /// The writer of a simulated thread, or `nil` to write for the calling thread.
  @usableFromInline let simulated: UnsafeMutablePointer<ThreadWriter>?

  /// The surface of frames without an explicit surface.
  var defaultSurface: RecordedSurface { control.pointee.defaultSurface }

  /// Starts a recording in a new memory-mapped file that only its owner can read.
  ///
  /// The file is readable at any time. If the recording is never finished, the file still contains
  /// all events, and reports list it as not finished.
  public init(
    writingTo path: String, options: RecorderOptions = RecorderOptions()
  ) throws(RecorderError) {
    try self.init(to: .mappedFile(path: path), options: options)
  }

  /// Starts a recording in a destination.
  public init(
    to destination: RecordingDestination, options: RecorderOptions = RecorderOptions()
  ) throws(RecorderError) {
    let store = try RecorderStore(destination, options: options)
    control = ProcessHooks.makeControl(store: store, options: options)
    store.prepare(bytes: options.preallocatedBytes)
    store.startGrower()
    store.measureCost(control)
    store.startDurable(control)
    store.startDumper()
    simulated = nil
    do throws(RecorderError) {
      try store.startSampler(control)
    } catch {
      try? finish()
      throw error
    }
    if let identity = options.creatingThread, !isInside {
      scrolltrace_enter()
      scrolltrace_leave(adoptThread(identity))
    }
  }

  init(
    control: UnsafeMutablePointer<ControlBlock>, simulated: UnsafeMutablePointer<ThreadWriter>?
  ) {
    self.control = control
    self.simulated = simulated
  }

  // MARK: - On and off

  /// A Boolean value indicating whether events are recorded. While recording is off, an event costs
  /// one load.
  ///
  /// Spans that are open when recording is turned off are still recorded when they end.
  public var isEnabled: Bool {
    @inlinable get { control.mode == RecorderMode.on }
    nonmutating set {
      let old = newValue ? RecorderMode.off : RecorderMode.on
      let new = newValue ? RecorderMode.on : RecorderMode.off
      control.changeMode(from: old, to: new)
    }
  }

  /// Returns whether to record an event now, and counts events after `finish` as lost.
  @inlinable @inline(__always)
  func shouldRecordEvent() -> Bool {
    let mode = control.mode
    if mode == RecorderMode.on { return true }
    // One comparison decides, whether recording is on or off.
    if mode > RecorderMode.on { countEventAfterFinish() }
    return false
  }

  @usableFromInline @inline(never)
  func countEventAfterFinish() {
    guard control.mode != RecorderMode.forked else { return }
    control.countLate()
  }

  /// The losses so far, by reason.
  public var losses: RecorderLosses {
    // In a forked child, the lock may be held forever; there, the file stays in memory.
    let isForked = control.mode == RecorderMode.forked
    if isForked { return control.losses }
    return control.pointee.store.takeUnretainedValue().locked { _ in control.losses }
  }

  /// The actual destination: a `file` where a `mappedFile` is not possible.
  package var destination: RecordingDestination {
    control.pointee.store.takeUnretainedValue().destination
  }

  // MARK: - Time

  /// Returns the current time of the recorder's clock, in nanoseconds.
  public func now() -> Int64 {
    guard simulated == nil, let writer = UnsafeMutablePointer<ThreadWriter>.last(of: control) else {
      return Int64(clamping: control.readClock())
    }
    scrolltrace_enter()
    let time = writer.readClock()
    scrolltrace_leave(writer)
    return Int64(clamping: time)
  }

  /// Sets a manual clock, in nanoseconds. Other clocks are not affected. Time must not decrease.
  public func setTime(_ time: Int64) {
    control.manualTime = time
  }

  // MARK: - Finishing

  /// Ends the recording and truncates the file to the size in use.
  ///
  /// With `RecorderOptions.keptTraces`, the file may be deleted instead: then there is none at its path.
  /// A file that was moved or replaced is never deleted.
  ///
  /// Open spans stay open in the file; ending them later is not a loss. Events that other threads
  /// begin later are counted as lost. A second call, or a call in a forked child, has no effect.
  ///
  /// - Throws: `RecorderError` if the file is gone, was cut or replaced by others, or cannot be
  ///   completed.
  public func finish() throws(RecorderError) {
    let mode = control.mode
    guard mode != RecorderMode.forked, mode != RecorderMode.closed else { return }
    let store = control.pointee.store.takeUnretainedValue()
    // A signal handler that has interrupted the recorder cannot wait for it.
    guard !isInside else {
      throw RecorderError(
        path: store.destination.path, reason: "the recording cannot end inside one of its own calls"
      )
    }
    store.stopSampler()
    let slept = store.newSleep()
    if slept > 0, shouldRecordEvent(), let writer = enter() {
      writer.writeSleep(slept)
      leave(writer)
    }
    let before = scrolltrace_exchange(
      control.word(ControlBlock.Word.mode), RecorderMode.closed)
    defer {
      scrolltrace_enter()
      ProcessHooks.giveRetiredWriters()
      scrolltrace_leave(nil)
    }
    try store.finish(caller: existingWriter, isCut: before == RecorderMode.cut)
  }

  /// A Boolean value indicating whether the trace is not finished yet, or kept.
  package var isKept: Bool {
    control.mode == RecorderMode.forked || control.pointee.store.takeUnretainedValue().isKept
  }

  /// The bytes of a recording in memory, complete after `finish`, or `nil` for a file and for a trace
  /// that is not kept.
  public var recordedBytes: [UInt8]? {
    let store = control.pointee.store.takeUnretainedValue()
    // In a forked child, the lock may be held forever.
    let mode = control.mode
    guard store.destination == .memory, mode != RecorderMode.forked, !isInside, store.isKept else {
      return nil
    }
    return store.copyBytes()
  }
}

extension TraceRecorder {
  /// The recorder as a pointer without ownership, for the C interface.
  @inlinable @inline(__always)
  package var handle: UnsafeMutableRawPointer { UnsafeMutableRawPointer(control) }

  /// Creates a recorder for the calling thread from its handle.
  @inlinable @inline(__always)
  package init(handle: UnsafeRawPointer) {
    control = UnsafeMutablePointer(mutating: handle.assumingMemoryBound(to: ControlBlock.self))
    simulated = nil
  }
}

/// The losses of a recording, by reason.
public struct RecorderLosses: Hashable, Sendable {
  /// The number of events lost because the disk is full or the maximum size is reached.
  public var outOfSpace: UInt64
  /// The number of events lost because they or their texts are too large.
  public var recordTooLarge: UInt64
  /// The number of events after `finish`. The ends of spans that were open then are not counted.
  public var afterFinish: UInt64
  /// The number of events refused because their thread was inside the recorder: a signal interrupted
  /// it there, and the signal's handler recorded them.
  public var insideRecorder: UInt64 = 0
  /// A Boolean value indicating whether stacks are not sampled, or no longer, because the host handles
  /// `SIGURG` itself.
  public var hasNoStacks = false

  /// The number of repeated ends of spans, frames and interactions. They are not recorded and
  /// nothing is lost.
  public var endedTwice: UInt64 = 0

  /// The number of lost events.
  package var total: UInt64 {
    outOfSpace &+ recordTooLarge &+ afterFinish &+ insideRecorder
  }
}

/// An error that prevents a recording from starting or finishing.
public struct RecorderError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file's path, or an empty string if there is no file.
  package let path: String
  /// A description of the problem.
  package let reason: String
  /// The suggested next step, or an empty string if there is none.
  package let advice: String
  /// The system's error number, or 0 if the system reported none.
  package let errorNumber: Int32

  package init(path: String, reason: String, advice: String = "", errorNumber: Int32 = 0) {
    self.path = path
    self.reason = reason
    self.advice = advice
    self.errorNumber = errorNumber
  }

  /// Creates an error from `errno`.
  static func system(_ action: String, path: String, advice: String = "") -> RecorderError {
    let number = errno
    let text = strerror(number).map { String(cString: $0) } ?? "error \(number)"
    return RecorderError(
      path: path, reason: "\(action): \(text)", advice: advice, errorNumber: number)
  }

  /// The error in the form `file: problem; next step`.
  public var description: String {
    var text = path.isEmpty ? reason : "\(path): \(reason)"
    if !advice.isEmpty { text += "; " + advice }
    return text
  }
}
