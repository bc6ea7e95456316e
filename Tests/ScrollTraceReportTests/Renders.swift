import ScrollTraceAnalysis
import ScrollTraceGate
import ScrollTraceModel
import ScrollTraceReport
import ScrollTraceTestSupport

/// Reports that the tests render.
enum Renders {
  /// Analyses of many shapes: rich, hurt, without data, without interactions, drawn ones.
  static let analyses: [Analysis] = {
    var hurt = FeedTrace()
    hurt.isHurt = true
    var still = FeedTrace()
    still.hasInteractions = false
    var smooth = FeedTrace()
    smooth.slow = [:]
    var frozen = FeedTrace()
    frozen.slow = [100: 1_400_000_000, 101: 300_000_000, 400: 250_000_000]
    let drawn = [
      WorkedExamples.e6(), WorkedExamples.e9(), WorkedExamples.e12(), WorkedExamples.e13(),
      WorkedExamples.e16(), WorkedExamples.e18(), WorkedExamples.e20(),
    ].map { $0.trace() }
    let feeds = [FeedTrace(), hurt, still, smooth, frozen].map { $0.trace() }
    return (feeds + drawn).map { TraceAnalyzer().analyze($0) }
  }()

  /// A few of them, or all.
  static let someAnalyses = ExtraCases.some(3, of: analyses)

  /// A hurt trace in which everything is called `name`.
  static func hostile(_ name: String) -> Analysis {
    var feed = FeedTrace()
    feed.frames = 60
    feed.slow = [10: 40_000_000, 20: 84_000_000]
    feed.surface = name
    feed.culprit = name
    feed.path = name
    feed.isHurt = true
    return TraceAnalyzer().analyze(feed.trace())
  }

  /// The text report of one analysis.
  static func text(
    _ analysis: Analysis, width: Int = 80, tier: GraphCharset = .basic, palette: Palette = .none,
    isFull: Bool = true
  ) -> String {
    TextRenderer(TextStyle(width: width, tier: tier, palette: palette, isFull: isFull))
      .render(Report([analysis]))
  }

  /// `text` without escape sequences for colours.
  static func withoutColors(_ text: String) -> String {
    var result = ""
    var isEscape = false
    for character in text {
      if character == "\u{1B}" { isEscape = true }
      if !isEscape { result.append(character) }
      if character == "m" { isEscape = false }
    }
    return result
  }
}

extension Report {
  /// A report on a comparison, with the verdict that the command gives.
  init(_ comparison: Comparison) {
    self.init(
      comparison, verdict: Verdict(comparing: comparison.new.runs, with: comparison.base.runs))
  }
}
