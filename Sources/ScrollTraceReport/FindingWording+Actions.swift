package import ScrollTraceAnalysis

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
