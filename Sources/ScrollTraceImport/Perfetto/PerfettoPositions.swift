/// The positions of things that are known by a number, in the order in which they came.
///
/// Traces name the same few things over and over: those that were met lately are found without a
/// look into the table.
struct PerfettoPositions {
  private static let slotCount = 512

  private var all: [UInt64: Int32] = [:]
  private var recent = Array(repeating: (key: UInt64(0), position: Int32(-1)), count: slotCount)

  /// How many there are.
  var count: Int { all.count }

  /// The position of what has the number `key`; `nil` for one that was never met.
  @inline(__always)
  subscript(key: UInt64) -> Int? {
    mutating get {
      let slot = Self.slot(key)
      let known = recent[slot]
      if known.position >= 0, known.key == key { return Int(known.position) }
      return find(key, slot)
    }
  }

  /// Says that what has the number `key` is at `position`.
  mutating func add(_ key: UInt64, at position: Int) {
    let position = Int32(truncatingIfNeeded: position)
    all[key] = position
    recent[Self.slot(key)] = (key, position)
  }

  @inline(never)
  private mutating func find(_ key: UInt64, _ slot: Int) -> Int? {
    guard let position = all[key] else { return nil }
    recent[slot] = (key, position)
    return Int(position)
  }

  @inline(__always)
  private static func slot(_ key: UInt64) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) &>> 32) & (slotCount &- 1)
  }
}
