import ScrollTraceModel

/// Data loaded on the main thread in late frames, whether it computes or waits.
struct LoadOnMainThread: FindingRule {
  static let id = FindingID.loadOnMainThread

  func findings(in context: FindingContext) -> [Finding] {
    context.openCauses.compactMap { cause in
      guard let work = cause.ownWork, work.listWord == .load else { return nil }
      let waits = cause.waits(in: work)
      let list = context.list { $0.loads }
      let sums = cause.sums(of: list?.evidence.loads, in: context)
      let longest = sums.first
      let evidence = Evidence(
        work: work, hitches: cause.hitches.count, time: cause.time, waited: waits.time,
        kind: waits.time.nanoseconds > cause.time.nanoseconds / 10 ? waits.kind : nil,
        item: longest.flatMap { context.item(of: $0.arguments) }, longest: longest?.longest)
      return finding(
        of: cause, subject: list.map { .list($0.name) },
        count: max(1, sums.reduce(0) { $0 + $1.count }), evidence, in: context)
    }
  }

  private struct Evidence: FindingEvidence {
    let work: WorkName
    let hitches: Int
    let time: TimeSpan
    let waited: TimeSpan
    let kind: Wait.Kind?
    let item: String?
    let longest: TimeSpan?

    var title: Phrase {
      kind == nil ? "data is loaded on the main thread" : "loading data makes the main thread wait"
    }
    var sentence: Phrase {
      let what: Phrase =
        kind.map { "it waited\($0.phrase) \(waited) of \(time)" } ?? "it computed \(time)"
      let longestPhrase = longest.phrase { length in
        item.phrase { ", at most \(length) for item \(name: $0)" }
      }
      return "\(work) made \(hitches, "frame") late; \(what)\(longestPhrase)"
    }
    var facts: Finding.Facts {
      [
        ("waitedNs", .time(waited)), ("waitKind", .name(kind?.rawValue)), ("item", .name(item)),
        ("longestNs", .time(longest)),
      ]
    }

    func fix(in toolkit: Toolkit?) -> Phrase {
      "Start \(work) before the cell appears, off the main thread\(.prefetchData, of: toolkit), and"
        + " show a placeholder until the data is there."
    }
  }
}
