import ScrollTraceAnalysis
import ScrollTraceModel

/// A number that programs follow from run to run, as one surface of one trace has it.
///
/// What is not known is not there: a missing number is neither zero nor an improvement.
struct ReportMeasure {
  /// What a change of a number means.
  enum Direction {
    case smallerIsBetter
    case largerIsBetter
    /// It explains the others: how much was looked at.
    case neutral
  }

  /// The name as words, which every form spells in its own way.
  let words: String
  /// `ms/s`, `ms`, or empty for counts.
  let unit: String
  /// The number.
  let value: Double
  /// What a change of it means.
  let direction: Direction

  /// The numbers of a surface that are known, in a lasting order.
  static func all(of surface: SurfaceAnalysis) -> [ReportMeasure] {
    guard surface.isEvaluated else { return [] }
    func milliseconds(_ span: TimeSpan?) -> Double? {
      span.map { Double($0.nanoseconds) / 1_000_000 }
    }
    let numbers: [(String, String, Double?, Direction)] = [
      ("hitch time ratio", "ms/s", surface.ratio?.millisecondsPerSecond, .smallerIsBetter),
      ("hitches", "", Double(surface.hitchesInMotion), .smallerIsBetter),
      ("hitch time", "ms", milliseconds(surface.hitchTime), .smallerIsBetter),
      ("longest hitch", "ms", milliseconds(surface.longestHitch), .smallerIsBetter),
      ("deadline misses", "", surface.counts.deadlineMisses.map { Double($0) }, .smallerIsBetter),
      ("refreshes missed", "", surface.counts.refreshesMissed.map { Double($0) }, .smallerIsBetter),
      ("commit p95", "ms", milliseconds(surface.commit?.p95), .smallerIsBetter),
      ("headroom", "ms", milliseconds(surface.headroom), .largerIsBetter),
      ("frames", "", surface.counts.total.map { Double($0) }, .neutral),
    ]
    return numbers.compactMap { words, unit, value, direction in
      value.map { ReportMeasure(words: words, unit: unit, value: $0, direction: direction) }
    }
  }
}
