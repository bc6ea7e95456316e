internal import ScrollTraceLayout
internal import ScrollTraceModel

/// The handles of the vocabulary's words in one builder.
struct FXTVocabulary {
  /// The keys that have a meaning for the reader; those of plain work are arguments like any other.
  private static let readKeys = Set(
    Vocabulary.table.filter { $0.role != .plain }.flatMap(\.keys) + [.item, .process])

  /// The handles of the keys in the order of all; empty for those that are not read.
  private let handles: [StringID]
  private let keys: [Vocabulary.Key?]
  private let roles: [(category: StringID, role: Vocabulary.Role)]
  private let outcomes: [(word: StringID, outcome: FrameOutcome, wasOnTime: Bool)]
  /// Fuchsia's names for a thread's scheduling weight.
  let outgoingWeight, incomingWeight: StringID

  init(_ builder: inout TraceBuilder) {
    func handle(_ word: StaticString) -> StringID { builder.string(word.description) }
    var handles = [StringID](repeating: .empty, count: Vocabulary.Key.allCases.count)
    for key in Vocabulary.Key.allCases where Self.readKeys.contains(key) {
      handles[key.rawValue - 1] = builder.string(key.description)
    }
    let numbers = handles.map(\.rawValue)
    let highest = numbers.max() ?? 0
    var keys = [Vocabulary.Key?](repeating: nil, count: Int(highest) + 1)
    for key in Self.readKeys { keys[Int(numbers[key.rawValue - 1])] = key }
    (self.handles, self.keys) = (handles, keys)
    outcomes = Vocabulary.Outcome.meanings.map { (handle($0.word), $0.outcome, $0.wasOnTime) }
    outgoingWeight = handle("outgoing_weight")
    incomingWeight = handle("incoming_weight")
    roles = Vocabulary.table.filter { $0.role != .plain }.map { (handle($0.category), $0.role) }
  }

  /// Returns the key with the name `name`, or `nil` if it is the writer's own.
  @inline(__always)
  func key(_ name: StringID) -> Vocabulary.Key? {
    name.rawValue < keys.count ? keys[Int(name.rawValue)] : nil
  }

  subscript(key: Vocabulary.Key) -> StringID { handles[key.rawValue - 1] }

  /// Returns the way the reader handles events of `category`.
  func role(of category: StringID) -> Vocabulary.Role {
    roles.first { $0.category == category }?.role ?? .plain
  }

  func outcome(_ value: ArgumentValue) -> (outcome: FrameOutcome, wasOnTime: Bool)? {
    guard case .string(let word) = value else { return nil }
    return outcomes.first { $0.word == word }.map { ($0.outcome, $0.wasOnTime) }
  }
}
