/// What a line of NDJSON or a column of CSV can say.
enum LineKey: UInt8, CaseIterable {
  case scrolltrace, unit, kind, name
  case frame, span, mark, counter, interaction, state, hitch
  case start, end, duration, commitStart, commitEnd, deadline, target, presented, refreshInterval,
    at
  case surface, category, thread, main, id, item, outcome, value

  /// The key with a name; spelling of letters, `_` and `-` make no difference.
  init?(name: String) {
    let plain = name.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " }
    if let alias = Self.aliases[plain] {
      self = alias
    } else if let key = Self.allCases.first(where: { $0.spelling.lowercased() == plain }) {
      self = key
    } else {
      return nil
    }
  }

  /// The keys as lines of JSON spell them, in order.
  static let spellings: [StaticString] = [
    "scrolltrace", "unit", "kind", "name", "frame", "span", "mark", "counter", "interaction",
    "state", "hitch", "begin", "end", "duration", "commitStart", "commitEnd", "deadline", "target",
    "presented", "interval", "at", "surface", "category", "thread", "main", "id", "item",
    "outcome", "value",
  ]

  private var spelling: String { Self.spellings[Int(rawValue)].description }

  /// Whether `bytes` spell the key.
  @inline(__always)
  func isSpelled(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let spelling = Self.spellings[Int(rawValue)]
    guard bytes.count == spelling.utf8CodeUnitCount, let start = bytes.baseAddress else {
      return false
    }
    return LineBytes.areSame(start, spelling.utf8Start, count: bytes.count)
  }

  private static let aliases: [String: LineKey] = [
    "start": .start, "refreshinterval": .refreshInterval, "time": .at, "timestamp": .at,
    "framenumber": .frame, "ismain": .main,
  ]

  /// Whether the value is a time or a length of time, so that the unit matters.
  var isTime: Bool { (LineKey.start.rawValue...LineKey.at.rawValue).contains(rawValue) }

  /// The bit in a set of keys.
  @inline(__always)
  var bit: UInt32 { 1 &<< UInt32(rawValue) }
}

/// The unit of the times in a file of lines.
enum LineUnit: String, CaseIterable {
  case ns, us, ms, s

  /// By which power of ten a number is to be multiplied to give nanoseconds.
  var power: Int {
    switch self {
    case .ns: 0
    case .us: 3
    case .ms: 6
    case .s: 9
    }
  }
}
