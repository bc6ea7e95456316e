internal import ScrollTraceLayout
internal import ScrollTraceModel

extension Frame {
  /// Sets the time or interval with the key `key`; returns `false`, without asking for the value, if the key
  /// has another meaning.
  @inline(__always)
  mutating func set(_ key: Vocabulary.Key?, to time: @autoclosure () -> Timestamp?) -> Bool {
    switch key {
    case .begin: start = time()
    case .commitStart: commitStart = time()
    case .commitEnd: commitEnd = time()
    case .deadline: deadline = time()
    case .target: target = time()
    case .presented: presented = time()
    case .interval: refreshInterval = time().map { $0 - .zero }
    default: return false
    }
    return true
  }
}

extension TraceBuilder {
  /// Sets a property of a surface to the value that `text` spells; returns `false` for a tolerance that is
  /// not a whole number.
  mutating func set(_ property: LineDetail?, to text: String, of surface: SurfaceID) -> Bool {
    switch property {
    case .tolerance:
      var text = text
      let number = text.withUTF8 { JSONNumber.integer(UnsafeRawBufferPointer($0)) }
      guard let number else { return false }
      setPresentationTolerance(TimeSpan(nanoseconds: number), of: surface)
    case .grid: if text == "true" { self[surface].timesLieOnRefreshGrid = true }
    case .display: if text == "true" { self[surface].isDisplayStream = true }
    case .numbered: if text == "true" { self[surface].numbersEveryFrame = true }
    case .estimatedInterval: if text == "true" { self[surface].derivesRefreshInterval = true }
    case .basis: if let basis = Basis(rawValue: text) { setBasis(basis, of: surface) }
    default: break
    }
    return true
  }
}

extension ThreadTimeSample {
  @inline(__always)
  mutating func set(_ key: Vocabulary.Key?, to count: @autoclosure () -> Int64?) {
    switch key {
    case .cpu: cpu = count()
    case .ready: ready = count()
    case .preemptions: preemptions = count()
    case .waits: waits = count()
    case .faults: faults = count()
    case .diskFaults: diskFaults = count()
    default: break
    }
  }
}

extension Vocabulary.Outcome {
  static let meanings: [(word: StaticString, outcome: FrameOutcome, wasOnTime: Bool)] = [
    (presented, .presented, false), (presentedOnTime, .presented, true),
    (dropped, .dropped, false), (notRequested, .notRequested, false),
  ]
}
