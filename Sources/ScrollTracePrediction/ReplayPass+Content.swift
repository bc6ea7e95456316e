import ScrollTraceModel

extension ReplayPass {
  /// The longest time from a request to the end of the preparation that makes it.
  private static let askTime: Int64 = 50_000

  /// Requests the content of a cell that was prepared before its frame until `end`; content that was there
  /// before the cell, but comes after the commit at `frame` began, arrives after it.
  mutating func requestContent(
    of cell: Int, in frame: Int64, until end: Int64, at index: Int
  ) {
    let work = model.cells[cell]
    guard let need = work.need else { return }
    if isProposed, work.dataReady > frame {
      deliver(lengths.repeats[cell], at: work.dataReady, after: index)
    }
    if work.loadTime > 0 || !isProposed { return requestContent(of: cell, at: end, after: index) }
    // It is unknown when the content was loaded: as much earlier as its cell is prepared.
    let lead = max(0, model.jobs[need].start - steps.steps[index].start)
    for content in work.contents {
      let early = model.jobs[model.contents[content].job].start - lead
      move(content, to: early, after: index)
    }
  }

  /// Requests the content of a prepared cell, which arrives when a thread has loaded it: as much earlier
  /// or later than recorded as in the replay of the recording.
  mutating func requestContent(of cell: Int, at request: Int64, after index: Int) {
    let work = model.cells[cell]
    let contents = work.contents
    guard !requestsDataAhead, lateLoads[cell] > 0 || !contents.isEmpty,
      let shift = shiftOfLoad(for: cell, requestedAt: request)
    else { return }
    guard lateLoads[cell] == 0 else {
      return shift == 0 ? () : shiftLateContent(of: cell, by: shift, after: index)
    }
    for content in contents where model.contents[content].loaded > 0 {
      shiftContent(content, by: shift, after: index)
    }
  }

  /// Returns how much later than in the replay of the recording the load for a cell ends, or `nil` if its
  /// duration is unknown.
  private mutating func shiftOfLoad(for cell: Int, requestedAt request: Int64) -> Int64? {
    let work = model.cells[cell]
    if let previous = work.previous, loadEnds[previous] > 0,
      model.cells[previous].lateLoad == work.loadStart.saturatingAdd(work.loadTime)
    {
      // Its item was requested for the cell that it had before.
      loadEnds[cell] = loadEnds[previous]
      return expectedLoadEnds[cell] > 0 ? loadEnds[cell] - expectedLoadEnds[cell] : 0
    }
    // What was under way before the preparation was requested for another cell of the item.
    let isUnderWay = work.loadStart < work.prepared - Self.askTime
    guard let end = endOfLoad(of: work.loadTime, requestedAt: isUnderWay ? work.loadStart : request)
    else { return nil }
    loadEnds[cell] = end
    return expectedLoadEnds[cell] > 0 ? end - expectedLoadEnds[cell] : 0
  }

  /// Moves the content that a cell did not get, which arrives for it if the cell is still in view.
  private mutating func shiftLateContent(of cell: Int, by shift: Int64, after index: Int) {
    lateLoads[cell] = model.cells[cell].lateLoad.saturatingAdd(shift)
    guard let step = frame(at: lateLoads[cell], after: index),
      steps.steps[step].start <= model.cells[cell].left.map({ model.jobs[$0].start }) ?? Int64.max
    else { return }
    lateLoads[cell] = 0
    arrivals[step] = arrivals[step].saturatingAdd(lengths.repeats[cell])
  }

  /// Moves content that is loaded later, or earlier, to the frame that comes then. If that is the frame as
  /// before, the content stays where it was.
  private mutating func shiftContent(_ content: Int, by shift: Int64, after index: Int) {
    let loaded = model.contents[content].loaded
    let time = loaded.saturatingAdd(shift)
    guard isOtherRate || frame(at: time, after: index) != frame(at: loaded, after: index) else {
      return
    }
    move(content, to: time, after: index)
  }

  /// Moves content to the first frame at `time`, an image not before the frame that displays its cell.
  private mutating func move(_ content: Int, to time: Int64, after index: Int) {
    let known = model.contents[content]
    guard let step = frame(at: max(time, displayTime(of: content) ?? time), after: index),
      !steps.jobs[steps.steps[step].jobs].contains(known.job)
    else { return }
    give(content, in: step)
  }

  /// When the cell of an image comes into view, or `nil` for other content, which needs no view.
  private func displayTime(of content: Int) -> Int64? {
    let known = model.contents[content]
    return known.isDecoded ? model.cells[known.cell].need.map { model.jobs[$0].start } : nil
  }

  private mutating func give(_ content: Int, in step: Int) {
    guard !isGiven[content] else { return }
    isGiven[content] = true
    let known = model.contents[content]
    arrivals[step] = arrivals[step].saturatingAdd(lengths.takeContent(at: content, of: model))
    guard let reloaded = known.reloaded else { return }
    reloads[step, default: []].append(known.cell)
    for decode in model.cells[reloaded].contents where model.contents[decode].isDecoded {
      let need = model.cells[known.cell].need.map { model.jobs[$0].start } ?? 0
      if let step = frame(at: max(steps.steps[step].start, need), after: step - 1) {
        give(decode, in: step)
      }
    }
  }

  /// Lets content that was requested before its cell arrive in the first frame after its load, also at
  /// another rate.
  mutating func deliverPrefetched() {
    for (index, content) in model.contents.enumerated()
    where content.loaded > 0 && model.cells[content.cell].contents.isEmpty {
      move(index, to: content.loaded, after: -1)
    }
  }

  /// Takes the content of a cell away that is there when a commit that prepares it starts: the preparation
  /// contains it.
  mutating func includeContent(of cell: Int, from start: Int64) {
    for content in prefetched[cell] ?? []
    where !isGiven[content] && model.contents[content].loaded <= start {
      isGiven[content] = true
      _ = lengths.takeContent(at: content, of: model)
    }
  }

  /// Gives the content of the next recorded frame in a frame at a refresh that had none, if it is there.
  mutating func takeEarlyContent(at index: Int) {
    let next = index + distances[index].steps
    guard !isOtherRate, distances[index].steps > 0, next < steps.steps.count else { return }
    let time = steps.steps[index].start
    for job in steps.jobs[steps.steps[next].jobs] {
      for content in contentsOfJob[job] ?? [] {
        let loaded = model.contents[content].loaded
        guard loaded > 0, loaded <= time, displayTime(of: content) ?? 0 <= time else { continue }
        give(content, in: index)
      }
    }
  }

  /// Lets content arrive for a cell that no frame displays as it did for `cell`, which is like it.
  mutating func requestContent(like cell: Int, until end: Int64, at index: Int) {
    guard model.cells[cell].contents.contains(where: { !model.contents[$0].isDecoded }),
      let arrival = endOfLoad(of: model.cells[cell].loadTime, requestedAt: end)
    else { return }
    deliver(lengths.repeats[cell], at: arrival, after: index)
  }

  /// Gives the cells that leave the view in `job`, and are kept, the content that they did not wait for.
  mutating func giveContent(leaving job: Int, at index: Int) {
    for cell in model.leaves[model.jobs[job].leaves] where lateLoads[cell] > 0 && kept.holds(cell) {
      let arrival = max(lateLoads[cell], model.jobs[job].end)
      lateLoads[cell] = 0
      if let step = frame(at: arrival, after: index) { lateCells[step, default: []].append(cell) }
    }
  }

  /// Takes the time of giving cells the content that arrives in a step, or in skipped frames before it.
  mutating func takeContent(at index: Int) -> Int64 {
    holdContent(at: index)
    defer { held = (0, []) }
    return held.lateCells.filter { kept.getsContent($0) }.reduce(held.length) {
      $0.saturatingAdd(lengths.repeats[$1])
    }
  }

  /// Keeps the content that arrives in a step for the next frame.
  mutating func holdContent(at index: Int) {
    held.length = held.length.saturatingAdd(arrivals[index])
    arrivals[index] = 0
    held.lateCells += lateCells.removeValue(forKey: index) ?? []
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
        // What the frame that requests the data ahead displays is loaded as before.
        guard let requested = model.cells[before].need, requested != need else {
          lengths.loadOnMain(cell, work.mainLoad)
          continue
        }
        let request = model.jobs[requested].start
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
