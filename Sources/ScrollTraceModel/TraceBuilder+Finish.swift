extension TraceBuilder {
  /// Returns the finished trace: sorted, with the basis of each surface, the host and the main
  /// track determined.
  package consuming func finish() -> Trace {
    for index in tracks.indices { tracks[index].spans.sort() }
    removeStrayTimes()
    settleSamples()
    if let aliveUntil, lastTime >= firstTime { extend(to: aliveUntil) }
    limitOpenSpans()
    settleHostAndMain()
    let order = surfaces.indices.sorted { surfaces[$0].name < surfaces[$1].name }
    var newIDs = Array(repeating: SurfaceID(index: 0), count: order.count)
    for (position, old) in order.enumerated() { newIDs[old] = SurfaceID(index: position) }
    let finished = order.map { finishSurface($0) }
    if finished.allSatisfy({ $0.frames.count == 0 && $0.basis != .hitchList }),
      aggregates.isEmpty
    {
      addNotice(.noFrames)
    }
    if strings.hasOverflowed { countLoss(.limitReached) }
    if !openSpans.isEmpty { addNotice(.unfinishedSpans(count: openSpans.count)) }
    // Behind what a copy of the trace says of itself, so that its notices have the same order.
    settleThreadTimes()
    let range = TimeRange(
      start: Timestamp(clamping: firstTime == Int64.max ? 0 : firstTime),
      end: Timestamp(clamping: max(0, lastTime)))
    return Trace(
      source: source, range: range, strings: strings, labels: labels, arguments: arguments,
      processes: processes, tracks: tracks, surfaces: finished,
      marks: marks.stablySorted { $0.time }, asyncSpans: asyncSpans.stablySorted { $0.range.start },
      flows: flows.stablySorted { $0.time }, counters: counters.map { $0.sorted() },
      stackTree: stackTree, samples: samples,
      interactions: interactions.map { $0.renumbered(newIDs) }.stablySorted { $0.start },
      states: states.stablySorted { $0.time },
      losses: losses.values.sorted { $0.reason.rawValue < $1.reason.rawValue },
      openSpans: openSpans.stablySorted { $0.since }, aggregates: aggregates, notices: notices,
      countedSpanCount: spanCounts.total)
  }

  /// Removes presentation times before the frame's start, which are invalid, and returns their
  /// number. If more than one in ten of a surface's presentation times is invalid, all are removed
  /// (M-2).
  private static func removeInvalidPresentations(_ frames: inout [Frame]) -> Int {
    func isInvalid(_ frame: Frame) -> Bool {
      guard let begin = frame.start, let presented = frame.presented else { return false }
      return presented < begin
    }
    let known = frames.count { $0.presented != nil }
    let invalid = frames.count(where: isInvalid)
    guard invalid > 0 else { return 0 }
    let believesNone = invalid * 10 > known
    for index in frames.indices where believesNone || isInvalid(frames[index]) {
      frames[index].presented = nil
    }
    return invalid
  }

  private mutating func finishSurface(_ index: Int) -> Surface {
    var frames = surfaces[index].frames
    surfaces[index].frames = []
    let draft = surfaces[index]
    let early = Self.removeInvalidPresentations(&frames)
    frames = frames.stablySorted { $0.place?.nanoseconds ?? Int64.max }
    for index in frames.indices {
      if let interval = frames[index].refreshInterval, interval <= .zero {
        frames[index].refreshInterval = nil
      }
      if frames[index].presented != nil, frames[index].outcome == .unknown {
        frames[index].outcome = .presented
      }
    }
    if early > 0 { addNotice(.presentedBeforeStart(surface: draft.name, count: early)) }
    if draft.repeated > 0 {
      addNotice(.repeatedFrameNumbers(surface: draft.name, count: draft.repeated))
    }
    return Surface(
      name: draft.name, basis: draft.basis ?? Basis(of: frames),
      presentationTolerance: draft.tolerance, timesLieOnRefreshGrid: draft.liesOnGrid,
      numbersEveryFrame: draft.numbersEveryFrame, isDisplayStream: draft.isDisplayStream,
      life: draft.life, holes: holes(before: frames),
      frames: FrameColumns(frames: frames),
      listedHitches: draft.listedHitches.stablySorted { $0.start })
  }

  /// The time at the start of the trace of which nothing is known of a surface with these frames.
  private func holes(before frames: [Frame]) -> [TimeRange] {
    let start = Timestamp(clamping: firstTime == Int64.max ? 0 : firstTime)
    guard let kept = keptSince(frames), start < kept else { return [] }
    return [TimeRange(start: start, end: kept)]
  }

  /// The first time of which the source kept all that tells of a surface with these frames, or `nil`
  /// if it kept everything.
  ///
  /// Each thread fills its own parts of a buffer, so a thread with few events has some from before
  /// those of others.
  private func keptSince(_ frames: [Frame]) -> Timestamp? {
    guard keepsOnlyLastEvents else { return nil }
    let committing = Set(frames.lazy.compactMap(\.track))
    let processes = Set(committing.map { tracks[$0.index].process })
    let likely = tracks.indices.filter { index in
      processes.isEmpty
        ? self.processes[tracks[index].process.index].isHost
        : processes.contains(tracks[index].process)
    }
    let busiest = likely.max { (spanCount(of: $0), $1) < (spanCount(of: $1), $0) }
    let telling = committing.map(\.index) + [busiest].compactMap(\.self)
    let first = telling.compactMap { tracks[$0].spans.times.first?.start }.max()
    guard let kept = first.flatMap(Timestamp.init(nanoseconds:)) else { return frames.first?.place }
    // Frames from a buffer of their own, which kept more.
    let earlier = frames.count { $0.place.map { $0 < kept } ?? false }
    return earlier * 10 > frames.count ? frames.first?.place : kept
  }

  /// Determines the host and its main track if the source does not name them.
  private mutating func settleHostAndMain() {
    if !processes.contains(where: \.isHost), let likely = likelyHost() {
      processes[likely].isHost = true
    }
    let hostTracks = tracks.indices.filter { processes[tracks[$0].process.index].isHost }
    let committing = committingTrack().flatMap { hostTracks.contains($0) ? $0 : nil }
    if let main = hostTracks.first(where: { tracks[$0].isMain }) {
      guard let committing, !hasCommits(on: main) else { return }
      // A host's main actor need not run on the process's first thread.
      for track in hostTracks { tracks[track].isMain = track == committing }
      return addNotice(.commitsOnOtherThread(track: tracks[committing].displayName))
    }
    let likely =
      committing
      ?? hostTracks.first { tracks[$0].systemID == processes[tracks[$0].process.index].systemID }
      ?? hostTracks.first { ["main", "Main Thread"].contains(tracks[$0].name) }
      ?? mostSampledTrack(of: hostTracks)
    if let likely {
      tracks[likely].isMain = true
    } else if !tracks.isEmpty || aggregates.isEmpty {
      // If there are only sums, a main thread is not missing.
      addNotice(.noMainTrack)
    }
  }

  private func likelyHost() -> Int? {
    if let main = tracks.first(where: \.isMain) { return main.process.index }
    if let track = committingTrack() { return tracks[track].process.index }
    var counts = Array(repeating: 0, count: processes.count)
    for index in tracks.indices { counts[tracks[index].process.index] += spanCount(of: index) }
    if counts.allSatisfy({ $0 == 0 }) {
      for (track, count) in zip(tracks, sampleCounts) { counts[track.process.index] += count }
    }
    return counts.indices.max { (counts[$0], -$0) < (counts[$1], -$1) }
  }

  /// The track with the most samples if nothing else is known of threads.
  private func mostSampledTrack(of indices: [Int]) -> Int? {
    guard tracks.indices.allSatisfy({ spanCount(of: $0) == 0 }) else { return nil }
    let counts = sampleCounts
    return indices.filter { counts[$0] > 0 }.max { (counts[$0], -$0) < (counts[$1], -$1) }
  }

  private func hasCommits(on track: Int) -> Bool {
    surfaces.contains { $0.frames.contains { $0.track?.index == track } }
  }

  /// The track that made the most commits, or `nil` if there is none.
  private func committingTrack() -> Int? {
    var counts = Array(repeating: 0, count: tracks.count)
    for surface in surfaces {
      for frame in surface.frames {
        if let track = frame.track { counts[track.index] += 1 }
      }
    }
    return counts.indices.filter { counts[$0] > 0 }.max { (counts[$0], -$0) < (counts[$1], -$1) }
  }
}

extension Basis {
  /// Creates the basis that the frames allow (M-2): the strongest that applies to any frame that
  /// was expected and not dropped.
  package init(of frames: [Frame]) {
    var (hasTargets, hasDeadlines, hasTimes) = (false, false, false)
    for frame in frames where frame.outcome != .notRequested && frame.outcome != .dropped {
      if frame.target != nil, frame.presented != nil { hasTargets = true }
      if frame.deadline != nil, frame.commitEnd != nil { hasDeadlines = true }
      if frame.presented != nil || frame.start != nil { hasTimes = true }
    }
    self = hasTargets ? .target : hasDeadlines ? .deadline : hasTimes ? .cadence : .none
  }
}

extension Counter {
  fileprivate func sorted() -> Counter {
    let order = Array(times.indices).stablySorted { times[$0] }
    var copy = self
    copy.times = order.map { times[$0] }
    copy.values = order.map { values[$0] }
    return copy
  }
}

extension Interaction {
  /// Returns the interaction with the surface's handle in the finished trace.
  fileprivate func renumbered(_ newIDs: [SurfaceID]) -> Interaction {
    guard let surface else { return self }
    return Interaction(
      kind: kind, name: name, start: start, end: end, surface: newIDs[surface.index])
  }
}
