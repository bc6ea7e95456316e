import ScrollTraceGate
import ScrollTraceSummary

/// The traces of a fleet by build and stratum.
struct TrendCells {
  let surface: String?
  /// The builds in order, each with all its traces.
  let builds: [(name: String, cell: TrendCell)]
  /// The number of builds without a known value.
  let unknownCount: Int
  /// The number of traces whose build `merge --at-least` left out.
  private(set) var foldedTraces: WideInteger = 0
  /// The strata, most measured time first.
  let strata: [TrendStratum]
  /// The series of all traces together.
  let crude: TrendSeries

  private struct Kind: Hashable {
    let names: [String]
    let refreshInterval: Int64?
    let basis: String?
  }

  init(_ summary: TraceSummary, _ query: TrendQuery) {
    let lines = query.reduce(summary).rows.filter {
      $0.key.surface != nil && query.selects($0.key)
    }
    let surface = Self.surface(of: lines)
    self.surface = surface
    var rows: [String: [Kind: TrendRow]] = [:]
    var parts: [Kind: [String: [String: TrendRow]]] = [:]
    var wholes: [String: TrendRow] = [:]
    for (key, row) in lines.sorted(by: { $0.key < $1.key }) where key.surface == surface {
      guard let build = key.attributes[query.attribute] else { continue }
      guard build != TraceSummary.other else {
        foldedTraces += row[.traces]
        continue
      }
      let kind = Kind(
        names: query.split.compactMap { part in
          if case .attribute(let name) = part { key.attributes[name] ?? "" } else { nil }
        }, refreshInterval: key.refreshInterval, basis: key.basis)
      rows[build, default: [:]][kind, default: TrendRow()].add(row, query.scope)
      wholes[build, default: TrendRow()].add(row, query.scope)
      guard let prefix = query.timePart?.scopePrefix else { continue }
      for scope in row.scopes.keys where scope.hasPrefix(prefix) {
        let value = String(scope.dropFirst(prefix.count))
        parts[kind, default: [:]][value, default: [:]][build, default: TrendRow()].add(row, scope)
      }
    }
    let names = wholes.keys.sorted(by: Trend.precedes)
    let builds = names.compactMap { name in
      wholes[name]?.cell(query).map { (name: name, cell: $0) }
    }
    self.builds = builds
    unknownCount = names.count - builds.count
    let kinds = Set(rows.values.flatMap(\.keys))
    strata = kinds.map { kind in
      func stratum(
        _ names: [String], _ cells: [TrendCell?], _ parts: [TrendStratum] = []
      ) -> TrendStratum {
        TrendStratum(
          names: names, refreshInterval: kind.refreshInterval, basis: kind.basis, cells: cells,
          parts: parts, isDivided: query.splitsTime && !parts.isEmpty)
      }
      let parts = (parts[kind] ?? [:]).map { value, rows in
        stratum([value], builds.map { rows[$0.name]?.cell(query) })
      }
      return stratum(
        kind.names, builds.map { rows[$0.name]?[kind]?.cell(query) },
        parts.filter { !$0.present.isEmpty }.sorted(by: Self.comesFirst))
    }.filter { !$0.present.isEmpty }.sorted(by: Self.comesFirst)
    crude = TrendSeries(
      of: [
        TrendStratum(names: [], refreshInterval: nil, basis: nil, cells: builds.map(\.cell))
      ], .value)
  }

  private static func comesFirst(_ left: TrendStratum, _ right: TrendStratum) -> Bool {
    guard left.motion == right.motion else { return left.motion > right.motion }
    guard left.names == right.names else {
      return left.names.lexicographicallyPrecedes(right.names) {
        $0.utf8.lexicographicallyPrecedes($1.utf8)
      }
    }
    return (left.refreshInterval ?? 0, left.basis ?? "")
      < (right.refreshInterval ?? 0, right.basis ?? "")
  }

  private static func surface(of lines: [SummaryKey: SummaryRow]) -> String? {
    var motions: [String: WideInteger] = [:]
    for (key, row) in lines {
      guard let surface = key.surface else { continue }
      motions[surface, default: 0] += row.scopes[SummaryScope.all]?[.motion].known ?? 0
    }
    return motions.max {
      $0.value == $1.value ? $0.key > $1.key : $0.value < $1.value
    }?.key
  }
}

/// Sums of lines of one build and stratum.
private struct TrendRow {
  private var sum: TraceSummary = .zero
  private var scope: SummaryScope?

  mutating func add(_ row: SummaryRow, _ name: String) {
    guard let more = row.scopes[name] else { return }
    if scope?.add(more) == nil { scope = more }
    var row = row
    // The causes of a line are those of all its time.
    if name != SummaryScope.all {
      row.causes = [:]
      row.scopes = [:]
    }
    sum += TraceSummary(SummaryKey(), row)
  }

  func cell(_ query: TrendQuery) -> TrendCell? {
    guard let scope, let row = sum.rows[SummaryKey()] else { return nil }
    return TrendCell(row, scope: scope, query)
  }
}

/// A change of all traces together while no stratum changed: of their mix.
struct TrendMixChange: Sendable {
  let buildIndex: Int
  let before: Double
  let after: Double
  /// The difference at a constant mix.
  let constantMix: Double

  /// The p from which the level of all traces together changed.
  private static let significance = 0.01

  init?(_ crude: TrendSeries, _ level: TrendSeries, _ measure: Trend.Measure) {
    let changes = crude.series.changes(significance: Self.significance)
    guard let change = changes.min(by: { $0.p < $1.p }),
      change.difference.magnitude >= measure.floor
    else { return nil }
    buildIndex = crude.buildIndices[change.index]
    (before, after) = (change.before, change.after)
    let range = 0..<((crude.buildIndices.last ?? 0) + 1)
    constantMix = level.difference(at: buildIndex, in: range)?.value ?? 0
  }
}
