import ScrollTraceAnalysis
import ScrollTraceSummary
import ScrollTraceModel

/// How a list prepares cells before frames display them.
struct AheadPolicy: Equatable {
  /// Whether it prepares them inside commits; otherwise in the time that these leave.
  var isInCommits: Bool
  /// The largest number of cells that wait to be displayed.
  var mostWaiting: Int
}

extension ReplayModel.CellWork {
  /// Whether the list could prepare it before its frame.
  var isCandidate: Bool { reason == .needed || reason == .ahead && need != nil }
}

extension ReplayReader {
  /// Finds the frames that display cells which were prepared before them.
  mutating func markNeeds() {
    let words = ListWords(of: evaluation.trace)
    var prepared: [ListItems.Item: Int] = [:]
    var next = 0
    for mark in evaluation.trace.marks {
      guard let word = words[mark.label], word == .willDisplay || word == .didEndDisplaying else {
        continue
      }
      while next < recorded.count, spans.times[recorded[next]].end <= mark.time.nanoseconds {
        if let item = item(of: next) { prepared[item] = next }
        next += 1
      }
      guard let item = items.item(of: mark.arguments, at: mark.time.nanoseconds),
        let cell = prepared[item], let job = model.job(doneAt: mark.time.nanoseconds)
      else { continue }
      if word == .willDisplay {
        if model.jobs[job].frame >= 0, model.cells[cell].reason == .ahead,
          model.cells[cell].need == nil
        {
          model.cells[cell].need = job
        }
      } else {
        if let snapshot = reload(at: mark.time.nanoseconds) {
          model.cells[cell].isReplaced = true
          if !holdsPreparation(snapshot) { model.jobs[job].discardsCells = true }
        }
        if model.jobs[job].leaves.isEmpty {
          model.jobs[job].leaves = model.leaves.count..<model.leaves.count
        }
        model.leaves.append(cell)
        model.cells[cell].left = job
        model.jobs[job].leaves = model.jobs[job].leaves.lowerBound..<model.leaves.count
      }
    }
    for cell in model.cells.indices where model.cells[cell].reason != .ahead {
      model.cells[cell].need = model.cells[cell].job
    }
    model.orderNeeds()
  }
}

extension ReplayModel {
  fileprivate mutating func orderNeeds() {
    needs = cells.indices.filter { cells[$0].need != nil }.stablySorted {
      (cells[$0].need ?? 0, $0) < (cells[$1].need ?? 0, $1)
    }
    var first = 0
    while first < needs.count, let job = cells[needs[first]].need {
      var end = first + 1
      while end < needs.count, cells[needs[end]].need == job { end += 1 }
      jobs[job].needs = first..<end
      first = end
    }
  }

  /// Finds out how the list prepares cells ahead, from where it did so and how many waited.
  mutating func findPolicy() {
    let ahead = cells.filter { $0.reason == .ahead && $0.need != nil }
    guard !ahead.isEmpty else { return }
    let inCommits = ahead.count { jobs[$0.job].frame >= 0 }
    var (waiting, mostWaiting) = (0, 0)
    for job in jobs {
      // A frame displays cells before it prepares others.
      waiting -= needs[job.needs].count { cells[$0].reason == .ahead }
      waiting += job.cells.count { cells[$0].reason == .ahead && cells[$0].need != nil }
      mostWaiting = max(mostWaiting, waiting)
    }
    policy = AheadPolicy(isInCommits: 2 * inCommits > ahead.count, mostWaiting: mostWaiting)
  }
}
