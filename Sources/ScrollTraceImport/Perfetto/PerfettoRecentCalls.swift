/// The labels of calls that were met lately, by what was called: a page calls the same few functions
/// over and over, and to put their names together takes longer than to know them again.
struct PerfettoRecentCalls {
  private struct Recent {
    /// The position of the label of the event, and of the call.
    var entry: Int32 = -1
    var call: Int32 = -1
    var line: Int64 = 0
    var functionCount = 0
    var urlCount = 0
    var typeCount = 0
  }

  private static let slotCount = 64

  /// How many bytes of each call's texts are kept; longer ones are put together each time.
  private static let keptCount = 256

  private var recent = Array(repeating: Recent(), count: slotCount)
  private var kept = [UInt8](repeating: 0, count: slotCount * keptCount)

  /// The position of the label of the call of `target` by an event with the label at `entry`; `nil`
  /// where it was not met lately.
  func find(_ target: ChromeCallNames.Target, by entry: Int32) -> Int32? {
    let slot = Self.slot(target, entry)
    let known = recent[slot]
    guard known.entry == entry, known.line == target.line ?? 0,
      known.functionCount == target.function?.count ?? 0,
      known.urlCount == target.url?.count ?? 0, known.typeCount == target.type?.count ?? 0
    else { return nil }
    return kept.withUnsafeBytes { all in
      let first = slot &* Self.keptCount
      let second = first &+ known.functionCount
      let third = second &+ known.urlCount
      let isSame =
        Self.isSame(target.function, all[first..<second])
        && Self.isSame(target.url, all[second..<third])
        && Self.isSame(target.type, all[third..<(third &+ known.typeCount)])
      return isSame ? known.call : nil
    }
  }

  @inline(__always)
  private static func isSame(
    _ text: UnsafeRawBufferPointer?, _ kept: Slice<UnsafeRawBufferPointer>
  ) -> Bool {
    text.map { $0.hasSameBytes(as: UnsafeRawBufferPointer(rebasing: kept)) } ?? true
  }

  /// Keeps the label at `call` for the next such call.
  mutating func keep(_ call: Int32, of target: ChromeCallNames.Target, by entry: Int32) {
    let counts = [target.function, target.url, target.type].map { $0?.count ?? 0 }
    guard counts[0] + counts[1] + counts[2] <= Self.keptCount else { return }
    let slot = Self.slot(target, entry)
    recent[slot] = Recent(
      entry: entry, call: call, line: target.line ?? 0, functionCount: counts[0],
      urlCount: counts[1], typeCount: counts[2])
    kept.withUnsafeMutableBytes { all in
      var place = slot * Self.keptCount
      for text in [target.function, target.url, target.type] {
        guard let text else { continue }
        UnsafeMutableRawBufferPointer(rebasing: all[place...]).copyMemory(from: text)
        place += text.count
      }
    }
  }

  /// Where a call is kept: by its line and the first bytes of what is called.
  private static func slot(_ target: ChromeCallNames.Target, _ entry: Int32) -> Int {
    var hash = UInt64(bitPattern: target.line ?? 0) &* 31 &+ UInt64(UInt32(bitPattern: entry))
    func mix(_ text: UnsafeRawBufferPointer?) {
      guard let text else { return }
      hash = (hash ^ UInt64(text.count)) &* 0x9E37_79B9_7F4A_7C15
      if text.count >= 8 { hash ^= text.loadUnaligned(as: UInt64.self) }
    }
    mix(target.function)
    mix(target.type)
    return Int(truncatingIfNeeded: (hash &* 0x9E37_79B9_7F4A_7C15) &>> 40) & (slotCount &- 1)
  }
}
