/// What a recorder notes of frames while it records them, for dumps and for the choice of traces.
extension RecorderPointer {
  /// Whether anything is noted.
  @inlinable
  var notesFrames: Bool { control.pointee.notesFrames }

  /// Notes the end of a frame's commit, which is now.
  @usableFromInline @inline(never)
  func noteCommit(of frame: RecordedFrame, outcome: RecordedOutcome?) {
    // A frame may end while recording is off, or in a forked child, where no lock may be taken.
    guard control.mode == RecorderMode.on, frame.token.writer != nil,
      let timing = frame.surface.block.pointee.timings?.timing(of: frame.id)
    else { return }
    noteCommit(timing, at: now(), outcome, frame.surface)
  }

  /// Notes the end of a commit, or that its frame ended without one.
  func noteCommit(
    _ timing: FrameTiming, at end: Int64?, _ outcome: RecordedOutcome?, _ surface: RecordedSurface
  ) {
    if let deadline = timing.deadline?.nanoseconds, let end {
      noteHitch(since: deadline, until: end)
    }
    guard let meter = surface.block.pointee.meter, let motion = control.pointee.motion else {
      return
    }
    if let outcome, outcome.isNotRequested {
      meter.noteNothingRequested()
    } else if outcome?.isDropped != true {
      meter.noteCommit(timing, at: end, motion)
    }
  }

  /// Notes that a frame was presented.
  func notePresentation(of frame: UInt64, at time: Int64, _ surface: RecordedSurface) {
    guard let timings = surface.block.pointee.timings else { return }
    let timing = timings.timing(of: frame) ?? FrameTiming()
    if let target = timing.target?.nanoseconds { noteHitch(since: target, until: time) }
    if let meter = surface.block.pointee.meter, let motion = control.pointee.motion {
      meter.notePresentation(timing, at: time, motion)
    }
  }

  /// Notes an outcome that is reported after the commit.
  func noteOutcome(_ outcome: RecordedOutcome, _ surface: RecordedSurface) {
    guard let meter = surface.block.pointee.meter else { return }
    if outcome.isNotRequested { meter.noteNothingRequested() }
    if outcome.isDropped { meter.noteDrop() }
  }

  /// Notes a hitch that the system reported.
  func noteHitch(at start: Int64, length: Int64, _ surface: RecordedSurface) {
    noteHitch(of: length, until: start)
    if let meter = surface.block.pointee.meter, let motion = control.pointee.motion {
      meter.noteHitch(at: start, length: length, motion)
    }
  }
}
