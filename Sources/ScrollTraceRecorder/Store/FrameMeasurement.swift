/// What a recorder measures of frames while it records them, for dumps and for the choice of traces.
extension RecorderPointer {
  @inlinable
  var measuresFrames: Bool { control.pointee.measuresFrames }

  /// Measures the end of a frame's commit, which is now.
  @usableFromInline @inline(never)
  func measureCommit(of frame: RecordedFrame, outcome: RecordedOutcome?) {
    // A frame may end while recording is off, or in a forked child, where no lock may be taken.
    guard control.mode == RecorderMode.on, frame.token.writer != nil,
      let timing = frame.surface.block.pointee.timings?.timing(of: frame.id)
    else { return }
    measureCommit(timing, at: now(), outcome, frame.surface)
  }

  /// Measures the end of a commit, or that its frame ended without one.
  func measureCommit(
    _ timing: FrameTiming, at end: Int64?, _ outcome: RecordedOutcome?, _ surface: RecordedSurface
  ) {
    if let deadline = timing.deadline?.nanoseconds, let end {
      requestDump(since: deadline, until: end)
    }
    guard let meter = surface.block.pointee.meter, let motion = control.pointee.motion else {
      return
    }
    if let outcome, outcome.isNotRequested {
      meter.addNothingRequested()
    } else if outcome?.isDropped != true {
      meter.addCommit(timing, at: end, motion)
    }
  }

  func measurePresentation(of frame: UInt64, at time: Int64, _ surface: RecordedSurface) {
    guard let timings = surface.block.pointee.timings else { return }
    let timing = timings.timing(of: frame) ?? FrameTiming()
    if let target = timing.target?.nanoseconds { requestDump(since: target, until: time) }
    if let meter = surface.block.pointee.meter, let motion = control.pointee.motion {
      meter.addPresentation(timing, at: time, motion)
    }
  }

  /// Measures an outcome that is reported after the commit.
  func measureOutcome(_ outcome: RecordedOutcome, _ surface: RecordedSurface) {
    guard let meter = surface.block.pointee.meter else { return }
    if outcome.isNotRequested { meter.addNothingRequested() }
    if outcome.isDropped { meter.addDrop() }
  }

  func measureHitch(at start: Int64, length: Int64, _ surface: RecordedSurface) {
    requestDump(of: length, until: start)
    if let meter = surface.block.pointee.meter, let motion = control.pointee.motion {
      meter.addHitch(at: start, length: length, motion)
    }
  }
}
