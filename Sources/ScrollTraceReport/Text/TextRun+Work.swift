import ScrollTraceAnalysis
import ScrollTraceModel

extension TextRun {
  /// Main-thread against background work, then track by track.
  var work: [TextLine] {
    let work = run.work
    guard work.sums.unionBusy > .zero else { return [] }
    let sums = sums(of: work).joined(separator: "\(glyphs.separator) ")
    let tracks = lines(tracks(work))
    return tracks.prefix(1) + wrapped(sums, first: 2, indent: 2) + tracks.dropFirst()
  }

  /// In which time work was looked at.
  var titleOfWork: String { "Work in \(wording.text(of: run.work.window)), wall time" }

  /// The sums over the whole time.
  func sums(of work: WorkAnalysis) -> [String] {
    var parts: [String] = []
    if let main = work.sums.mainBusy { parts.append("main \(Quantity.length(main))") }
    parts.append("background \(Quantity.length(work.sums.backgroundBusy))")
    if let share = work.sums.mainShare { parts.append("main share \(Quantity.share(share))") }
    if let parallelism = work.sums.parallelism {
      parts.append("parallelism \(Quantity.fixed(parallelism, places: 2))")
    }
    if let late = work.backgroundBusyDuringOverruns {
      parts.append("\(Quantity.length(late)) in the background while main was late")
    }
    return parts
  }

  /// The work, track by track.
  func tracks(_ work: WorkAnalysis) -> TitledTable {
    var table = TextTable([
      .init(title: "track"), .init(title: "busy", alignment: .right),
      .init(title: "used", alignment: .right),
      .init(title: "by category", isFlexible: true, isList: true),
    ])
    for track in work.tracks.prefix(style.limits.tracks) {
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
    let hidden = work.tracks.count - style.limits.tracks
    return TitledTable(
      title: titleOfWork, table: table,
      note: hidden > 0 ? TextLine("and \(Quantity.count(hidden, "more track"))") : nil)
  }

  /// The work of other processes, which counts in none of the sums.
  var otherProcesses: TitledTable? {
    guard !run.otherProcesses.isEmpty else { return nil }
    var table = TextTable([
      .init(title: "process", isFlexible: true), .init(title: "busy", alignment: .right),
      .init(title: "busy tracks", alignment: .right),
    ])
    for process in run.otherProcesses.prefix(style.limits.tracks) {
      table.add([
        TextLine(name(process.name)), TextLine(Quantity.length(process.busy)),
        TextLine("\(process.busyTracks)"),
      ])
    }
    let hidden = run.otherProcesses.count - style.limits.tracks
    let more = TextLine("and \(Quantity.count(hidden, "more process", "more processes"))")
    return TitledTable(
      title: "Other processes", table: table, note: hidden > 0 ? more : nil)
  }

  /// A category without the prefix that the reserved ones share; a list of several is cut where
  /// there is little room, so that the name behind it is not.
  func label(_ category: String) -> String {
    style.limits.nameColumns > 0
      ? Messages.label(ofCategory: category)
      : Messages.shortLabel(ofCategory: category, ellipsis: glyphs.ellipsis)
  }

  /// The columns that work has with both of its names.
  private static let widestWork = 42

  /// Category and name of work; where there is little room the category has less of it.
  func text(ofWork category: String, _ name: String) -> String {
    let name = self.name(name, 40)
    let label = label(category)
    guard style.limits.nameColumns == 0, !name.isEmpty, !label.isEmpty else {
      return [self.name(label), name].filter { !$0.isEmpty }.joined(separator: "/")
    }
    let room = max(8, Self.widestWork - 1 - ColumnWidth.of(name))
    guard ColumnWidth.of(label) > room else { return "\(self.name(label, room))/\(name)" }
    // Of a list the first category says more than a part of the second one.
    let first = category.prefix { $0 != "," }
    let short = first.count < category.count ? "\(first),\(glyphs.ellipsis)" : label
    return "\(self.name(short, room))/\(name)"
  }
}
