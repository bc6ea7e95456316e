import ScrollTraceModel
import ScrollTraceSummary

extension ReplayPass {
  /// Returns the jobs of a step, after those of the skipped frames before it.
  func jobs(of step: ReplayStep) -> ArraySlice<Int> {
    carried.isEmpty ? steps.jobs[step.jobs] : carried + steps.jobs[step.jobs]
  }

  /// Returns the number of cells that the frame still has to prepare because they come into view, or are
  /// in view and get another content.
  mutating func neededCells(of jobs: ArraySlice<Int>, at index: Int) -> Int {
    var count = 0
    for job in jobs {
      kept.keep(leaving: job, waiting: waitingCells + unneeded.count)
      if isProposed { giveContent(leaving: job, at: index) }
      if isProposed, model.jobs[job].discardsCells { discardCells() }
      for cell in model.needs[model.jobs[job].needs] {
        kept.display(cell)
        isDisplayed[cell] = true
        if isPrepared[cell] {
          waitingCells -= 1
        } else if kept.holdsPrevious(of: cell) {
          kept.showAgain(cell)
          notePrepared(cell)
        } else if lengths.cells[cell] > 0 {
          count += 1
        }
      }
    }
    return count
  }

  /// Returns the length of the commit; one with the work of several frames has their common part once.
  mutating func length(of step: ReplayStep, from start: Int64, at index: Int) -> Int64 {
    let jobs = jobs(of: step)
    var sum = step.jobs.isEmpty ? model.shortCommit : 0
    // What comes before all preparations, and these.
    let updates = jobs.count > 1 ? jobs.map { update(of: $0) } : []
    var before = updates.reduce(arrivals[index].saturatingAdd(held.length)) { $0.saturatingAdd($1) }
    var relaid: Int64 = 0
    for (place, job) in jobs.enumerated() {
      kept.putBack(replacedIn: job)
      sum = sum.saturatingAdd(lengths.jobs[job])
      // How much later than in the recording the preparations of this job end.
      var shift = (start - model.jobs[job].start).saturatingAdd(lengths.change(of: job))
        .saturatingAdd(before - (updates.isEmpty ? 0 : updates[place]))
      relaid = relaid.saturatingAdd(correction(of: job))
      for cell in model.needs[model.jobs[job].needs] {
        if !isPrepared[cell] {
          includeContent(of: cell, from: start)
          let price = price(of: cell)
          shift = shift.saturatingAdd(price - lengths.recorded[cell])
          requests.append((cell, model.cells[cell].prepared.saturatingAdd(shift)))
          sum = sum.saturatingAdd(price)
          before = before.saturatingAdd(price)
          spend(on: cell)
        } else if model.cells[cell].job == job {
          shift = shift.saturatingAdd(-lengths.recorded[cell])
        }
        // Both have it now, whenever they prepared it.
        notePrepared(cell)
        noteWasPrepared(cell)
      }
      for cell in model.jobs[job].cells where model.cells[cell].reason == .ahead {
        guard noteRecorded(cell) else { continue }
        requests.append((cell, model.cells[cell].prepared.saturatingAdd(shift)))
        sum = sum.saturatingAdd(price(of: cell))
      }
    }
    let others = jobs.count - (step.jobs.isEmpty ? 0 : 1)
    let shared = Int64(clamping: WideInteger(others) * WideInteger(model.shortCommit))
    return max(min(sum, model.shortCommit), sum - shared).saturatingAdd(relaid)
  }

  /// Returns the time of laying out lines again in a job, for the share of its cells that are not prepared yet.
  private func correction(of job: Int) -> Int64 {
    guard lengths.jobCorrections[job] > 0 else { return 0 }
    var (left, all): (Int64, Int64) = (0, 0)
    for cell in model.needs[model.jobs[job].needs] where model.cells[cell].reason == .needed {
      all += 1
      if !isPrepared[cell] { left += 1 }
    }
    return all > 0 ? lengths.jobCorrections[job].saturatingMultiply(left) / all : 0
  }

  /// Returns what a job does before it prepares cells, such as applying snapshots, besides a short commit.
  private func update(of job: Int) -> Int64 {
    max(0, lengths.jobs[job] - lengths.decodes[job] - model.shortCommit)
  }
}
