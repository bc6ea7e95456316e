package import ScrollTraceAnalysis
package import ScrollTraceModel

/// The words for findings: what was found, on what that rests, and what to do about it.
///
/// All renderers speak with them; each says how names from the trace are shown in its sink.
package struct FindingMessages {
  /// The trace's first instant, from which times are counted.
  let start: Timestamp

  /// A name of the trace as it is shown.
  private let name: (String) -> String

  /// Words for a trace that begins at `start`.
  ///
  /// - Parameter name: Makes of a name of the trace what can be shown.
  package init(start: Timestamp, name: @escaping (String) -> String = { $0 }) {
    self.start = start
    self.name = name
  }

  // MARK: - What

  /// The lasting word for the kind of a finding.
  package func kind(of finding: Finding) -> String {
    switch finding.kind {
    case .decodeOnMainThread: "decodeInCommit"
    case .loadOnMainThread: "loadInCommit"
    case .preparedOnDemandWhileIdle: "preparedOnDemandWhileIdle"
    case .noReuse: "noReuse"
    case .reloadInsteadOfReconfigure: "reloadInsteadOfReconfigure"
    case .snapshotReload: "snapshotReload"
    case .heavyWillDisplay: "heavyWillDisplay"
    case .preparedNeverShown: "preparedNeverShown"
    case .prefetchedNeverShown: "prefetchedNeverShown"
    case .lateData: "dataLate"
    case .prefetchNotCancelled: "neverCancelled"
    case .staleResultInReusedCell: "lateResultInReusedCell"
    case .inaccurateSizeEstimates: "sizeCorrections"
    case .steadilySlowFrames: "steadySlowRun"
    case .renderHitches: "renderLateness"
    case .hitchesWhileIdle: "idleHitches"
    case .lowHeadroom: "littleHeadroom"
    case .fewFrames: "fewFrames"
    case .dataLoss: "recorderLosses"
    case .longTask: "longTask"
    }
  }

  /// What was found, in a few words.
  package func title(of finding: Finding) -> String {
    switch finding.kind {
    case .decodeOnMainThread: "images become bitmaps on the main thread"
    case .loadOnMainThread: "data is read on the main thread"
    case .preparedOnDemandWhileIdle: "cells are prepared only when they are needed"
    case .noReuse(true): "a new registration for every cell, so that none is used again"
    case .noReuse(false): "no cell is used again"
    case .reloadInsteadOfReconfigure: "items that only change get new cells"
    case .snapshotReload: "snapshots throw all cells away"
    case .heavyWillDisplay(_, let name):
      "much work in '\(self.name(name))', when cells come into view"
    case .preparedNeverShown: "cells are prepared that nobody sees"
    case .prefetchedNeverShown: "data is loaded that nobody sees"
    case .lateData: "data comes after its cell is in view"
    case .prefetchNotCancelled: "requests go on for items that were passed by"
    case .staleResultInReusedCell: "results are written into cells that show another item"
    case .inaccurateSizeEstimates: "sizes of cells are guessed far off"
    case .steadilySlowFrames: "frames come at an even pace that is too slow"
    case .renderHitches: "frames are late after commits that were on time"
    case .hitchesWhileIdle: "frames are late while the main thread is idle or waits"
    case .lowHeadroom: "nothing hitches, but little time is left"
    case .fewFrames: "too few frames to rely on"
    case .dataLoss: "the recorder could not keep everything"
    case .longTask("hang", let name, _):
      "the main thread hung" + (name.isEmpty ? "" : " ('\(self.name(name))')")
    case .longTask(_, let name, _):
      name.isEmpty
        ? "work that does not belong in the scroll" : "'\(self.name(name))' during the scroll"
    }
  }

  // MARK: - On what it rests

  /// What was seen, as a sentence without a period: counts, times, and where it was worst.
  package func evidence(of finding: Finding) -> String {
    var text = counts(of: finding)
    if finding.evidence.hitches > 0, finding.evidence.hitchTime > .zero, !saysHitchTime(finding) {
      text += "; \(Quantity.length(finding.evidence.hitchTime)) of hitch time"
    }
    if let worst = finding.evidence.worst { text += "; worst \(place(of: worst))" }
    return text
  }

  /// Whether the counts hold the hitch time already.
  private func saysHitchTime(_ finding: Finding) -> Bool {
    if case .longTask = finding.kind { true } else { false }
  }

  private func counts(of finding: Finding) -> String {
    let evidence = finding.evidence
    let count = evidence.count
    let took = evidence.total.map { " took \(Quantity.length($0))" } ?? ""
    let late = "in \(Quantity.count(evidence.hitches, "late frame"))"
    switch finding.kind {
    case .decodeOnMainThread(let item):
      return "\(Quantity.count(count, "image"))\(took) \(late)" + longest(item)
    case .loadOnMainThread(let item):
      return "\(Quantity.count(count, "load"))\(took) \(late)" + longest(item)
    case .preparedOnDemandWhileIdle(let spare):
      return "\(Quantity.count(count, "cell"))\(took) \(late), after commits that had left"
        + " \(Quantity.length(spare))"
    case .noReuse:
      return "\(Quantity.count(count, "cell")) made\(took.isEmpty ? "" : ", which\(took)")"
        + (evidence.hitches > 0 ? ", some of them \(late)" : "")
    case .reloadInsteadOfReconfigure(let snapshots):
      return "\(Quantity.count(count, "item")) got a new cell in"
        + " \(Quantity.count(snapshots, "snapshot")) that brought none and took none"
        + (took.isEmpty ? "" : ", which\(took)")
    case .snapshotReload(let items):
      return "\(Quantity.count(count, "snapshot")) gave \(Quantity.count(items, "item")) that"
        + " stayed a new cell" + (took.isEmpty ? "" : ", which\(took)")
    case .heavyWillDisplay: return "\(Quantity.count(count, "time"))\(took) \(late)"
    case .preparedNeverShown(let all):
      return "\(count) of \(Quantity.count(all, "cell")) prepared ahead given up unseen"
        + (took.isEmpty ? "" : ", which\(took) to prepare")
    case .prefetchedNeverShown(let all):
      return "\(count) of \(Quantity.count(all, "request")) ahead answered, and passed by unseen"
    case .lateData(let all):
      return "\(count) of \(Quantity.count(all, "cell")) came into view in motion before their"
        + " data" + (evidence.total.map { ", \(Quantity.length($0)) in all" } ?? "")
    case .prefetchNotCancelled(let all):
      return "\(count) of \(Quantity.count(all, "request")) ahead went on after others, made later,"
        + " had come into view" + (evidence.total.map { ", \(Quantity.length($0)) in all" } ?? "")
    case .staleResultInReusedCell:
      return "\(Quantity.count(count, "result")) came for a cell that showed another item by then"
    case .inaccurateSizeEstimates(let all, let error):
      return "\(count) of \(Quantity.count(all, "size")) corrected, by \(Quantity.share(error)) of"
        + " the true size on average"
    case .steadilySlowFrames(let spacing, let interval):
      let refresh = interval.map { " where the display has \(Quantity.interval($0))" } ?? ""
      return "\(Quantity.count(count, "frame")) every \(Quantity.interval(spacing))\(refresh)"
        + (evidence.total.map { ", for \(Quantity.length($0))" } ?? "")
    case .renderHitches(let share):
      return "\(Quantity.count(count, "frame")) reached the glass late although the commit was in"
        + " time: \(Quantity.share(share)) of all lateness"
    case .hitchesWhileIdle(let share):
      return "\(Quantity.count(count, "hitch", "hitches")), \(Quantity.share(share)) of all"
        + " lateness, in which nothing ran on the main thread for most of the time"
    case .lowHeadroom(let slack, let interval):
      return "one commit in twenty has \(Quantity.length(slack)) or less left of a refresh of"
        + " \(Quantity.interval(interval)); \(Quantity.count(count, "commit")) below a tenth of it"
    case .fewFrames: return "\(Quantity.count(count, "frame")) judged"
    case .dataLoss: return "\(Quantity.count(count, "record")) lost, at least"
    case .longTask(let category, _, let share):
      let isNamed =
        !category.isEmpty && category != "hang" && !category.hasPrefix("scrolltrace.")
      let took = evidence.total.map { " took \(Quantity.length($0))" } ?? " was"
      return (isNamed ? "work of '\(name(category))'" : "it") + took
        + " in \(Quantity.count(count, "hitch", "hitches")), to which"
        + " \(Quantity.length(evidence.hitchTime)) of hitch time are charged, \(Quantity.share(share))"
        + " of all"
    }
  }

  private func longest(_ item: String?) -> String {
    item.map { ", the longest for item \(name($0))" } ?? ""
  }

  private func place(of worst: Finding.Occurrence) -> String {
    worst.frame.map { "in frame \($0)" } ?? "at \(Quantity.instant(worst.time - start))"
  }
}

extension FindingMessages {
  /// What to do about a finding, as sentences.
  package func action(of finding: Finding) -> String {
    switch finding.kind {
    case .decodeOnMainThread:
      "Decode on a background queue before the cell is shown, at the size shown"
        + " (prepareForDisplay, thumbnails), and keep the bitmaps in a cache with a limit in bytes."
    case .loadOnMainThread:
      "Read on a background queue, ahead for the items that come next (prefetchItemsAt), and show"
        + " a placeholder until the data is there."
    case .preparedOnDemandWhileIdle:
      "Prepare the next cells one at a time right after a short commit, in the time it leaves (let"
        + " the list prefetch cells)."
    case .noReuse(true):
      "Make the registration once, outside the code that provides cells"
        + " (UICollectionView.CellRegistration)."
    case .noReuse(false):
      "Take cells from the pool by kind, give them back when they leave the view, and use few"
        + " kinds (dequeueConfiguredReusableCell)."
    case .reloadInsteadOfReconfigure:
      "Give the cell that is there the new content: reconfigure the items (reconfigureItems)."
    case .snapshotReload:
      "Apply the differences between stable identifiers in place of a reload, also without"
        + " animation (apply instead of reloadData)."
    case .heavyWillDisplay:
      "Do this when the cell is prepared, or in the background; leave to this moment only what"
        + " needs the cell in view."
    case .preparedNeverShown:
      "Prepare fewer cells ahead, stop while the scroll is fast, and keep prepared cells when it"
        + " turns round."
    case .prefetchedNeverShown:
      "Ask for fewer items ahead, the nearest first, and fewer while the scroll is fast."
    case .lateData:
      "Ask for the data before the cell comes into view, further ahead the longer it takes"
        + " (prefetchItemsAt), in the order in which the items come."
    case .prefetchNotCancelled:
      "Cancel requests for items that the scroll turned away from"
        + " (cancelPrefetchingForItemsAt), so that those that come next need not wait."
    case .staleResultInReusedCell:
      "Write results to the data and reconfigure the item, whichever cell shows it by then; never"
        + " set them on the cell that asked."
    case .inaccurateSizeEstimates:
      "Guess from the sizes measured so far: a running average for each kind of cell"
        + " (estimated sizes)."
    case .steadilySlowFrames:
      "Make every frame cheaper, or ask the display for the rate that is kept"
        + " (preferredFrameRateRange)."
    case .renderHitches:
      "The commits need no change: simplify what is drawn, with fewer layers, shadows, masks, blurs"
        + " and large images."
    case .hitchesWhileIdle:
      "Look for the cause off the main thread: a lock, the disk, another thread or process that it"
        + " waited for; mark waits as such to see them."
    case .lowHeadroom:
      "Treat it as a warning: slower devices and faster displays will miss deadlines. Move what"
        + " the longest commits do to the spare time of others or to the background."
    case .fewFrames: "Record a longer scroll: 30 frames at least, several seconds if possible."
    case .dataLoss:
      "Give the recording more room, record less of what repeats, and finish it last; numbers of"
        + " this one may be too low."
    case .longTask("hang", _, _):
      // The source says that the thread did not answer, which is no work that could be moved.
      "Find out what the main thread did meanwhile: record spans or samples of its work."
    case .longTask:
      "Let it wait until nothing moves, move it off the main thread, or cut it into parts that fit"
        + " into the spare time of a frame."
    }
  }
}
