package import ScrollTraceAnalysis
import ScrollTraceModel
import ScrollTracePrediction

/// The texts for changes, their assumptions, and the reasons why nothing can be predicted.
///
/// The texts contain names from the trace unchanged; a renderer escapes them for its context.
package enum PredictionMessages {
  /// Returns the stable identifier of a change in the command line and JSON.
  package static func word(for change: ProposedChange) -> String {
    switch change {
    case .prepareWhenIdle: "prepare-when-idle"
    case .prepareOneAhead: "prepare-one-ahead"
    case .decodeInBackground: "decode-in-background"
    case .loadInBackground: "load-in-background"
    case .reuseCells: "reuse-cells"
    case .reconfigureItems: "reconfigure-items"
    case .applyDifferences: "apply-differences"
    case .speedup: "speedup"
    case .refreshInterval: "refresh-rate"
    }
  }

  /// Returns a change in words.
  static func text(of change: ProposedChange) -> String {
    switch change {
    case .prepareWhenIdle: "prepare cells in idle time"
    case .prepareOneAhead: "prepare one cell ahead in each commit"
    case .decodeInBackground: "decode images in the background"
    case .loadInBackground: "load data in the background"
    case .reuseCells: "reuse cells that wait in the pool"
    case .reconfigureItems: "reconfigure items, not reload them"
    case .applyDifferences: "apply snapshots as differences"
    case .speedup(let work, let percent):
      switch percent {
      case 50: "halve \(text(of: work))"
      case 0: "without \(text(of: work))"
      default: "cut \(text(of: work)) to \(percent)%"
      }
    case .refreshInterval(let interval): "a display of \(Quantity.rate(interval))"
    }
  }

  /// Returns the work in words, without the prefix of reserved categories.
  static func text(of work: WorkName) -> String {
    let names = [Messages.label(ofCategory: work.category), work.name ?? ""]
    return names.filter { !$0.isEmpty }.joined(separator: "/")
  }

  /// Returns the assumption of a prediction, as a sentence.
  static func assumption(of change: ProposedChange) -> String {
    switch change {
    case .prepareWhenIdle:
      "One cell is prepared after each short commit, in the order in which cells were needed, at most"
        + " three lines ahead and not before the scroll turned their way. A cell that fits before the"
        + " next deadline may still delay the start of that commit. The list keeps twice as many"
        + " cells, which are created first."
    case .prepareOneAhead:
      "Each commit that needs no cell prepares the next one, at most three lines ahead, whatever time"
        + " is left."
    case .decodeInBackground:
      "Bitmaps are ready when they are displayed: other threads have time for them, and their work"
        + " does not slow down the main thread."
    case .loadInBackground:
      "Data, including that of images, is requested ten lines ahead, so most of it arrives before its"
        + " cell is prepared."
    case .reuseCells:
      "A cell that left the view is reused for the next item of its kind, in the mean time of the"
        + " recorded reuses (no time if there were none)."
    case .reconfigureItems:
      "The handler of a cell runs again: this takes the mean of its recorded times, or, if none was"
        + " recorded, three quarters to all of the time of configuring a new cell. A handler that skips"
        + " more takes less; the certain range allows for half."
    case .applyDifferences:
      "Cells of items that a snapshot did not change stay as they are. Finding the differences takes as"
        + " long as the reload did."
    case .speedup(let work, let percent):
      percent == 0
        ? "\(text(of: work)) is gone, and nothing takes its place."
        : "\(text(of: work)) takes \(percent)% of its time; nothing else changes."
    case .refreshInterval:
      "Every refresh in motion has a frame. Work recorded between two refreshes is done in one frame,"
        + " and a frame without such work takes as long as a short commit. Deadlines are as many"
        + " refreshes away as before."
    }
  }

  /// What the ranges of removed hitch time mean.
  static let meaningOfRanges =
    "The hit rate is the share of such predictions in a study with random sessions for which the"
    + " likely range held; the certain range held for nearly all. A negative time is added hitch"
    + " time."

  /// Returns a hit rate in whole percent.
  static func text(ofHitRate share: Double) -> String {
    "\(Int((min(max(0, share), 1) * 100).rounded()))%"
  }

  /// Returns a range of removed hitch time, with one unit if both ends have the same.
  static func text(of range: RemovedTime) -> String {
    let (low, high) = (Quantity.length(range.low), Quantity.length(range.high))
    guard low != high else { return high }
    let unit = " ms"
    let isShared = low.hasSuffix(unit) && high.hasSuffix(unit)
    return "\(isShared ? String(low.dropLast(unit.count)) : low) to \(high)"
  }

  /// Returns the reason why a change is not predictable for a recording.
  static func text(of obstacle: PredictionObstacle) -> String {
    switch obstacle {
    case .undetermined(let range):
      "it depends on what the recording does not show (\(text(of: range)))"
    case .jumps(let share):
      "\(Quantity.share(share)) of the cells followed a jump, which no list can prepare for"
    case .coresBusy(let share):
      "for \(Quantity.share(share)) of the time of the hitches no core was free for other threads"
    case .unrecorded(let share):
      "\(Quantity.share(share)) of the time of the hitches was not recorded"
    case .unlikeRecording(let replayed, let recorded):
      "the replay without any change has \(Quantity.length(replayed)) of hitch time, the recording"
        + " \(Quantity.length(recorded))"
    case .tooLarge: "there would be too many frames"
    }
  }

  /// Returns the reason why nothing can be predicted, and the next step.
  static func text(of error: PredictionError) -> String {
    switch error {
    case .notEvaluated: "no frame could be evaluated"
    case .noMainWork: "the trace holds no work of a main thread: record spans on it"
    case .noCommits:
      "the source does not report when the main thread's commits ended: record frames with their commit"
    case .noDeadlines:
      "the source reports neither deadlines nor targets, so late commits are unknown"
    case .noInterval: "no refresh interval is known: --refresh-rate HZ names one"
    case .offCore(let share):
      "the main thread was off a core for \(Quantity.share(share)) of the time of the hitches, which"
        + " no change of its work makes up for"
    case .tooLarge: "there would be too many frames"
    }
  }
}
