package import ScrollTraceModel

/// Every refresh that the screen was owed in motion, each counted once (M-23).
///
/// The parts are kept as time, and add up to `owed` up to one refresh a motion.
package struct RefreshLedger: Hashable, Sendable {
  /// The refreshes at which a picture was owed, or might have been.
  package var owed = TimeSpan.zero
  /// Those that had a new picture.
  package var new = TimeSpan.zero
  /// Those at which the screen kept an old picture: the hitch time.
  package var repeated = TimeSpan.zero
  /// Those at which nothing had to change.
  package var notRequested = TimeSpan.zero
  /// Those after a scroll that had settled before its interaction ended.
  package var settled = TimeSpan.zero
  /// Those of which nobody says whether a picture was owed.
  package var unknown = TimeSpan.zero
  /// The surface's median refresh interval, in which the others are presented.
  package let refreshInterval: TimeSpan

  /// An empty ledger of a surface with this median refresh interval.
  init(refreshInterval: TimeSpan) {
    self.refreshInterval = refreshInterval
  }

  /// How many refreshes `part` is, to two decimals.
  package func refreshes(_ part: TimeSpan) -> Double {
    let interval = Double(max(1, refreshInterval.nanoseconds))
    return (Double(part.nanoseconds) / interval * 100).rounded() / 100
  }

  /// The share of owed refreshes that are unknown, 0 ... 1.
  package var unknownShare: Double {
    guard owed > .zero else { return unknown > .zero ? 1 : 0 }
    return min(1, max(0, Double(unknown.nanoseconds) / Double(owed.nanoseconds)))
  }

  /// Whether more than `share` of the owed refreshes are unknown.
  package func isUnknown(above share: Double) -> Bool {
    Double(unknown.nanoseconds) > share * Double(owed.nanoseconds)
  }

  /// The refreshes of two times that have none in common.
  package static func + (left: RefreshLedger, right: RefreshLedger) -> RefreshLedger {
    var sum = left
    sum += right
    return sum
  }

  /// Adds the refreshes of another motion.
  static func += (left: inout RefreshLedger, right: RefreshLedger) {
    left.owed += right.owed
    left.new += right.new
    left.repeated += right.repeated
    left.notRequested += right.notRequested
    left.settled += right.settled
    left.unknown += right.unknown
  }
}

/// What the ledger of one motion, or of a part of it, is made of.
struct LedgerDraft {
  /// How long the interactions are.
  var length: Int64
  var notYet: Int64
  var repeated: Int64
  var notRequested: Int64
  var settled: Int64
  var unknown: Int64
  /// How many pictures were shown.
  var pictures: Int64
  /// The refresh interval of the motion.
  var refresh: Int64

  /// The ledger: what is owed is divided over its parts, none more than the others leave.
  func ledger(refreshInterval: TimeSpan) -> RefreshLedger {
    let refresh = max(1, refresh)
    let owed = max(length - notYet, repeated)
    let left = owed - repeated - settled
    let idle = min(notRequested, left)
    let lost = min(unknown, left - idle)
    let rest = left - idle - lost
    let (shown, overflow) = pictures.multipliedReportingOverflow(by: refresh)
    let new = max(0, min(overflow ? Int64.max : shown, rest))
    // A pace slower than the refreshes and below every threshold.
    let slow = max(0, rest - new - refresh)
    var ledger = RefreshLedger(refreshInterval: refreshInterval)
    ledger.owed = TimeSpan(nanoseconds: owed)
    ledger.new = TimeSpan(nanoseconds: new)
    ledger.repeated = TimeSpan(nanoseconds: repeated)
    ledger.notRequested = TimeSpan(nanoseconds: idle)
    ledger.settled = TimeSpan(nanoseconds: settled)
    ledger.unknown = TimeSpan(nanoseconds: lost + slow)
    return ledger
  }
}
