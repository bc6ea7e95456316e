public import ScrollTraceModel

/// The refreshes that were expected in motion, each counted once, as time (M-23).
///
/// The parts add up to `owed` to within one refresh for each motion.
public struct RefreshLedger: Codable, Equatable, Sendable {
  /// The refreshes at which a picture was or might have been expected.
  public package(set) var owed = TimeSpan.zero
  /// The refreshes with a new picture.
  public package(set) var new = TimeSpan.zero
  /// The refreshes at which the previous picture stayed on screen: the hitch time.
  public package(set) var repeated = TimeSpan.zero
  /// The refreshes at which nothing had to change.
  public package(set) var notRequested = TimeSpan.zero
  /// The refreshes after a scroll that had settled before its interaction ended.
  public package(set) var settled = TimeSpan.zero
  /// The refreshes for which it is unknown whether a picture was expected.
  public package(set) var unknown = TimeSpan.zero
  package var pictures = 0

  private enum CodingKeys: CodingKey {
    case owed, new, repeated, notRequested, settled, unknown
  }

  package init() {}

  package var unknownShare: Double {
    guard owed > .zero else { return unknown > .zero ? 1 : 0 }
    return min(1, max(0, Double(unknown.nanoseconds) / Double(owed.nanoseconds)))
  }

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
    left.pictures = left.pictures.saturatingAdd(right.pictures)
  }
}

/// The input for the ledger of a motion, or of a part of it.
struct LedgerDraft {
  /// The total length of the interactions.
  var length: Int64
  var notYet: Int64
  var repeated: Int64
  var notRequested: Int64
  var settled: Int64
  var unknown: Int64
  /// The number of presented pictures, and a refresh interval for each.
  var pictures: (count: Int, time: Int64)
  /// The longest refresh interval of a picture.
  var refresh: Int64

  /// The ledger. The expected time is divided among its parts, each limited to what the others
  /// leave.
  var ledger: RefreshLedger {
    let owed = max(length - notYet, repeated)
    let settled = min(settled, owed - repeated)
    let left = owed - repeated - settled
    let idle = min(notRequested, left)
    let lost = min(unknown, left - idle)
    let rest = left - idle - lost
    let new = max(0, min(pictures.time, rest))
    // A frame spacing longer than a refresh and below every threshold.
    let slow = max(0, rest - new - max(1, refresh))
    var ledger = RefreshLedger()
    ledger.owed = TimeSpan(nanoseconds: owed)
    ledger.new = TimeSpan(nanoseconds: new)
    ledger.repeated = TimeSpan(nanoseconds: repeated)
    ledger.notRequested = TimeSpan(nanoseconds: idle)
    ledger.settled = TimeSpan(nanoseconds: settled)
    ledger.unknown = TimeSpan(nanoseconds: lost + slow)
    ledger.pictures = pictures.count
    return ledger
  }
}
