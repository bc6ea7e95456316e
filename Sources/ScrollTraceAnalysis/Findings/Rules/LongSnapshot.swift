import ScrollTraceModel

/// Snapshots that take long to apply.
struct LongSnapshot: FindingRule {
  static let id = FindingID.longSnapshot

  func findings(in context: FindingContext) -> [Finding] {
    context.openCauses.compactMap { cause in
      guard let work = cause.ownWork, work.listWord == .applySnapshot else { return nil }
      let costs = WorkCosts(of: work, in: context)
      func count(_ list: ListAnalysis) -> Int { list.snapshots.reduce(0) { $0 + $1.count } }
      let list = context.lists.max { count($0) < count($1) }
      let snapshots = list?.snapshots ?? []
      let known = list.map(count) ?? 0
      let (applied, isReload) = (max(1, known), snapshots.contains { $0.kind == "reload" })
      let changed = snapshots.reduce(0) {
        $0.saturatingAdd($1.inserted).saturatingAdd($1.deleted)
          .saturatingAdd($1.reconfigured).saturatingAdd($1.reloaded)
      }
      // The changed items of a snapshot, on average.
      let items = known > 0 ? changed / known : nil
      let inView = list.flatMap { $0.evidence.maximumInView > 0 ? $0.evidence.maximumInView : nil }
      let forItems = items.phrase { items in
        inView.phrase { ", for \($0, "visible cell") of \(items, "changed item")" }.ifEmpty(
          items > 0 ? ", for \(items, "changed item") each" : "")
      }
      let median = costs?.lateMedian ?? costs?.median
      let time = median.phrase { " took \($0) (median)" }
      return finding(
        of: cause, subject: list.map { .list($0.name) }, count: applied,
        PlainEvidence(
          title: "snapshots take long to apply",
          sentence: "applying a snapshot\(time), \(applied, "time")\(forItems)",
          facts: [
            ("medianNs", .time(median)), ("snapshots", .count(applied)),
            ("itemsPerSnapshot", .count(items)), ("cellsInView", .count(inView)),
            ("reload", .flag(isReload)),
          ],
          fix: isReload
            ? "Apply the differences between stable identifiers instead of a"
              + " reload\(.applyDifferences, of: context.toolkit), and lay out only what is visible."
            : "Compute the differences in the background\(.background, of: context.toolkit), apply fewer"
              + " items at a time, and lay out only what is visible."), in: context,
        certainty: .named)
    }
  }
}

extension Phrase {
  /// The phrase, or another one if it says nothing.
  func ifEmpty(_ other: Phrase) -> Phrase { isEmpty ? other : self }
}
