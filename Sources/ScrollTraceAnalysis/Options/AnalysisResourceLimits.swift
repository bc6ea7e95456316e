import ScrollTraceModel

/// Limits on the effort for overlapping objects, so that it is proportional to the size of the
/// trace.
///
/// Frames can be in any number of interactions, and spans in the windows of any number of hitches.
/// In real traces, each is in a few. If all are in all, time and memory would grow with the
/// product.
struct AnalysisResourceLimits {
  /// The average number of interactions and states that a frame may count in.
  static let rowsPerFrame = 32
  /// The minimum effort for interactions and states.
  static let minimumRows = 20_000
  /// The average number of hitches for which a span may be examined.
  static let piecesPerSpan = 4
  /// The minimum effort for causes.
  static let minimumPieces = 100_000

  private var rows: Int
  private var pieces: Int

  /// The surfaces of which something was omitted.
  private(set) var leftOut: [String] = []

  init(for trace: Trace) {
    let frames = trace.surfaces.reduce(0) { $0 + $1.frames.count + $1.listedHitches.count }
    let spans = trace.mainTrack.map { trace.tracks[$0.index].spans.count } ?? 0
    rows = Self.minimumRows + frames * Self.rowsPerFrame
    pieces = Self.minimumPieces + (spans + trace.openSpans.count) * Self.piecesPerSpan
  }

  /// Subtracts the effort for an interaction or state of `surface`, and returns whether any is
  /// left.
  mutating func spend(rows count: Int, on surface: String) -> Bool {
    rows -= min(rows, count)
    return rows > 0 || leaveOut(surface)
  }

  /// Returns whether a cause of `surface` may still be determined.
  mutating func hasPieces(for surface: String) -> Bool { pieces > 0 || leaveOut(surface) }

  /// Subtracts the effort for a cause.
  mutating func spend(pieces count: Int) { pieces -= min(pieces, count) }

  private mutating func leaveOut(_ surface: String) -> Bool {
    if leftOut.last != surface { leftOut.append(surface) }
    return false
  }
}
