import ScrollTraceModel

/// Images decoded on the main thread in late frames.
struct DecodeOnMainThread: FindingRule {
  static let id = FindingID.decodeOnMainThread

  func findings(in context: FindingContext) -> [Finding] {
    context.openCauses.filter { cause in
      guard let work = cause.ownWork else { return false }
      return work.listWord == .decode || work.listWord == .thumbnail || WorkTopic(work) == .images
    }.map { cause in
      let list = cause.work?.listWord == nil ? nil : context.list { $0.decodes }
      let sums = cause.sums(of: list?.evidence.decodes, in: context)
      let longest = sums.first
      let count = sums.isEmpty ? nil : sums.reduce(0) { $0 + $1.count }
      let evidence = Evidence(
        work: cause.work, images: count, hitches: cause.hitches.count, time: cause.time,
        item: longest.flatMap { context.item(of: $0.arguments) }, longest: longest?.longest)
      return finding(
        of: cause, subject: list.map { .list($0.name) }, count: count, evidence, in: context,
        certainty: .named)
    }
  }

  private struct Evidence: FindingEvidence {
    let work: WorkName?
    /// The number of images of a list, or `nil` if no list has them.
    let images: Int?
    let hitches: Int
    let time: TimeSpan
    let item: String?
    let longest: TimeSpan?

    var title: Phrase {
      let name = images == nil ? work.phrase { " (\($0))" } : ""
      return "images are decoded on the main thread\(name)"
    }
    var sentence: Phrase {
      let longestPhrase = longest.phrase { length in
        item.phrase { ", at most \(length) for item \(name: $0)" }
      }
      let what = images.phrase { "decoding \($0, "image")" }.ifEmpty(work.phrase { "\($0)" })
      return "\(what) took \(time) in \(hitches, "late frame")\(longestPhrase)"
    }
    var facts: Finding.Facts {
      [("images", .count(images)), ("item", .name(item)), ("longestNs", .time(longest))]
    }

    func fix(in toolkit: Toolkit?) -> Phrase { WorkTopic.decodeAhead(in: toolkit) }
  }
}
