import ScrollTraceAnalysis
import ScrollTraceModel

extension TextRun {
  /// The worst hitches of the leading surface, each with what filled its time.
  var hitches: [TextLine] {
    guard let surface, !surface.hitches.isEmpty else { return [] }
    let shown = shownHitches(of: surface)
    guard !shown.isEmpty else { return [] }
    let all = lines(hitchTable(shown))
    var result = [heading(title(ofHitches: shown.count, of: surface))] + all.prefix(1)
    for (line, hitch) in zip(all.dropFirst(), shown) {
      result.append(line)
      result += details(hitch)
    }
    if shown.allSatisfy({ $0.attribution == nil }) {
      result += wrapped(Self.unknownCauses, first: 2, indent: 2, ink: .faint)
    }
    return result
  }

  /// What is said where no hitch has a cause.
  static let unknownCauses =
    "What filled these frames is unknown: the trace holds no main-thread work for them."

  /// The worst hitches, as many as the style lists.
  func shownHitches(of surface: SurfaceAnalysis) -> [Hitch] {
    Array(surface.worstHitches.prefix(style.hitchLimit ?? surface.hitches.count))
  }

  /// A row for each hitch.
  func hitchTable(_ hitches: [Hitch]) -> TextTable {
    var table = TextTable([
      .init(title: "at", alignment: .right), .init(title: "frame", alignment: .right),
      .init(title: "late by", alignment: .right),
      .init(title: "refreshes", alignment: .right, expendability: 1),
      .init(title: "kind"), .init(title: "severity", expendability: 2),
      .init(title: "", isFlexible: true),
    ])
    for hitch in hitches { table.add(cells(hitch)) }
    return table
  }

  /// What a list of so many hitches is called.
  func title(ofHitches shown: Int, of surface: SurfaceAnalysis) -> String {
    shown == surface.hitches.count
      ? "Hitches, the worst first" : "Worst hitches (\(shown) of \(surface.hitches.count))"
  }

  private func cells(_ hitch: Hitch) -> [TextLine] {
    let ink: TextRole = hitch.severity == .low ? .near : .late
    var remarks: [String] = []
    if hitch.isFrozen { remarks.append("frozen") }
    if hitch.isEstimated { remarks.append("estimated") }
    if hitch.length > .zero, hitch.lengthInMotion == .zero { remarks.append("not in the ratio") }
    if .zero < hitch.lengthInMotion, hitch.lengthInMotion < hitch.length {
      remarks.append("\(Quantity.length(hitch.lengthInMotion)) in the ratio")
    }
    if let frame = hitch.delayedByFrame { remarks.append("pushed late by frame \(frame)") }
    return [
      TextLine(instant(hitch.range.start)), TextLine(hitch.frame.map { "\($0)" } ?? ""),
      TextLine(Quantity.length(hitch.length), ink),
      TextLine(hitch.refreshesMissed.map { "\($0)" } ?? ""),
      TextLine(wording.text(of: hitch.kind)), TextLine(hitch.severity?.rawValue ?? "", ink),
      TextLine(remarks.joined(separator: ", ")),
    ]
  }

  /// What the source says itself, and what filled the hitch's time: at most so many causes.
  func parts(of hitch: Hitch, most: Int = 3) -> [String] {
    (hitch.sourceLabel.map { ["the source says \(name($0, max(40, style.width - 24)))"] } ?? [])
      + (hitch.attribution.map { causes($0, most: most) } ?? [])
  }

  private func details(_ hitch: Hitch) -> [TextLine] {
    // As many causes as fit into one line; where not even one does, in several.
    let choices = (1...3).reversed().map { self.parts(of: hitch, most: $0) }
    let parts =
      choices.first { ColumnWidth.of($0.joined(separator: glyphs.separator)) <= style.width - 8 }
      ?? choices[0]
    let pieces = parts.enumerated().map { index, part in
      index + 1 < parts.count ? part + glyphs.separator : part
    }
    let lines: [TextLine] = .wrapping(
      pieces: pieces, width: style.width - 8, ink: .faint, ellipsis: glyphs.ellipsis)
    return lines.map { line in
      var moved = TextLine(glyphs.edge)
      moved.pad(to: 8)
      moved.append(line)
      return moved
    }
  }

  /// What took most of the window, in parts of it: idle time in its place among the largest causes,
  /// what is too little to matter among the smaller ones.
  private func causes(_ attribution: Attribution, most: Int) -> [String] {
    let window = Double(max(1, attribution.window.length.nanoseconds))
    let groups = attribution.groups
    // What is next to nothing is no cause to name, unless there is no other.
    let shown = groups.prefix(most).enumerated().filter { $0 == 0 || $1.share >= 0.01 }.map(
      \.element)
    var parts = shown.map { group in
      (
        share: group.share,
        text: text(ofWork: group.category, group.name)
          + Messages.items(of: group) { name($0, 24) }
      )
    }
    let elsewhere = attribution.causes.isEmpty ? " (the cause lies elsewhere)" : ""
    let others = [
      (attribution.waiting, "waiting"), (attribution.idle, "idle\(elsewhere)"),
      (attribution.unrecorded, "unrecorded"),
    ].map { (share: Double($0.0.nanoseconds) / window, text: $0.1) }
    parts += others.filter { $0.share >= 0.01 || (attribution.causes.isEmpty && $0.share > 0) }
    parts = parts.stablySorted { $0.share > $1.share }
    let more = groups.count - shown.count
    return parts.map { "\(Quantity.share($0.share)) \($0.text)" }
      + (more > 0 ? [Quantity.count(more, "smaller cause")] : [])
  }
}
