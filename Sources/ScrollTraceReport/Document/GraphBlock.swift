import ScrollTraceAnalysis
import ScrollTraceModel

extension Document {
  /// Frames over time as data: the points, the axes and the lanes below them.
  struct Graph: Sendable {
    /// A hitch on a graph.
    struct Mark: Sendable {
      let time: Timestamp
      let text: String
      /// The anchor of the row that describes the hitch.
      let anchor: String
    }

    /// A range in which the main thread was in a known state.
    struct Shade: Sendable {
      /// The state of a thread.
      enum State {
        case running
        case waiting
        case idle

        /// The place of the state among the three.
        var rank: Int {
          switch self {
          case .running: 0
          case .waiting: 1
          case .idle: 2
          }
        }
      }

      let range: TimeRange
      let state: State
    }

    /// The heading, or empty if the section has it.
    var title = ""
    /// The explanation of the graph.
    var explanation = ""
    /// The points.
    let series: FrameSeries
    /// The displayed range of time.
    var range: TimeRange
    /// The ranges in motion, or empty if none is known.
    let moving: [TimeRange]
    /// The scale that several graphs share, or `nil` for a single graph.
    var scale: FrameScale?
    /// A Boolean value indicating whether the time axis is drawn.
    var hasAxis = true
    /// The time that the axis is relative to, or `nil` for the left edge.
    var origin: Timestamp?
    /// The listed hitches.
    var marks: [Mark] = []
    /// The states of the main thread; empty if it is not known to have waited.
    var shades: [Shade] = []
    /// The displayed cells of the list with the most blank time; empty if no cell was blank.
    var blanks: [BlankTime.Step] = []

    /// The highest load that fits on the vertical axis.
    var highestLoad: Double {
      scale?.highestLoad ?? series.points.map(\.load).max() ?? 0
    }

    /// The largest share of displayed cells with a placeholder in each of `count` columns.
    func blankShares(in count: Int, column: (Timestamp) -> Int) -> [Double] {
      var shares = Array(repeating: 0.0, count: count)
      for (index, step) in blanks.enumerated() where step.placeholders > 0 {
        let end = index + 1 < blanks.count ? blanks[index + 1].time : range.end
        guard end > range.start, step.time < range.end else { continue }
        for column in column(step.time)...column(end) {
          shares[column] = max(shares[column], step.share)
        }
      }
      return shares
    }
  }
}

/// A scale that several graphs share, so that they can be compared visually.
struct FrameScale: Sendable {
  let highestLoad: Double
  let longest: TimeSpan

  /// Creates a scale that all `series` fit into.
  init(_ series: [FrameSeries]) {
    let points = series.flatMap(\.points)
    highestLoad = points.map(\.load).max() ?? 0
    longest = points.map(\.length).max() ?? .zero
  }
}

/// The texts above a graph.
extension FrameSeries {
  /// Returns the quantity that a graph shows.
  static func title(of kind: Kind) -> String {
    switch kind {
    case .mainWork: "Main-thread work per frame"
    case .commit: "Commit duration"
    case .gap: "Frame spacing on screen"
    case .frameSpacing: "Frame spacing, not evaluated"
    case .hitch: "Hitch duration in ms"
    }
  }

  /// Returns the explanation of a surface's graph.
  ///
  /// - Parameter unit: The length of 1x, after a comma; empty if it is unknown.
  func explanation(
    hasRefreshInterval: Bool, unit: String, hasShades: Bool = false, hasBlanks: Bool = false
  ) -> String {
    let scale =
      switch kind {
      case .mainWork: "1x = time available per frame\(unit)"
      case .commit, .gap: "1x = one refresh\(unit)"
      case .frameSpacing: hasRefreshInterval ? "1x = one refresh\(unit)" : "1x = the median\(unit)"
      case .hitch: "The refresh interval is unknown"
      }
    let knowsBackground = points.contains { $0.background != nil }
    let background = knowsBackground ? " Background work: full height = one busy thread." : ""
    let states =
      hasShades ? " Main thread: running (dark), waiting or idle (light) most of the time." : ""
    let blanks = hasBlanks ? " Blank: the share of cells with a placeholder." : ""
    return "\(scale). Each column shows its worst frame.\(background)\(states)\(blanks)"
  }
}

extension RunMessages {
  /// The selected frames of the primary surface over time, or `nil` if nothing can be drawn to
  /// scale.
  var graph: Document.Graph? {
    guard let surface,
      let series = FrameSeries(surface, in: trace, selected: run.selectedTime)
    else { return nil }
    let word = series.kind == .frameSpacing && surface.refreshInterval == nil ? "" : "mostly "
    let unit = series.unit.map { ", \(word)\(Quantity.interval($0))" } ?? ""
    let shades = shades
    return Document.Graph(
      explanation: series.explanation(
        hasRefreshInterval: surface.refreshInterval != nil, unit: unit,
        hasShades: !shades.isEmpty, hasBlanks: !blanks.isEmpty),
      series: series, range: graphRange, moving: surface.interactions.map(\.range),
      origin: trace.range.start, marks: marks(on: series), shades: shades,
      blanks: blanks)
  }

  /// The displayed cells of the list with the most blank time; empty if no cell was blank.
  var blanks: [BlankTime.Step] {
    let blank = run.lists.compactMap(\.blank).max { $0.time < $1.time }
    return blank.map { $0.time > .zero ? $0.steps : [] } ?? []
  }

  /// The number of parts of a graph in which the states of the main thread are summed up.
  private static let stateParts = 1_000

  /// The states of the main thread; empty if it never waited.
  private var shades: [Document.Graph.Shade] {
    let activity = MainActivity(of: trace, in: graphRange, parts: Self.stateParts)
    return (activity?.parts ?? []).flatMap { part in
      let waits = part.range.start + part.running
      let idles = waits + part.waiting
      return [
        Document.Graph.Shade(
          range: TimeRange(start: part.range.start, end: waits), state: .running),
        .init(range: TimeRange(start: waits, end: idles), state: .waiting),
        .init(range: TimeRange(start: idles, end: part.range.end), state: .idle),
      ].filter { $0.range.length > .zero }
    }
  }

  /// The range of the selected time.
  private var graphRange: TimeRange {
    guard let ranges = run.selectedTime?.ranges, let first = ranges.first, let last = ranges.last
    else { return trace.range }
    return TimeRange(start: first.start, end: last.end)
  }

  /// The listed hitches in order of time.
  private func marks(on series: FrameSeries) -> [Document.Graph.Mark] {
    guard let surface else { return [] }
    let placed = zip(surface.hitches, series.hitches).sorted { $0.0.comesBefore($1.0) }
    let shown = placed.prefix(shownHitches(of: surface).count)
    let marks = shown.enumerated().map { index, hitchAndTime in
      let (hitch, time) = hitchAndTime
      let frame = hitch.frame.map { "frame \($0), " } ?? ""
      return Document.Graph.Mark(
        time: time,
        text:
          "\(frame)\(Quantity.length(hitch.length)) of hitch time at \(instant(hitch.range.start))",
        anchor: anchor(ofHitch: index))
    }
    return marks.stablySorted { $0.time }
  }
}
