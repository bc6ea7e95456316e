internal import CRecorderShims
internal import ScrollTraceLayout
internal import ScrollTracePlatform

// What keeps a recording from showing what the host wanted. The file says it once, and standard error if
// the host wants that.

extension UnsafeMutablePointer<ControlBlock> {
  /// Stores that the host handles the signal that asks threads for their stacks. The next frame writes it
  /// to the file.
  func setNoStacks() {
    guard scrolltrace_replace(word(ControlBlock.Word.noStacks), 0, 1) else { return }
    pointee.store.takeUnretainedValue().printProblem(Self.noStacksText)
  }

  /// Returns whether the file does not say yet that stacks are missing. Only the first call does.
  fileprivate func takeNoStacks() -> Bool {
    scrolltrace_replace(word(ControlBlock.Word.noStacks), 1, 2)
  }

  fileprivate static var noStacksText: String {
    "no stacks are sampled: the host handles SIGURG itself"
  }
}

extension UnsafeMutablePointer<ThreadWriter> {
  /// Compares the times of the first frame that has any with the clock.
  @inline(never)
  func checkTiming(_ timing: FrameTiming, _ surface: RecordedName, at now: UInt64) {
    writeMissingStacks()
    guard timing.start != nil || timing.deadline != nil || timing.target != nil else { return }
    pointee.hasCheckedTiming = true
    let times = [
      ("begin", timing.start?.nanoseconds), ("deadline", timing.deadline?.nanoseconds),
      ("target", timing.target?.nanoseconds),
    ]
    check(times, of: surface, at: now)
  }

  /// Compares the first time of presentation with the clock.
  @inline(never)
  func checkPresentation(at time: Int64, _ surface: RecordedName) {
    pointee.hasCheckedPresentation = true
    check([("presentation", time)], of: surface, at: readClock())
  }

  func writeMissingStacks() {
    let control = pointee.control
    if control.hasNoStacks, control.takeNoStacks() {
      writeNotice(UnsafeMutablePointer<ControlBlock>.noStacksText)
    }
  }

  private func check(
    _ times: [(name: String, time: Int64?)], of surface: RecordedName, at now: UInt64
  ) {
    let control = pointee.control
    let store = control.pointee.store.takeUnretainedValue()
    // Other times are the host's own.
    guard control.pointee.systemClock != nil, !pointee.isSimulated else { return }
    for (name, time) in times {
      guard let time, let distance = ClockDistance(from: Int64(clamping: now), to: time) else {
        continue
      }
      let isFirst = store.locked { state in
        defer { state.hasNotedClock = true }
        return !state.hasNotedClock
      }
      guard isFirst else { return }
      let text = """
        the \(name) of the first frame of "\(surface.text)" is \(distance.text) the recording's \
        clock, \(store.options.clock.systemName)\(distance.cause)
        """
      writeNotice(text)
      return store.printProblem(text)
    }
  }

  /// Writes a notice that reports show. It is no event: without room, nothing is lost.
  private func writeNotice(_ text: String) {
    pointee.isNaming = true
    defer { pointee.isNaming = false }
    let store = pointee.control.pointee.store.takeUnretainedValue()
    writeDurable(
      .instant, RecordedName(Vocabulary.Category.notice), RecordedName(Vocabulary.Notice.source),
      at: eventTime(),
      details: NoticeDetails(
        key: store.intern(Vocabulary.Key.text.description), text: store.intern(text)))
  }
}

extension RecorderStore {
  /// Prints a problem to standard error if the host wants that.
  fileprivate func printProblem(_ text: String) {
    guard options.printsProblems else { return }
    let prefix = destination.path.isEmpty ? "" : "\(destination.path): "
    var line = "scrolltrace: \(prefix)\(text)\n"
    line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}

private struct NoticeDetails: EventDetails {
  var key: RecordedName
  var text: RecordedName

  var keys: UInt64 { 0 }
  var words: Int { 1 }
  /// The key has no fixed number: it is a text too.
  var texts: (first: RecordedName?, second: RecordedName?) { (key, text) }

  func add(to record: inout RecordBuilder, first: RecordText, second: RecordText) {
    record.argument(named: first, second)
  }
}
