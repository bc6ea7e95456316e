import ScrollTraceAnalysis
import ScrollTraceModel

/// A drawing of frames over time that preserves every peak.
///
/// Each column is as high as the worst of its frames. The drawing has `columns` of them, stretched
/// to the width of the page; the script redraws them for the zoomed part.
struct HTMLGraph {
  private static let columns = 600
  private static let height = 160
  /// The height of one of several drawings on one time axis, and if no frame is late.
  private static let lowHeight = 96
  private static let maximumMarks = 60
  private static let maximumBoxes = 60
  /// The unit of the times of points for the script.
  private static let timeUnit: Int64 = 10_000

  private let graph: Document.Graph
  private let zoomPoints: Int
  private let height: Int
  private let scale: HTMLScale
  private let axis: TimeAxis
  private let points: [FrameSeries.Point]

  /// The drawing of `graph` with the hitches that the page lists.
  ///
  /// - Parameters:
  ///   - zoomPoints: The maximum number of points that are stored for the zoom.
  ///   - isLow: Whether several drawings are below one another.
  init(_ graph: Document.Graph, zoomPoints: Int, isLow: Bool = false) {
    self.graph = graph
    self.zoomPoints = zoomPoints
    let highest = graph.highestLoad
    height = isLow || highest <= 1 ? Self.lowHeight : Self.height
    scale = HTMLScale(highest: highest, height: height, isRelative: graph.series.kind != .hitch)
    axis = TimeAxis(range: graph.range, cells: Self.columns)
    points = graph.series.points.filter {
      $0.range.end >= graph.range.start && $0.range.start <= graph.range.end
    }
  }

  func text(id: String, title: String) -> String {
    let hitches = Quantity.count(graph.series.hitches.count, "hitch", "hitches")
    let label = "\(title): \(Quantity.count(graph.series.points.count, "frame")), \(hitches)"
    var legend = graph.letters.map { "\($0.letter) = \($0.text)" }.joined(separator: ", ")
    if !legend.isEmpty { legend += "." }
    let hidden = graph.lateMarks.count - Self.maximumMarks
    let sentences = [
      legend, hidden > 0 ? "The worst \(Self.maximumMarks) hitches have marks." : "",
      graph.explanation.isEmpty
        ? ""
        : graph.series.explanation(
          hasBackground: graph.isBusyBehind, hasShades: !graph.shades.isEmpty,
          hasBlanks: graph.isOftenBlank),
      scale.breakLoad == nil ? "" : "Above the double line, the vertical axis is compressed.",
    ].filter { !$0.isEmpty }.joined(separator: " ")
    let caption = sentences.isEmpty ? "" : "<figcaption>\(sentences.html)</figcaption>\n"
    let (lanes, bottom) = lanes
    let name = graph.title.isEmpty ? "" : " data-name=\"\(graph.title.html)\""
    return """
      <figure class="graph\(graph.series.kind == .frameSpacing ? " not-evaluated" : "")" id="\(id)"\(name)>
      <svg class="frames" width="100%" height="\(bottom)" role="img" aria-label="\(label.html)">
      \(grid)\(plot)\(budget)\(peak)\(lanes)</svg>
      \(zoomPoints > 0 ? pointsForZoom : "")\(caption)</figure>

      """
  }

  // MARK: - The plot

  private var plot: String {
    let loads = axis.maxima(of: points, minimum: 0) { $0.load }
    return "<svg class=\"plot\" width=\"100%\" height=\"\(height)\""
      + " viewBox=\"0 0 1000 \(height)\" preserveAspectRatio=\"none\">\n"
      + path("good", loads, bottom: height) { $0 > 0 && $0 <= 1 ? scale.y(of: $0) : nil }
      + path("late", loads, bottom: height) { $0 > 1 ? scale.y(of: $0) : nil } + "</svg>\n"
  }

  /// A part of the drawing that is stretched in width only, and moved by the script.
  private func stretched(y: Int, height: Int, _ content: String) -> String {
    "<svg class=\"stretched\" y=\"\(y)\" width=\"100%\" height=\"\(height)\""
      + " viewBox=\"0 0 1000 \(height)\" preserveAspectRatio=\"none\">\n\(content)</svg>\n"
  }

  /// Returns columns of one kind as a path from the bottom of their lane, in thousandths of the width.
  private func path(
    _ name: String, _ values: [Double], bottom: Int, top: (Double) -> Int?
  ) -> String {
    func x(_ column: Int) -> String {
      Quantity.trimmed(Quantity.fixed(Double(column) * 1_000 / Double(Self.columns), decimals: 1))
    }
    var steps = ""
    var previous: Int?
    for (index, value) in values.enumerated() {
      let y = top(value)
      if y != previous {
        if previous != nil { steps += "H\(x(index))" }
        switch (previous, y) {
        case (nil, let y?): steps += "M\(x(index)) \(bottom)V\(y)"
        case (_, let y?): steps += "V\(y)"
        case (_, nil): steps += "V\(bottom)"
        }
      }
      previous = y
    }
    if previous != nil { steps += "H1000V\(bottom)" }
    return "<path class=\"\(name)\" d=\"\(steps)\"/>\n"
  }

  /// The lines of the scale below the columns, and their labels.
  private var grid: String {
    let longest = graph.scale?.longest ?? graph.series.points.map(\.length).max() ?? .zero
    return scale.ticks.map { tick in
      let text =
        graph.series.kind == .hitch ? Quantity.rounded(longest) : graph.label(ofLoad: tick.load)
      let line = tick.isDeadline ? "" : Self.line("grid", y: tick.y)
      return line + (tick.isBreak ? Self.line("grid", y: tick.y - 4) : "")
        + label(text, y: tick.y + 4, name: nil)
    }.joined()
  }

  /// The line of the time available, above the columns.
  private var budget: String {
    guard let tick = scale.ticks.first(where: \.isDeadline) else { return "" }
    return Self.line("deadline", y: tick.y)
      + "<text x=\"100%\" y=\"\(tick.y - 4)\" text-anchor=\"end\" class=\"lane\">"
      + "\(graph.series.budgetWord)</text>\n"
  }

  private static func line(_ name: String, y: Int) -> String {
    "<line x2=\"100%\" y1=\"\(y)\" y2=\"\(y)\" class=\"\(name)\"/>\n"
  }

  /// The length of the tallest late column.
  private var peak: String {
    guard graph.series.kind != .hitch,
      let highest = points.filter(\.isLate).max(by: { $0.load < $1.load })
    else { return "" }
    let share = (axis.share(of: highest.range.start) + axis.share(of: highest.range.end)) / 2
    return "<text class=\"peak\" x=\"\(percent(share))%\" y=\"\(scale.y(of: highest.load) - 4)\""
      + " text-anchor=\"\(share < 0.05 ? "start" : share > 0.95 ? "end" : "middle")\">"
      + "\(Quantity.rounded(highest.length).html)</text>\n"
  }

  // MARK: - Below the plot

  /// Hitches, interactions, and those of the other lanes that say something; then the time axis.
  private var lanes: (text: String, bottom: Int) {
    var (text, y) = ("", height + 4)
    func add(_ name: String, height: Int, labelAt: Int, _ content: String) {
      text += content + label(name, y: y + labelAt)
      y += height
    }
    if !graph.lateMarks.isEmpty {
      add("late", height: 32, labelAt: 13, "<g transform=\"translate(0 \(y))\">\n\(marks)</g>\n")
    }
    if !graph.interactions.isEmpty { add("motion", height: 22, labelAt: 13, interactions(y: y)) }
    if graph.isBusyBehind {
      let shares = axis.maxima(of: points, minimum: 0) { $0.background ?? 0 }
      add("others", height: 22, labelAt: 13, stretched(y: y, height: 16, lane("faint", shares)))
    }
    if !graph.shades.isEmpty {
      add("main", height: 22, labelAt: 13, stretched(y: y, height: 16, states))
    }
    if graph.isOftenBlank {
      let shares = graph.blankShares(in: Self.columns, column: axis.cell)
      add("blank", height: 22, labelAt: 13, stretched(y: y, height: 16, lane("blank", shares)))
    }
    guard graph.hasAxis else { return (text, y) }
    return (text + Self.times(on: graph.range, from: graph.origin, y: y + 14), y + 20)
  }

  /// A lane in which 1 is its full height.
  private func lane(_ name: String, _ shares: [Double]) -> String {
    path(name, shares, bottom: 16) { share in
      share > 0 ? 16 - min(16, max(1, Int((share * 16).rounded()))) : nil
    }
  }

  /// The main thread's states: running at the bottom, waiting above it, and idle in the background.
  private var states: String {
    var times = Array(repeating: (running: 0.0, occupied: 0.0), count: Self.columns)
    for shade in graph.shades where shade.state != .idle {
      let (first, last) = (axis.position(of: shade.range.start), axis.position(of: shade.range.end))
      for index in axis.cell(of: shade.range.start)...axis.cell(of: shade.range.end) {
        let time = max(0, min(last, Double(index + 1)) - max(first, Double(index)))
        times[index].occupied += time
        if shade.state == .running { times[index].running += time }
      }
    }
    return "<rect class=\"idle\" width=\"1000\" height=\"16\"/>\n"
      + lane("waiting", times.map(\.occupied)) + lane("faint", times.map(\.running))
  }

  private func label(_ text: String, y: Int, name: String? = "lane") -> String {
    "<text x=\"-8\" y=\"\(y)\" text-anchor=\"end\"\(name.map { " class=\"\($0)\"" } ?? "")>"
      + "\(text.html)</text>\n"
  }

  /// The room that a letter takes on a narrow page.
  private static let letterShare = 0.035

  /// A mark for each hitch with the letter of its cause, the worst first, linked if the page lists it; of
  /// letters that would overlap, that of the worst.
  private var marks: String {
    var taken: [Double] = []
    return graph.lateMarks.sorted { $0.rank < $1.rank }.prefix(Self.maximumMarks).map { mark in
      let share = axis.share(of: mark.time)
      let isCovered = taken.contains { abs($0 - share) < Self.letterShare }
      if !isCovered { taken.append(share) }
      let x = percent(share)
      let drawing =
        "<circle cx=\"\(x)%\" cy=\"9\" r=\"4\"><title>\(mark.text.html)</title></circle>"
        + "<text x=\"\(x)%\" y=\"27\"\(isCovered ? " class=\"covered\"" : "")>"
        + "\(mark.letter.html)</text>"
      let inner = mark.anchor.map { "<a href=\"#\($0)\">\(drawing)</a>" } ?? drawing
      return "<g class=\"mark\" data-x=\"\(percent(share, decimals: 4))\">\(inner)</g>\n"
    }.joined()
  }

  /// The interactions as boxes with names, or where there are many, only where they are.
  private func interactions(y: Int) -> String {
    guard graph.interactions.count <= Self.maximumBoxes else {
      var flags = Array(repeating: 0.0, count: Self.columns)
      for interaction in graph.interactions {
        let range = interaction.range
        for index in axis.cell(of: range.start)...axis.cell(of: range.end) { flags[index] = 1 }
      }
      return stretched(y: y, height: 16, lane("moving", flags))
    }
    let boxes = graph.interactions.map { interaction in
      let start = axis.share(of: interaction.range.start)
      let width = max(0.002, axis.share(of: interaction.range.end) - start)
      let isShort = width < Double(interaction.name.count) / 45
      return "<svg class=\"span\(isShort ? " short" : "")\" x=\"\(percent(start, decimals: 4))%\""
        + " width=\"\(percent(width, decimals: 4))%\" height=\"17\"><rect class=\"moving\" width=\"100%\""
        + " height=\"100%\"/><text x=\"3\" y=\"13\">\(interaction.name.html)</text></svg>\n"
    }
    return "<svg y=\"\(y)\" width=\"100%\" height=\"17\">\n\(boxes.joined())</svg>\n"
  }

  static func times(on range: TimeRange, from origin: Timestamp?, y: Int, maximum: Int = 6)
    -> String
  {
    let axis = TimeAxis(range: range, cells: maximum)
    let texts = axis.ticks(from: origin ?? range.start, room: 1).map { tick in
      let x = Quantity.fixed(axis.share(of: tick.time) * 100, decimals: 2)
      return "<text x=\"\(x)%\" class=\"time\" text-anchor=\"middle\">\(tick.label)</text>\n"
    }
    return "<g class=\"times\" transform=\"translate(0 \(y))\">\n\(texts.joined())</g>\n"
  }

  // MARK: - Zoom

  /// The points for the script: of each its distance from the one before, its width and its length, which
  /// is negative if it was late; then the heights that do not follow from the length.
  private var pointsForZoom: String {
    let size = max(1, (points.count + zoomPoints - 1) / zoomPoints)
    let merged = stride(from: 0, to: points.count, by: size).map { index in
      let group = points[index..<min(points.count, index + size)]
      return group.max { $0.load < $1.load }.map { highest in
        (
          range: TimeRange(
            start: group.first?.range.start ?? highest.range.start,
            end: max(group.last?.range.end ?? highest.range.end, highest.range.start)),
          point: highest
        )
      }
    }.compactMap(\.self)
    func units(_ time: TimeSpan) -> Int64 { time.nanoseconds / Self.timeUnit }
    let unit = graph.series.unit ?? graph.series.points.map(\.length).max() ?? .zero
    var (numbers, loads, last) = ([Int64](), [JSONValue](), Int64.zero)
    for (index, (range, point)) in merged.enumerated() {
      let start = units(range.start - graph.range.start)
      let end = max(start, units(range.end - graph.range.start))
      let length = max(point.isLate ? 1 : 0, units(point.length))
      numbers += [start - last, end - start, point.isLate ? -length : length]
      last = end
      let load = Double(length * Self.timeUnit) / Double(max(1, unit.nanoseconds))
      let shown = point.isLate ? max(1.001, load) : min(1, load)
      guard abs(shown - point.load) > 0.01 else { continue }
      loads.append(
        .array([.integer(Int64(index)), .number((min(1e6, point.load) * 100).rounded() / 100)]))
    }
    let offset = graph.origin.map { graph.range.start - $0 } ?? .zero
    let data = JSONValue.object([
      ("isRelative", .bool(graph.series.kind != .hitch)),
      ("begin", .integer(offset.nanoseconds)),
      ("length", .integer(max(1, graph.range.length.nanoseconds))),
      ("unit", .integer(max(1, unit.nanoseconds))),
      ("scale", .array(scale.knots.map { .array([.number($0.load), .integer(Int64($0.y))]) })),
      ("worst", worst), ("loads", .array(loads)),
      ("points", .string(numbers.map { String($0, radix: 36) }.joined(separator: " "))),
    ])
    // There are only numbers, so nothing needs escaping.
    return "<script type=\"application/json\">\(data.line)</script>\n"
  }

  /// The range around the worst hitch in millionths of the width, and its length in nanoseconds.
  private var worst: JSONValue {
    guard let mark = graph.lateMarks.min(by: { $0.rank < $1.rank }) else { return .null }
    let around = max(mark.length, (graph.series.unit ?? mark.length) * 6)
    func x(_ time: Timestamp) -> JSONValue { .integer(Int64(axis.share(of: time) * 1_000_000)) }
    return .array([
      x(mark.time - mark.length - around), x(mark.time + around),
      .nanoseconds(mark.length),
    ])
  }

  private func percent(_ share: Double, decimals: Int = 2) -> String {
    Quantity.fixed(share * 100, decimals: decimals)
  }
}
