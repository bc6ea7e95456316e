import ScrollTraceAnalysis
import ScrollTraceModel

/// The work around a frame as lanes over time: the main thread by nesting, its schedule, and the
/// other threads.
///
/// The drawing is complete without the script, which only zooms it.
struct HTMLTimeline {
  private static let rowHeight = 20
  private static let levelHeight = 15
  /// The narrowest bar, as a share of the width. Shorter work is drawn this wide.
  private static let narrowest = 0.002
  /// The width below which a bar has no room for a name, as a share of the whole.
  private static let minimumForName = 0.03
  /// The width for which the words above the lanes are laid out, in pixels; wider pages have room.
  private static let narrowWidth = 320.0

  private let timeline: Document.Timeline
  private let axis: TimeAxis
  private let levels: [Int]

  init(_ timeline: Document.Timeline) {
    self.timeline = timeline
    let axis = TimeAxis(range: timeline.shownRange)
    levels = Self.levels(of: timeline.timestamps, share: axis.share)
    self.axis = axis
  }

  var text: String {
    let lanes = timeline.rows.map(\.title).filter { !$0.isEmpty }.joined(separator: ", ")
    let label = "\(timeline.title): \(lanes)".html
    let id = timeline.anchor.isEmpty ? "" : " id=\"\(timeline.anchor)\""
    let offset = (axis.range.start - timeline.origin).nanoseconds
    let hidden = timeline.hidden.isEmpty ? "" : "<figcaption>\(timeline.hidden.html)</figcaption>\n"
    return """
      <figure class="lanes"\(id) data-begin="\(offset)" data-length="\(max(1, axis.range.length.nanoseconds))">
      <svg class="frames" width="100%" height="\(bottom + 20)" role="img" aria-label="\(label)">
      \(titles)<svg class="view" width="100%" height="\(bottom)">
      \(lateness)\(bars)\(instants)</svg>
      \(HTMLGraph.times(on: axis.range, from: timeline.origin, y: bottom + 14, maximum: 4))</svg>
      \(hidden)</figure>

      """
  }

  // MARK: - Positions

  /// The distance of the first lane from the top.
  private var top: Int { ((levels.max() ?? -1) + 1) * Self.levelHeight + 4 }

  /// The distance of the axis from the top.
  private var bottom: Int { top + timeline.rows.count * Self.rowHeight + 2 }

  private func percent(_ share: Double) -> String {
    let text = Quantity.fixed(share * 100, decimals: 3)
    return "\(text)%"
  }

  /// The rows of words above the lanes in which neighbors do not overlap.
  private static func levels(
    of instants: [Document.Timeline.Instant], share: (Timestamp) -> Double
  ) -> [Int] {
    var ends: [Double] = []
    return instants.map { instant in
      let (start, end) = span(of: instant, at: share(instant.time))
      let level = ends.firstIndex { $0 <= start } ?? ends.count
      if level == ends.count { ends.append(end) } else { ends[level] = end }
      return level
    }
  }

  /// The room of a word, which stands to the left of its line at the right edge.
  private static func span(
    of instant: Document.Timeline.Instant, at share: Double
  ) -> (start: Double, end: Double) {
    let width = Double(instant.word.count * 7 + 10) / narrowWidth
    return share + width > 1 ? (share - width, share) : (share, share + width)
  }

  // MARK: - Parts

  private var titles: String {
    timeline.rows.enumerated().filter { !$0.element.title.isEmpty }.map { index, row in
      "<text x=\"-8\" y=\"\(top + index * Self.rowHeight + 14)\" text-anchor=\"end\""
        + " class=\"lane\">\(row.title.html)</text>\n"
    }.joined()
  }

  /// The time between a missed deadline and the end of the commit.
  private var lateness: String {
    guard let deadline = timeline.deadline,
      let done = timeline.timestamps.first(where: { $0.word == Document.Timeline.done })?.time,
      done > deadline
    else { return "" }
    let (from, to) = (axis.share(of: deadline), axis.share(of: done))
    return "<rect class=\"overrun\" x=\"\(percent(from))\" width=\"\(percent(to - from))\""
      + " y=\"\(top)\" height=\"\(bottom - top)\"/>\n"
  }

  private var bars: String {
    timeline.rows.enumerated().map { index, row in
      merged(row.work.map(\.range)).map { part in
        bar(part, of: row, y: top + index * Self.rowHeight)
      }.joined()
    }.joined()
  }

  /// Returns the parts of a row as ranges of positions: work that is too short for a bar of its own
  /// shares one with its neighbors.
  private func merged(_ ranges: [TimeRange]) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    for (index, range) in ranges.enumerated() {
      if let last = parts.last,
        axis.share(of: range.end) - axis.share(of: ranges[last.lowerBound].start) <= Self.narrowest
      {
        parts[parts.count - 1] = last.lowerBound..<(index + 1)
      } else {
        parts.append(index..<(index + 1))
      }
    }
    return parts
  }

  private func bar(_ part: Range<Int>, of row: Document.Timeline.Row, y: Int) -> String {
    let work = row.work[part]
    guard let first = work.first, let last = work.last else { return "" }
    let start = axis.share(of: first.range.start)
    let end = max(axis.share(of: last.range.end), start + Self.narrowest)
    let name =
      work.count == 1
      ? timeline.names(first.label, first.item).first ?? "" : "\(work.count) short spans"
    let length =
      work.count == 1
      ? first.range.length : work.reduce(into: TimeSpan.zero) { $0 += $1.range.length }
    let begin = first.range.start - timeline.origin
    let when = "\(begin < .zero ? "" : "+")\(Quantity.length(begin))"
    let title = "\(name): \(Quantity.length(length)), from \(when)".html
    let room = end - start < Self.minimumForName ? " class=\"short\"" : ""
    return "<svg\(room) x=\"\(percent(start))\" y=\"\(y)\" width=\"\(percent(end - start))\""
      + " height=\"\(Self.rowHeight - 1)\"><title>\(title)</title>"
      + "<rect class=\"\(Self.name(of: first, row))\" width=\"100%\" height=\"100%\"/>"
      + "<text x=\"3\" y=\"14\">\(name.html)</text></svg>\n"
  }

  /// The class of a bar.
  private static func name(of work: FrameWork, _ row: Document.Timeline.Row) -> String {
    switch Document.Timeline.state(of: work.label) {
    case .running: "run"
    case .ready: "ready"
    case .blocked: "blocked"
    case nil: row.isMain ? "main" : "other"
    }
  }

  private var instants: String {
    zip(timeline.timestamps, levels).map { instant, level in
      let share = axis.share(of: instant.time)
      let isLeft = Self.span(of: instant, at: share).start < share
      let isDeadline = instant.time == timeline.deadline
      let y = level * Self.levelHeight + 12
      return "<line x1=\"\(percent(share))\" x2=\"\(percent(share))\" y1=\"\(y - 10)\""
        + " y2=\"\(bottom)\" class=\"\(isDeadline ? "deadline" : "instant")\"/>\n"
        + "<text x=\"\(percent(share))\" dx=\"\(isLeft ? -4 : 4)\" y=\"\(y)\""
        + " text-anchor=\"\(isLeft ? "end" : "start")\">\(instant.word.html)</text>\n"
    }.joined()
  }
}
