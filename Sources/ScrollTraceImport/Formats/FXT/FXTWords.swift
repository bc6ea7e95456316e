internal import ScrollTraceLayout
internal import ScrollTraceModel

/// The vocabulary's words in one builder.
struct FXTWords {
  /// The handles of the keys in the order of all.
  private let handles: [StringID]
  /// The keys by their handles, from `lowest` on.
  private let keys: [Vocabulary.Key?]
  private let lowest: UInt32
  private let roles: [(category: StringID, role: Vocabulary.Role)]
  private let outcomes: [(word: StringID, outcome: FrameOutcome, wasOnTime: Bool)]
  /// Fuchsia's names for a thread's scheduling weight.
  let outgoingWeight, incomingWeight: StringID

  init(_ builder: inout TraceBuilder) {
    func handle(_ word: StaticString) -> StringID { builder.string(word.description) }
    let handles = Vocabulary.Key.allCases.map { builder.string($0.description) }
    let numbers = handles.map(\.rawValue)
    let (lowest, highest) = (numbers.min() ?? 0, numbers.max() ?? 0)
    var keys = [Vocabulary.Key?](repeating: nil, count: Int(highest - lowest) + 1)
    for (number, key) in zip(numbers, Vocabulary.Key.allCases) { keys[Int(number - lowest)] = key }
    (self.handles, self.keys, self.lowest) = (handles, keys, lowest)
    typealias Outcome = Vocabulary.Outcome
    outcomes = [
      (handle(Outcome.presented), .presented, false),
      (handle(Outcome.presentedOnTime), .presented, true),
      (handle(Outcome.dropped), .dropped, false),
      (handle(Outcome.notRequested), .notRequested, false),
    ]
    outgoingWeight = handle("outgoing_weight")
    incomingWeight = handle("incoming_weight")
    roles = Vocabulary.table.filter { $0.role != .plain }.map { (handle($0.category), $0.role) }
  }

  /// Returns the key with the name `name`, or `nil` if it is the writer's own.
  @inline(__always)
  func key(_ name: StringID) -> Vocabulary.Key? {
    let place = Int(name.rawValue) - Int(lowest)
    return keys.indices.contains(place) ? keys[place] : nil
  }

  /// Returns the handle of a key's name.
  subscript(key: Vocabulary.Key) -> StringID { handles[key.rawValue - 1] }

  /// Returns the way the reader handles events of `category`.
  func role(of category: StringID) -> Vocabulary.Role {
    roles.first { $0.category == category }?.role ?? .plain
  }

  /// Returns the outcome that a frame's argument says, or `nil` if it says none.
  func outcome(_ value: ArgumentValue) -> (outcome: FrameOutcome, wasOnTime: Bool)? {
    guard case .string(let word) = value else { return nil }
    return outcomes.first { $0.word == word }.map { ($0.outcome, $0.wasOnTime) }
  }
}
