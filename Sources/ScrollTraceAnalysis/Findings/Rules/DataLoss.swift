import ScrollTraceModel

extension FindingID {
  package static let dataLoss = FindingID("dataLoss")
}

/// Records that the recorder or the source lost; damage of the file is a notice.
struct DataLoss: FindingRule {
  static let id = FindingID.dataLoss

  private static let reasons: Set<Loss.Reason> = [
    .recorderOutOfSpace, .recordTooLarge, .recordedAfterFinish, .recordedFromSignalHandler,
    .sourceDroppedRecords,
  ]

  func findings(in context: FindingContext) -> [Finding] {
    let lost = context.trace.losses.filter { Self.reasons.contains($0.reason) }.reduce(into: 0) {
      $0 = $0.saturatingAdd(Int(clamping: $1.count))
    }
    guard lost > 0 else { return [] }
    var finding = finding(of: .trace, Finding.Evidence(count: lost))
    let surfaces = context.trace.surfaces.filter { $0.frames.count > 0 }
    // Where the time of the lost frames is known, it is unknown in the ledger, and the rest is complete.
    if !surfaces.isEmpty, surfaces.allSatisfy({ !$0.holes.isEmpty }) {
      finding.details.time = surfaces.flatMap(\.holes).map(\.length).max()
    }
    return [finding]
  }
}
