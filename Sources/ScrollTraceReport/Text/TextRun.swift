import ScrollTraceAnalysis
import ScrollTraceModel

/// One run as sections of lines; each aspect is in a file of its own.
struct TextRun {
  let run: Analysis
  let style: TextStyle
  let wording: Messages
  /// The surface that is told in full, judged or not; `nil` where there are no frames.
  let surface: SurfaceAnalysis?

  /// The sections of `run` in `style`.
  init(_ run: Analysis, style: TextStyle) {
    self.init(run, telling: run.primarySurface, style: style)
  }

  /// The sections of `run` that tell of a certain surface.
  init(_ run: Analysis, telling surface: SurfaceAnalysis?, style: TextStyle) {
    self.run = run
    self.style = style
    wording = Messages(start: run.trace.range.start)
    self.surface = surface
  }

  /// The run told in full, all but the closing lines.
  var sections: [[TextLine]] {
    [header, graph] + figures + [
      work, lines(longTasks), lines(interactions), lines(states), lists, lines(causes), hitches,
      findings, lines(otherSurfaces), lines(otherProcesses), lines(unfinished),
      lines(aggregates), quality,
    ]
  }

  /// One frame from close by, in place of the whole run.
  func sections(onFrame number: UInt64) -> [[TextLine]] {
    guard let detail = run.detail(ofFrame: number) else {
      return [opening + wrapped(reasonForNoFrame(number), indent: 2)]
    }
    return TextFrame(text: self, detail: detail).sections
  }

  /// Why there is no frame of this number to be looked at.
  func reasonForNoFrame(_ number: UInt64) -> String {
    sentence(run.problem(withFrame: number).map { Messages.text(of: $0) } ?? "")
  }

  /// The run in a few lines, for reports on several.
  var summary: [TextLine] {
    [source(in: style.width)] + selection + headline + sparkline + quality.dropFirst()
  }

  // MARK: - Pieces that the aspects share

  var trace: Trace { run.trace }
  var profile: RatingThresholds { run.options.thresholds }
  var glyphs: Glyphs { style.glyphs }

  /// The name of the tool, with which reports begin.
  static var title: TextLine {
    TextLine("\(ToolIdentity.name) \(ToolIdentity.version)", .strong)
  }

  /// A name of the trace as this report can show it, in at most `columns`.
  func name(_ text: String, _ columns: Int = 40) -> String {
    // A long name is cut before it is escaped, so that a hostile one costs no time.
    let columns = max(columns, style.limits.nameColumns)
    let front = String(text.unicodeScalars.prefix(columns * 4 + 1))
    return ColumnWidth.clip(style.sink.escape(front), to: columns, ellipsis: glyphs.ellipsis)
  }

  /// A sentence that may hold names of the trace.
  func sentence(_ text: String) -> String {
    style.sink.escape(String(text.unicodeScalars.prefix(2_000)))
  }

  /// Text broken into lines, with these columns to the left of the first and of the others.
  func wrapped(_ text: String, first: Int = 0, indent: Int, ink: TextRole = .plain) -> [TextLine] {
    .wrapping(
      text, width: style.width, first: first, indent: indent, ink: ink, ellipsis: glyphs.ellipsis)
  }

  /// The lines of a table in the report's width.
  func lines(_ table: TextTable) -> [TextLine] {
    table.lines(width: style.width, ellipsis: glyphs.ellipsis)
  }

  /// A heading.
  func heading(_ text: String) -> TextLine { TextLine(text, .strong) }

  /// An instant in seconds from the trace's start.
  func instant(_ time: Timestamp) -> String { Quantity.instant(time - trace.range.start) }

  /// The ratio, or that there is none.
  func text(of ratio: HitchTimeRatio?) -> String {
    ratio.map { Quantity.ratio($0, in: profile) } ?? "no data"
  }

  /// The band of a ratio.
  func band(of ratio: HitchTimeRatio?) -> Rating? {
    ratio.map { profile.rating(of: $0.millisecondsPerSecond) }
  }

  /// The band as a word in its ink.
  func cell(_ band: Rating?) -> TextLine {
    TextLine(band == .notMeasurable ? "not measurable" : band?.rawValue ?? "", ink(of: band))
  }

  /// The ink of a band.
  func ink(of band: Rating?) -> TextRole {
    switch band {
    case .good: .good
    case .warning: .near
    case .critical, .severe: .late
    case .uncertain, .notMeasurable: .near
    case nil: .plain
    }
  }
}
