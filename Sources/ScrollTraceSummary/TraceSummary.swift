/// Sums over traces that can be added in any order and any grouping.
///
/// ```swift
/// let fleet = summaries.reduce(.zero, +)
/// for line in fleet.lines { print(line) }
/// ```
///
/// Addition is associative and commutative: counts and times are whole numbers that stop at 10³⁰, the longest
/// hitch is a maximum, and histograms share fixed buckets. Surfaces that differ in basis or refresh interval,
/// and traces that differ in attributes, stay separate.
public struct TraceSummary: Hashable, Sendable {
  /// The sums of each group.
  package var rows: [SummaryKey: SummaryRow] = [:]

  /// The empty summary.
  public static let zero = TraceSummary()

  package init(_ key: SummaryKey, _ row: SummaryRow) { rows = [key: row] }

  private init() {}

  /// Returns the sum of two summaries.
  public static func + (left: TraceSummary, right: TraceSummary) -> TraceSummary {
    var sum = left
    sum += right
    return sum
  }

  /// Adds the traces of another summary.
  public static func += (left: inout TraceSummary, right: TraceSummary) {
    for (key, row) in right.rows {
      left.rows.add(row, for: key) { $0.add($1) }
    }
  }

  /// Returns the sums without the origins of traces, with each key replaced.
  package func mapKeys(_ transform: (SummaryKey) -> SummaryKey) -> TraceSummary {
    rows.reduce(into: .zero) { sum, element in
      var row = element.value
      row.identity = nil
      sum += TraceSummary(transform(element.key), row)
    }
  }

  /// The name of the values that are merged because few traces have them.
  package static let other = "other"

  /// Returns the sums with each value of an attribute that fewer than `minimum` traces have as `other`, and
  /// then all values of each group that has fewer.
  ///
  /// Applied to sums of all lines only: what is folded does not come apart again.
  package func folded(below minimum: WideInteger) -> TraceSummary {
    var counts: [SummaryAttribute: [String?: WideInteger]] = [:]
    for (key, row) in rows {
      for pair in key.attributes.pairs {
        counts[pair, default: [:]][key.surface, default: 0].addUpToMost(row[.traces])
      }
    }
    // A trace with two surfaces has two rows, and counts once.
    let values = mapKeys { key in
      key.replacing { pair in (counts[pair]?.values.max() ?? 0) < minimum ? Self.other : pair.value
      }
    }
    var groups: [SummaryAttributes: [String?: WideInteger]] = [:]
    for (key, row) in values.rows {
      groups[key.attributes, default: [:]][key.surface, default: 0].addUpToMost(row[.traces])
    }
    return values.mapKeys { key in
      (groups[key.attributes]?.values.max() ?? 0) < minimum
        ? key.replacing { _ in Self.other } : key
    }
  }

  /// The sums of each surface whatever the attributes of its traces, most measured time first.
  package var surfaces: [(key: SummaryKey, row: SummaryRow)] {
    let joined = mapKeys { key in
      var key = key
      key.attributes = SummaryAttributes()
      return key
    }
    return joined.rows.filter { $0.key.surface != nil }.map { ($0.key, $0.value) }
      .sorted { left, right in
        let times = [left, right].map { $0.row.scopes[SummaryScope.all]?[.motion].known ?? -1 }
        return times[0] == times[1] ? left.key < right.key : times[0] > times[1]
      }
  }

  /// Returns the sums of the surface of `key` by the value of an attribute, or `nil` for none.
  package func rows(of key: SummaryKey, by attribute: String) -> [(value: String?, row: SummaryRow)]
  {
    let groups = mapKeys { other in
      var own = other
      own.attributes.keep([attribute])
      return own
    }
    return groups.rows.filter { other, _ in
      (other.surface, other.basis, other.refreshInterval)
        == (key.surface, key.basis, key.refreshInterval)
    }.map { ($0.key.attributes[attribute], $0.value) }
  }

  package var attributeNames: Set<String> {
    rows.keys.reduce(into: []) { names, key in
      for pair in key.attributes.pairs { names.insert(pair.name) }
    }
  }

  /// The keys of the states that divide the measured time of its traces.
  package var stateKeys: Set<String> {
    rows.values.reduce(into: []) { $0.formUnion($1.scopes.keys.compactMap(SummaryScope.key)) }
  }

  /// The JSON lines of schema `scrolltrace.summary/2`, one for each group, sorted, without line feeds.
  public var lines: [String] {
    rows.sorted { $0.key < $1.key }.map { SummaryLine.text(of: $0.key, $0.value) }
  }
}

/// The properties that a group of traces has in common.
package struct SummaryKey: Hashable, Comparable, Sendable {
  /// The surface, or `nil` for traces that were counted and left out.
  package var surface: String?
  /// The basis of the evaluation (M-2), or `nil` if there is no surface.
  package var basis: String?
  /// The most common refresh interval in nanoseconds, or `nil` if unknown.
  package var refreshInterval: Int64?
  package var attributes: SummaryAttributes

  package init(
    surface: String? = nil, basis: String? = nil, refreshInterval: Int64? = nil,
    attributes: SummaryAttributes = SummaryAttributes()
  ) {
    self.surface = surface
    self.basis = basis
    self.refreshInterval = refreshInterval
    self.attributes = attributes
  }

  /// Returns the key with other values of its attributes.
  fileprivate func replacing(_ value: (SummaryAttribute) -> String) -> SummaryKey {
    var key = self
    for pair in attributes.pairs { _ = key.attributes.set(pair.name, to: value(pair)) }
    return key
  }

  /// Returns whether the line of `left` comes first: by attributes, then surface, basis and interval.
  package static func < (left: SummaryKey, right: SummaryKey) -> Bool {
    if left.attributes != right.attributes { return left.attributes < right.attributes }
    for (one, other) in [(left.surface, right.surface), (left.basis, right.basis)]
    where one != other {
      guard let one, let other else { return one == nil }
      return one.utf8.lexicographicallyPrecedes(other.utf8)
    }
    return (left.refreshInterval ?? -1) < (right.refreshInterval ?? -1)
  }
}

/// The sums of one group of traces.
package struct SummaryRow: Hashable, Sendable {
  /// The trace, or `nil` if the row is a sum.
  package var identity: SummaryIdentity?
  /// The counts of traces, by `SummaryQuality`.
  package var quality: [WideInteger]
  /// The measurements by the name of their scope.
  package var scopes: [String: SummaryScope] = [:]
  /// The causes of hitch time (M-16).
  package var causes: [SummaryCause: SummaryCauseSums] = [:]
  /// The hitch time of the causes that were left out.
  package var otherCauses: WideInteger = 0

  /// Creates the row of one trace that stands for `weight` traces.
  package init(identity: SummaryIdentity? = nil, weight: Int64 = 1) {
    self.identity = identity
    quality = SummaryQuality.allCases.map { _ in 0 }
    self[.traces] = 1
    self[.weight] = WideInteger(max(1, weight))
  }

  /// The count of traces of that quality.
  package subscript(_ quality: SummaryQuality) -> WideInteger {
    get { self.quality[quality.index] }
    set { self.quality[quality.index] = newValue }
  }

  /// Adds the traces of another row of the group.
  mutating func add(_ other: SummaryRow) {
    identity = nil
    for index in quality.indices { quality[index].addUpToMost(other.quality[index]) }
    for (name, scope) in other.scopes {
      scopes.add(scope, for: name) { $0.add($1) }
    }
    for (cause, sums) in other.causes { causes.add(sums, for: cause) { $0.add($1) } }
    otherCauses.addUpToMost(other.otherCauses)
  }
}

/// A count of traces, in the order of the line.
package enum SummaryQuality: String, CaseIterable, Sendable {
  /// All traces, including those of the other counts.
  case traces
  /// Those that could not be opened.
  case unreadable
  /// Those that lost data.
  case lossy
  /// Those whose rating is uncertain (M-24).
  case uncertain
  /// Those whose times are not trusted, so that nothing else of them is counted.
  case untrusted
  /// The number of traces that all of these stand for, if only some were kept.
  case weight

  /// The position in the order of the line.
  var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The origin of the summary of one trace.
package struct SummaryIdentity: Hashable, Sendable {
  /// The identifier of the recording, or `nil` if the format has none.
  package var session: String?
  /// A hash of the trace's bytes, or `nil` if unknown.
  package var content: String?
  /// The wall time of the start in nanoseconds since 1970, or `nil` if unknown.
  package var startWall: Int64?
  /// The version of the recorder, or `nil` if unknown.
  package var recorder: String?
  /// Why nothing else of the trace is counted, or `nil` if it is.
  package var problem: String?
  /// The version of the tool that made the summary, or `nil` if the recorder did.
  package var tool: String?

  package init() {}
}

/// A cause of hitch time: the work of a category and name, or time without work.
package struct SummaryCause: Hashable, Sendable {
  /// The category of work, or `nil` for time without work.
  package var category: String?
  /// The name of the work or the kind of time, such as `idle`.
  package var name: String
  /// The function of the app in which samples found the time, or `nil` for all others.
  package var function: String?

  package init(category: String?, name: String, function: String? = nil) {
    self.category = category
    self.name = name
    self.function = function
  }
}

/// The hitch time of a cause.
package struct SummaryCauseSums: Hashable, Sendable {
  /// The hitch time in nanoseconds.
  package var hitchTime: WideInteger
  package var hitches: WideInteger

  package init(hitchTime: WideInteger = 0, hitches: WideInteger = 0) {
    self.hitchTime = hitchTime
    self.hitches = hitches
  }

  package mutating func add(_ other: SummaryCauseSums) {
    hitchTime.addUpToMost(other.hitchTime)
    hitches.addUpToMost(other.hitches)
  }
}

extension WideInteger {
  /// The largest number of a summary. Below it, no sum of lines overflows.
  package static let maximumInSummary: WideInteger =
    1_000_000_000_000_000 * 1_000_000_000_000_000

  /// Adds a number that is not negative, but not beyond the largest one; so the order of additions
  /// does not matter.
  mutating func addUpToMost(_ other: WideInteger, _ maximum: WideInteger = .maximumInSummary) {
    self = Swift.min(maximum, self + Swift.min(other, maximum))
  }

  /// The largest sum of squares and products.
  package static let maximumOfSquares: WideInteger = maximumInSummary * 1_000_000

  /// Returns the product of two numbers that are not negative, but not beyond the largest one of squares.
  func productUpToMost(_ other: WideInteger) -> WideInteger {
    let limit: WideInteger = 1_000_000_000_000_000_000
    return Swift.min(self, limit) * Swift.min(other, limit)
  }
}
