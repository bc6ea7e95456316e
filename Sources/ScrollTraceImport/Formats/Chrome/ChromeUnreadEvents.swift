/// Counts the events of kinds that are not read, so that they can be named once.
struct ChromeUnreadEvents {
  private static let kinds: [(phase: UInt8, name: String)] = [
    (UInt8(ascii: "P"), "samples of other profilers"),
    (UInt8(ascii: "N"), "created objects"),
    (UInt8(ascii: "O"), "snapshots of objects"),
    (UInt8(ascii: "D"), "deleted objects"),
    (UInt8(ascii: "V"), "snapshots of all memory"),
    (UInt8(ascii: "v"), "snapshots of a process's memory"),
    (UInt8(ascii: "c"), "clock marks"),
    (UInt8(ascii: "("), "starts of contexts"),
    (UInt8(ascii: ")"), "ends of contexts"),
  ]

  private var counts = [Int](repeating: 0, count: 128)

  /// Counts an event of `phase`.
  mutating func count(_ phase: UInt8) { counts[Int(phase & 127)] += 1 }

  /// What was not read, with its counts, or `nil` if everything was.
  var text: String? {
    let found = Self.kinds.filter { counts[Int($0.phase)] > 0 }
    guard !found.isEmpty else { return nil }
    let list = found.map { "\($0.name) (\(counts[Int($0.phase)]))" }.joined(separator: ", ")
    return "events of kinds that are not read: \(list)"
  }
}
