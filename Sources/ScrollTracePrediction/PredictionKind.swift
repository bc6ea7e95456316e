package import ScrollTraceAnalysis

/// The kind of a predicted change, whose accuracy the study measures.
package enum PredictionKind: String, CaseIterable, Sendable {
  case prepareWhenIdle = "prepare-when-idle"
  case prepareOneAhead = "prepare-one-ahead"
  case decodeInBackground = "decode-in-background"
  case loadInBackground = "load-in-background"
  case reuseCells = "reuse-cells"
  case reconfigureItems = "reconfigure-items"
  case applyDifferences = "apply-differences"
  case speedup
  case refreshRate = "refresh-rate"

  /// The kind of a change.
  package init(_ change: ProposedChange) {
    switch change {
    case .prepareWhenIdle: self = .prepareWhenIdle
    case .prepareOneAhead: self = .prepareOneAhead
    case .decodeInBackground: self = .decodeInBackground
    case .loadInBackground: self = .loadInBackground
    case .reuseCells: self = .reuseCells
    case .reconfigureItems: self = .reconfigureItems
    case .applyDifferences: self = .applyDifferences
    case .speedup: self = .speedup
    case .refreshInterval: self = .refreshRate
    }
  }

  /// The share of predictions of this kind whose likely range held in the study.
  package var hitRate: Double { PredictionCalibration.of(self).hitRate }

  /// Whether the change prepares cells before they are needed.
  var preparesAhead: Bool { self == .prepareWhenIdle || self == .prepareOneAhead }

  /// What the recording does not say of a host after the change, as replays.
  var assumptions: [ReplayAssumptions] {
    func with(_ change: (inout ReplayAssumptions) -> Void) -> ReplayAssumptions {
      var assumptions = ReplayAssumptions()
      change(&assumptions)
      return assumptions
    }
    switch self {
    case .prepareWhenIdle, .prepareOneAhead:
      return [
        with { $0.linesAhead = 1 }, with { $0.linesAhead = 6 },
        with { $0.createsMoreCells = false }, with { $0.framesStartLate = true },
      ]
    case .decodeInBackground:
      return [with { $0.lateRefreshes = 2 }, with { $0.lateRefreshes = 4 }]
    case .loadInBackground:
      return [with { $0.remainingPercent = 20 }, with { $0.linesLoaded = 4 }]
    case .reuseCells:
      return [with { $0.cellsNotInPool = 0 }, with { $0.cellsNotInPool = 12 }]
    case .reconfigureItems:
      return [with { $0.reconfigurePercent = 50 }, with { $0.reconfigurePercent = 100 }]
    case .refreshRate: return [with { $0.framesStartLate = true }]
    case .applyDifferences, .speedup: return []
    }
  }
}
