import ScrollTraceAnalysis
import ScrollTraceGate
import ScrollTraceModel
import ScrollTraceReport
import ScrollTraceTestSupport
import Testing

/// Reports that the tests render.
enum Renders {
  /// Analyses of many shapes: rich, hurt, without data, without interactions, drawn ones.
  static let analyses: [Analysis] = {
    let feeds = [
      FeedTrace(), FeedTrace(isHurt: true), FeedTrace(hasInteractions: false), FeedTrace(slow: [:]),
      FeedTrace(slow: [100: 1_400_000_000, 101: 300_000_000, 400: 250_000_000]),
    ]
    let drawn = [
      WorkedExamples.e6(), WorkedExamples.e9(), WorkedExamples.e12(), WorkedExamples.e13(),
      WorkedExamples.e16(), WorkedExamples.e18(), WorkedExamples.e20(),
    ]
    return feeds.map { $0.analysis() } + drawn.map { TraceAnalyzer().analyze($0.trace()) }
  }()

  /// A few of them, or all.
  static let someAnalyses = ExtraCases.some(3, of: analyses)

  /// A hurt trace in which everything is called `name`, one of `HostileNames` or a harmless one.
  static func hostile(_ name: String) -> Analysis { named[name] ?? analysis(named: name) }

  /// They are rendered in many forms, and analysed once.
  private static let named = Dictionary(
    HostileNames.all.map { ($0, analysis(named: $0)) }, uniquingKeysWith: { first, _ in first })

  private static func analysis(named name: String) -> Analysis {
    FeedTrace(
      frames: 60, slow: [10: 40_000_000, 20: 84_000_000], surface: name, culprit: name, path: name,
      isHurt: true
    ).analysis()
  }

  /// Expects that no name made of `line` a command of a build server or of a terminal.
  static func expectSafe(_ line: Substring) {
    #expect(!line.drop { $0 == " " }.hasPrefix("::") && !line.contains("##["))
    let isSafe = line.unicodeScalars.allSatisfy {
      (0x20...0x7E).contains($0.value)
        || ![.control, .format, .lineSeparator, .paragraphSeparator].contains(
          $0.properties.generalCategory)
    }
    #expect(isSafe, "\(line.debugDescription)")
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
