import ScrollTraceAnalysis
import ScrollTraceModel

extension TextComparison {
  /// The frames of both sides over the same time axis and held against the same scale (S-9).
  func graphs(_ base: TextRun, _ new: TextRun) -> [TextLine] {
    guard let drawing = drawing(base, new) else { return [] }
    return [heading(drawing.title)] + wrapped(drawing.note, indent: 0, ink: .faint)
      + drawing.graphs.flatMap { [heading($0.label)] + ($0.graph?.lines() ?? []) }
  }

  /// The graphs of both sides with what stands above them; `nil` where there is nothing to draw.
  func drawing(
    _ base: TextRun, _ new: TextRun
  ) -> (title: String, note: String, graphs: [(label: String, graph: FrameGraph?)])? {
    let sides = [("base", base), ("new", new)].map { label, run in
      (label: label, run: run, series: run.surface.flatMap { FrameSeries($0, in: run.trace) })
    }
    let drawn = sides.compactMap(\.series)
    guard let first = drawn.first else { return nil }
    let isOfOneKind = drawn.allSatisfy {
      $0.kind == first.kind && ($0.kind != .frameSpacing || $0.unit == first.unit)
    }
    let scale = isOfOneKind ? FrameScale(drawn) : nil
    let ranges = axes(base, new)
    var note = base.explanation(of: first, unit: unit(drawn))
    note +=
      isOfOneKind
      ? " Both graphs have the same scale and time axis." : " Both graphs have the same time axis."
    if !comparison.isOfSingleRuns {
      note += " Of each side the run with the median ratio is drawn."
    }
    if let shift = shift(base, new) { note += " \(shift)" }
    let graphs = sides.enumerated().map { index, side in
      let title = side.series.map { isOfOneKind ? "" : ": \(base.title(of: $0.kind).lowercased())" }
      let graph = side.series.map { series in
        FrameGraph(
          series: series, range: index == 0 ? ranges.base : ranges.new,
          moving: side.run.surface?.interactions.map(\.range) ?? [], style: style, scale: scale,
          hasAxis: index == 1 || sides[1].series == nil)
      }
      return (label: side.label + (title ?? ": nothing can be drawn to scale"), graph: graph)
    }
    return (title: "\(base.title(of: first.kind)), base above new", note: note, graphs: graphs)
  }

  /// The stretch of each trace that is drawn: equally long, and their first interactions begin at
  /// the same place.
  private func axes(_ base: TextRun, _ new: TextRun) -> (base: TimeRange, new: TimeRange) {
    let begins = begins(base, new)
    let length = max(
      base.trace.range.end - begins.base, new.trace.range.end - begins.new, .zero)
    return (
      TimeRange(start: begins.base, end: begins.base + length),
      TimeRange(start: begins.new, end: begins.new + length)
    )
  }

  private func begins(_ base: TextRun, _ new: TextRun) -> (base: Timestamp, new: Timestamp) {
    let (baseBegin, newBegin) = (base.trace.range.start, new.trace.range.start)
    guard let baseLead = base.lead, let newLead = new.lead else { return (baseBegin, newBegin) }
    let lead = min(baseLead, newLead)
    return (baseBegin + (baseLead - lead), newBegin + (newLead - lead))
  }

  /// Which of the two is not drawn from its start on, where that can be seen.
  private func shift(_ base: TextRun, _ new: TextRun) -> String? {
    let begins = begins(base, new)
    let skipped = [
      ("Base", begins.base - base.trace.range.start), ("New", begins.new - new.trace.range.start),
    ]
    return skipped.first { $0.1 >= .milliseconds(10) }.map {
      "\($0.0) is drawn from its \(Quantity.instant($0.1)) on, so that both begin to move at one"
        + " place."
    }
  }

  private func unit(_ series: [FrameSeries]) -> String {
    let units = series.compactMap(\.unit).map(Quantity.interval)
    guard let first = units.first else { return "" }
    return Set(units).count == 1
      ? ", mostly \(first)" : ", mostly \(units.joined(separator: " in base and ")) in new"
  }
}

extension TextRun {
  /// The time before the first interaction; `nil` without any.
  fileprivate var lead: TimeSpan? {
    surface?.interactions.first.map { $0.range.start - trace.range.start }
  }
}
