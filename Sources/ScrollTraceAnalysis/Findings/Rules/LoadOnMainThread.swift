import ScrollTraceModel

/// Data loaded on the main thread in late frames, whether it computes or waits.
struct LoadOnMainThread: FindingRule {
  static let id = FindingID.loadOnMainThread

  func findings(in context: FindingContext) -> [Finding] {
    context.openCauses.compactMap { cause in
      guard let work = cause.ownWork, work.listWord == .load else { return nil }
      let waits = cause.waits(in: work)
      let kind = waits.time.nanoseconds > cause.time.nanoseconds / 10 ? waits.kind : nil
      let what: Phrase =
        kind.map { "it waited\($0.phrase) \(waits.time) of \(cause.time)" }
        ?? "it computed \(cause.time)"
      let list = context.list { $0.loads }
      let sums = cause.sums(of: list?.evidence.loads, in: context)
      let longest = context.longest(of: sums)
      return finding(
        of: cause, subject: list.map { .list($0.name) },
        count: max(1, sums.reduce(0) { $0 + $1.count }),
        PlainEvidence(
          title: kind == nil
            ? "data is loaded on the main thread" : "loading data makes the main thread wait",
          sentence: "\(work) made \(cause.hitches.count, "frame") late; \(what)\(longest.phrase)",
          facts: [
            ("waitedNs", .time(waits.time)), ("waitKind", .name(kind?.rawValue)),
            ("item", .name(longest.item)), ("longestNs", .time(sums.first?.longest)),
          ],
          fix:
            "Start \(work) before the cell appears, off the main thread\(.prefetchData, of: context.toolkit),"
            + " and show a placeholder until the data is there."), in: context)
    }
  }
}
