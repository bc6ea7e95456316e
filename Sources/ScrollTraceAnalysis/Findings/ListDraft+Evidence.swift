import ScrollTraceModel

/// What findings on a list rest on, collected on the way.
extension ListDraft {
  /// Goes through what happened to one item, in its order.
  ///
  /// - Parameters:
  ///   - preparations: All preparations of cells; those of the item learn when it left the view.
  ///   - moving: When something moved; everything counts where that is not known.
  ///   - refresh: The time of a refresh.
  mutating func judge(
    _ events: ArraySlice<ItemEvent>, preparations: inout [PreparedCell], moving: TimeRangeSet?,
    refresh: TimeSpan
  ) {
    var (isInView, leftView): (Bool, Timestamp?) = (false, nil)
    var ready: PreparedCell?
    var (requested, loaded): (Timestamp?, Timestamp?) = (nil, nil)
    var (hasData, waitingSince): (Bool, Timestamp?) = (false, nil)
    for event in events {
      let time = Timestamp(clamping: event.time)
      switch event.kind {
      case .prepared:
        if let ready { evidence.wastedCells.add(ready.range.length, at: ready.range.start) }
        let index = Int(event.preparation)
        preparations[index].leftView = isInView ? preparations[index].range.start : leftView
        ready = preparations[index].isAhead ? preparations[index] : nil
      case .discarded:
        if let ready { evidence.wastedCells.add(ready.range.length, at: ready.range.start) }
        ready = nil
      case .hidden: (isInView, leftView) = (false, time)
      case .shown:
        (isInView, ready) = (true, nil)
        if let since = requested { requests.addShown(since, time) }
        requested = nil
        let counts = moving.map { $0.index(containing: time) != nil } ?? true
        if counts, hasData { evidence.shownInMotion += 1 }
        waitingSince = counts && !hasData ? time : nil
      case .requested: (requested, loaded) = (time, nil)
      case .cancelled: requested = nil
      case .loaded:
        (hasData, loaded) = (true, time)
        guard let since = waitingSince else { continue }
        evidence.shownInMotion += 1
        if time - since > refresh { evidence.waits.add(time - since, at: since) }
        waitingSince = nil
      case .placeholder, .final: break
      }
    }
    if let requested { requests.addOpen(requested, loaded: loaded) }
  }

  /// Brings the snapshots into order, before cells are looked for that they threw away.
  mutating func sortSnapshots() {
    applied = applied.stablySorted { $0.range.start < $1.range.start }
  }

  /// Adds the preparation of a cell to what it was made for.
  mutating func judge(_ cell: PreparedCell) {
    let next = applied.partitionPoint { $0.range.start > cell.range.start }
    if next > 0, applied[next - 1].threwAway(cell) {
      applied[next - 1].preparedAgain += 1
      if applied[next - 1].isWholeReload {
        evidence.wholeReloads.add(cell)
      } else {
        evidence.itemReloads.add(cell)
      }
    } else if !cell.isAhead, let window = cell.window {
      evidence.onDemand.add(cell.range.length, in: window, cell.arguments)
    }
    if cell.isCreated, let window = cell.window {
      evidence.created.add(cell.range.length, in: window, cell.arguments)
    }
  }

  /// What findings rest on, once all has been read.
  var concludedEvidence: ListEvidence {
    var result = evidence
    for snapshot in applied where snapshot.isReload {
      let items = max(snapshot.reloaded, snapshot.preparedAgain)
      if snapshot.isWholeReload {
        result.wholeReloads.add(snapshotOf: items)
      } else {
        result.itemReloads.add(snapshotOf: items)
      }
    }
    (result.unseenRequests, result.uncancelledRequests) = requests.passedBy()
    return result
  }
}
