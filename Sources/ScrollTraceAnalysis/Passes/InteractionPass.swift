import ScrollTraceModel

/// Divides the frames, hitches and work of a surface by interactions (M-5).
struct InteractionPass {
  private let pass: SurfacePass
  private let counts: CountPass
  private let hitches: [Hitch]
  /// The time before each frame that a histogram counts, or `nil` for no histograms.
  private let spacings: [Int: TimeSpan]?
  /// The counted parts of the hitches, sorted by start.
  private let pieces: [Piece]
  private let longestPiece: TimeSpan

  /// A part of the hitch at a position.
  private struct Piece {
    let hitch: Int
    let range: TimeRange
    let isFirst: Bool
  }

  init(pass: SurfacePass, hitches: [Hitch], spacings: [Int: TimeSpan]?) {
    self.pass = pass
    self.hitches = hitches
    self.spacings = spacings
    counts = CountPass(pass: pass)
    pieces = hitches.enumerated().flatMap { index, hitch in
      hitch.pieces.enumerated().map {
        Piece(hitch: index, range: $0.element, isFirst: $0.offset == 0)
      }
    }.stablySorted { $0.range.start < $1.range.start }
    longestPiece = pieces.reduce(.zero) { max($0, $1.range.length) }
  }

  /// A row for each interaction. Each part of a hitch counts in the interactions that contain it, and the
  /// hitch in the first.
  func rows(within budget: inout AnalysisResourceLimits) -> [InteractionAnalysis] {
    var rows: [InteractionAnalysis] = []
    for (interaction, range) in pass.selectedInteractions {
      guard let sums = sums(in: [range], within: &budget) else { break }
      rows.append(
        InteractionAnalysis(
          kind: interaction.kind, name: interaction.name, range: range,
          isFinished: interaction.end != nil, sums: sums))
    }
    return rows
  }

  /// The parts into which the ends of overlapping rows divide them, or nothing if none overlap.
  func parts(
    of rows: [InteractionAnalysis], within budget: inout AnalysisResourceLimits
  ) -> [InteractionPart] {
    let ranges = rows.map(\.range)
    let time = TimeRangeSet(union: ranges)
    guard ranges.reduce(.zero, { $0 + $1.length }) > time.length else { return [] }
    let ends = Set(ranges.flatMap { [$0.start, $0.end] }).sorted()
    var parts: [InteractionPart] = []
    for (start, end) in zip(ends, ends.dropFirst()) where time.index(containing: start) != nil {
      let range = TimeRange(start: start, end: end)
      guard let sums = sums(in: [range], within: &budget) else { break }
      parts.append(InteractionPart(range: range, sums: sums))
    }
    return parts
  }

  /// The interactions of each kind together, or `nil` without histograms, which only a summary needs.
  func kinds(
    of rows: [InteractionAnalysis], within budget: inout AnalysisResourceLimits
  ) -> [String: InteractionSums]? {
    guard spacings != nil else { return nil }
    var kinds: [String: InteractionSums] = [:]
    for (kind, rows) in Dictionary(grouping: rows, by: \.kind).sorted(by: { $0.key < $1.key }) {
      let ranges = TimeRangeSet(union: rows.map(\.range)).ranges
      guard let sums = sums(in: ranges, within: &budget) else { break }
      kinds[kind] = sums
    }
    return kinds
  }

  // MARK: - One time

  /// What lies in a time.
  private struct Share {
    let positions: [Int]
    /// The hitches that start in the time.
    var hitches: [Hitch] = []
    /// The time of each hitch in the ranges, by its position.
    var lengths: [Int: TimeSpan] = [:]
    var cost: Int
  }

  private func share(of ranges: [TimeRange]) -> Share {
    // Of all frames, once: a sum of two lists would be a third one.
    var positions: [Int] = []
    for range in ranges { positions += pass.frames.slice(in: range) { $0.frame.time }.indices }
    for range in ranges { positions += pass.edgeFrames.positions(in: range) }
    var share = Share(positions: positions, cost: ranges.count.saturatingAdd(positions.count))
    for range in ranges {
      let first = pieces.partitionPoint { $0.range.start > range.start - longestPiece }
      let last = pieces.partitionPoint { $0.range.start >= range.end }
      share.cost = share.cost.saturatingAdd(max(0, last - first))
      for piece in pieces[first..<max(first, last)] {
        let length = piece.range.intersection(range).length
        guard length > .zero else { continue }
        share.lengths[piece.hitch, default: .zero] += length
        if piece.isFirst, piece.range.start >= range.start {
          share.hitches.append(hitches[piece.hitch])
        }
      }
    }
    return share
  }

  /// The sums of what lies in ascending ranges, or `nil` if the budget is spent.
  private func sums(
    in ranges: [TimeRange], within budget: inout AnalysisResourceLimits
  ) -> InteractionSums? {
    let share = share(of: ranges)
    guard budget.spend(rows: share.cost, on: pass.surface.name) else { return nil }
    let time = TimeRangeSet(union: ranges)
    let frames = SelectedFrames(frames: pass.frames, positions: share.positions)
    let isEvaluated =
      frames.contains(where: \.isEvaluated) || !share.lengths.isEmpty
      || (pass.surface.basis == .hitchList && pass.hasLength && !time.isEmpty)
    return InteractionSums(
      duration: time.length,
      counts: counts.counts(of: frames, hitches: share.hitches, knowsHitches: isEvaluated),
      hitchTime: isEvaluated ? share.lengths.values.reduce(.zero, +) : nil,
      work: pass.workload.sums(in: time), ledger: pass.ledger(over: time),
      histograms: spacings.map {
        ScopeHistograms(of: frames, hitches: share.lengths.values, spacings: $0)
      })
  }
}
