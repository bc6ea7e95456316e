import ScrollTraceAnalysis
import ScrollTraceModel

extension TextRun {
  /// The worst hitches of the leading surface, each with what filled its time.
  var hitches: [TextLine] {
    guard let surface, !surface.hitches.isEmpty else { return [] }
    let shown = Array(surface.worstHitches.prefix(style.hitchLimit ?? surface.hitches.count))
    guard !shown.isEmpty else { return [] }
    var table = TextTable([
      .init(title: "at", alignment: .right), .init(title: "frame", alignment: .right),
      .init(title: "late by", alignment: .right),
      .init(title: "refreshes", alignment: .right, expendability: 1),
      .init(title: "kind"), .init(title: "severity", expendability: 2),
      .init(title: "", isFlexible: true),
    ])
    for hitch in shown { table.add(cells(hitch)) }
    let all = lines(table)
    var result = [heading(title(shown.count, of: surface.hitches.count))] + all.prefix(1)
    for (line, hitch) in zip(all.dropFirst(), shown) {
      result.append(line)
      result += details(hitch)
    }
    if shown.allSatisfy({ $0.attribution == nil }) {
      result += wrapped(
        "What filled these frames is unknown: the trace holds no main-thread work for them.",
        first: 2, indent: 2, ink: .faint)
    }
    return result
  }

  private func title(_ shown: Int, of all: Int) -> String {
    shown == all ? "Hitches, the worst first" : "Worst hitches (\(shown) of \(all))"
  }

  private func cells(_ hitch: Hitch) -> [TextLine] {
    let ink: Ink = hitch.severity == .low ? .near : .late
    var remarks: [String] = []
    if hitch.isFrozen { remarks.append("frozen") }
    if hitch.isEstimated { remarks.append("estimated") }
    if let frame = hitch.cascadeOf { remarks.append("pushed late by frame \(frame)") }
    return [
      TextLine(instant(hitch.range.begin)), TextLine(hitch.frame.map { "\($0)" } ?? ""),
      TextLine(Quantity.length(hitch.length), ink),
      TextLine(hitch.refreshesMissed.map { "\($0)" } ?? ""),
      TextLine(wording.text(of: hitch.kind)), TextLine(hitch.severity?.rawValue ?? "", ink),
      TextLine(remarks.joined(separator: ", ")),
    ]
  }

  /// What the source says itself, and what filled the hitch's time.
  private func details(_ hitch: Hitch) -> [TextLine] {
    let parts =
      (hitch.sourceLabel.map { ["the source says \(name($0))"] } ?? [])
      + (hitch.attribution.map(causes) ?? [])
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

  /// The three largest causes, then what is not work; in parts of the window.
  private func causes(_ attribution: Attribution) -> [String] {
    let window = Double(max(1, attribution.window.length.nanoseconds))
    func share(_ span: TimeSpan) -> String {
      Quantity.share(Double(span.nanoseconds) / window)
    }
    var parts = attribution.causes.prefix(3).map { cause in
      let names = [label(cause.category), cause.name].filter { !$0.isEmpty }.map { name($0, 28) }
      let item = cause.item.map { " (\(name($0, 24)))" } ?? ""
      return "\(Quantity.share(cause.share)) \(names.joined(separator: "/"))\(item)"
    }
    let more = attribution.causes.count - 3
    if more > 0 { parts.append("\(Quantity.count(more, "smaller cause"))") }
    if attribution.waiting > .zero { parts.append("\(share(attribution.waiting)) waiting") }
    if attribution.idle > .zero {
      let elsewhere = attribution.causes.isEmpty ? " (the cause lies elsewhere)" : ""
      parts.append("\(share(attribution.idle)) idle\(elsewhere)")
    }
    if attribution.unrecorded > .zero {
      parts.append("\(share(attribution.unrecorded)) unrecorded")
    }
    return parts
  }
}
