import ScrollTraceAnalysis
import ScrollTraceModel

/// Who worked while a frame was made, as a chart.
extension TextFrame {
  /// A chart, what stands above it, and what stands below it.
  struct Chart {
    let title: String
    let lines: [TextLine]
    /// What signs stand for, one each.
    let legend: [String]
    /// What is not drawn; empty where all is.
    let hidden: String
  }

  /// The work around the frame over time; `nil` where the source tells no stretch of time of it.
  var chart: Chart? {
    guard let range = detail.range, let origin else { return nil }
    let frame = detail.frame
    let timestamps = [
      (frame.start, "begin"), (frame.commitStart, "commit"), (frame.commitEnd, "done"),
      (frame.deadline, "deadline"), (frame.target, "target"), (frame.presented, "presented"),
    ].compactMap { time, word in time.map { FrameChart.Instant(time: $0, word: word) } }
    let chart = FrameChart(
      range: range, origin: origin, timestamps: timestamps, deadline: frame.deadline,
      tracks: tracks, style: text.style, names: { names($0.label, item: $0.item) })
    var legend = chart.legend.map { "\($0.sign) \(names($0.label).first ?? "")" }
    if chart.hasOthers { legend.append("* others") }
    let zero =
      frame.start != nil
      ? "begin"
      : frame.place == nil
        ? "first known instant"
        : frame.commitEnd != nil ? "commit's end" : "presentation"
    return Chart(
      title: "Who worked; 0 ms is the frame's \(zero)", lines: chart.lines(), legend: legend,
      hidden: hiddenWork)
  }

  /// The chart as a section of lines.
  var chartLines: [TextLine] {
    guard let chart else { return [] }
    return [text.heading(chart.title)] + chart.lines + legend(chart.legend)
      + (chart.hidden.isEmpty
        ? [] : text.wrapped(chart.hidden, first: 2, indent: 2, ink: .faint))
  }

  /// What signs stand for; none is parted from its name.
  private func legend(_ entries: [String]) -> [TextLine] {
    let pieces = entries.enumerated().map { index, entry in
      entry + (index + 1 < entries.count ? text.glyphs.separator : "")
    }
    let lines: [TextLine] = .wrapping(
      pieces: pieces, width: text.style.width - 2, ink: .faint, ellipsis: text.glyphs.ellipsis)
    return lines.map { line in
      var moved = TextLine("  ")
      moved.append(line)
      return moved
    }
  }

  /// The rows of the chart: the levels of the main track, then the other tracks.
  private var tracks: [(title: String, work: [FrameWork], isMain: Bool)] {
    var tracks: [(title: String, work: [FrameWork], isMain: Bool)] = []
    if let main = detail.main {
      for level in shownLevels {
        tracks.append(
          (
            level == 0 ? text.name(main.name, 20) : "", main.pieces.filter { $0.depth == level },
            true
          ))
      }
    }
    return tracks
      + detail.background.prefix(FrameChart.tracks).map {
        (text.name($0.name, 20), $0.pieces, false)
      }
  }

  /// The levels of the main track that are drawn: the outermost, and of the others those with most time
  /// of their own, so that no shell around all work hides what it holds.
  private var shownLevels: [Int] {
    guard let pieces = detail.main?.pieces, let range = detail.range,
      let deepest = pieces.map(\.depth).max()
    else { return [] }
    guard deepest >= FrameChart.levels else { return Array(0...deepest) }
    var lengths = [Double](repeating: 0, count: deepest + 2)
    for piece in pieces {
      lengths[piece.depth] += Double(piece.range.intersection(range).length.nanoseconds)
    }
    let inner = (1...deepest).map { (level: $0, time: lengths[$0] - lengths[$0 + 1]) }
    let most = inner.stablySorted { $0.time > $1.time }.prefix(FrameChart.levels - 1)
    return [0] + most.map(\.level).sorted()
  }

  /// The names of a piece of work, from the longest to the shortest.
  private func names(_ id: LabelID, item: ArgumentValue? = nil) -> [String] {
    let category = text.name(text.label(text.trace.category(of: id)), 24)
    let plain = text.name(text.trace.name(of: id), 32)
    let short = plain.isEmpty ? category : plain
    let long = [category, plain].filter { !$0.isEmpty }.joined(separator: "/")
    let item = item.flatMap(text.trace.displayText).map { " (\(text.name($0, 24)))" }
    return (item.map { [long + $0, short + $0] } ?? []) + [long, short]
  }

  /// What the chart leaves out.
  private var hiddenWork: String {
    let levels = Set(shownLevels)
    let others = detail.main?.pieces.count { !levels.contains($0.depth) } ?? 0
    let tracks = detail.background.count - FrameChart.tracks
    var parts: [String] = []
    if others > 0 {
      parts.append("\(Quantity.count(others, "span")) of levels with less time of their own")
    }
    if tracks > 0 { parts.append("\(Quantity.count(tracks, "less busy track"))") }
    return parts.isEmpty ? "" : "Not drawn: \(parts.joined(separator: ", "))."
  }
}
