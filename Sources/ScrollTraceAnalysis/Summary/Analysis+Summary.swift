import ScrollTraceModel
package import ScrollTraceSummary

extension Analysis {
  /// The state that names the device, and the attribute of that name.
  private static let device = "device"
  /// The largest number of causes in the summary of one trace.
  private static let maximumCauses = 32
  /// The longest name of a surface, scope or cause in a summary, in bytes.
  private static let maximumNameBytes = 256
  /// The longest recording whose times are plausible: a day.
  private static let maximumPlausible = TimeSpan(nanoseconds: 86_400_000_000_000)

  /// The summary of the trace: one group for each selected surface.
  ///
  /// The analysis must have counted histograms. A trace with a wrong checksum or an implausible length is
  /// counted, and nothing else of it. If `attributes` have no device, it is that of the trace's states.
  ///
  /// - Parameters:
  ///   - identity: Where the trace is from.
  ///   - attributes: What is known of it besides.
  ///   - weight: The number of traces that each kept one stands for. A number that the trace contains is
  ///     multiplied by it.
  ///   - hasSession: Whether to keep the session and the start of the recording.
  package func summary(
    identity: SummaryIdentity, attributes: SummaryAttributes, weight: Int64 = 1,
    hasSession: Bool = true
  ) -> TraceSummary {
    var identity = identity
    if hasSession {
      identity.session = trace.source.session
      identity.startWall = trace.source.startWall
    }
    let own = Int64(clamping: trace.source.weight ?? 1)
    var row = SummaryRow(identity: identity, weight: weight.saturatingMultiply(own))
    row[.lossy] = trace.losses.isEmpty ? 0 : 1
    let primary = evaluatedPrimarySurface?.surface
    let measured = selectedSurfaces.filter {
      $0.isEvaluated || $0.counts.total ?? 0 > 0 || $0.surface == primary
    }
    if let doubt = doubtOfTimes {
      row[.untrusted] = 1
      row.identity?.problem = doubt
    }
    guard row[.untrusted] == 0, !measured.isEmpty else {
      return TraceSummary(SummaryKey(attributes: attributes), row)
    }
    var attributes = attributes
    if attributes[Self.device] == nil, let device = trace.states.firstValue(of: Self.device) {
      _ = attributes.set(Self.device, to: device)
    }
    return measured.reduce(into: .zero) { sum, surface in
      let key = SummaryKey(
        surface: Self.cut(surface.name), basis: surface.basis.rawValue,
        refreshInterval: surface.refreshInterval?.nanoseconds, attributes: attributes)
      sum += TraceSummary(key, self.row(row, of: surface, isPrimary: surface.surface == primary))
    }
  }

  /// Why the times of the trace are not trusted, or `nil` if they are.
  private var doubtOfTimes: String? {
    if let loss = trace.losses.first(where: {
      [.checksumMismatch, .timeOutOfRange].contains($0.reason)
    }) {
      return "not counted: \(loss.reason.rawValue)"
    }
    return trace.range.length > Self.maximumPlausible ? "not counted: longer than a day" : nil
  }

  private func row(
    _ row: SummaryRow, of surface: SurfaceAnalysis, isPrimary: Bool
  ) -> SummaryRow {
    var row = row
    let weight = Int64(clamping: row[.weight])
    row[.uncertain] = surface.rated(by: options.thresholds).rating == .uncertain ? 1 : 0
    var all = SummaryScope(
      surface.hitchTime, in: surface.measuredTime.duration, surface.countsInMotion,
      surface.ledger, work.sums, surface.histograms)
    if isPrimary {
      all[.blank] = SummaryValue(lists.compactMap(\.blank?.time).max()?.nanoseconds)
      all[.mainReady] = SummaryValue(surface.thread.readyTime)
    }
    var scopes = [SummaryScope.all: all]
    for (kind, sums) in surface.interactionKinds ?? [:] {
      let name = SummaryScope.interactionPrefix + Self.cut(kind)
      let scope = SummaryScope(
        sums.hitchTime, in: sums.duration, sums.counts, sums.ledger, sums.work, sums.histograms)
      if scopes[name]?.add(scope) == nil { scopes[name] = scope }
    }
    for state in surface.states {
      let name = SummaryScope.name(ofState: Self.cut(state.key), value: Self.cut(state.value))
      let scope = SummaryScope(
        state.hitchTime, in: state.duration, state.counts, state.ledger, state.totals?.work,
        state.totals?.histograms)
      if scopes[name]?.add(scope) == nil { scopes[name] = scope }
    }
    row.scopes = scopes.mapValues { scope in
      var scope = scope
      if scope[.longestHitch].known ?? 0 > 0 {
        scope.longestHitchSession = row.identity?.session
      }
      scope.becomeOneTrace(weight: weight)
      return scope
    }
    row.addCauses(
      of: surface, samples?.hitches[surface.surface], maximum: Self.maximumCauses, weight: weight,
      name: { Self.cut($0) }, function: { Self.cut(withBuild($0)) })
    return row
  }

  /// Returns the name of a function, with the build ID of its module if it is only an address in it, so that
  /// symbols can name it later.
  private func withBuild(_ function: String) -> String {
    guard var address = SummaryFunction(function),
      let module = trace.stackTree.buildIDs.first(where: {
        trace.strings[$0.key] == address.module
      })
    else { return function }
    address.build = trace.strings[module.value]
    return address.text
  }

  /// Returns the start of a name, so that no name of a trace makes a line long.
  private static func cut(_ name: String) -> String {
    guard name.utf8.count > maximumNameBytes else { return name }
    var text = ""
    for character in name {
      guard text.utf8.count + character.utf8.count <= maximumNameBytes else { break }
      text.append(character)
    }
    return text
  }
}

extension SummaryScope {
  /// Creates the scope of one trace. Without hitch time, its time is unknown too, so that a ratio of
  /// sums has the same traces above and below the line.
  fileprivate init(
    _ hitchTime: TimeSpan?, in duration: TimeSpan, _ counts: FrameCounts,
    _ ledger: RefreshLedger?, _ work: WorkSums?, _ histograms: ScopeHistograms?
  ) {
    self.init()
    if let histograms { self.histograms = histograms.all }
    self[.frames] = SummaryValue(counts.total)
    self[.evaluated] = SummaryValue(counts.evaluated)
    self[.deadlineMisses] = SummaryValue(counts.deadlineMisses)
    if let hitchTime, duration > .zero {
      self[.motion] = SummaryValue(duration.nanoseconds)
      self[.hitchTime] = SummaryValue(hitchTime.nanoseconds)
      self[.longestHitch] = SummaryValue(histograms?.longestHitch.nanoseconds)
      self[.hitches] = SummaryValue(counts.hitches)
    }
    if let ledger {
      self[.owed] = SummaryValue(ledger.owed.nanoseconds)
      self[.new] = SummaryValue(ledger.new.nanoseconds)
      self[.repeated] = SummaryValue(ledger.repeated.nanoseconds)
      self[.notRequested] = SummaryValue(ledger.notRequested.nanoseconds)
      self[.settled] = SummaryValue(ledger.settled.nanoseconds)
      self[.unknown] = SummaryValue(ledger.unknown.nanoseconds)
    }
    self[.mainRunning] = SummaryValue(work?.mainBusy?.nanoseconds)
    self[.mainWaiting] = SummaryValue(work?.mainWaiting?.nanoseconds)
    self[.mainReady] = SummaryValue(work?.mainThread.readyTime)
    self[.backgroundRunning] = SummaryValue(work?.backgroundBusy?.nanoseconds)
  }
}

extension ThreadTimes? {
  /// The time ready to run without a core in nanoseconds, or `nil` if unknown.
  fileprivate var readyTime: Int64? {
    guard let self, !self.isUnknown else { return nil }
    return self.ready?.nanoseconds
  }
}

extension SummaryRow {
  /// The largest number of functions of a cause.
  private static let maximumFunctions = 8

  /// Adds the causes with most hitch time, each divided among the app's functions in which samples found it;
  /// the rest is one sum.
  fileprivate mutating func addCauses(
    of surface: SurfaceAnalysis, _ account: SampleAccount?, maximum: Int, weight: Int64,
    name: (String) -> String, function functionName: (String) -> String
  ) {
    for (index, cause) in surface.causes.enumerated() {
      let time = max(0, WideInteger(cause.hitchTime.nanoseconds)) * WideInteger(weight)
      guard index < maximum else {
        otherCauses += time
        continue
      }
      var key = SummaryCause(category: nil, name: cause.kind.plain.rawValue)
      if case .work(let category, let label) = cause.kind {
        key = SummaryCause(category: name(category), name: name(label))
      }
      let hitches = WideInteger(cause.hitchCount) * WideInteger(weight)
      var rest = time
      for (function, part, whole) in Self.functions(of: cause.kind, in: account) {
        var own = key
        own.function = functionName(function)
        let share = time * WideInteger(part) / max(1, whole)
        rest = rest - share
        causes[own, default: SummaryCauseSums()].add(
          SummaryCauseSums(hitchTime: share, hitches: hitches))
      }
      guard rest > 0 || rest == time else { continue }
      causes[key, default: SummaryCauseSums()].add(
        SummaryCauseSums(hitchTime: rest, hitches: hitches))
    }
  }

  /// The app's functions in which samples found most of the time of a cause, each with its time and that of
  /// the cause.
  private static func functions(
    of kind: CauseSummary.Kind, in account: SampleAccount?
  ) -> [(function: String, time: Int64, whole: Int64)] {
    var span: (category: String?, name: String?)
    switch kind {
    case .work(let category, let name): span = (category, name)
    case .unrecorded: span = (nil, nil)
    default: return []
    }
    guard
      let row = account?.rows.first(where: { ($0.category, $0.name) == (span.category, span.name) })
    else { return [] }
    var times: [String: Int64] = [:]
    for path in row.paths {
      guard let index = path.firstOwn, path.functions.indices.contains(index) else { continue }
      times[path.functions[index], default: 0] += path.time.nanoseconds
    }
    return times.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(maximumFunctions)
      .map { ($0.key, $0.value, max(row.time.nanoseconds, $0.value)) }
  }
}
