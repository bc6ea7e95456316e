import ScrollTraceAnalysis
import ScrollTraceModel

extension Document {
  /// The work around one frame over time, with a row for each depth and each track.
  struct Timeline: Sendable {
    /// A named time.
    struct Instant: Sendable {
      let time: Timestamp
      let word: String
    }

    /// Returns the possible names of a bar, longest first.
    typealias Names = @Sendable (LabelID, ArgumentValue?) -> [String]

    /// A row of work that does not overlap.
    struct Row: Sendable {
      let title: String
      let work: [FrameWork]
      let isMain: Bool
    }

    let title: String
    /// The name by which a page links to the drawing, or an empty string if none does.
    var anchor = ""
    let range: TimeRange
    /// The range with a margin of a fiftieth on each side.
    var shownRange: TimeRange {
      let margin = TimeSpan(nanoseconds: range.length.nanoseconds / 50)
      return TimeRange(start: range.start - margin, end: range.end + margin)
    }
    /// The time that the axis is relative to.
    let origin: Timestamp
    let timestamps: [Instant]
    let deadline: Timestamp?
    let rows: [Row]
    let names: Names
    /// The omitted work, or an empty string if everything is drawn.
    let hidden: String

    /// The word for the end of the commit.
    static let done = "done"

    /// A label that no trace has, for a state of the schedule.
    static func label(of state: ThreadState) -> LabelID {
      LabelID(rawValue: .max - UInt32(state.rawValue))
    }

    /// Returns the state that a label of this drawing stands for, or `nil` if it is a trace's own.
    static func state(of label: LabelID) -> ThreadState? {
      UInt8(exactly: UInt32.max - label.rawValue).flatMap(ThreadState.init(rawValue:))
    }
  }
}

extension FrameDocument {
  /// The maximum number of main-track depths, and of other tracks.
  private static let levels = 6
  private static let tracks = 6

  /// The work around the frame, or `nil` if its time is unknown.
  var timeline: Document.Timeline? {
    guard let range = detail.range, let origin else { return nil }
    let frame = detail.frame
    let timestamps = [
      (frame.start, "start"), (frame.commitStart, "commit"),
      (frame.commitEnd, Document.Timeline.done),
      (frame.deadline, "deadline"), (frame.target, "target"), (frame.presented, "presented"),
    ].compactMap { time, word in time.map { Document.Timeline.Instant(time: $0, word: word) } }
    let zero =
      frame.start != nil
      ? "frame start"
      : frame.time == nil
        ? "first known time"
        : frame.commitEnd != nil ? "commit end" : "presentation"
    let messages = messages
    return Document.Timeline(
      title: "Work timeline (0 ms = \(zero))", range: range, origin: origin,
      timestamps: timestamps, deadline: frame.deadline, rows: rows,
      names: { Self.names($0, item: $1, messages) }, hidden: hiddenWork)
  }

  /// The rows of the chart: the depths of the main track, then the other tracks.
  private var rows: [Document.Timeline.Row] {
    var rows: [Document.Timeline.Row] = []
    if let main = detail.main {
      rows = shownLevels.map { level in
        .init(
          title: level == 0 ? messages.name(main.name, 20) : "",
          work: main.pieces.filter { $0.depth == level }, isMain: true)
      }
    }
    if !detail.mainStates.isEmpty {
      rows.append(
        .init(
          title: "schedule",
          work: detail.mainStates.map {
            FrameWork(
              range: $0.range, label: Document.Timeline.label(of: $0.state), item: nil, depth: 0)
          }, isMain: true))
    }
    return rows
      + drawnTracks.shown.map {
        .init(title: messages.name($0.name, 20), work: $0.pieces, isMain: false)
      }
  }

  /// The tracks with a row each; those with little work are combined in words.
  private var drawnTracks: (shown: ArraySlice<FrameTrack>, rest: ArraySlice<FrameTrack>) {
    let length = Double(max(1, detail.range?.length.nanoseconds ?? 0))
    return detail.background.withoutTiny(maximum: Self.tracks) {
      Double($0.busy.nanoseconds) / length
    }
  }

  /// The displayed depths of the main track: the outermost one, and among the others those with the
  /// most self time, so that a wrapper around all work does not hide its content.
  private var shownLevels: [Int] {
    guard let pieces = detail.main?.pieces, let range = detail.range,
      let deepest = pieces.map(\.depth).max()
    else { return [] }
    guard deepest >= Self.levels else { return Array(0...deepest) }
    var lengths = [Double](repeating: 0, count: deepest + 2)
    for piece in pieces {
      lengths[piece.depth] += Double(piece.range.intersection(range).length.nanoseconds)
    }
    let inner = (1...deepest).map { (level: $0, time: lengths[$0] - lengths[$0 + 1]) }
    let longest = inner.stablySorted { $0.time > $1.time }.prefix(Self.levels - 1)
    return [0] + longest.map(\.level).sorted()
  }

  /// Returns the names of a piece of work, longest first.
  private static func names(
    _ id: LabelID, item: ArgumentValue?, _ messages: RunMessages
  ) -> [String] {
    switch Document.Timeline.state(of: id) {
    case .running: return ["running", "run"]
    case .ready: return ["ready, no core", "ready"]
    case .blocked: return ["blocked"]
    case nil: break
    }
    let category = messages.name(messages.label(messages.trace.category(of: id)), 24)
    let plain = messages.name(messages.trace.name(of: id), 32)
    let short = plain.isEmpty ? category : plain
    let long = [category, plain].filter { !$0.isEmpty }.joined(separator: "/")
    let item = item.flatMap(messages.trace.displayText).map { " (\(messages.name($0, 24)))" }
    return (item.map { [long + $0, short + $0] } ?? []) + [long, short]
  }

  private var hiddenWork: String {
    let levels = Set(shownLevels)
    let others = detail.main?.pieces.count { !levels.contains($0.depth) } ?? 0
    var parts: [String] = []
    if others > 0 {
      parts.append("\(Quantity.count(others, "span")) on levels with less self time")
    }
    let rest = drawnTracks.rest
    if !rest.isEmpty {
      let time = rest.reduce(into: TimeSpan.zero) { $0 += $1.busy }
      parts.append(
        "\(Quantity.count(rest.count, "less busy track")), \(Quantity.length(time)) in all")
    }
    return parts.isEmpty ? "" : "Not drawn: \(parts.joined(separator: ", "))."
  }
}
