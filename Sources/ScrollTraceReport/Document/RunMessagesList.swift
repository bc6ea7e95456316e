import ScrollTraceAnalysis

/// The texts on several runs. Those of a run are made when they are asked for, because there can be
/// many runs.
struct RunMessagesList: RandomAccessCollection {
  private let runs: [Analysis]
  private let limits: RowLimits

  /// The messages on `runs`.
  ///
  /// They share the drawings of a single run; with many runs, there are none.
  init(_ runs: [Analysis], limits: RowLimits) {
    self.runs = runs
    var limits = limits
    limits.timelines =
      runs.count > Self.maximumWithDrawings ? 0 : limits.timelines / Swift.max(1, runs.count)
    self.limits = limits
  }

  private static let maximumWithDrawings = 4

  var startIndex: Int { 0 }
  var endIndex: Int { runs.count }

  subscript(index: Int) -> RunMessages {
    RunMessages(
      runs[index], limits: limits, anchor: runs.count > 1 ? "run\(index + 1)-" : "")
  }

  /// The runs that are more than digests, with their positions.
  var whole: [(index: Int, messages: RunMessages)] {
    indices.filter { !runs[$0].isDigest }.map { ($0, self[$0]) }
  }

  /// The positions of the runs, the worst first.
  var worstFirst: [Int] { runs.worstFirst }
}
