/// What a replay takes for granted about the changed host, which the recording does not say.
struct ReplayAssumptions: Equatable {
  /// The number of lines that a list prepares ahead.
  var linesAhead: Int64 = 3
  /// The number of lines ahead of the view for which data is requested.
  var linesLoaded = 10
  /// Whether a list that keeps cells ready has to create more of them.
  var createsMoreCells = true
  /// The number of hidden cells that a list which prepares cells ahead keeps out of the pool: one of
  /// `cellsOutsidePool`.
  var cellsNotInPool = 6
  /// The numbers that replays assume, ascending.
  static let cellsOutsidePool = [0, 6, 12, 24]
  /// The duration of main-thread work, in percent of the recorded one.
  var workPercent: Int64 = 100
  /// The share of moved work, in percent, that stays on the main thread because it was requested too
  /// late.
  var remainingPercent: Int64 = 0
  /// The refreshes after which content arrives later than recorded, with another configuration of its
  /// cell, or `nil` if it is there in time.
  var lateRefreshes: Int64?
  /// The duration of giving an existing cell new content, in percent of configuring a new one, where the
  /// recording does not show it.
  var repeatPercent: Int64 = 75
  /// The same in a list that is proposed to reconfigure its cells: their handler skips a quarter of
  /// its work at most.
  var reconfigurePercent: Int64 = 88
  /// Whether frames start late after other work, or `nil` for what the recording shows.
  var framesStartLate: Bool?
}
