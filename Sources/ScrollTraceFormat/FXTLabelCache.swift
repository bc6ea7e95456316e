internal import ScrollTraceModel

/// What the reader does with the events of a category.
enum FXTMeaning: UInt64 {
  /// Work, marks, samples as the event says.
  case plain
  /// Records of frames.
  case frame
  /// What is known of a surface's times.
  case surface
  /// Hitches that the source lists.
  case hitch
  /// Interactions.
  case interaction
  /// Changes of states.
  case state
  /// Samples.
  case counter
}

/// A label with its meaning, in one word.
struct FXTLabel {
  let word: UInt64

  init(_ label: LabelID, _ meaning: FXTMeaning) {
    word = UInt64(label.rawValue) | meaning.rawValue << 32
  }

  init(word: UInt64) { self.word = word }

  /// The label.
  var id: LabelID { LabelID(rawValue: UInt32(truncatingIfNeeded: word)) }

  /// Whether the label has no meaning in the vocabulary.
  var isPlain: Bool { word >> 32 == 0 }

  /// The meaning of the label's category.
  var meaning: FXTMeaning { FXTMeaning(rawValue: word >> 32) ?? .plain }
}

/// The labels met last, found by the two references of an event and the epoch of the tables.
struct FXTLabelCache: ~Copyable {
  private static let count = 1024
  private let keys: UnsafeMutablePointer<UInt64>
  private let labels: UnsafeMutablePointer<UInt64>

  init() {
    keys = .allocate(capacity: Self.count)
    labels = .allocate(capacity: Self.count)
    keys.initialize(repeating: 0, count: Self.count)
    labels.initialize(repeating: 0, count: Self.count)
  }

  deinit {
    keys.deallocate()
    labels.deallocate()
  }

  /// The key of the references in the upper half of an event's header; epochs start above 0.
  @inline(__always)
  static func key(epoch: UInt32, header: UInt64) -> UInt64 {
    UInt64(epoch) << 32 | header >> 32
  }

  /// The label of `key`, where it is one of those met last.
  @inline(__always)
  subscript(key: UInt64) -> FXTLabel? {
    let slot = Self.slot(key)
    return keys[slot] == key ? FXTLabel(word: labels[slot]) : nil
  }

  /// Remembers the label of `key`.
  mutating func remember(_ label: FXTLabel, for key: UInt64) {
    let slot = Self.slot(key)
    keys[slot] = key
    labels[slot] = label.word
  }

  @inline(__always)
  private static func slot(_ key: UInt64) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 54)
  }
}
