public import ScrollTraceModel

/// The work of a category on both sides: its self time in the measured time (M-11).
package struct CategoryComparison: Equatable, Sendable {
  /// The category, or `nil` for several combined.
  package let category: String?
  package let main: ComparedValue
  package let background: ComparedValue

  var change: TimeSpan { main.timeDifference.magnitude + background.timeDifference.magnitude }

  package var isSame: Bool { main.isSame && background.isSame }

  package static func sum(_ rows: some Sequence<CategoryComparison>) -> CategoryComparison {
    CategoryComparison(
      category: nil, main: .sum(rows.map(\.main)), background: .sum(rows.map(\.background)))
  }

  /// The categories of both sides, largest change first.
  static func all(
    _ base: ComparisonSide, _ new: ComparisonSide, _ renamed: RenamedCategories
  ) -> [CategoryComparison] {
    let baseRuns = base.runs.map { SelfTimes($0, named: renamed.new) }
    let newRuns = new.runs.map { SelfTimes($0, named: { $0 }) }
    let categories = (baseRuns + newRuns).reduce(into: Set<String>()) {
      $0.formUnion($1.main.keys)
      $0.formUnion($1.background.keys)
    }
    return categories.map { category in
      func median(_ runs: [SelfTimes], _ time: (SelfTimes) -> TimeSpan?) -> MetricValue? {
        .median(of: runs.compactMap { time($0).map { .time($0) } })
      }
      func compared(_ time: (SelfTimes) -> TimeSpan?) -> ComparedValue {
        ComparedValue(base: median(baseRuns, time), new: median(newRuns, time))
      }
      return CategoryComparison(
        category: category, main: compared { $0.knowsMain ? $0.main[category] ?? .zero : nil },
        background: compared { $0.knowsWork ? $0.background[category] ?? .zero : nil })
    }.sorted { ($1.change, $0.category ?? "") < ($0.change, $1.category ?? "") }
  }

  /// The self times of one run by category.
  private struct SelfTimes {
    let knowsWork: Bool
    let knowsMain: Bool
    var main: [String: TimeSpan] = [:]
    var background: [String: TimeSpan] = [:]

    init(_ run: Analysis, named name: (String) -> String) {
      knowsWork = run.work.sums.backgroundBusy != nil
      knowsMain = run.work.sums.mainBusy != nil
      for track in run.work.tracks {
        let side: WritableKeyPath<SelfTimes, [String: TimeSpan]> =
          track.isMain ? \.main : \.background
        for time in track.byCategory {
          self[keyPath: side][name(time.category), default: .zero] += time.selfTime
        }
      }
    }
  }
}

/// Work that moved from the main thread to the background, or back.
public struct MovedWork: Codable, Equatable, Sendable {
  /// The category.
  public let category: String
  /// The change on the main thread, negative if the work left it.
  public let main: TimeSpan
  /// The opposite change in the background.
  public let background: TimeSpan

  private enum CodingKeys: String, CodingKey {
    case category, main = "mainNs", background = "backgroundNs"
  }

  /// The work that moved, largest first.
  ///
  /// Work of a category has moved if its main-thread time changed by at least a hundredth of the
  /// base's main-thread busy time, and its background time changed in the opposite direction by at
  /// least a tenth of that.
  static func all(in categories: [CategoryComparison], mainBusy: TimeSpan?) -> [MovedWork] {
    guard let mainBusy, mainBusy > .zero else { return [] }
    return categories.compactMap { row in
      let (main, background) = (row.main.timeDifference, row.background.timeDifference)
      let isOpposite = main.nanoseconds.signum() * background.nanoseconds.signum() < 0
      guard let category = row.category, isOpposite, main.magnitude * 100 >= mainBusy,
        background.magnitude * 10 >= main.magnitude
      else { return nil }
      return MovedWork(category: category, main: main, background: background)
    }.sorted { ($1.main.magnitude, $0.category) < ($0.main.magnitude, $1.category) }
  }
}
