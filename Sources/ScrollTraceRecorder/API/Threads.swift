internal import CRecorderShims
internal import Synchronization

extension TraceRecorder {
  /// The writer of the simulated thread or of the calling thread.
  @inline(__always)
  var writer: UnsafeMutablePointer<ThreadWriter> {
    currentWriter ?? findWriter()
  }

  /// The simulated thread's writer, or the calling thread's most recently used writer if it belongs
  /// to this recorder.
  @inline(__always)
  var currentWriter: UnsafeMutablePointer<ThreadWriter>? {
    simulated ?? .last(of: control)
  }

  /// This thread's existing writer, or `nil`.
  var existingWriter: UnsafeMutablePointer<ThreadWriter>? {
    if let simulated { return simulated }
    var next = ProcessHooks.firstWriter
    while let writer = next {
      if writer.pointee.control == control { return writer }
      next = writer.pointee.nextOfThread
    }
    return nil
  }

  /// Finds or creates this thread's writer and caches it.
  @inline(never)
  private func findWriter() -> UnsafeMutablePointer<ThreadWriter> {
    if let writer = existingWriter {
      scrolltrace_set_writer(writer)
      return writer
    }
    let isMain = scrolltrace_is_main_thread()
    let id = UInt32(truncatingIfNeeded: scrolltrace_thread_id())
    let name = Self.systemThreadName(isMain: isMain)
    let writer = adoptThread(ThreadIdentity(id: id, name: name, isMain: isMain))
    writer.pointee.isNamedByPool = Self.isLeftOfPoolName(name)
    return writer
  }

  /// Whether a thread's name is the end of that of a queue of Dispatch, of which Linux keeps fifteen
  /// bytes: `com.apple.root.user-initiated-qos.overcommit`.
  private static func isLeftOfPoolName(_ name: String) -> Bool {
    name.hasSuffix("-qos") || name.hasSuffix("-qos.overcommit") || name.hasSuffix(".overcommit")
      || name.hasPrefix(".root.")
  }

  /// Creates a writer for the calling thread.
  @discardableResult
  func adoptThread(_ identity: ThreadIdentity) -> UnsafeMutablePointer<ThreadWriter> {
    let store = control.pointee.store.takeUnretainedValue()
    let writer = store.makeWriter(control, identity, isSimulated: false)
    writer.pointee.nextOfThread = ProcessHooks.firstWriter
    ProcessHooks.firstWriter = writer
    scrolltrace_set_writer(writer)
    return writer
  }

  /// The system's name of the calling thread, or an empty string if it is only the process name.
  private static func systemThreadName(isMain: Bool) -> String {
    if isMain { return "main" }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      guard let start = buffer.baseAddress else { return "" }
      scrolltrace_thread_name(start, UInt(buffer.count))
      let name = String(cString: start)
      let process = String(cString: scrolltrace_process_name())
      return process.hasPrefix(name) ? "" : name
    }
  }

  /// Names the calling thread in the trace.
  public func nameThread(_ name: String) {
    guard shouldRecordEvent() else { return }
    let store = control.pointee.store.takeUnretainedValue()
    let kept = store.intern(name)
    let writer = writer
    writer.rename(kept)
  }

  /// Returns a recorder that records for a thread that exists only in virtual time.
  ///
  /// Only one real thread at a time may use it. `recordSpan` writes spans of the simulated thread's
  /// stack as long as they are in order. Call this method once for each thread and keep the result,
  /// because each call takes memory and space in the file for the lifetime of the process.
  ///
  /// ```swift
  /// let decoder = recorder.makeSimulatedThread(id: 2, name: "decode 1")
  /// decoder.recordSpan("decode", .image, from: 100, to: 900, item: 7)
  /// ```
  public func makeSimulatedThread(id: UInt32, name: String) -> TraceRecorder {
    guard control.pointee.mode.load(ordering: .relaxed) != RecorderMode.forked else { return self }
    let identity = ThreadIdentity(id: id, name: name, isMain: false)
    let writer = control.pointee.store.takeUnretainedValue()
      .makeWriter(control, identity, isSimulated: true)
    return TraceRecorder(control: control, simulated: writer)
  }
}

extension UnsafeMutablePointer<ThreadWriter> {
  /// Names the thread, again where the trace has a name for it.
  func rename(_ name: RecordedName) {
    let isIntroduced = pointee.chunkCount > 0
    pointee.isNamedByPool = false
    pointee.threadName = name
    if isIntroduced { pointee.control.pointee.store.takeUnretainedValue().writeThreadName(self) }
  }

  /// Names a thread of a pool that makes frames and has no name but what is left of the pool's: on
  /// Linux the main actor of a program with an asynchronous `main` runs on such threads.
  func nameAfterFrames() {
    if pointee.isNamedByPool { rename("main actor") }
  }
}
