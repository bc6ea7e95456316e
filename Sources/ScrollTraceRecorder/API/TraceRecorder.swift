internal import CRecorderShims
public import Synchronization

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
/// Any thread may record at any time. No event allocates, locks or throws once its thread has
/// recorded one like it; what cannot be recorded is counted in the trace, by cause. A recorder is
/// a pointer: copies are the same recorder, and its memory is kept for the life of the process.
public struct TraceRecorder: @unchecked Sendable {
  @usableFromInline let control: UnsafeMutablePointer<ControlBlock>

  /// The writer of a simulated thread; `nil` to write as the calling thread.
  @usableFromInline let simulated: UnsafeMutablePointer<ThreadWriter>?

  /// The surface frames belong to where the host names none.
  var defaultSurface: RecordedSurface { control.pointee.defaultSurface }

  /// Begins a recording in a mapped file that must not exist yet; only its owner can read it.
  ///
  /// The file can be read at every instant. Where it is never finished, it keeps all events; reports
  /// say that it was not closed.
  public init(
    writingTo path: String, options: RecorderOptions = RecorderOptions()
  ) throws(RecorderError) {
    try self.init(to: .mappedFile(path: path), options: options)
  }

  /// Begins a recording in `destination`.
  public init(
    to destination: RecordingDestination, options: RecorderOptions = RecorderOptions()
  ) throws(RecorderError) {
    let store = try RecorderStore(destination, options: options)
    store.prepare(bytes: options.preallocatedBytes)
    store.startGrower()
    control = ProcessHooks.makeControl(store: store, options: options)
    store.measureCost(control)
    store.startDurable(control)
    store.startDumper()
    simulated = nil
    if let identity = options.creatingThread { adoptThread(identity) }
  }

  init(
    control: UnsafeMutablePointer<ControlBlock>, simulated: UnsafeMutablePointer<ThreadWriter>?
  ) {
    self.control = control
    self.simulated = simulated
  }

  // MARK: - On and off

  /// Whether events are recorded; switched off, an event costs one load.
  ///
  /// Spans that are open at the switch are still recorded when they end.
  public var isEnabled: Bool {
    @inlinable get { control.pointee.mode.load(ordering: .relaxed) == RecorderMode.on }
    nonmutating set {
      let old = newValue ? RecorderMode.off : RecorderMode.on
      let new = newValue ? RecorderMode.on : RecorderMode.off
      _ = control.pointee.mode.compareExchange(expected: old, desired: new, ordering: .relaxed)
    }
  }

  /// Whether an event is to be recorded now; after the end it is counted as lost.
  @inlinable @inline(__always)
  func shouldRecordEvent() -> Bool {
    let mode = control.pointee.mode.load(ordering: .relaxed)
    if mode == RecorderMode.on { return true }
    // One comparison where recording is switched off or on.
    if mode > RecorderMode.on { countEventAfterFinish() }
    return false
  }

  @usableFromInline @inline(never)
  func countEventAfterFinish() {
    guard control.pointee.mode.load(ordering: .relaxed) == RecorderMode.closed else { return }
    scrolltrace_add(control.pointee.session + DropReason.afterFinish.offset, 1)
  }

  /// What is lost so far, by cause.
  public var losses: RecorderLosses {
    func count(_ cause: DropReason) -> UInt64 {
      UInt64(littleEndian: scrolltrace_load_acquire(control.pointee.session + cause.offset))
    }
    return RecorderLosses(
      outOfSpace: count(.outOfSpace), recordTooLarge: count(.recordTooLarge),
      afterFinish: count(.afterFinish),
      endedTwice: control.pointee.duplicateEndCount.load(ordering: .relaxed))
  }

  /// Where the recording goes: a `file` instead of a `mappedFile` where the system maps none.
  package var destination: RecordingDestination {
    control.pointee.store.takeUnretainedValue().destination
  }

  // MARK: - Time

  /// The recorder's clock now.
  public func now() -> Int64 {
    Int64(clamping: currentWriter?.readClock() ?? control.readClock())
  }

  /// Sets a manual clock; of no effect on any other. Time must not run backwards.
  public func setTime(_ time: Int64) {
    control.pointee.manualTime.store(time, ordering: .relaxed)
  }

  // MARK: - The end

  /// Ends the recording and cuts the file to what is used.
  ///
  /// Spans that are open, on whatever thread, stay open in the file; that they end later is no loss.
  /// What other threads begin later is counted as lost and does no harm. A second call does nothing.
  /// In the child of a fork there is nothing to end.
  ///
  /// It throws where the file could not be completed, or is gone.
  public func finish() throws(RecorderError) {
    let mode = control.pointee.mode.load(ordering: .relaxed)
    guard mode != RecorderMode.forked, mode != RecorderMode.closed else { return }
    let store = control.pointee.store.takeUnretainedValue()
    let slept = store.newSleep()
    if slept > 0, shouldRecordEvent() { writer.writeSleep(slept) }
    control.pointee.mode.store(RecorderMode.closed, ordering: .sequentiallyConsistent)
    try store.finish(caller: existingWriter)
  }

  /// The bytes of a recording in memory, complete after `finish`; `nil` for a file.
  public var recordedBytes: [UInt8]? {
    let store = control.pointee.store.takeUnretainedValue()
    // In the child of a fork the lock may be held for ever.
    let mode = control.pointee.mode.load(ordering: .relaxed)
    guard store.destination == .memory, mode != RecorderMode.forked else { return nil }
    return store.copyBytes()
  }
}

extension TraceRecorder {
  /// The recorder as one pointer that nobody has to keep alive, for the C interface.
  @inlinable @inline(__always)
  package var handle: UnsafeMutableRawPointer { UnsafeMutableRawPointer(control) }

  /// The recorder whose `handle` is given, for the calling thread.
  @inlinable @inline(__always)
  package init(handle: UnsafeRawPointer) {
    control = UnsafeMutablePointer(mutating: handle.assumingMemoryBound(to: ControlBlock.self))
    simulated = nil
  }
}

/// What a recording has lost so far, by cause.
public struct RecorderLosses: Hashable, Sendable {
  /// Events that found no chunk: the disk is full or the maximum size is reached.
  public var outOfSpace: UInt64
  /// Events that, or whose texts, were too big.
  public var recordTooLarge: UInt64
  /// Events after the end of the recording; that spans end which were open then is no loss.
  public var afterFinish: UInt64

  /// Ends of spans, frames and interactions that had ended before: nothing is recorded for them, and
  /// nothing is lost.
  public var endedTwice: UInt64 = 0

  /// All events that are lost.
  public var total: UInt64 { outOfSpace &+ recordTooLarge &+ afterFinish }
}

/// Why a recording could not be begun or finished; one line for a person.
public struct RecorderError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file; empty where the recording has none.
  public let path: String
  /// What is wrong, in plain words.
  public let reason: String
  /// What to do next; empty where there is nothing to do.
  public let advice: String
  /// The system's error number; 0 where the system had nothing to say.
  public let errorNumber: Int32

  /// An error about `path`.
  package init(path: String, reason: String, advice: String = "", errorNumber: Int32 = 0) {
    self.path = path
    self.reason = reason
    self.advice = advice
    self.errorNumber = errorNumber
  }

  /// The error the system has just reported in `errno`.
  static func system(_ action: String, path: String, advice: String = "") -> RecorderError {
    let number = errno
    let text = strerror(number).map { String(cString: $0) } ?? "error \(number)"
    return RecorderError(
      path: path, reason: "\(action): \(text)", advice: advice, errorNumber: number)
  }

  /// `file: what is wrong; what to do`
  public var description: String {
    var text = path.isEmpty ? reason : "\(path): \(reason)"
    if !advice.isEmpty { text += "; " + advice }
    return text
  }
}
