import ScrollTraceModel

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
    let surfaces = context.trace.surfaces.filter { $0.frames.count > 0 }
    // Where the time of the lost frames is known, it is unknown in the ledger, and the rest is complete.
    let knowsTimes = !surfaces.isEmpty && surfaces.allSatisfy { !$0.holes.isEmpty }
    let consequence: Phrase =
      knowsTimes
      ? "What is missing is unknown and counts as no hitch."
      : "The numbers of this recording may be too low."
    return [
      finding(
        of: .trace, Finding.Measures(count: lost),
        PlainEvidence(
          title: "the recording lost data", sentence: "at least \(lost, "record") lost",
          fix:
            "Give the recording more space, record fewer repetitive events, and finish it last."
            + " \(consequence)"
        ), in: context)
    ]
  }
}
