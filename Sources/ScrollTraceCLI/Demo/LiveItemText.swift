internal import ScrollTraceRecorder
import ReferenceListEngine

/// What the live list says of an item, which has no more than a number, a kind and a size.
struct LiveItemText {
  /// The first line.
  let title: String
  /// The second line.
  let detail: String

  private static let adjectives = [
    "Quiet", "Amber", "Northern", "Early", "Silver", "Distant", "Narrow", "Golden", "Hidden",
    "Paper", "Salt", "Blue", "Winter", "Old", "Bright", "Lost",
  ]
  private static let nouns = [
    "harbour", "orchard", "station", "meadow", "lighthouse", "market", "bridge", "garden", "river",
    "island", "tower", "valley", "kitchen", "window", "street", "forest",
  ]

  /// The text for `item`, the same at every time.
  init(_ item: ListItem) {
    let number = item.id.number &* 0x9E37_79B9_7F4A_7C15
    let adjective = Self.adjectives[Int(number >> 60)]
    let noun = Self.nouns[Int(number >> 56 & 15)]
    title = "\(adjective) \(noun)"
    let size = item.bytes < 10_000 ? "\(item.bytes) bytes" : "\(item.bytes / 1000) kB"
    detail = "\(item.kind == .photo ? "photo" : "note") \(item.id.number), \(size)"
  }
}
