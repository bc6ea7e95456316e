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
      // The number of images of a list, or `nil` if no list has them.
      let images = sums.isEmpty ? nil : sums.reduce(0) { $0 + $1.count }
      let longest = context.longest(of: sums)
      let name = images == nil ? cause.work.phrase { " (\($0))" } : ""
      let what = images.phrase { "decoding \($0, "image")" }.ifEmpty(cause.work.phrase { "\($0)" })
      return finding(
        of: cause, subject: list.map { .list($0.name) }, count: images,
        PlainEvidence(
          title: "images are decoded on the main thread\(name)",
          sentence:
            "\(what) took \(cause.time) in \(cause.hitches.count, "late frame")\(longest.phrase)",
          facts: [
            ("images", .count(images)), ("item", .name(longest.item)),
            ("longestNs", .time(sums.first?.longest)),
          ], fix: WorkTopic.decodeAhead(in: context.toolkit)), in: context, certainty: .named)
    }
  }
}
