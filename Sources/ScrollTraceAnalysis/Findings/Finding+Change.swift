import ScrollTraceModel

extension Finding {
  /// What to replay a recording with, to see what would come of mending it; `nil` where that is no
  /// change to the main thread's work, or of another surface than `surface`.
  func change(for surface: SurfaceAnalysis) -> ProposedChange? {
    if case .surface(let name) = subject, name != surface.name { return nil }
    return switch kind {
    case .decodeOnMainThread: .decodeInBackground
    case .loadOnMainThread: .loadInBackground
    case .preparedOnDemandWhileIdle: .prepareCellsInSpareTime
    case .noReuse: .reuseCells
    case .reloadInsteadOfReconfigure: .reconfigureItems
    case .snapshotReload: .applyDifferences
    case .heavyWillDisplay(let category, let name), .longTask(let category, let name, _):
      .cheaper(WorkName(category: category, name: name), percent: 0)
    default: nil
    }
  }
}
