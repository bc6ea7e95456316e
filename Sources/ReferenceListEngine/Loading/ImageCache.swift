internal import ScrollTraceRecorder

/// The bitmaps in memory, up to a number of bytes; the ones that were not used for longest go first.
struct ImageCache {
  private let limit: Int64
  private var entries: [ItemID: (bytes: Int64, lastUse: UInt64)] = [:]
  private var total: Int64 = 0
  private var useCount: UInt64 = 0

  init(limit: Int64) { self.limit = limit }

  /// Whether the bitmap of an item is there; if so, it was used just now.
  mutating func use(_ item: ItemID) -> Bool {
    guard entries[item] != nil else { return false }
    useCount += 1
    entries[item]?.lastUse = useCount
    return true
  }

  /// Puts a bitmap in; gives those that had to go for it, with their bytes.
  mutating func insert(_ item: ItemID, bytes: Int64) -> [(item: ItemID, bytes: Int64)] {
    useCount += 1
    total += bytes - (entries[item]?.bytes ?? 0)
    entries[item] = (bytes, useCount)
    var evicted: [(item: ItemID, bytes: Int64)] = []
    while total > limit, entries.count > 1,
      let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      entries[oldest.key] = nil
      total -= oldest.value.bytes
      evicted.append((oldest.key, oldest.value.bytes))
    }
    return evicted
  }
}
