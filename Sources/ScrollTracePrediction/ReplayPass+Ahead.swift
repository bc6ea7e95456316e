import ScrollTraceModel

extension ReplayPass {
  /// What a list prepares next.
  enum Preparation {
    /// The cell at this place of the model.
    case cell(Int)
    /// A cell at a position that no frame displays, which takes as long as the one at this place.
    case unneeded(at: Int64, like: Int)

    /// The cell that takes as long.
    var cell: Int {
      switch self {
      case .cell(let cell), .unneeded(_, let cell): cell
      }
    }
  }

  /// Returns what the list prepares next: the nearest of the cells that come into view if the scroll goes
  /// on, or `nil` if all of them are ready.
  mutating func nextPreparation(after step: ReplayStep) -> Preparation? {
    guard let policy else { return nil }
    // Refreshes without a frame precede the jobs of the next recorded frame.
    let done = steps.jobs[step.jobs].last.map { model.jobs[$0].start } ?? step.start
    passNeeds(until: done)
    let run = presentRun
    var coming = 0
    for cell in model.needs[nextNeed..<max(nextNeed, run.needs.upperBound)]
    where model.cells[cell].isCandidate {
      if coming == policy.mostWaiting { return nil }
      if isLeft(cell) { return .cell(cell) }
      coming += 1
    }
    return isProposed ? next(beyond: run, policy.mostWaiting - coming, after: done) : nil
  }

  private mutating func passNeeds(until instant: Int64) {
    while nextNeed < model.needs.count {
      let work = model.cells[model.needs[nextNeed]]
      if work.isCandidate, let need = work.need, model.jobs[need].start > instant { break }
      nextNeed += 1
    }
  }

  /// The run of the next cell, or the one before if the scroll has not turned yet.
  private var presentRun: ReplayModel.Run {
    let next = model.runs.partitionPoint { $0.needs.upperBound > nextNeed }
    let run = min(next, model.runs.count - 1)
    return model.runs[run > 0 && model.runs[run].start > free ? run - 1 : run]
  }

  /// Returns the nearest cell beyond the end of `run`, up to `count` positions away: a list does not know
  /// where the scroll will turn.
  private func next(
    beyond run: ReplayModel.Run, _ count: Int, after done: Int64
  ) -> Preparation? {
    let positions = run.last.compactMap { model.cells[$0].position }
    guard let edge = run.isDown ? positions.max() : positions.min() else { return nil }
    for distance in 0..<count {
      let position = edge.saturatingAdd(Int64(run.isDown ? distance + 1 : -distance - 1))
      guard position >= 0 else { return nil }
      if let cell = firstCells[position], let need = model.cells[cell].need,
        model.jobs[need].start > done
      {
        if isLeft(cell) { return .cell(cell) }
      } else if !unneeded.contains(position), !kept.holds(position: position) {
        let like = firstCells[position] ?? run.last[distance % run.last.count]
        return .unneeded(at: position, like: like)
      }
    }
    return nil
  }

  /// Makes a preparation at `start`, in or after the commit that began at `frame`, and returns the time that
  /// takes.
  mutating func prepareAhead(
    _ preparation: Preparation, from start: Int64, in frame: Int64, at index: Int
  ) -> Int64 {
    preparedAhead += 1
    let length = price(of: preparation.cell)
    let end = start.saturatingAdd(length)
    switch preparation {
    case .cell(let cell):
      requestContent(of: cell, in: frame, until: end, at: index)
      correction = max(correction, lengths.corrections[cell])
      spend(on: cell)
      prepare(cell)
    case .unneeded(let position, let cell):
      requestContent(like: cell, until: end, at: index)
      spend(on: cell)
      unneeded.append(position)
      if waitingCells + unneeded.count > kept.limit {
        unneeded.removeFirst()
        kept.putBack(ofKind: model.cells[cell].kind)
      }
    }
    return length
  }

  /// Makes one preparation if it and the next commit fit before the next frame's deadline.
  mutating func useIdleTime(
    after step: ReplayStep, _ refresh: ReplayStep.Refresh, in frame: Int64, at index: Int
  ) {
    guard let next = nextPreparation(after: step) else { return }
    let start = refresh.start.saturatingAdd(refresh.refreshInterval)
    let due = (refresh.deadline ?? start).saturatingAdd(refresh.refreshInterval)
    guard free <= start,
      spareTime.allows(
        preparation(of: next.cell), in: due - free, refreshInterval: refresh.refreshInterval)
    else { return }
    keepBusy(from: free, for: prepareAhead(next, from: free, in: frame, at: index))
    isFreeAfterAhead = true
  }
}
