import ScrollTraceKit

/// Adds up summaries.
struct SummaryMerger {
  private(set) var sum = TraceSummary.zero
  /// The number of lines that were left out because their trace counts already.
  private var repeatedCount = 0
  /// The number of those that differ from the line that counts.
  private var differingCount = 0
  private let once: Once?
  private let change: (TraceSummary) -> TraceSummary
  /// Hashes of the lines that count, by that of what counts once.
  private var known: [Int: Int] = [:]

  enum Once {
    /// Equal lines of a trace.
    case lines
    /// The surfaces of traces with the same bytes, whatever the attributes.
    case traces
  }

  /// Creates a sum of summaries, each changed by `change`.
  init(once: Once?, _ change: @escaping (TraceSummary) -> TraceSummary) {
    self.once = once
    self.change = change
  }

  mutating func add(_ summary: TraceSummary) {
    if let once {
      for (key, row) in summary.rows {
        guard let content = row.identity?.content else { continue }
        var hasher = Hasher()
        hasher.combine(content)
        hasher.combine(key.surface)
        hasher.combine(key.refreshInterval)
        let hash = summary.hashValue
        let origin = once == .lines ? hash : hasher.finalize()
        guard let first = known.updateValue(hash, forKey: origin) else { continue }
        known[origin] = first
        repeatedCount += 1
        differingCount += first == hash ? 0 : 1
        return
      }
    }
    sum += change(summary)
  }

  /// What to say of the lines that were left out, or `nil` if there are none.
  var repeats: String? {
    guard repeatedCount > 0 else { return nil }
    let differing =
      differingCount > 0
      ? "; \(differingCount) of them differ from the first line, which counts" : ""
    return "\(Quantity.count(repeatedCount, "line")) omitted, because counted before\(differing)"
  }
}
