import ScrollTraceAnalysis
import ScrollTraceModel

/// A drawing of frames over time that preserves every peak.
///
/// Each column is as high as the worst of its frames. The drawing has `columns` of them, stretched
/// to the width of the page; the script redraws them for the zoomed part.
struct HTMLGraph {
  private static let columns = 1_000
  private static let height = 220
  /// The maximum number of points that are stored for the zoom.
  private static let maximumPoints = 8_000

  private let graph: Document.Graph
  private let hasZoom: Bool
  private let scale: HTMLScale

  /// The drawing of `graph` with the hitches that the page lists.
  init(_ graph: Document.Graph, hasZoom: Bool) {
    self.graph = graph
    self.hasZoom = hasZoom && graph.series.points.count <= Self.maximumPoints
    let highest = graph.highestLoad
    scale = HTMLScale(
      highest: highest, height: Self.height, isRelative: graph.series.kind != .hitch)
  }

  /// The figure.
  func text(id: String, title: String) -> String {
    let hitches = Quantity.count(graph.series.hitches.count, "hitch", "hitches")
    let points = Quantity.count(graph.series.points.count, "frame")
    let label = "\(title): \(points), \(hitches)"
    let words = [graph.explanation, scale.note ?? ""].filter { !$0.isEmpty }
      .joined(separator: " ")
    let caption =
      words.isEmpty ? "" : "<figcaption>\(EscapingContext.html.escape(words))</figcaption>\n"
    return """
      <figure class="graph\(graph.series.kind == .frameSpacing ? " not-evaluated" : "")" id="\(id)">
      <svg class="frames" width="100%" height="\(312 + stateHeight + blankHeight)" role="img" aria-label="\
      \(EscapingContext.htmlAttribute.escape(label))">
      \(plot)\(scaleLabels)\(lanes)\(markers)\(times)</svg>
      \(hasZoom ? pointsForZoom : "")\(caption)</figure>

      """
  }

  // MARK: - The plot

  private var plot: String {
    let loads = maxima { $0.load }
    let lines = scale.ticks.map { tick in
      "<line x1=\"0\" x2=\"\(Self.columns)\" y1=\"\(tick.place)\" y2=\"\(tick.place)\""
        + " class=\"\(tick.isDeadline ? "deadline" : "grid")\"/>\n"
        + (tick.isBreak
          ? "<line x1=\"0\" x2=\"\(Self.columns)\" y1=\"\(tick.place - 4)\""
            + " y2=\"\(tick.place - 4)\" class=\"grid\"/>\n" : "")
    }
    let good = path("good", loads) { $0 > 0 && $0 <= 1 ? scale.place(of: $0) : nil }
    let late = path("late", loads) { $0 > 1 ? scale.place(of: $0) : nil }
    let isDeadline = scale.ticks.map(\.isDeadline)
    let grid = zip(lines, isDeadline).filter { !$1 }.map(\.0).joined()
    let deadline = zip(lines, isDeadline).filter { $1 }.map(\.0).joined()
    return view(y: 0, height: Self.height) + grid + good + late + deadline + "</svg>\n"
  }

  /// The part of the drawing that is stretched in width only.
  private func view(y: Int, height: Int) -> String {
    "<svg y=\"\(y)\" width=\"100%\" height=\"\(height)\" viewBox=\"0 0 \(Self.columns) \(height)\""
      + " preserveAspectRatio=\"none\">\n"
  }

  /// Returns columns of one kind as a path from the bottom of their lane, combining equal
  /// neighbors.
  private func path(
    _ name: String, _ values: [Double], bottom: Int = height, top: (Double) -> Int?
  ) -> String {
    var steps = ""
    var index = 0
    while index < values.count {
      let first = index
      let place = top(values[first])
      while index < values.count, top(values[index]) == place { index += 1 }
      if let place {
        steps += "M\(first) \(bottom)V\(place)H\(index)V\(bottom)"
      }
    }
    return "<path class=\"\(name)\" d=\"\(steps)\"/>\n"
  }

  private var scaleLabels: String {
    let longest = graph.scale?.longest ?? graph.series.points.map(\.length).max() ?? .zero
    return scale.ticks.map { tick in
      let text =
        graph.series.kind == .hitch ? Quantity.rounded(longest) : graph.label(ofLoad: tick.load)
      return
        "<text x=\"-8\" y=\"\(tick.place + 4)\" text-anchor=\"end\">\(EscapingContext.html.escape(text))</text>\n"
    }.joined()
  }

  // MARK: - Below the plot

  /// Background work, missed deadlines and hitches, and motion.
  private var lanes: String {
    let background = maxima { $0.background ?? 0 }
    let moving = flags(graph.interactions.map(\.range))
    let (bottom, maximum) = (30, 26.0)
    return view(y: 224, height: bottom)
      + path("faint", background, bottom: bottom) { value in
        value > 0 ? bottom - max(1, Int((min(1, value) * maximum).rounded(.up))) : nil
      } + "</svg>\n" + view(y: 282, height: 8)
      + path("moving", moving, bottom: 6) { $0 > 0 ? 0 : nil } + "</svg>\n"
      + label("background", y: 246) + label("hitches", y: 272)
      + (graph.interactions.isEmpty ? "" : label("scrolling", y: 290)) + states + blanks
  }

  /// The height of the lane of states, with its distance from the lane above.
  private var stateHeight: Int { graph.shades.isEmpty ? 0 : 22 }

  /// The main thread's states: running at the bottom, waiting above it, and idle in the background.
  private var states: String {
    guard !graph.shades.isEmpty else { return "" }
    let height = 16
    var times = Array(repeating: (running: 0.0, occupied: 0.0), count: Self.columns)
    for shade in graph.shades where shade.state != .idle {
      let (first, last) = (part(of: shade.range.start), part(of: shade.range.end))
      for index in column(of: shade.range.start)...column(of: shade.range.end) {
        let left = max(first * Double(Self.columns), Double(index))
        let time = max(0, min(last * Double(Self.columns), Double(index + 1)) - left)
        times[index].occupied += time
        if shade.state == .running { times[index].running += time }
      }
    }
    func top(_ share: Double) -> Int? {
      share > 0 ? height - min(height, max(1, Int((share * Double(height)).rounded()))) : nil
    }
    return view(y: 294, height: height)
      + "<rect class=\"idle\" width=\"\(Self.columns)\" height=\"\(height)\"/>\n"
      + path("waiting", times.map(\.occupied), bottom: height, top: top)
      + path("faint", times.map(\.running), bottom: height, top: top) + "</svg>\n"
      + label("main thread", y: 306)
  }

  /// The height of the lane of blank cells, with its distance from the lane above.
  private var blankHeight: Int { graph.blanks.isEmpty ? 0 : 22 }

  /// The share of displayed cells with a placeholder.
  private var blanks: String {
    guard !graph.blanks.isEmpty else { return "" }
    let (y, height) = (294 + stateHeight, 16)
    let shares = graph.blankShares(in: Self.columns, column: column)
    return view(y: y, height: height)
      + path("blank", shares, bottom: height) { share in
        share > 0 ? height - min(height, max(1, Int((share * Double(height)).rounded()))) : nil
      } + "</svg>\n" + label("blank", y: y + 12)
  }

  private func label(_ text: String, y: Int) -> String {
    "<text x=\"-8\" y=\"\(y)\" text-anchor=\"end\" class=\"lane\">\(text)</text>\n"
  }

  /// A mark for each hitch, with a link if the page lists it.
  private var markers: String {
    let listed = graph.marks.map { mark in
      "<a href=\"#\(mark.anchor)\"><circle cx=\"\(percent(mark.time))%\" cy=\"268\" r=\"5\""
        + " class=\"late\"><title>\(EscapingContext.html.escape(mark.text))</title></circle></a>\n"
    }
    guard graph.marks.isEmpty else { return listed.joined() }
    return graph.series.hitches.prefix(HTMLGraph.maximumMarks).map {
      "<circle cx=\"\(percent($0))%\" cy=\"268\" r=\"4\" class=\"late\"/>\n"
    }.joined()
  }

  private static let maximumMarks = 500

  private var times: String {
    let offset = graph.origin.map { graph.range.start - $0 } ?? .zero
    return TimeTicks(from: offset, length: graph.range.length, maximum: 8).map { tick in
      let place = percent(graph.range.start + (tick.time - offset))
      return
        "<text x=\"\(place)%\" y=\"\(308 + stateHeight + blankHeight)\" text-anchor=\"middle\" class=\"time\">"
        + "\(tick.label)</text>\n"
    }.joined()
  }

  // MARK: - Zoom

  /// The points for the script: start and end in millionths of the width, load in thousandths, and
  /// the length in nanoseconds.
  private var pointsForZoom: String {
    let offset = graph.origin.map { graph.range.start - $0 } ?? .zero
    let rows = graph.series.points.map { point -> JSONValue in
      let load = Int64(exactly: (min(point.load, 1e6) * 1_000).rounded()) ?? 0
      return .array([
        .integer(millionths(point.range.start)), .integer(millionths(point.range.end)),
        // Late points stay above the line.
        .integer(point.isLate ? max(1_001, load) : load), .nanoseconds(point.length),
      ])
    }
    let data = JSONValue.object([
      ("isRelative", .bool(graph.series.kind != .hitch)),
      ("begin", .integer(offset.nanoseconds)), ("length", .nanoseconds(graph.range.length)),
      ("loads", .array(scale.knots.map { .integer(Int64($0.load * 1_000)) })),
      ("places", .array(scale.knots.map { .integer(Int64($0.place)) })),
      ("points", .array(rows)),
    ])
    // There are only numbers, so nothing needs escaping.
    return "<script type=\"application/json\">\(data.line)</script>\n"
  }

  // MARK: - Places

  private func maxima(_ value: (FrameSeries.Point) -> Double) -> [Double] {
    var columns = Array(repeating: 0.0, count: Self.columns)
    for point in graph.series.points where isInside(point.range) {
      let last = column(of: point.range.end)
      for index in min(last, column(of: point.range.start) + 1)...last {
        columns[index] = max(columns[index], value(point))
      }
    }
    return columns
  }

  private func isInside(_ range: TimeRange) -> Bool {
    range.end >= graph.range.start && range.start <= graph.range.end
  }

  private func flags(_ ranges: [TimeRange]) -> [Double] {
    var columns = Array(repeating: 0.0, count: Self.columns)
    for range in ranges where isInside(range) {
      for index in column(of: range.start)...column(of: range.end) { columns[index] = 1 }
    }
    return columns
  }

  private func part(of time: Timestamp) -> Double {
    let length = Double(max(1, graph.range.length.nanoseconds))
    return min(1, max(0, Double((time - graph.range.start).nanoseconds) / length))
  }

  private func column(of time: Timestamp) -> Int {
    min(Self.columns - 1, Int(part(of: time) * Double(Self.columns)))
  }

  private func millionths(_ time: Timestamp) -> Int64 { Int64(part(of: time) * 1_000_000) }

  private func percent(_ time: Timestamp) -> String {
    Quantity.fixed(part(of: time) * 100, places: 2)
  }
}
