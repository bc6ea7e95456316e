internal import CRecorderShims
internal import ScrollTraceLayout

extension UnsafeMutablePointer<ThreadWriter> {
  /// Writes the timing of a frame and begins the span of its commit at the same time.
  func beginFrame(_ name: RecordedName, _ id: UInt64, _ timing: FrameTiming) -> SpanToken {
    beginFrameFast(name, id, timing)?.token(item: id) ?? beginFrameSlow(name, id, timing)
  }

  @inline(never)
  private func beginFrameSlow(
    _ name: RecordedName, _ id: UInt64, _ timing: FrameTiming
  ) -> SpanToken {
    nameAfterFrames()
    let time = eventTime()
    let times = pointee.threadTimeKeys == 0 ? .unknown : ThreadTimes.now()
    let category = SpanCategory.frame.name
    if let reference = reference(category: category, name: name) {
      let details = FrameTimingDetails(frame: id, timing: timing)
      writeEvent(
        .instant, reference, at: time, details: TimedDetails(details: details, times: times))
    }
    if !pointee.hasCheckedTiming { checkTiming(timing, name, at: time) }
    let token = beginSpan(name, category, item: id, at: time)
    if token.writer != nil {
      storeFrameBegin(token.begin)
      if pointee.sampler != nil { beginSampledFrame(name, at: token.begin, timing) }
    }
    return token
  }

  /// Makes the spans around the frame end the long way, where those of tokens are told from those of
  /// closures: code with a token was suspended if its thread makes a frame meanwhile.
  @inline(__always)
  private func storeFrameBegin(_ begin: UInt64) {
    pointee.lastFrameBegin = begin
    pointee.chunkFloor = begin
  }

  /// Does the same if the chunk defines all texts and has room, and there is no other work at frames,
  /// which takes many times as long; otherwise does nothing and returns `nil`.
  @inline(__always)
  private func beginFrameFast(
    _ name: RecordedName, _ id: UInt64, _ timing: FrameTiming
  ) -> FastPathSpan? {
    let stack = FastPathStack(self)
    let details = FrameTimingDetails(frame: id, timing: timing)
    let keys = details.keys
    let record = pointee.cursor
    guard let found = headerEntry(category: SpanCategory.frame.name.start, name: name.start),
      stack.hasRoom, pointee.defined[0] & keys == keys, !pointee.hasFrameWork,
      hasRoom(upTo: record + 12 * 8), let now = fastTime()
    else { return nil }
    let time = Swift.max(now, pointee.earliestBegin)
    var built = RecordBuilder(at: record)
    built.append(time)
    details.add(to: &built, first: .empty, second: .empty)
    let next = built.next
    let size = UInt64(UInt(bitPattern: next) &- UInt(bitPattern: record))
    let event = FXTWord.event(.instant, words: size >> 3, arguments: built.argumentCount)
    let references = NameReference(header: found.pointee.header).headerBits
    writePad(at: next, behind: record, size: size)
    scrolltrace_store_release(record, (event | references).littleEndian)
    pointee.cursor = next
    let begin = takeBegin(time)
    storeFrameBegin(begin)
    return pushFast(found, item: id, at: begin, onto: stack)
  }

  /// Ends a frame's last phase, which is the innermost open span, and the commit around it, or
  /// neither.
  @inline(__always)
  func endFrameFast(_ frame: SpanToken, after phase: SpanToken) -> Bool {
    let stack = FastPathStack(self)
    let record = pointee.cursor
    let next = record + 24
    guard UInt32(truncatingIfNeeded: phase.bits) == UInt32(truncatingIfNeeded: FXTWord.plainSpan),
      UInt32(truncatingIfNeeded: frame.bits) == UInt32(truncatingIfNeeded: FXTWord.itemSpan),
      let entry = stack.entryIfInnermost(phase), UInt32(truncatingIfNeeded: stack.word) > 1,
      scrolltrace_load(entry - RecordingLayout.Entry.size + RecordingLayout.Entry.begin)
        == frame.begin,
      frame.begin >= pointee.chunkFloor, pointee.defined[0] & Vocabulary.Key.frame.bit != 0,
      !pointee.hasFrameWork, hasRoom(upTo: next + 40), let now = fastTime()
    else { return false }
    let end = takeEnd(now)
    writeSpan(
      at: record, begin: phase.begin, header: phase.bits, item: nil, key: .item, to: end,
      next: next)
    let rest = stack.pop()
    writeSpan(
      at: next, begin: frame.begin, header: frame.bits, item: frame.item, key: .frame, to: end,
      next: next + 40)
    rest.pop()
    return true
  }
}

extension SpanToken {
  /// Begins a phase at the start of the frame's span, if that span is the innermost.
  @usableFromInline @inline(never)
  func beginFirstPhase(_ phase: RecordedName) -> SpanToken {
    if let writer = writerHere,
      writer.pointee.control.mode == RecorderMode.on
    {
      scrolltrace_enter()
      let span = writer.beginFast(phase.start, SpanCategory.phase.name.start, item: nil, at: begin)
      scrolltrace_leave(writer)
      if let span { return span.token(item: nil) }
    }
    return recorder?.beginFirstPhase(phase, of: self) ?? .off
  }

  /// Ends a frame's last phase and its commit at the same time, and returns whether it did. They
  /// must be the innermost spans of the calling thread.
  @usableFromInline @inline(never)
  func endFrame(after phase: SpanToken) -> Bool {
    guard let writer = writerHere, phase.writer == self.writer else { return false }
    scrolltrace_enter()
    let hasEnded = writer.endFrameFast(self, after: phase)
    scrolltrace_leave(writer)
    return hasEnded
  }
}

extension RecorderPointer {
  /// Begins a phase at the start of the frame's span on that span's thread, or at the current time.
  @usableFromInline @inline(never)
  func beginFirstPhase(_ phase: RecordedName, of frame: SpanToken) -> SpanToken {
    guard let writer = enterToRecord() else { return .off }
    defer { leave(writer) }
    let isHere = frame.writer == UnsafeMutableRawPointer(writer)
    return writer.beginSpan(
      phase, SpanCategory.phase.name, item: nil, at: isHere ? frame.begin : nil)
  }

  /// Ends a frame's commit, and its last phase, if there is one, at the same time.
  @usableFromInline @inline(never)
  func endFrame(
    _ frame: SpanToken, _ id: UInt64, after phase: SpanToken = .off, outcome: RecordedName? = nil
  ) {
    guard frame.writer != nil || phase.writer != nil else { return }
    let isForeign = endIfForeign(phase)
    guard let writer = enterToEnd() else { return }
    defer { leave(writer) }
    let time = writer.readClock()
    // After the time: a reading can cost the thread its core.
    let times = threadTimes(ending: frame, writer)
    if !isForeign {
      endSpan(
        phase, with: writer, at: time, isNested: true, details: ItemDetails(item: phase.knownItem))
    }
    endSpan(
      frame, with: writer, at: time, isNested: true,
      details: TimedDetails(details: CommitDetails(frame: id, outcome: outcome), times: times))
    writer.endSampledFrame(frame, at: time)
  }

  /// What is known of the calling thread now, if it is the one on which the frame began.
  private func threadTimes(
    ending frame: SpanToken, _ writer: UnsafeMutablePointer<ThreadWriter>
  ) -> ThreadTimes {
    guard writer.pointee.threadTimeKeys != 0, frame.writer == UnsafeMutableRawPointer(writer),
      writer.depth(of: frame) != nil
    else { return .unknown }
    return .now()
  }
}
