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
