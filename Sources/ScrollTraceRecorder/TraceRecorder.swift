internal import CRecorderShims
public import Synchronization

/// Records what a list engine does, frame by frame, into a trace that is valid at every instant.
///
/// ```swift
/// let recorder = try TraceRecorder(writingTo: "run.fxt")
///
/// while let tick = display.next() {
///   let frame = recorder.beginFrame(tick)
///   frame.phase(.layout) { list.layout() }
///   frame.phase(.commit) { renderer.commit() }
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
  var defaultSurface: Surface { control.pointee.defaultSurface }

  /// Begins a recording in a mapped file that must not exist yet; only its owner can read it.
  ///
  /// The file can be read at every instant. Where it is never finished, it keeps all events; reports
  /// say that it was not closed.
  public init(
    writingTo path: String, options: RecorderOptions = RecorderOptions()
  ) throws(RecorderError) {
    try self.init(to: .mappedFile(path: path), options: options)
  }

  /// Begins a recording in `sink`.
  public init(
    to sink: RecorderSink, options: RecorderOptions = RecorderOptions()
  ) throws(RecorderError) {
    let store = try RecorderStore(sink, options: options)
    store.prepare(bytes: options.preparedBytes)
    store.startGrower()
    control = ProcessHooks.makeControl(store: store, options: options)
    store.measureCost(control)
    store.startLasting(control)
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
  func takesEvent() -> Bool {
    let mode = control.pointee.mode.load(ordering: .relaxed)
    if mode == RecorderMode.on { return true }
    // One comparison where recording is switched off or on.
    if mode > RecorderMode.on { countEventAfterClose() }
    return false
  }

  @usableFromInline @inline(never)
  func countEventAfterClose() {
    guard control.pointee.mode.load(ordering: .relaxed) == RecorderMode.closed else { return }
    scrolltrace_add(control.pointee.session + DropCause.afterClose.offset, 1)
  }

  /// What is lost so far, by cause.
  public var losses: RecorderLosses {
    func count(_ cause: DropCause) -> UInt64 {
      UInt64(littleEndian: scrolltrace_load_acquire(control.pointee.session + cause.offset))
    }
    return RecorderLosses(
      noChunk: count(.noChunk), tooBig: count(.tooBig), afterClose: count(.afterClose))
  }

  /// Where the recording goes: a `file` in place of a `mappedFile` where the system maps none.
  public var sink: RecorderSink { control.pointee.store.takeUnretainedValue().sink }

  // MARK: - Time

  /// The recorder's clock now.
  public func now() -> Nanoseconds {
    Nanoseconds(clamping: currentWriter?.readClock() ?? control.readClock())
  }

  /// Sets a manual clock; of no effect on any other. Time must not run backwards.
  public func setTime(_ time: Nanoseconds) {
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
    if slept > 0, takesEvent() { writer.writeSleep(slept) }
    control.pointee.mode.store(RecorderMode.closed, ordering: .sequentiallyConsistent)
    try store.finish(caller: existingWriter)
  }

  /// The bytes of a recording in memory, complete after `finish`; `nil` for a file.
  public var recordedBytes: [UInt8]? {
    let store = control.pointee.store.takeUnretainedValue()
    // In the child of a fork the lock may be held for ever.
    let mode = control.pointee.mode.load(ordering: .relaxed)
    guard store.sink == .memory, mode != RecorderMode.forked else { return nil }
    return store.copyBytes()
  }
}
