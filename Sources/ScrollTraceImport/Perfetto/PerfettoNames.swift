import ScrollTraceModel

/// The names that one sequence of packets has given numbers.
struct PerfettoNames {
  /// How many categories an event may have for their joined name to be kept.
  private static let keptCategoryCount = 4

  private var events: [UInt64: StringID] = [:]
  private var categories: [UInt64: StringID] = [:]
  private var annotations: [UInt64: StringID] = [:]
  private var texts: [UInt64: StringID] = [:]
  private var joined: [UInt64: StringID] = [:]

  /// Takes new names; `false` where some are damaged.
  mutating func add(_ data: UnsafeRawBufferPointer, in builder: inout TraceBuilder) -> Bool {
    var isWhole = true
    var fields = WireFields(data)
    while fields.next() {
      guard fields.isBytes, [1, 2, 3, 29].contains(fields.number) else { continue }
      guard let (id, name) = Self.entry(fields.bytes, in: &builder) else {
        isWhole = false
        continue
      }
      switch fields.number {
      case 1:
        categories[id] = name
        joined = [:]
      case 2: events[id] = name
      case 3: annotations[id] = name
      default: texts[id] = name
      }
    }
    return isWhole && !fields.isDamaged
  }

  private static func entry(
    _ bytes: UnsafeRawBufferPointer, in builder: inout TraceBuilder
  ) -> (UInt64, StringID)? {
    var (id, name) = (UInt64?.none, StringID.empty)
    var fields = WireFields(bytes)
    while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (1, false): id = fields.value
      case (2, true): name = builder.string(fields.bytes.bindMemory(to: UInt8.self))
      default: break
      }
    }
    guard !fields.isDamaged, let id else { return nil }
    return (id, name)
  }

  /// The name of an event; `nil` for a number that was never given.
  func event(_ id: UInt64) -> StringID? { events[id] }

  /// The name of an annotation of an event.
  func annotation(_ id: UInt64) -> StringID? { annotations[id] }

  /// The text that is an annotation's value.
  func text(_ id: UInt64) -> StringID? { texts[id] }

  /// The categories with these numbers, as one name with commas; `nil` for an unknown number.
  mutating func category(
    _ first: UInt64?, _ others: [UInt64], in builder: inout TraceBuilder
  ) -> StringID? {
    guard let first else { return .empty }
    if others.isEmpty { return categories[first] }
    let ids = [first] + others
    let isShort = ids.count <= Self.keptCategoryCount && ids.allSatisfy { $0 < 1 << 16 }
    let key = isShort ? ids.reduce(0) { $0 << 16 | $1 } : 0
    if isShort, let known = joined[key] { return known }
    var text = ""
    for (index, id) in ids.enumerated() {
      guard let name = categories[id] else { return nil }
      // What is longer would be cut when it is kept.
      guard text.utf8.count < StringTable.maximumLength else {
        builder.countLoss(.limitReached)
        break
      }
      text += (index > 0 ? "," : "") + builder.name(of: name)
    }
    let name = builder.string(text)
    if isShort { joined[key] = name }
    return name
  }
}
