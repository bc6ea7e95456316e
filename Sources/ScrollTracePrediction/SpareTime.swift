import ScrollTraceSummary
import ScrollTraceModel

/// What a list that prepares cells in spare time expects of the next cell and commit: the longest recent
/// ones (S-6).
struct SpareTime {
  /// What determines the duration of a preparation, and is known before it.
  struct Preparation: Hashable {
    /// The kind of the cell, by its place among the kinds of the recording.
    var kind: Int
    var isReused: Bool
    /// Whether its data has to be loaded.
    var loads: Bool
  }

  private var preparations: [Preparation: Int64] = [:]
  private var shortCommit: Int64 = 0

  /// Notes a commit that prepared nothing.
  mutating func noteShortCommit(_ length: Int64) {
    shortCommit = Self.follow(shortCommit, length)
  }

  mutating func note(_ length: Int64, for preparation: Preparation) {
    preparations[preparation] = Self.follow(preparations[preparation] ?? length, length)
  }

  /// Whether a preparation and the next commit fit into the time that is left; a tenth of a refresh is
  /// for variation. A preparation of which none is known takes as long as the shortest of its kind, or
  /// half a refresh.
  func allows(_ preparation: Preparation, in left: Int64, refreshInterval: Int64) -> Bool {
    let known =
      preparations[preparation]
      ?? preparations.filter { $0.key.kind == preparation.kind }.map(\.value).min()
      ?? refreshInterval / 2
    return known.saturatingAdd(shortCommit).saturatingAdd(refreshInterval / 10) <= left
  }

  /// Increases immediately and decreases slowly.
  private static func follow(_ known: Int64, _ length: Int64) -> Int64 {
    length >= known ? length : known - (known - length) / 8
  }
}
