import ScrollTraceAnalysis
import ScrollTraceModel

extension TextRun {
  private static let trackLimit = 8

  /// Main-thread against background work, then track by track.
  var work: [TextLine] {
    let work = run.work
    guard work.sums.unionBusy > .zero else { return [] }
    var parts: [String] = []
    if let main = work.sums.mainBusy { parts.append("main \(Quantity.length(main))") }
    parts.append("background \(Quantity.length(work.sums.backgroundBusy))")
    if let share = work.sums.mainShare { parts.append("main share \(Quantity.share(share))") }
    if let parallelism = work.sums.parallelism {
      parts.append("parallelism \(Quantity.fixed(parallelism, places: 2))")
    }
    if let late = work.backgroundWhileLate {
      parts.append("\(Quantity.length(late)) in the background while main was late")
    }
    let window = wording.text(of: work.window)
    return [heading("Work in \(window), wall time")]
      + wrapped(parts.joined(separator: "\(glyphs.separator) "), first: 2, indent: 2) + tracks(work)
  }

  private func tracks(_ work: WorkAnalysis) -> [TextLine] {
    var table = TextTable([
      .init(title: "track"), .init(title: "busy", alignment: .right),
      .init(title: "used", alignment: .right), .init(title: "by category", isFlexible: true),
    ])
    for track in work.tracks.prefix(Self.trackLimit) {
      let categories = track.byCategory.prefix(5).map {
        "\(name(label($0.category), 24)) \(Quantity.length($0.selfTime))"
      }
      table.add([
        TextLine(name(track.name, style.width < 100 ? 20 : 32) + (track.isMain ? " (main)" : "")),
        TextLine(Quantity.length(track.busy)),
        TextLine(track.utilization.map(Quantity.share) ?? ""),
        TextLine(categories.joined(separator: ", ")),
      ])
    }
    let hidden = work.tracks.count - Self.trackLimit
    return lines(table)
      + (hidden > 0
        ? [TextLine("  and \(Quantity.count(hidden, "more track", "more tracks"))")] : [])
  }

  /// The work of other processes, which counts in none of the sums.
  var otherProcesses: [TextLine] {
    guard !run.otherProcesses.isEmpty else { return [] }
    var table = TextTable([
      .init(title: "process", isFlexible: true), .init(title: "busy", alignment: .right),
      .init(title: "busy tracks", alignment: .right),
    ])
    for process in run.otherProcesses.prefix(Self.trackLimit) {
      table.add([
        TextLine(name(process.name)), TextLine(Quantity.length(process.busy)),
        TextLine("\(process.busyTracks)"),
      ])
    }
    let hidden = run.otherProcesses.count - Self.trackLimit
    return [heading("Other processes")] + lines(table)
      + (hidden > 0
        ? [TextLine("  and \(Quantity.count(hidden, "more process", "more processes"))")] : [])
  }

  /// A category without the prefix that the reserved ones share.
  func label(_ category: String) -> String {
    let prefix = "scrolltrace."
    return category.hasPrefix(prefix) ? String(category.dropFirst(prefix.count)) : category
  }
}
