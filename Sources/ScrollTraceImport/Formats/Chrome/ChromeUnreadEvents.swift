/// Counts events of unsupported kinds, so that each kind is reported once.
struct ChromeUnreadEvents {
  private static let kinds: [(phase: UInt8, name: String)] = [
    (UInt8(ascii: "P"), "samples of other profilers"),
    (UInt8(ascii: "N"), "created objects"),
    (UInt8(ascii: "O"), "object snapshots"),
    (UInt8(ascii: "D"), "deleted objects"),
    (UInt8(ascii: "V"), "global memory dumps"),
    (UInt8(ascii: "v"), "process memory dumps"),
    (UInt8(ascii: "c"), "clock marks"),
    (UInt8(ascii: "("), "context starts"),
    (UInt8(ascii: ")"), "context ends"),
  ]

  private var counts = [Int](repeating: 0, count: 128)

  mutating func count(_ phase: UInt8) { counts[Int(phase & 127)] += 1 }

  /// The unsupported kinds with their counts, or `nil` if there are none.
  var text: String? {
    let found = Self.kinds.filter { counts[Int($0.phase)] > 0 }
    guard !found.isEmpty else { return nil }
    let list = found.map { "\($0.name) (\(counts[Int($0.phase)]))" }.joined(separator: ", ")
    return "unsupported events: \(list)"
  }
}
