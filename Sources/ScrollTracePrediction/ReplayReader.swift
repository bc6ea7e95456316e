import ScrollTraceAnalysis
import ScrollTraceSummary
import ScrollTraceModel

/// Creates a `ReplayModel` in one pass over the spans of the main track.
struct ReplayReader {
  let evaluation: SurfaceEvaluation
  let spans: SpanColumns
  let roles: [WorkRole]
  private let waits: WaitingLabels
  let keys: ListKeys
  let items: ListItems
  private let commits: [Commit]
  private let preparations: [MarkedSpan]
  private let snapshots: [MarkedSpan]

  var model = ReplayModel()
  /// The next commit, and the next preparation.
  private var commit = 0
  private var preparation = 0
  /// Whether the last job may grow, and whether it is part of a preparation.
  private var isOpen = false
  private var isPreparing = false
  /// The spans of the cells' preparations.
  private(set) var recorded: [Int] = []
  private var preparedItems: [ListItems.Item: Int] = [:]
  private var kinds: [ArgumentValue: Int] = [:]
  /// The number and duration of content changes of existing cells, and the last span of one.
  private var reconfigured = (count: 0, time: Int64(0), last: -1)
  /// The time of configuring these cells in their preparations, and the time of each cell.
  private var configuredBefore: Int64 = 0
  private var configured: [Int32: Int64] = [:]
  private var used = (count: 0, time: Int64(0), lastCell: Int32(-1))
  private var created = (count: 0, time: Int64(0), lastCell: Int32(-1))

  /// A commit that becomes a job.
  private struct Commit {
    var start: Int64
    var end: Int64
    var frame: Int32
  }

  /// A span with a role, and its position.
  private struct MarkedSpan {
    var start: Int64
    var end: Int64
    var index: Int
  }

  /// Returns the model of the frames of `evaluation` and the work of the track `main`.
  static func model(of evaluation: SurfaceEvaluation, main: TrackID) -> ReplayModel {
    var reader = ReplayReader(evaluation, main)
    reader.read()
    reader.markReusable()
    reader.markNeeds()
    reader.markLoads()
    reader.model.cellsOfLine = reader.model.usualNeed
    reader.model.cellsInView = reader.model.firstView
    reader.findRuns()
    reader.markCorrections()
    reader.conclude()
    reader.model.findPolicy()
    return reader.model
  }

  private init(_ evaluation: SurfaceEvaluation, _ main: TrackID) {
    self.evaluation = evaluation
    spans = evaluation.trace.tracks[main.index].spans
    roles = WorkRole.roles(of: evaluation.trace)
    waits = WaitingLabels(of: evaluation.trace)
    keys = ListKeys(of: evaluation.trace.strings)
    items = ListItems(of: evaluation.trace, roles, keys)
    commits = Self.commits(of: evaluation, on: main)
    preparations = Self.spans(of: .prepare, in: spans, roles)
    let (arguments, key) = (evaluation.trace.arguments, keys.reloaded)
    let spans = spans
    snapshots = Self.spans(of: .snapshot, in: spans, roles).filter { snapshot in
      switch key.flatMap({ arguments.value(of: $0, in: spans.arguments(at: snapshot.index)) }) {
      case .integer(let count): count > 0
      case .unsigned(let count): count > 0
      default: false
      }
    }
  }

  /// Returns the commits of the surface's frames on the track `main`, without overlaps.
  private static func commits(of evaluation: SurfaceEvaluation, on main: TrackID) -> [Commit] {
    var commits: [Commit] = []
    for (position, frame) in evaluation.rows.enumerated() {
      guard let end = frame.frame.commitEnd?.nanoseconds, frame.frame.track ?? main == main else {
        continue
      }
      let start = (frame.frame.commitStart ?? frame.frame.start)?.nanoseconds ?? end
      commits.append(Commit(start: min(start, end), end: end, frame: Int32(clamping: position)))
    }
    commits = commits.stablySorted { $0.end < $1.end }
    var before: Int64 = 0
    for index in commits.indices {
      commits[index].start = max(before, commits[index].start)
      before = commits[index].end
    }
    return commits
  }

  private static func spans(
    of role: WorkRole, in spans: SpanColumns, _ roles: [WorkRole]
  ) -> [MarkedSpan] {
    guard roles.contains(role) else { return [] }
    return spans.labels.indices.compactMap { index in
      let label = Int(spans.labels[index].rawValue)
      guard label < roles.count, roles[label] == role else { return nil }
      return MarkedSpan(start: spans.times[index].start, end: spans.times[index].end, index: index)
    }
  }

  // MARK: - Jobs

  private mutating func read() {
    let times = spans.times
    SelfTimeSweep.run(count: spans.count, start: { times[$0].start }, end: { times[$0].end }) {
      begin, end, index in
      var from = begin
      while from < end {
        openCommits(until: from)
        passPreparations(until: from)
        let limit: Int64
        if let job = model.jobs.last, isOpen, job.frame >= 0, from < job.end {
          limit = job.end
        } else {
          limit = commit < commits.count ? commits[commit].start : Int64.max
          // A wait outside of commits is no work, and keeps no frame from its start (M-11).
          if waits[spans.labels[index]] {
            close()
            from = min(end, limit)
            continue
          }
          growOther(from, min(end, limit))
        }
        add(from, min(end, limit), index)
        from = min(end, limit)
      }
    }
    openCommits(until: Int64.max)
    close()
  }

  private mutating func openCommits(until instant: Int64) {
    while commit < commits.count, commits[commit].start <= instant {
      open(commits[commit].start, commits[commit].end, frame: commits[commit].frame)
      commit += 1
    }
  }

  private mutating func passPreparations(until instant: Int64) {
    while preparation < preparations.count, preparations[preparation].end <= instant {
      preparation += 1
    }
  }

  /// Returns the preparation that contains all of a range, or `nil` if none does.
  private func preparation(holding from: Int64, _ to: Int64) -> MarkedSpan? {
    guard preparation < preparations.count else { return nil }
    let candidate = preparations[preparation]
    return candidate.start <= from && to <= candidate.end ? candidate : nil
  }

  /// Extends the last job of other work, or adds one.
  ///
  /// Work after a preparation is another job, because frames wait differently for preparations.
  private mutating func growOther(_ from: Int64, _ to: Int64) {
    let prepares = preparation(holding: from, to) != nil
    if let job = model.jobs.last, isOpen, job.frame < 0, job.end == from, prepares == isPreparing {
      model.jobs[model.jobs.count - 1].end = to
    } else {
      open(from, to, frame: -1)
    }
    isPreparing = prepares
  }

  private mutating func open(_ start: Int64, _ end: Int64, frame: Int32) {
    close()
    model.jobs.append(
      ReplayModel.Job(
        start: start, end: end, slices: model.slices.count..<model.slices.count,
        cells: model.cells.count..<model.cells.count, frame: frame, isAhead: false))
    isOpen = true
  }

  private mutating func close() {
    guard isOpen else { return }
    let last = model.jobs.count - 1
    model.jobs[last].slices = model.jobs[last].slices.lowerBound..<model.slices.count
    model.jobs[last].cells = model.jobs[last].cells.lowerBound..<model.cells.count
    isOpen = false
  }

  /// Adds the time during which the span at `index` was the innermost one to the last job.
  private mutating func add(_ from: Int64, _ to: Int64, _ index: Int) {
    let label = spans.labels[index].rawValue
    let role = Int(label) < roles.count ? roles[Int(label)] : .other
    let cell = preparation(holding: from, to).map { self.cell(of: $0) } ?? -1
    guard role != .frame else { return }
    note(role, index, cell, to - from)
    if cell < 0, role == .configure || role == .size || role == .decode {
      noteContent(index, to - from, isDecoded: role == .decode)
    }
    let last = model.slices.count - 1
    if last >= model.jobs[model.jobs.count - 1].slices.lowerBound,
      model.slices[last].label == label, model.slices[last].cell == cell
    {
      model.slices[last].length += to - from
    } else {
      model.slices.append(ReplayModel.Slice(label: label, cell: cell, length: to - from))
    }
  }

  /// Adds up the times to reuse a cell, to create one, and to change the content of one.
  private mutating func note(_ role: WorkRole, _ index: Int, _ cell: Int32, _ length: Int64) {
    if role == .load, cell >= 0 {
      model.cells[Int(cell)].loads = true
      model.cells[Int(cell)].mainLoad += length
    }
    if role == .reuse, cell >= 0 {
      used.time += length
      if cell != used.lastCell { used.count += 1 }
      used.lastCell = cell
      model.cells[Int(cell)].isReused = true
    } else if role == .create, cell >= 0 {
      created.time += length
      if cell != created.lastCell { created.count += 1 }
      created.lastCell = cell
    } else if role == .configure, cell >= 0 {
      configured[cell, default: 0] += length
    } else if role == .configure {
      reconfigured.time += length
      guard index != reconfigured.last else { return }
      reconfigured.count += 1
      reconfigured.last = index
      let item = items.item(of: spans.arguments(at: index), at: spans.times[index].start)
      if let cell = item.flatMap({ preparedItems[$0] }) {
        configuredBefore = configuredBefore.saturatingAdd(configured[Int32(clamping: cell)] ?? 0)
      }
    }
  }

  // MARK: - Cells

  /// Returns the position of a preparation in the model; adds it if it is new.
  private mutating func cell(of preparation: MarkedSpan) -> Int32 {
    let job = model.jobs.count - 1
    let isNew =
      recorded.last != preparation.index || model.cells.count == model.jobs[job].cells.lowerBound
    guard isNew else { return Int32(clamping: model.cells.count - 1) }
    let arguments = spans.arguments(at: preparation.index)
    let item = items.item(of: arguments, at: preparation.end)
    let previous = item.flatMap { preparedItems.updateValue(model.cells.count, forKey: $0) }
    let isKnown = previous != nil
    let isAhead =
      keys.ahead.flatMap { evaluation.trace.arguments.value(of: $0, in: arguments) } == .bool(true)
    if isAhead { model.preparesAhead = true }
    var reason: ReplayModel.CellWork.Reason =
      isAhead || model.jobs[job].frame < 0 ? .ahead : .needed
    let before = snapshots.partitionPoint { $0.start > preparation.start } - 1
    if before >= 0 {
      if snapshots[before].end >= preparation.end {
        reason = .reloaded
      } else if snapshots[before].start >= model.jobs[job].start, reason == .needed, isKnown,
        !holdsPreparation(before)
      {
        reason = .discarded
      }
    }
    model.cells.append(
      ReplayModel.CellWork(
        job: job, reason: reason, kind: kindNumber(arguments),
        previous: previous, position: keys.position(of: arguments, in: evaluation.trace),
        prepared: preparation.end))
    recorded.append(preparation.index)
    if reason == .ahead, model.jobs[job].frame < 0 { model.jobs[job].isAhead = true }
    return Int32(clamping: model.cells.count - 1)
  }

  /// Notes work on a cell outside its preparation.
  private mutating func noteContent(_ index: Int, _ length: Int64, isDecoded: Bool) {
    guard let item = items.item(of: spans.arguments(at: index), at: spans.times[index].start),
      let cell = preparedItems[item]
    else { return }
    model.contents.append(
      ReplayModel.Content(
        cell: cell, job: model.jobs.count - 1, isDecoded: isDecoded, length: length))
  }

  /// Returns the snapshot that was reloading cells at a time, or `nil` if none was.
  func reload(at instant: Int64) -> Int? {
    let before = snapshots.partitionPoint { $0.start > instant } - 1
    return before >= 0 && snapshots[before].end >= instant ? before : nil
  }

  /// Whether a snapshot prepared cells in the place of others; otherwise it discarded all.
  func holdsPreparation(_ snapshot: Int) -> Bool {
    let range = snapshots[snapshot]
    let next = preparations.partitionPoint { $0.start >= range.start }
    return next < preparations.count && preparations[next].end <= range.end
  }

  /// Finds the cells that were created although the pool had one of their kind.
  private mutating func markReusable() {
    guard let key = keys.reused else { return }
    var returns: [(time: Int64, kind: ArgumentValue?)] = []
    let words = ListWords(of: evaluation.trace)
    for mark in evaluation.trace.marks {
      guard words[mark.label] == .didEndDisplaying || words[mark.label] == .discard else {
        continue
      }
      returns.append((mark.time.nanoseconds, kind(of: mark.arguments)))
    }
    for kept in ReplayAssumptions.cellsOutsidePool {
      markReusable(key, returns, unless: kept)
    }
  }

  /// Finds the cells that were created although the pool had one of their kind, if a list keeps the first
  /// `kept` hidden cells out of it.
  private mutating func markReusable(
    _ key: StringID, _ returns: [(time: Int64, kind: ArgumentValue?)], unless kept: Int
  ) {
    var waiting: [ArgumentValue?: Int] = [:]
    var next = 0
    for cell in model.cells.indices {
      let span = recorded[cell]
      while next < returns.count, returns[next].time <= spans.times[span].start {
        if next >= kept { waiting[returns[next].kind, default: 0] += 1 }
        next += 1
      }
      let arguments = spans.arguments(at: span)
      let kind = kind(of: arguments)
      let isCreated = evaluation.trace.arguments.value(of: key, in: arguments) == .bool(false)
      guard let count = waiting[kind], count > 0 else { continue }
      waiting[kind] = count - 1
      if isCreated { model.cells[cell].reusable = kept + 1 }
    }
  }

  private mutating func kindNumber(_ arguments: ArgumentListID) -> Int {
    guard let kind = kind(of: arguments) else { return 0 }
    if let number = kinds[kind] { return number }
    kinds[kind] = kinds.count + 1
    return kinds.count
  }

  private func kind(of arguments: ArgumentListID) -> ArgumentValue? {
    keys.kind.flatMap { evaluation.trace.arguments.value(of: $0, in: arguments) }
  }

  // MARK: - Usual times

  private mutating func conclude() {
    model.sizesCells = keys.estimatedSize != nil
    if used.count > 0 { model.reuseTime = used.time / Int64(used.count) }
    if created.count > 0 { model.createTime = created.time / Int64(created.count) }
    if reconfigured.count > 0 {
      model.reconfigureTime = reconfigured.time / Int64(reconfigured.count)
    }
    if configuredBefore > 0 {
      let percent = WideInteger(reconfigured.time) * 100 / configuredBefore
      model.repeatPercent = min(100, Int64(clamping: percent))
    }
    // Where nearly all commits prepare or decode something, what they take besides.
    var (short, rests): ([Int64], [Int64]) = ([], [])
    for job in model.jobs where job.frame >= 0 {
      let length = job.end - job.start
      let rest = model.slices[job.slices].reduce(length) { rest, slice in
        let role = Int(slice.label) < roles.count ? roles[Int(slice.label)] : .other
        return (role == .other || role == .size) && slice.cell < 0 ? rest : rest - slice.length
      }
      if rest == length { short.append(length) }
      rests.append(rest)
    }
    let known = (short.count * 8 >= rests.count ? short : rests).sorted()
    model.shortCommit = known.isEmpty ? 0 : known[known.count / 2]
    let tails = model.jobs.compactMap { tail(of: $0) }.sorted()
    model.commitTail = tails.isEmpty ? 0 : tails[tails.count / 2]
  }

  /// Returns the time after the preparations in a commit, or `nil` without any.
  private func tail(of job: ReplayModel.Job) -> Int64? {
    guard job.frame >= 0, let last = model.cells[job.cells].last, last.reason == .needed else {
      return nil
    }
    return model.slices[job.slices].reduce(job.end - last.prepared - job.correction) {
      rest, slice in
      let role = Int(slice.label) < roles.count ? roles[Int(slice.label)] : .other
      return role == .decode && slice.cell < 0 ? rest - slice.length : rest
    }
  }
}
