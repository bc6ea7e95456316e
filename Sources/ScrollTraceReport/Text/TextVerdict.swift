import ScrollTraceAnalysis
import ScrollTraceGate
import ScrollTraceModel

/// The answer of a gate: what was asked, what came of it, and what it is due to.
struct TextVerdict {
  private let verdict: Verdict
  private let report: Report
  private let runs: [TextRun]
  private let style: TextStyle

  /// The sections of the verdict in `report`.
  init(_ report: Report, style: TextStyle) {
    self.report = report
    verdict = report.verdict
    runs = report.runs.map { TextRun($0, style: style) }
    self.style = style
  }

  /// The sections, the verdict last.
  var sections: [[TextLine]] {
    [[TextRun.title] + sources, table, cause, closing]
  }

  /// The traces that were judged.
  private var sources: [TextLine] {
    let most = 10
    let lines = runs.prefix(most).map { $0.source(in: style.width) }
    let more = runs.count - most
    return lines + (more > 0 ? [TextLine("  and \(more) more", .faint)] : [])
  }

  /// One row for each limit: the median, what it is held against, the answer.
  private var table: [TextLine] {
    guard let first = runs.first else { return [] }
    var table = TextTable([
      .init(title: "metric", isFlexible: true), .init(title: "value", alignment: .right),
      .init(title: "limit", alignment: .right),
      .init(title: "runs", alignment: .right, expendability: 1), .init(title: "answer"),
    ])
    let blank = [TextLine](repeating: TextLine(), count: table.columns.count)
    var subject = ""
    for result in verdict.results {
      if result.subject != subject {
        subject = result.subject
        let name = subject.isEmpty ? "leading surface" : first.name(subject, style.width)
        table.add([TextLine(name, .faint)] + blank.dropLast())
      }
      table.add([
        TextLine(first.sentence(result.label)),
        TextLine(result.value.map { number($0, result.unit) } ?? "no data"),
        TextLine(text(of: result)), TextLine("\(result.runs)"), answer(result),
      ])
      for (title, cell) in details(of: result) {
        table.add([TextLine("  " + title, .faint), TextLine(cell, .faint)] + blank.dropLast(2))
      }
    }
    let reducer = runs.count > 1 ? ", medians of runs" : ""
    return [first.heading("Budget\(reducer)")] + first.lines(table)
  }

  /// What the value alone does not say, in its column: between which values the median lies, and what
  /// of it was in motion.
  private func details(of result: LimitResult) -> [(title: String, cell: String)] {
    var details: [(title: String, cell: String)] = []
    func plain(_ value: Double) -> String {
      number(value, result.unit)
    }
    if let range = result.range, range.lowerBound < range.upperBound {
      details.append(("of runs", "\(plain(range.lowerBound)) to \(plain(range.upperBound))"))
    }
    if let value = result.valueInMotion {
      details.append(("in motion", number(value, result.unit)))
    }
    return details
  }

  private func text(of result: LimitResult) -> String {
    switch result.limit {
    case .atMost(let bound): "at most " + number(bound, result.unit)
    case .atLeast(let bound): "at least " + number(bound, result.unit)
    case .baseline(let base, _, _): "baseline " + number(base, result.unit)
    }
  }

  private func number(_ value: Double, _ unit: String) -> String {
    GateNumber.text(value, unit: unit)
  }

  private func answer(_ result: LimitResult) -> TextLine {
    let word = VerdictMessages.word(for: result.status).lowercased()
    let ink = VerdictMessages.ink(of: result.status)
    let isWarning = result.level == .warn && result.status != .passed
    return isWarning ? TextLine("warning: \(word)", .near) : TextLine(word, ink)
  }

  /// What the hitch time of the worst run is charged to most; nothing where all is well.
  private var cause: [TextLine] {
    guard verdict.results.contains(where: { $0.status != .passed }),
      let (run, surface, cause) = report.mainCause
    else { return [] }
    let worst = TextRun(run, style: style)
    let name = runs.count > 1 ? " of the worst run, \(worst.pathArgument)," : ""
    let text =
      "Main cause: \(Quantity.length(cause.hitchTime)) of the hitch time\(name)"
      + " are charged to \(worst.text(of: cause.kind))"
      + " (\(Quantity.share(surface.share(of: cause.hitchTime))), in"
      + " \(Quantity.count(cause.hitchCount, "hitch", "hitches")))"
    return worst.wrapped(text, first: 0, indent: 2)
      + worst.lines(of: worst.command("analyze"))
  }

  /// The verdict with its reasons.
  private var closing: [TextLine] { Self.closing(verdict, style: style) }

  /// A verdict with its reasons, as the last lines of a report.
  static func closing(_ verdict: Verdict, style: TextStyle) -> [TextLine] {
    let word = TextLine(
      VerdictMessages.word(for: verdict.status) + "  ", VerdictMessages.ink(of: verdict.status))
    let reasons = verdict.reasons.map { style.sink.escape($0) }.joined(separator: "; ")
    let lines: [TextLine] = .wrapping(
      reasons, width: style.width - word.width, ellipsis: style.glyphs.ellipsis)
    return lines.behind(word)
  }
}
