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
  /// The causes that count as one with another.
  let renames: [TrendRename]
  /// The number of functions that count with their cause, since only their addresses are known.
  let unnamedCount: Int
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
    var nextNames: [SummaryCause: SummaryCause]
    (nextNames, unnamedCount) = Self.passing(in: builds.map(\.cell))
    renames = TrendRename.all(in: builds.map(\.cell), besides: nextNames)
    for rename in renames.sorted(by: { $1.buildIndex < $0.buildIndex }) {
      nextNames[rename.old] = nextNames[rename.new] ?? rename.new
    }
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
        kind.names, builds.map { rows[$0.name]?[kind]?.cell(query, nextNames) },
        parts.filter { !$0.present.isEmpty }.sorted(by: Self.comesFirst))
    }.filter { !$0.present.isEmpty }.sorted(by: Self.comesFirst)
    crude = TrendSeries(
      of: [
        TrendStratum(names: [], refreshInterval: nil, basis: nil, cells: builds.map(\.cell))
      ], .value)
  }

  /// The smallest part of the builds that a function has that neither the first nor the last one has.
  private static let smallestPart = 1.0 / 3

  /// The functions whose builds cannot be compared with others, each with its cause without function: those known only
  /// by an address, of a module that is another in some builds, and those that only a few builds in between have, as
  /// names made anew for each build.
  private static func passing(
    in builds: [TrendCell]
  ) -> (causes: [SummaryCause: SummaryCause], unnamedCount: Int) {
    var indices: [SummaryCause: Set<Int>] = [:]
    var modules: [String: [String: Set<Int>]] = [:]
    for (index, build) in builds.enumerated() {
      for cause in build.row.causes.keys {
        guard let name = cause.function else { continue }
        indices[cause, default: []].insert(index)
        guard let function = SummaryFunction(name) else { continue }
        modules[function.module, default: [:]][function.build ?? "", default: []].insert(index)
      }
    }
    var (causes, unnamedCount): ([SummaryCause: SummaryCause], Int) = ([:], 0)
    for (cause, own) in indices {
      var isPassing =
        own.isDisjoint(with: [0, builds.count - 1])
        && Double(own.count) < smallestPart * Double(builds.count)
      if let function = cause.function.flatMap({ SummaryFunction($0) }) {
        let ids = modules[function.module] ?? [:]
        let isSame = ids.count == 1 || ids[function.build ?? ""]?.count == builds.count
        isPassing = function.build == nil || !isSame
        unnamedCount += isPassing ? 1 : 0
      }
      guard isPassing else { continue }
      causes[cause] = SummaryCause(category: cause.category, name: cause.name)
    }
    return (causes, unnamedCount)
  }

  /// By what causes of the same size are ordered.
  static func order(of cause: SummaryCause) -> String {
    "\(cause.category ?? "")/\(cause.name)/\(cause.function ?? "")"
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

/// A cause that ends before a build, and another of its category that begins with it and takes about as much time: the
/// same work under a new name, or what replaces it.
struct TrendRename: Equatable, Sendable {
  let old: SummaryCause
  let new: SummaryCause
  /// The first build with the new name.
  let buildIndex: Int

  /// The smallest part that one of two causes of about the same size is of the other.
  private static let similar = 0.5
  /// The maximum number of causes that come or go.
  private static let maximumCauses = 40

  /// Returns the causes that are renamed in a series of builds, the largest first, each with the most similar other.
  ///
  /// - Parameter left: Causes that are none of them.
  static func all(
    in builds: [TrendCell], besides left: [SummaryCause: SummaryCause]
  ) -> [TrendRename] {
    var indices: [SummaryCause: [Int]] = [:]
    for (index, build) in builds.enumerated() {
      // What is neither work nor a function has names of this tool.
      for (cause, sums) in build.row.causes
      where sums.hitchTime > 0 && (cause.category ?? cause.function) != nil && left[cause] == nil {
        indices[cause, default: []].append(index)
      }
    }
    func largest(
      _ isIncluded: ([Int]) -> Bool
    ) -> [(cause: SummaryCause, indices: [Int], level: Double)] {
      let found = indices.filter { $0.value.count < builds.count && isIncluded($0.value) }
      let levels = found.map { cause, indices in
        let motion = indices.reduce(0) { $0 + builds[$1].motion }
        let time = indices.reduce(0) { $0 + builds[$1].ratio(of: cause) * builds[$1].motion }
        return (cause: cause, indices: indices, level: time / motion)
      }
      return Array(
        levels.filter { $0.level >= Trend.Measure.hitchTimeRatio.floor }.sorted {
          ($1.level, TrendCells.order(of: $0.cause)) < ($0.level, TrendCells.order(of: $1.cause))
        }.prefix(maximumCauses))
    }
    // Without gaps, since a name can also be only in between.
    func isWhole(_ own: [Int]) -> Bool { (own.last ?? 0) - (own.first ?? 0) == own.count - 1 }
    let gone = largest { isWhole($0) && $0.last != builds.count - 1 }
    var new = largest { isWhole($0) && $0.first != 0 }
    var renames = gone.compactMap { old -> (rename: TrendRename, first: Int?, last: Int?)? in
      let next = (old.indices.last ?? 0) + 1
      func similarity(_ index: Int) -> Double {
        let isNext =
          new[index].indices.first == next
          && new[index].cause.category == old.cause.category
        return isNext
          ? min(new[index].level, old.level) / max(new[index].level, old.level) : 0
      }
      guard let index = new.indices.max(by: { similarity($0) < similarity($1) }),
        similarity(index) >= similar
      else { return nil }
      let found = new.remove(at: index)
      let rename = TrendRename(old: old.cause, new: found.cause, buildIndex: next)
      return (rename, old.indices.first, found.indices.last)
    }
    // The names together have all builds; those of rare causes follow each other by chance.
    while let index = renames.firstIndex(where: { rename, first, last in
      let hasStart = first == 0 || renames.contains { $0.rename.new == rename.old }
      let hasEnd = last == builds.count - 1 || renames.contains { $0.rename.old == rename.new }
      return !hasStart || !hasEnd
    }) {
      renames.remove(at: index)
    }
    return renames.map(\.rename)
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

  func cell(
    _ query: TrendQuery, _ nextNames: [SummaryCause: SummaryCause] = [:]
  ) -> TrendCell? {
    guard let scope, var row = sum.rows[SummaryKey()] else { return nil }
    for (old, sums) in row.causes {
      guard let new = nextNames[old] else { continue }
      row.causes[old] = nil
      row.causes[new, default: SummaryCauseSums()].add(sums)
    }
    return TrendCell(row, scope: scope, query)
  }
}

/// A change of all traces together while no stratum changed: of their mix.
struct TrendMixChange: Sendable {
  let buildIndex: Int
  let before: Double
  let after: Double
  /// The difference at a constant mix, with half of its 95% CI.
  let constantMix: (value: Double, uncertainty: Double)

  /// Whether the mix may explain most of the difference.
  var isExplained: Bool {
    constantMix.value.magnitude <= max(constantMix.uncertainty, (after - before).magnitude / 2)
  }

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
    let constant = level.difference(at: buildIndex, in: range)
    constantMix = (constant?.value ?? 0, constant?.uncertainty ?? 0)
  }
}
