package import ScrollTraceAnalysis
import ScrollTraceModel

/// The words for changes, what they take for granted, and why nothing can be predicted.
///
/// The texts hold names from the trace as they are; a renderer escapes them for its sink.
package enum PredictionMessages {
  /// The lasting word for a change, as the command line and JSON spell it.
  package static func word(for change: ProposedChange) -> String {
    switch change {
    case .prepareCellsInSpareTime: "spare-time"
    case .prepareCellsOneAhead: "one-ahead"
    case .decodeInBackground: "decode-in-background"
    case .loadInBackground: "load-in-background"
    case .reuseCells: "reuse-cells"
    case .reconfigureItems: "reconfigure"
    case .applyDifferences: "differences"
    case .cheaper: "cheaper"
    case .refreshInterval: "refresh-rate"
    }
  }

  /// What is done otherwise.
  static func text(of change: ProposedChange) -> String {
    switch change {
    case .prepareCellsInSpareTime: "prepare cells in idle time"
    case .prepareCellsOneAhead: "prepare one cell ahead in each commit"
    case .decodeInBackground: "decode images in the background"
    case .loadInBackground: "load data in the background"
    case .reuseCells: "reuse cells from the pool"
    case .reconfigureItems: "reconfigure items instead of reloading them"
    case .applyDifferences: "apply snapshots as differences"
    case .cheaper(let work, let percent):
      switch percent {
      case 50: "halve \(text(of: work))"
      case 0: "remove \(text(of: work))"
      default: "reduce \(text(of: work)) to \(percent)%"
      }
    case .refreshInterval(let interval): "a \(Quantity.rate(interval))"
    }
  }

  /// The work as a report names it, without the prefix that reserved categories share.
  static func text(of work: WorkName) -> String {
    let prefix = "scrolltrace."
    let category =
      work.category.hasPrefix(prefix)
      ? String(work.category.dropFirst(prefix.count)) : work.category
    return [category, work.name ?? ""].filter { !$0.isEmpty }.joined(separator: "/")
  }

  /// What a prediction assumes, as sentences.
  static func assumption(of change: ProposedChange) -> String {
    switch change {
    case .prepareCellsInSpareTime:
      "One cell is prepared after each short commit, in the order needed, at most three lines ahead"
        + " and not before the scroll turned toward it. Preparation that fits before the next"
        + " deadline may delay the start of that commit. The list needs more cells, which are"
        + " created first."
    case .prepareCellsOneAhead:
      "Each commit that needs no cell prepares the next one, at most three lines ahead, whatever"
        + " time is left."
    case .decodeInBackground:
      "Bitmaps are ready when they are displayed: other threads have the time, and their work does"
        + " not slow down the main thread."
    case .loadInBackground:
      "Data is ready before its cell is prepared: it is requested early enough."
    case .reuseCells:
      "A cell that left the view serves the next item of its kind, at the mean cost of recorded"
        + " reuse (zero if there was none)."
    case .reconfigureItems:
      "Reconfiguring a cell costs the recorded average or, if none was recorded, as much as"
        + " configuring a new one."
    case .applyDifferences:
      "Cells of items that a snapshot did not change stay; finding the differences costs as much as"
        + " the reload did."
    case .cheaper(let work, let percent):
      percent == 0
        ? "\(text(of: work)) is removed and nothing replaces it."
        : "\(text(of: work)) takes \(percent)% of its time; nothing else changes."
    case .refreshInterval:
      "Each refresh in motion has a frame. Work recorded between two refreshes is done in one frame,"
        + " and a frame without such work costs as much as a short commit. Deadlines stay the same"
        + " number of refreshes away."
    }
  }

  /// Why nothing can be predicted, and what to do.
  static func text(of obstacle: Predictor.PredictionError) -> String {
    switch obstacle {
    case .notEvaluated: "no frame could be evaluated"
    case .noMainWork: "the trace contains no main-thread work: record spans on the main thread"
    case .noCommits:
      "the source does not report commit ends: record frames with their commit"
    case .noDeadlines:
      "the source reports neither deadlines nor targets, so late commits are unknown"
    case .noInterval: "the refresh interval is unknown: set it with --refresh-rate HZ"
    case .tooLarge: "the replay has too many frames"
    }
  }
}
