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
    case .decodeOnMainThread: "images are decoded on the main thread"
    case .loadOnMainThread: "data is loaded on the main thread"
    case .preparedOnDemandWhileIdle: "cells are prepared on demand although there was idle time"
    case .noReuse(true): "a new registration per cell prevents reuse"
    case .noReuse(false): "cells are not reused"
    case .reloadInsteadOfReconfigure: "changed items get new cells"
    case .snapshotReload: "snapshots reload unchanged items"
    case .heavyWillDisplay(_, let name):
      "much work in '\(self.name(name))' when cells are displayed"
    case .preparedNeverShown: "prepared cells are never displayed"
    case .prefetchedNeverShown: "prefetched data is never displayed"
    case .lateData: "cells are displayed before their data is loaded"
    case .prefetchNotCancelled: "prefetch requests for passed items are not canceled"
    case .staleResultInReusedCell: "stale results are applied to reused cells"
    case .inaccurateSizeEstimates: "estimated cell sizes are inaccurate"
    case .steadilySlowFrames: "frames are steady but too slow"
    case .renderHitches: "frames are late after commits that were on time"
    case .hitchesWhileIdle: "frames are late while the main thread is idle or waits"
    case .lowHeadroom: "no hitches, but low headroom"
    case .fewFrames: "too few frames for a reliable result"
    case .dataLoss: "the recorder lost data"
    case .longTask("hang", let name, _):
      "the main thread hung" + (name.isEmpty ? "" : " ('\(self.name(name))')")
    case .longTask(_, let name, _):
      name.isEmpty ? "unrelated work during the scroll" : "'\(self.name(name))' during the scroll"
    }
  }

  // MARK: - Evidence

  /// The evidence, as a sentence without a period: counts, times, and the worst place.
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
      return "\(Quantity.count(count, "cell"))\(took) \(late), after commits with"
        + " \(Quantity.length(spare)) left"
    case .noReuse:
      return "\(Quantity.count(count, "cell")) created\(took.isEmpty ? "" : ", which\(took)")"
        + (evidence.hitches > 0 ? ", some of them \(late)" : "")
    case .reloadInsteadOfReconfigure(let snapshots):
      return "\(Quantity.count(count, "item")) got a new cell in"
        + " \(Quantity.count(snapshots, "snapshot")) without insertions and deletions"
        + (took.isEmpty ? "" : ", which\(took)")
    case .snapshotReload(let items):
      return "\(Quantity.count(count, "snapshot")) gave \(Quantity.count(items, "item")) that"
        + " did not change a new cell" + (took.isEmpty ? "" : ", which\(took)")
    case .heavyWillDisplay: return "\(Quantity.count(count, "time"))\(took) \(late)"
    case .preparedNeverShown(let all):
      return "\(count) of \(Quantity.count(all, "cell")) prepared ahead were never displayed"
        + (took.isEmpty ? "" : ", which\(took)")
    case .prefetchedNeverShown(let all):
      return
        "\(count) of \(Quantity.count(all, "request")) answered for items that were never displayed"
    case .lateData(let all):
      return "\(count) of \(Quantity.count(all, "cell")) were displayed in motion before their"
        + " data was loaded" + (evidence.total.map { ", \(Quantity.length($0)) in total" } ?? "")
    case .prefetchNotCancelled(let all):
      return "\(count) of \(Quantity.count(all, "request")) continued after items of later requests"
        + " were displayed" + (evidence.total.map { ", \(Quantity.length($0)) in total" } ?? "")
    case .staleResultInReusedCell:
      return "\(Quantity.count(count, "result")) for cells that displayed another item"
    case .inaccurateSizeEstimates(let all, let error):
      return "\(count) of \(Quantity.count(all, "size")) corrected, by \(Quantity.share(error)) of"
        + " the actual size on average"
    case .steadilySlowFrames(let spacing, let interval):
      let refresh = interval.map { " on a display with \(Quantity.interval($0))" } ?? ""
      return "\(Quantity.count(count, "frame")) every \(Quantity.interval(spacing))\(refresh)"
        + (evidence.total.map { ", for \(Quantity.length($0))" } ?? "")
    case .renderHitches(let share):
      return "\(Quantity.count(count, "frame")) late on screen although the commit was"
        + " on time: \(Quantity.share(share)) of all lateness"
    case .hitchesWhileIdle(let share):
      return "\(Quantity.count(count, "hitch", "hitches")), \(Quantity.share(share)) of all"
        + " lateness; mostly nothing ran on the main thread"
    case .lowHeadroom(let slack, let interval):
      return "one commit in twenty has \(Quantity.length(slack)) or less left of a refresh of"
        + " \(Quantity.interval(interval)); \(Quantity.count(count, "commit")) below a tenth of it"
    case .fewFrames: return "\(Quantity.count(count, "frame")) evaluated"
    case .dataLoss: return "\(Quantity.count(count, "record")) lost, or more"
    case .longTask(let category, _, let share):
      let isNamed =
        !category.isEmpty && category != "hang" && !category.hasPrefix("scrolltrace.")
      let took = evidence.total.map { " took \(Quantity.length($0))" } ?? " was"
      return (isNamed ? "work of '\(name(category))'" : "it") + took
        + " in \(Quantity.count(count, "hitch", "hitches")), with"
        + " \(Quantity.length(evidence.hitchTime)) of hitch time, \(Quantity.share(share))"
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
  /// The fix for a finding, as sentences.
  package func action(of finding: Finding) -> String {
    switch finding.kind {
    case .decodeOnMainThread:
      "Decode on a background queue before the cell is displayed, at display size"
        + " (prepareForDisplay, thumbnails). Keep bitmaps in a cache with a limit in bytes."
    case .loadOnMainThread:
      "Load on a background queue, ahead for the next items (prefetchItemsAt). Display a placeholder"
        + " until the data is loaded."
    case .preparedOnDemandWhileIdle:
      "Prepare the next cells, one at a time, right after a short commit (let the list prefetch"
        + " cells)."
    case .noReuse(true):
      "Create the registration once, outside the cell provider"
        + " (UICollectionView.CellRegistration)."
    case .noReuse(false):
      "Dequeue cells by kind, return them when they leave the view, and use few kinds"
        + " (dequeueConfiguredReusableCell)."
    case .reloadInsteadOfReconfigure:
      "Reconfigure the items, so that existing cells get the new content (reconfigureItems)."
    case .snapshotReload:
      "Apply differences between stable identifiers instead of reloading, also without animation"
        + " (apply instead of reloadData)."
    case .heavyWillDisplay:
      "Do this work when the cell is prepared, or in the background. Keep only work that needs the"
        + " displayed cell."
    case .preparedNeverShown:
      "Prepare fewer cells ahead, stop while the scroll is fast, and keep prepared cells when it"
        + " reverses."
    case .prefetchedNeverShown:
      "Prefetch fewer items, the nearest first, and fewer while the scroll is fast."
    case .lateData:
      "Request the data before the cell is displayed: the longer it takes, the further ahead"
        + " (prefetchItemsAt), in the order of the items."
    case .prefetchNotCancelled:
      "Cancel requests for items that the scroll passed (cancelPrefetchingForItemsAt), so that the"
        + " next items need not wait."
    case .staleResultInReusedCell:
      "Write results to the data and reconfigure the item. Never set them on the cell that"
        + " requested them."
    case .inaccurateSizeEstimates:
      "Estimate from the measured sizes: a running average for each kind of cell (estimated sizes)."
    case .steadilySlowFrames:
      "Make every frame cheaper, or request the rate that is met (preferredFrameRateRange)."
    case .renderHitches:
      "The commits need no change: simplify the rendered content, with fewer layers, shadows, masks,"
        + " blurs and large images."
    case .hitchesWhileIdle:
      "Look for the cause off the main thread: a lock, the disk, another thread or process. Record"
        + " waits as such to see them."
    case .lowHeadroom:
      "Treat it as a warning: slower devices and faster displays will miss deadlines. Move work of"
        + " the longest commits to idle time or to the background."
    case .fewFrames: "Record a longer scroll: at least 30 frames, several seconds if possible."
    case .dataLoss:
      "Give the recording more room, record less repetitive data, and finish it last. Its numbers"
        + " may be too low."
    case .longTask("hang", _, _):
      // The source says that the thread did not answer, which is no work that could be moved.
      "Find out what the main thread did: record spans or samples of its work."
    case .longTask:
      "Postpone it until nothing moves, move it off the main thread, or split it into parts that fit"
        + " into the idle time of a frame."
    }
  }
}
