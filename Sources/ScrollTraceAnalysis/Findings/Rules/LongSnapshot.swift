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
      let count = list.map(count) ?? 0
      let changed = snapshots.reduce(0) {
        $0.saturatingAdd($1.inserted).saturatingAdd($1.deleted)
          .saturatingAdd($1.reconfigured).saturatingAdd($1.reloaded)
      }
      let evidence = Evidence(
        median: costs?.lateMedian ?? costs?.median, snapshots: max(1, count),
        items: count > 0 ? changed / count : nil,
        inView: list.flatMap { $0.evidence.maximumInView > 0 ? $0.evidence.maximumInView : nil },
        isReload: snapshots.contains { $0.kind == "reload" })
      return finding(
        of: cause, subject: list.map { .list($0.name) }, count: max(1, count), evidence,
        in: context, certainty: .named)
    }
  }

  private struct Evidence: FindingEvidence {
    let median: TimeSpan?
    let snapshots: Int
    /// The changed items of a snapshot, on average.
    let items: Int?
    let inView: Int?
    let isReload: Bool

    var title: Phrase { "snapshots take long to apply" }
    var sentence: Phrase {
      let items = items.phrase { items in
        inView.phrase { ", for \($0, "visible cell") of \(items, "changed item")" }.ifEmpty(
          items > 0 ? ", for \(items, "changed item") each" : "")
      }
      let time = median.phrase { " took \($0) (median)" }
      return "applying a snapshot\(time), \(snapshots, "time")\(items)"
    }
    var facts: Finding.Facts {
      [
        ("medianNs", .time(median)), ("snapshots", .count(snapshots)),
        ("itemsPerSnapshot", .count(items)), ("cellsInView", .count(inView)),
        ("reload", .flag(isReload)),
      ]
    }

    func fix(in toolkit: Toolkit?) -> Phrase {
      isReload
        ? "Apply the differences between stable identifiers instead of a"
          + " reload\(.applyDifferences, of: toolkit), and lay out only what is visible."
        : "Compute the differences in the background\(.background, of: toolkit), apply fewer items"
          + " at a time, and lay out only what is visible."
    }
  }
}

extension Phrase {
  /// The phrase, or another one if it says nothing.
  func ifEmpty(_ other: Phrase) -> Phrase { isEmpty ? other : self }
}
