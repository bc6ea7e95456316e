/// The measurements of a part of the measured time: all of it, a kind of interaction, or a state.
package struct SummaryScope: Hashable, Sendable {
  /// The name of the scope of all measured time.
  package static let all = "all"
  /// The start of the name of a kind of interaction.
  package static let interactionPrefix = "interaction:"
  /// The start of the name of a state.
  package static let statePrefix = "state:"

  /// Returns the name of the scope of a state. Signs that would make it ambiguous are escaped.
  package static func name(ofState key: String, value: String) -> String {
    statePrefix + escaped(key) + "=" + value
  }

  /// Returns the start of the names of a state's scopes.
  package static func prefix(ofState key: String) -> String { statePrefix + escaped(key) + "=" }

  /// Returns the key of the state whose scope has this name, or `nil` if it is none of a state.
  static func key(ofState name: String) -> String? {
    guard name.hasPrefix(statePrefix), let end = name.firstIndex(of: "=") else { return nil }
    let parts = name[..<end].dropFirst(statePrefix.count)
      .split(separator: "%", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(String(parts[0])) {
      $0 + ($1.hasPrefix("3D") ? "=" : "%") + $1.dropFirst(2)
    }
  }

  private static func escaped(_ key: String) -> String {
    guard key.utf8.contains(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "%") }) else {
      return key
    }
    return key.reduce(into: "") { text, character in
      text += character == "=" ? "%3D" : character == "%" ? "%25" : String(character)
    }
  }

  /// The sums, by `SummaryField`.
  package private(set) var values: [SummaryValue]
  /// The histograms, by `SummaryHistogramName`.
  package var histograms: [LogLinearHistogram]
  /// The identifier of the recording with the longest hitch, or `nil` if there is none or it is unknown.
  package var longestHitchSession: String?

  /// Creates a scope of one trace of which nothing is known.
  package init() {
    values = SummaryField.allCases.map { _ in .unknown }
    histograms = SummaryHistogramName.allCases.map { _ in LogLinearHistogram() }
  }

  /// Creates a scope of values and histograms in the order of the line, or returns `nil` if there are not as
  /// many as fields and names.
  package init?(
    values: [SummaryValue], histograms: [LogLinearHistogram], longestHitchSession: String?
  ) {
    guard values.count == SummaryField.allCases.count,
      histograms.count == SummaryHistogramName.allCases.count
    else { return nil }
    self.values = values
    self.histograms = histograms
    self.longestHitchSession = longestHitchSession
  }

  package subscript(_ field: SummaryField) -> SummaryValue {
    get { values[field.index] }
    set { values[field.index] = newValue }
  }

  package subscript(_ name: SummaryHistogramName) -> LogLinearHistogram {
    get { histograms[name.index] }
    set { histograms[name.index] = newValue }
  }

  /// Adds the same scope of other traces.
  package mutating func add(_ other: SummaryScope) {
    mergeSession(of: other)
    for (index, field) in SummaryField.allCases.enumerated() {
      values[index].add(other.values[index], field)
    }
    for index in histograms.indices { histograms[index].add(other.histograms[index]) }
  }

  /// Keeps the session of the longer of both longest hitches; of equal ones, the first in the order of
  /// bytes.
  private mutating func mergeSession(of other: SummaryScope) {
    guard let session = other.longestHitchSession else {
      if comesBefore(other) { longestHitchSession = nil }
      return
    }
    let isEqual = self[.longestHitch].known == other[.longestHitch].known
    guard isEqual, let own = longestHitchSession else {
      if isEqual || comesBefore(other) { longestHitchSession = session }
      return
    }
    longestHitchSession = own.firstSpelling(session)
  }

  /// Returns whether the longest hitch is shorter than that of `other`.
  private func comesBefore(_ other: SummaryScope) -> Bool {
    guard let length = other[.longestHitch].known else { return false }
    return self[.longestHitch].known.map { $0 < length } ?? true
  }

  /// Makes the parts that were added the scope of one trace, which stands for `weight` traces: an
  /// unknown value counts once, and the ratio is that of the sums.
  package mutating func becomeOneTrace(weight: Int64 = 1) {
    self[.over5] = .unknown
    self[.over10] = .unknown
    if let late = self[.hitchTime].known, let whole = self[.motion].known {
      self[.over5] = SummaryValue(late * 200 > whole ? 1 : 0)
      self[.over10] = SummaryValue(late * 100 > whole ? 1 : 0)
    }
    for index in values.indices {
      values[index].unknownCount = min(1, values[index].unknownCount)
    }
    multiply(by: weight)
    setSquares()
  }

  /// Sets the squares of the sums of one trace.
  package mutating func setSquares() {
    for field in SummaryField.squares {
      self[field] = SummaryValue(known: nil, unknownCount: self[.motion].unknownCount)
    }
    guard let late = self[.hitchTime].known, let whole = self[.motion].known else { return }
    self[.hitchTimeSquares] = SummaryValue(late.productUpToMost(late))
    self[.motionSquares] = SummaryValue(whole.productUpToMost(whole))
    self[.products] = SummaryValue(late.productUpToMost(whole))
  }

  /// Multiplies all sums, but not the longest hitch, as if there had been `weight` such traces.
  private mutating func multiply(by weight: Int64) {
    guard weight > 1 else { return }
    for field in SummaryField.allCases {
      if field != .longestHitch, !SummaryField.squares.contains(field) {
        values[field.index].known = values[field.index].known.map { $0.timesUpToMost(weight) }
      }
      values[field.index].unknownCount = values[field.index].unknownCount.timesUpToMost(weight)
    }
    for index in histograms.indices { histograms[index].multiply(by: weight) }
  }
}

/// A sum of a quantity, and the number of traces in which it is unknown, each as many as it stands for.
package struct SummaryValue: Hashable, Sendable {
  /// The sum over the traces in which it is known, or `nil` if there are none.
  package var known: WideInteger?
  /// The number of traces in which it is unknown.
  package var unknownCount: WideInteger

  /// The value of one trace in which it is unknown.
  static let unknown = SummaryValue(known: nil, unknownCount: 1)

  package init(known: WideInteger?, unknownCount: WideInteger) {
    self.known = known
    self.unknownCount = unknownCount
  }

  /// Creates the value of one trace. Negative numbers count as unknown.
  package init(_ value: (some FixedWidthInteger)?) {
    self.init(value.map { WideInteger($0) })
  }

  /// Creates the value of one trace. Negative numbers count as unknown.
  package init(_ value: WideInteger?) {
    let number = value.flatMap { $0 < 0 ? nil : $0 }
    self.init(known: number, unknownCount: number == nil ? 1 : 0)
  }

  mutating func add(_ other: SummaryValue, _ field: SummaryField) {
    unknownCount.addUpToMost(other.unknownCount)
    guard let more = other.known else { return }
    guard var sum = known else {
      known = more
      return
    }
    if field == .longestHitch {
      sum = max(sum, more)
    } else {
      sum.addUpToMost(more, field.maximum)
    }
    known = sum
  }
}

/// A quantity of a scope, in the order of the line. Times are in nanoseconds.
package enum SummaryField: String, CaseIterable, Sendable {
  /// The measured time of the traces that could be evaluated.
  case motion = "motionNs"
  case hitchTime = "hitchTimeNs"
  /// The longest hitch of any trace.
  case longestHitch = "longestHitchNs"
  case frames
  case evaluated
  case deadlineMisses
  case hitches
  /// The parts of the ledger (M-23).
  case owed
  case new
  case repeated
  case notRequested
  case settled
  case unknown
  case blank = "blankNs"
  case mainRunning = "mainRunningNs"
  case mainWaiting = "mainWaitingNs"
  case mainReady = "mainReadyNs"
  case backgroundRunning = "backgroundRunningNs"
  /// The traces with more than 5 ms of hitch time per second.
  case over5
  /// The traces with more than 10 ms of hitch time per second.
  case over10
  /// The sums over traces of the squares of their hitch time and their measured time, and of the product of
  /// both, in square nanoseconds: the uncertainty of the ratio.
  case hitchTimeSquares = "hitchTimeSquaresNs2"
  case motionSquares = "motionSquaresNs2"
  case products = "hitchTimeByMotionNs2"

  /// The parts of the ledger (M-23), which are known or unknown together.
  package static let ledger: [SummaryField] = [
    .owed, .new, .repeated, .notRequested, .settled, .unknown,
  ]

  /// The fields in square nanoseconds.
  package static let squares: [SummaryField] = [.hitchTimeSquares, .motionSquares, .products]

  /// The largest sum.
  package var maximum: WideInteger {
    switch self {
    case .hitchTimeSquares, .motionSquares, .products: .maximumOfSquares
    default: .maximumInSummary
    }
  }

  private static let indices = Dictionary(
    uniqueKeysWithValues: allCases.enumerated().map { ($0.element, $0.offset) })

  /// The position in the order of the line.
  var index: Int { Self.indices[self] ?? 0 }
}

/// A histogram of a scope, in the order of the line.
package enum SummaryHistogramName: String, CaseIterable, Sendable {
  /// The hitch time of each hitch in the measured time.
  case hitch = "hitchNs"
  /// The time from commit start to commit end.
  case commit = "commitNs"
  /// The time from deadline to commit end of late commits.
  case overrun = "overrunNs"
  /// The time from commit end to deadline of the others.
  case slack = "slackNs"
  /// The time between consecutive presented frames (M-10).
  case frameSpacing = "frameSpacingNs"

  /// The position in the order of the line.
  var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
