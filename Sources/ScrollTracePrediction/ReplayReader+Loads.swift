import ScrollTraceAnalysis
import ScrollTraceModel

/// The loads of items on other threads.
struct ItemLoads {
  /// The loads of each item, ascending by their ends.
  private(set) var loads: [ListItems.Item: [(start: Int64, end: Int64)]] = [:]
  /// The number of threads that load.
  private(set) var threads = 0

  init(of trace: Trace, _ roles: [WorkRole], _ items: ListItems) {
    for (place, track) in trace.tracks.enumerated() where place != trace.mainTrack?.index {
      var doesLoad = false
      for index in 0..<track.spans.count {
        let role = Int(track.spans.labels[index].rawValue)
        guard role < roles.count, roles[role] == .load,
          let item = items.item(
            of: track.spans.arguments(at: index), at: track.spans.times[index].end)
        else { continue }
        loads[item, default: []].append(
          (track.spans.times[index].start, track.spans.times[index].end))
        doesLoad = true
      }
      if doesLoad { threads += 1 }
    }
    for item in loads.keys { loads[item]?.sort { $0.end < $1.end } }
  }

  /// Returns the first load of an item that ended after a time, or `nil` if none did.
  func first(of item: ListItems.Item, after time: Int64) -> (start: Int64, end: Int64)? {
    guard let all = loads[item] else { return nil }
    let next = all.partitionPoint { $0.end > time }
    return next < all.count ? all[next] : nil
  }

  /// Returns the last load of an item that ended in a range of time, or `nil` if none did.
  func last(
    of item: ListItems.Item, from start: Int64, to end: Int64
  ) -> (start: Int64, end: Int64)? {
    guard let all = loads[item] else { return nil }
    let next = all.partitionPoint { $0.end > end }
    return next > 0 && all[next - 1].end >= start ? all[next - 1] : nil
  }
}

extension ReplayReader {
  /// Finds out when the data of cells is there: it was requested with them, and arrives after them, or it
  /// was requested before.
  mutating func markLoads() {
    let trace = evaluation.trace
    let loads = ItemLoads(of: trace, roles, items)
    let words = ListWords(of: trace)
    model.loadingThreads = loads.threads
    addReloads()
    if loads.threads > 0 || model.cells.contains(where: \.loads) { dropUpdates(loads) }
    let isPrefetched = trace.marks.contains { words[$0.label] == .prefetch }
    if isPrefetched {
      for cell in model.cells.indices {
        guard let item = item(of: cell) else { continue }
        // What is loaded during a job is known after it.
        let load = loads.last(of: item, from: 0, to: start(of: cell))
        model.cells[cell].dataReady = load?.end ?? 0
        model.cells[cell].loadTime = 0
      }
    } else {
      let times = model.cells.map(\.loadTime).filter { $0 > 0 }.sorted()
      if !times.isEmpty { model.usualLoad = times[times.count / 2] }
      orderContents()
    }
    markLateLoads(loads, isPrefetched: isPrefetched)
  }

  private func start(of cell: Int) -> Int64 {
    min(spans.times[recorded[cell]].start, model.jobs[model.cells[cell].job].start)
  }

  /// Finds the cells that left the view before their content arrived, or for which it arrived after the last
  /// frame.
  private mutating func markLateLoads(_ loads: ItemLoads, isPrefetched: Bool) {
    for content in model.contents where !content.isDecoded {
      model.cells[content.cell].getsContent = true
    }
    let frames = model.jobs.indices.filter { model.jobs[$0].frame >= 0 }
    func frame(at time: Int64) -> Int {
      let next = frames.partitionPoint { model.jobs[$0].start >= time }
      return next < frames.count ? frames[next] : Int.max
    }
    for cell in model.cells.indices where !model.cells[cell].getsContent {
      guard let item = item(of: cell),
        loads.last(of: item, from: 0, to: start(of: cell)) == nil,
        let load = loads.first(of: item, after: start(of: cell)),
        model.cells[cell].left ?? Int.max - 1 < frame(at: load.end)
      else { continue }
      model.cells[cell].lateLoad = load.end
      guard !isPrefetched else { continue }
      model.cells[cell].loadTime = load.end - load.start
      model.cells[cell].loadStart = load.start
    }
  }

  func item(of cell: Int) -> ListItems.Item? {
    items.item(of: spans.arguments(at: recorded[cell]), at: spans.times[recorded[cell]].end)
  }

  /// Adds the cells that took the place of others when their content arrived.
  private mutating func addReloads() {
    for (cell, work) in model.cells.enumerated() where work.reason == .reloaded {
      guard let previous = work.previous else { continue }
      model.contents.append(
        ReplayModel.Content(cell: previous, job: work.job, reloaded: cell, length: 0))
    }
  }

  /// Leaves only the content that was loaded for cells: their items may change as well.
  private mutating func dropUpdates(_ loads: ItemLoads) {
    var last: [Int: (job: Int, loaded: Int64)] = [:]
    model.contents = model.contents.stablySorted { $0.job < $1.job }.compactMap { known in
      var content = known
      guard let item = item(of: content.cell) else { return nil }
      // An image of a cell that took the place of another one moves with that.
      if content.isDecoded, model.cells[content.cell].reason == .reloaded { return content }
      if let before = last[content.cell], before.job == content.job {
        content.loaded = before.loaded
        return content
      }
      let from =
        last[content.cell].map { model.jobs[$0.job].end } ?? start(of: content.cell)
      guard let load = loads.last(of: item, from: from, to: model.jobs[content.job].start) else {
        return nil
      }
      let isFirst = last[content.cell] == nil
      last[content.cell] = (content.job, load.end)
      content.loaded = load.end
      guard isFirst else { return content }
      model.cells[content.cell].loadTime = load.end - load.start
      model.cells[content.cell].loadStart = load.start
      return content
    }
  }

  private mutating func orderContents() {
    model.contents = model.contents.stablySorted { ($0.cell, $0.job) < ($1.cell, $1.job) }
    for (index, content) in model.contents.enumerated() {
      let known = model.cells[content.cell].contents
      model.cells[content.cell].contents =
        known.isEmpty ? index..<index + 1 : known.lowerBound..<index + 1
    }
  }
}
