import ScrollTraceModel

extension ReplayPass {
  /// Lets content arrive as much earlier as its cell is prepared; content that was there before a cell,
  /// and is not yet, arrives after it.
  mutating func requestContent(
    of cell: Int, from start: Int64, until end: Int64, at index: Int
  ) {
    let work = model.cells[cell]
    guard let need = work.need else { return }
    if work.dataReady > start {
      deliver(lengths.repeats[cell], at: work.dataReady, after: index)
    }
    guard !work.contents.isEmpty else { return }
    let loaded = endOfLoad(of: work.loadTime, requestedAt: end)
    let lead = max(0, model.jobs[need].start - steps.steps[index].start)
    for content in work.contents {
      let isDecoded = model.contents[content].isDecoded
      let early = loaded ?? model.jobs[model.contents[content].job].start - lead
      let arrival = isDecoded ? max(early, model.jobs[need].start) : early
      guard let step = frame(at: arrival, after: index) else { continue }
      arrivals[step] = arrivals[step].saturatingAdd(lengths.takeContent(at: content, of: model))
    }
  }

  /// Lets content arrive for a cell that no frame displays as it did for `cell`, which is like it.
  mutating func requestContent(like cell: Int, until end: Int64, at index: Int) {
    guard model.cells[cell].contents.contains(where: { !model.contents[$0].isDecoded }),
      let arrival = endOfLoad(of: model.cells[cell].loadTime, requestedAt: end)
    else { return }
    deliver(lengths.repeats[cell], at: arrival, after: index)
  }

  /// Requests the data of all cells some lines ahead, so that most of it is there before them.
  mutating func requestDataAhead(of lines: Int) {
    let distance = lines * max(1, model.cellsOfLine)
    for run in model.runs {
      for (place, cell) in zip(run.needs, model.needs[run.needs]) {
        let work = model.cells[cell]
        guard work.isCandidate, let need = work.need, work.loads || !work.contents.isEmpty else {
          continue
        }
        let before = model.needs[max(place - distance, run.needs.lowerBound)]
        let request = model.jobs[model.cells[before].need ?? need].start
        let loadOnMain = work.loads ? work.mainLoad.saturatingAdd(model.usualLoad) : 0
        let time = work.loadTime.saturatingAdd(loadOnMain)
        let arrival = endOfLoad(of: time, requestedAt: request) ?? request
        bringIn(cell, at: arrival, needed: model.jobs[need].start)
      }
    }
  }

  /// Gives a cell its content when that arrives; content that is there before its cell is part of the
  /// preparation.
  private mutating func bringIn(_ cell: Int, at arrival: Int64, needed: Int64) {
    var isLate = arrival > needed
    let contents = model.cells[cell].contents
    for content in contents {
      let length = lengths.takeContent(at: content, of: model)
      let isDecoded = model.contents[content].isDecoded
      if isDecoded || isLate { deliver(length, at: max(needed, arrival), after: -1) }
      if !isDecoded { isLate = false }
    }
    if isLate, contents.isEmpty { deliver(lengths.repeats[cell], at: arrival, after: -1) }
  }

  /// Returns when a load is done, or `nil` if its duration is unknown.
  private mutating func endOfLoad(of time: Int64, requestedAt request: Int64) -> Int64? {
    guard time > 0, let thread = loading.indices.min(by: { loading[$0] < loading[$1] }) else {
      return nil
    }
    loading[thread] = max(request, loading[thread]).saturatingAdd(time)
    return loading[thread]
  }

  private mutating func deliver(_ length: Int64, at time: Int64, after index: Int) {
    guard let step = frame(at: time, after: index) else { return }
    arrivals[step] = arrivals[step].saturatingAdd(length)
  }

  /// Returns the step of the first frame at `time` or later that comes after the step `index`.
  private func frame(at time: Int64, after index: Int) -> Int? {
    let frame = steps.frames.partitionPoint { $0 > index && steps.steps[$0].start >= time }
    return frame < steps.frames.count ? steps.frames[frame] : nil
  }
}
