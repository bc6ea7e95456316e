internal import CRecorderShims
internal import ScrollTracePlatform

/// Records what a list engine does, frame by frame, into a trace that is valid at every instant.
///
/// ```swift
/// let recorder = try TraceRecorder(writingTo: "run.fxt")
///
/// while let tick = display.next() {
///   let frame = recorder.beginFrame(tick)
///   frame.phases {
///     $0.layout { list.layout() }
///     $0.commit { renderer.commit() }
///   }
///   frame.end()
/// }
/// try recorder.finish()
/// ```
///
/// Any thread may record at any time. After the first event of its kind on a thread, recording an
/// event never allocates or throws, and takes a lock only to begin a chunk. Events that cannot be
/// recorded are counted by reason.
///
/// Releasing the last reference to a recorder finishes the recording without reporting errors, and frees its
/// memory. Keep a reference while you record. Frames, spans and interactions do not keep one: those that
/// outlive their recorder are not in the trace, and ending them has no effect.
///
/// A signal handler may record spans and marks that are similar to earlier ones of its thread. If it has
/// interrupted the recorder itself, its events are refused and counted.
public final class TraceRecorder: Sendable {
  /// The recorder as its frames and spans know it.
  @usableFromInline let pointer: RecorderPointer

  /// The recorder of the file, if this one records for a simulated thread of it, or `nil`.
  private let whole: TraceRecorder?

  /// The rarely used state.
  var store: RecorderStore { pointer.control.pointee.store.takeUnretainedValue() }

  /// Starts a recording in a new memory-mapped file that only its owner can read.
  ///
  /// The file is readable at any time. If the process ends before the recording is finished, the file
  /// still contains all events, and reports list it as not finished.
  public convenience init(
    writingTo path: String, options: RecorderOptions = RecorderOptions()
  ) throws(RecorderError) {
    try self.init(to: .mappedFile(path: path), options: options)
  }

  /// Starts a recording in a destination.
  public init(
    to destination: RecordingDestination, options: RecorderOptions = RecorderOptions()
  ) throws(RecorderError) {
    let store = try RecorderStore(destination, options: options)
    let control = ProcessHooks.makeControl(store: store, options: options)
    pointer = RecorderPointer(control: control, simulated: nil)
    whole = nil
    store.prepare(bytes: options.preallocatedBytes)
    store.startGrower()
    store.measureCost(control)
    store.startDurable(control)
    store.startDumper()
    try store.startSampler(control)
    if let identity = options.creatingThread, !pointer.isInside {
      scrolltrace_enter()
      scrolltrace_leave(pointer.adoptThread(identity))
    }
  }

  init(simulating writer: UnsafeMutablePointer<ThreadWriter>, of recorder: TraceRecorder) {
    pointer = RecorderPointer(control: recorder.pointer.control, simulated: writer)
    whole = recorder
  }

  deinit {
    // In a forked child, the locks may be held forever. A signal handler cannot wait either.
    guard whole == nil, pointer.control.mode != RecorderMode.forked, !pointer.isInside else {
      return
    }
    try? finish()
    ProcessMemory.free(pointer.control)
  }

  // MARK: - On and off

  /// A Boolean value indicating whether events are recorded. While recording is off, an event costs
  /// one load.
  ///
  /// Spans that are open when recording is turned off are still recorded when they end.
  public var isEnabled: Bool {
    @inlinable get { pointer.control.mode == RecorderMode.on }
    set {
      let old = newValue ? RecorderMode.off : RecorderMode.on
      let new = newValue ? RecorderMode.on : RecorderMode.off
      pointer.control.changeMode(from: old, to: new)
    }
  }

  /// The losses so far, by reason.
  public var losses: RecorderLosses {
    let control = pointer.control
    // In a forked child, the lock may be held forever; there, the file stays in memory.
    if control.mode == RecorderMode.forked { return control.losses }
    return store.locked { _ in control.losses }
  }

  /// The actual destination: a `file` where a `mappedFile` is not possible.
  package var destination: RecordingDestination { store.destination }

  // MARK: - Time

  /// Returns the current time of the recorder's clock.
  public func now() -> RecorderTime { RecorderTime(pointer.now()) }

  /// Sets a manual clock. Other clocks are not affected. Time must not decrease.
  public func setTime(_ time: RecorderTime) { pointer.control.manualTime = time.nanoseconds }

  // MARK: - Finishing

  /// Ends the recording and truncates the file to the size in use.
  ///
  /// With `RecorderOptions.traceSampling`, the file may be deleted instead. A file that was moved or replaced
  /// is never deleted.
  ///
  /// Open spans stay open in the file; ending them later is not a loss. Events that other threads
  /// begin later are counted as lost. A second call, or a call in a forked child, has no effect.
  ///
  /// - Throws: `RecorderError` if the file was removed, truncated or replaced, or cannot be completed.
  public func finish() throws(RecorderError) {
    let mode = pointer.control.mode
    guard mode != RecorderMode.forked, mode != RecorderMode.closed else { return }
    let store = store
    // A signal handler that has interrupted the recorder cannot wait for it.
    guard !pointer.isInside else {
      throw RecorderError(
        path: store.destination.path, reason: "the recording cannot end inside one of its own calls"
      )
    }
    store.stopSampler()
    let slept = store.newSleep()
    if slept > 0, let writer = pointer.enterToRecord() {
      writer.writeSleep(slept)
      pointer.leave(writer)
    }
    let before = scrolltrace_exchange(
      pointer.control.word(ControlBlock.Word.mode), RecorderMode.closed)
    defer {
      scrolltrace_enter()
      ProcessHooks.giveRetiredWriters()
      scrolltrace_leave(nil)
    }
    try store.finish(caller: pointer.existingWriter, isCut: before == RecorderMode.cut)
  }

  /// Whether the trace is not finished yet, or kept.
  package var isKept: Bool { pointer.control.mode == RecorderMode.forked || store.isKept }

  /// The bytes of a recording in memory, complete after `finish`, or `nil` for a file and for a trace
  /// that is not kept.
  public var recordedBytes: [UInt8]? {
    // In a forked child, the lock may be held forever.
    guard pointer.control.mode != RecorderMode.forked, !pointer.isInside else { return nil }
    let store = store
    return store.destination == .memory && store.isKept ? store.copyBytes() : nil
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
  package var total: UInt64 { outOfSpace &+ recordTooLarge &+ afterFinish &+ insideRecorder }
}

/// An error that prevents a recording from starting or finishing.
public struct RecorderError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file's path, or an empty string if there is no file.
  package let path: String
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
