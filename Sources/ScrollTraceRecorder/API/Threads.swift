internal import CRecorderShims

extension RecorderPointer {
  /// Enters the recorder with the writer of the simulated thread or of the calling thread, which must
  /// leave afterwards.
  ///
  /// Returns `nil` and counts an event as lost if the thread is already inside: a signal has
  /// interrupted it there, and its writer is in use.
  @inline(__always)
  func enter() -> UnsafeMutablePointer<ThreadWriter>? {
    guard simulated == nil, let writer = UnsafeMutablePointer<ThreadWriter>.last(of: control) else {
      return enterSlow()
    }
    scrolltrace_enter()
    return writer
  }

  /// Enters the recorder to record an event, unless recording is off.
  @inline(__always)
  func enterToRecord() -> UnsafeMutablePointer<ThreadWriter>? {
    shouldRecordEvent() ? enter() : nil
  }

  /// Leaves the recorder, which was entered with `writer`.
  @inline(__always)
  func leave(_ writer: UnsafeMutablePointer<ThreadWriter>) {
    if writer == simulated {
      writer.isInUse = false
      scrolltrace_leave(nil)
    } else {
      scrolltrace_leave(writer)
    }
  }

  /// Enters the recorder to end something that can end while recording is off, but not after
  /// `finish`, because the file lists it as open, and not in a forked child.
  @inline(__always)
  func enterToEnd() -> UnsafeMutablePointer<ThreadWriter>? {
    guard control.mode <= RecorderMode.on, let writer = enter() else { return nil }
    // Again, because nothing is freed while a thread is inside.
    guard control.mode <= RecorderMode.on else {
      leave(writer)
      return nil
    }
    return writer
  }

  @inline(never)
  private func enterSlow() -> UnsafeMutablePointer<ThreadWriter>? {
    guard !isInside else {
      control.countRefused()
      return nil
    }
    scrolltrace_enter()
    guard let simulated else { return findWriter() }
    simulated.isInUse = true
    return simulated
  }

  /// Whether the calling thread is inside a recorder.
  var isInside: Bool { UnsafeRawPointer(scrolltrace_get_writer()) == scrolltrace_inside_writer() }

  var existingWriter: UnsafeMutablePointer<ThreadWriter>? {
    if let simulated { return simulated }
    var next = ProcessHooks.firstWriter
    while let writer = next {
      if writer.pointee.control == control { return writer }
      next = writer.pointee.nextOfThread
    }
    return nil
  }

  @inline(never)
  private func findWriter() -> UnsafeMutablePointer<ThreadWriter> {
    if let writer = existingWriter { return writer }
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

  /// Creates a writer for the calling thread, which is inside the recorder.
  @discardableResult
  func adoptThread(_ identity: ThreadIdentity) -> UnsafeMutablePointer<ThreadWriter> {
    ProcessHooks.giveRetiredWriters()
    let store = control.pointee.store.takeUnretainedValue()
    let writer = store.makeWriter(control, identity, isSimulated: false)
    writer.pointee.nextOfThread = ProcessHooks.firstWriter
    ProcessHooks.firstWriter = writer
    if writer.pointee.hasLentChunk { store.moveIn(writer) }
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
}

extension TraceRecorder {
  /// Names the calling thread in the trace.
  public func nameThread(_ name: String) {
    guard pointer.shouldRecordEvent() else { return }
    let kept = store.intern(name)
    guard let writer = pointer.enter() else { return }
    writer.rename(kept)
    pointer.leave(writer)
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
  package func makeSimulatedThread(id: UInt32, name: String) -> TraceRecorder {
    guard pointer.control.mode != RecorderMode.forked else { return self }
    let identity = ThreadIdentity(id: id, name: name, isMain: false)
    let writer = store.makeWriter(pointer.control, identity, isSimulated: true)
    return TraceRecorder(simulating: writer, of: self)
  }
}

extension UnsafeMutablePointer<ThreadWriter> {
  /// Names the thread, again where the trace has a name for it.
  func rename(_ name: RecordedName) {
    let isIntroduced = pointee.chunkCount > 0 || pointee.hasLentChunk
    pointee.isNamedByPool = false
    pointee.threadName = name
    if isIntroduced { pointee.control.pointee.store.takeUnretainedValue().writeThreadName(self) }
  }

  /// Names a thread of a pool that makes frames and has no name but what is left of the pool's: on
  /// Linux the main actor of a program with an asynchronous `main` runs on such threads.
  func nameAfterFrames() { if pointee.isNamedByPool { rename("main actor") } }
}
