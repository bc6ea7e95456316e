import ScrollTraceAnalysis
import ScrollTraceModel

extension Document {
  /// Frames over time as data: the points, the axes and the lanes below them.
  struct Graph: Sendable {
    /// A range in which the main thread was in a known state.
    struct Shade: Sendable {
      enum State: Int {
        case running, waiting, idle
      }

      let range: TimeRange
      let state: State
    }

    /// An interaction on the time axis.
    struct Interaction: Sendable {
      let range: TimeRange
      let name: String
    }

    /// A hitch with the letter of its main cause.
    struct LateMark: Sendable {
      let time: Timestamp
      let length: TimeSpan
      let letter: String
      let text: String
      /// The rank of the hitch among all, the worst first.
      let rank: Int
      /// The name of the row on the same page that describes the hitch, or `nil` if there is none.
      var anchor: String?
    }

    /// The heading, or empty if the section has it.
    var title = ""
    var explanation = ""
    let series: FrameSeries
    var range: TimeRange
    /// The interactions, or empty if none is known.
    var interactions: [Interaction]
    /// The scale that several graphs share, or `nil` for a single graph.
    var scale: FrameScale?
    /// Whether the time axis is drawn.
    var hasAxis = true
    /// The time that the axis is relative to, or `nil` for the left edge.
    var origin: Timestamp?
    /// The states of the main thread; empty if it is not known to have waited.
    var shades: [Shade] = []
    /// The displayed cells of the list with the most blank time; empty if no cell was blank.
    var blanks: [BlankTime.Step] = []

    /// The hitches by their causes.
    var lateMarks: [LateMark] = []
    /// What the letters of the hitches mean.
    var letters: [(letter: String, text: String)] = []
    /// Whether it has as few rows as show which frames are late.
    var isLow = false
    /// Whether every lane is drawn, rather than those that say something.
    var hasAllLanes = true

    /// Whether background work took more than a fiftieth of the time.
    var isBusyBehind: Bool {
      var (busy, whole) = (0.0, 0.0)
      for point in series.points {
        let length = Double(point.range.length.nanoseconds)
        busy += (point.background ?? 0) * length
        whole += length
      }
      return busy > whole / 50
    }

    /// Whether a tenth of the displayed cells was blank on average.
    var isOftenBlank: Bool {
      var blank = 0.0
      for (index, step) in blanks.enumerated() where step.placeholders > 0 {
        let end = index + 1 < blanks.count ? blanks[index + 1].time : range.end
        blank += step.share * Double(max(0, (end - step.time).nanoseconds))
      }
      return blank > Double(range.length.nanoseconds) / 10
    }

    /// The time or, if frames have different budgets, the multiple of them at a height.
    func label(ofLoad load: Double) -> String {
      guard let unit = series.unit, series.hasOneUnit,
        let time = Int64(exactly: (Double(unit.nanoseconds) * load).rounded())
      else { return "\(Quantity.fixed(load, decimals: 0))×" }
      return Quantity.rounded(TimeSpan(nanoseconds: time))
    }

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

  init(_ series: [FrameSeries]) {
    let points = series.flatMap(\.points)
    highestLoad = points.map(\.load).max() ?? 0
    longest = points.map(\.length).max() ?? .zero
  }
}

/// The texts above a graph.
extension FrameSeries {
  static func title(of kind: Kind) -> String {
    switch kind {
    case .mainWork: "Main thread per frame"
    case .commit: "Commit per frame"
    case .gap: "Time between pictures"
    case .frameSpacing: "Time between frames, not evaluated"
    case .hitch: "Length of hitches"
    }
  }

  /// What the line at 1 stands for.
  var budgetWord: String {
    switch kind {
    case .mainWork: "budget"
    case .frameSpacing where !hasRefreshInterval: "median"
    case .commit, .gap, .frameSpacing, .hitch: "refresh"
    }
  }

  func explanation(
    hasBackground: Bool = true, hasShades: Bool = false, hasBlanks: Bool = false
  ) -> String {
    let line =
      switch kind {
      case .mainWork: " Dashed line: time available."
      case .frameSpacing where !hasRefreshInterval: " Dashed line: the median."
      case .commit, .gap, .frameSpacing: " Dashed line: one refresh."
      case .hitch: ""
      }
    let background =
      hasBackground && points.contains { $0.background != nil }
      ? " Others: work of other threads, full height = one busy thread." : ""
    let states =
      hasShades ? " Main: running (dark), waiting or idle (light) most of the time." : ""
    let blanks = hasBlanks ? " Blank: the share of cells with a placeholder." : ""
    return "Tallest frame per column.\(line)\(background)\(states)\(blanks)"
  }
}

extension RunMessages {
  /// The selected frames of the primary surface over time, or `nil` if nothing can be drawn to
  /// scale.
  var graph: Document.Graph? {
    guard let surface,
      let series = FrameSeries(surface, in: trace, selected: run.selectedTime)
    else { return nil }
    var graph = graph(of: series, in: graphRange)
    graph.origin = trace.range.start
    let listed = limits.hitches ?? .max
    for index in graph.lateMarks.indices where graph.lateMarks[index].rank < listed {
      graph.lateMarks[index].anchor = anchor(ofHitch: graph.lateMarks[index].rank)
    }
    graph.shades = shades
    graph.explanation = series.explanation(
      hasShades: !graph.shades.isEmpty, hasBlanks: !graph.blanks.isEmpty)
    return graph
  }

  /// Returns `series` of the primary surface with its interactions, the causes of its hitches and blank
  /// cells.
  func graph(of series: FrameSeries, in range: TimeRange) -> Document.Graph {
    let interactions = surface?.interactions ?? []
    let letters = surface.map { CauseLetters(of: $0, in: self) }
    return Document.Graph(
      series: series, range: range,
      interactions: interactions.map {
        Document.Graph.Interaction(
          range: $0.range, name: name($0.name.isEmpty ? $0.kind : $0.name, 24))
      }, blanks: blanks, lateMarks: letters?.marks(on: series, in: self) ?? [],
      letters: letters?.legend ?? [])
  }

  /// The displayed cells of the list with the most blank time; empty if no cell was blank.
  var blanks: [BlankTime.Step] { run.worstBlankTime?.steps ?? [] }

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

  private var graphRange: TimeRange {
    guard let ranges = run.selectedTime?.ranges, let first = ranges.first, let last = ranges.last
    else { return trace.range }
    return TimeRange(start: first.start, end: last.end)
  }
}

/// The letters of the main causes of hitches, the causes of the most hitch time first.
private struct CauseLetters {
  /// The maximum number of causes with a letter of their own.
  private static let maximum = 4
  private static let other = "+"

  private let surface: SurfaceAnalysis
  private var letters: [CauseSummary.Kind: String] = [:]
  private(set) var legend: [(letter: String, text: String)] = []

  init(of surface: SurfaceAnalysis, in messages: RunMessages) {
    self.surface = surface
    let main = Set(surface.hitches.map(\.mainCause))
    let known = surface.causes.map(\.kind).filter { main.contains($0) && $0 != .unknown }
    let hidden = main.subtracting(surface.causes.map(\.kind)).subtracting([.unknown])
    let kinds = known + hidden.sorted { messages.text(of: $0) < messages.text(of: $1) }
    var free = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZ".map(String.init))
    for kind in kinds.prefix(Self.maximum) {
      let choices = Self.name(of: kind, messages).uppercased().map(String.init)
      guard let letter = choices.first(where: free.contains) ?? free.min() else { break }
      free.remove(letter)
      letters[kind] = letter
      legend.append((letter, messages.shortText(of: kind, on: surface)))
    }
    if kinds.count > Self.maximum { legend.append((Self.other, "other")) }
    if main.contains(.unknown) { legend.append(("?", "unknown")) }
  }

  /// The hitches, each at the time at which its graph shows it.
  func marks(
    on series: FrameSeries, in messages: RunMessages
  ) -> [Document.Graph.LateMark] {
    var marks: [Document.Graph.LateMark?] = Array(repeating: nil, count: surface.hitches.count)
    for (rank, index) in surface.worstFirst.enumerated() {
      let hitch = surface.hitches[index]
      let letter = hitch.mainCause == .unknown ? "?" : letters[hitch.mainCause] ?? Self.other
      let frame = hitch.frame.map { "frame \($0), " } ?? ""
      marks[index] = .init(
        time: series.hitches[index], length: hitch.length, letter: letter,
        text: "\(frame)\(Quantity.rounded(hitch.length)) late, at"
          + " \(messages.instant(hitch.range.start))", rank: rank)
    }
    return marks.compactMap(\.self)
  }

  private static func name(of kind: CauseSummary.Kind, _ messages: RunMessages) -> String {
    switch kind {
    case .work(_, let name): name
    case .waiting(let wait): wait.span.name ?? wait.span.category
    default: messages.text(of: kind)
    }
  }
}
