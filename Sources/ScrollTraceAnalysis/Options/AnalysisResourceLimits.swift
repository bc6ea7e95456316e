import ScrollTraceModel

/// What an analysis may spend on things that overlap, so that it stays in proportion to its trace.
///
/// Frames may lie in any number of interactions and spans in the windows of any number of hitches.
/// In traces of real hosts each lies in a few; a trace in which all lie in all would take time and
/// memory that grow with the product.
struct AnalysisResourceLimits {
  /// How often each frame may count in an interaction or a state.
  static let rowsPerFrame = 32
  /// What short traces may spend on interactions and states.
  static let leastRows = 20_000
  /// How often each span of the main track may be looked at for the cause of a hitch.
  static let piecesPerSpan = 4
  /// What short traces may spend on causes.
  static let leastPieces = 100_000

  private var rows: Int
  private var pieces: Int

  /// The surfaces of which something was left out.
  private(set) var leftOut: [String] = []

  /// The budget for `trace`.
  init(for trace: Trace) {
    let frames = trace.surfaces.reduce(0) { $0 + $1.frames.count + $1.listedHitches.count }
    let spans = trace.mainTrack.map { trace.tracks[$0.index].spans.count } ?? 0
    rows = Self.leastRows + frames * Self.rowsPerFrame
    pieces = Self.leastPieces + (spans + trace.openSpans.count) * Self.piecesPerSpan
  }

  /// Spends `count` on an interaction or a state of `surface`; `false` where nothing is left.
  mutating func spend(rows count: Int, on surface: String) -> Bool {
    rows -= min(rows, count)
    return rows > 0 || leaveOut(surface)
  }

  /// Whether a cause of `surface` may still be looked for.
  mutating func hasPieces(for surface: String) -> Bool { pieces > 0 || leaveOut(surface) }

  /// Spends `count` on the search for causes.
  mutating func spend(pieces count: Int) { pieces -= min(pieces, count) }

  private mutating func leaveOut(_ surface: String) -> Bool {
    if leftOut.last != surface { leftOut.append(surface) }
    return false
  }
}
