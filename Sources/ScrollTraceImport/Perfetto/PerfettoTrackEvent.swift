/// What one event of a track says, before names and tracks are looked up.
struct PerfettoTrackEvent {
  /// What an event is, by its number.
  enum Kind: UInt64 {
    case begin = 1
    case end = 2
    case instant = 3
    case counter = 4
  }

  /// How events were told before they had a kind: Chrome's phases.
  struct Legacy {
    var phase: UInt8 = 0
    var name: UInt64?
    /// Microseconds.
    var duration: Int64?
    var id: UInt64?
    /// Whether the id is only good in its process.
    var isLocal = false
    var flow: UInt64?
    /// 1 where an arrow ends here, 2 where it begins, 3 for a station.
    var flowDirection: UInt64 = 0
    var process: UInt64?
    var thread: UInt64?
  }

  var kind: UInt64 = 0
  var track: UInt64?
  var nameNumber: UInt64?
  var name: UnsafeRawBufferPointer?
  var categoryNumber: UInt64?
  /// The categories behind the first one; few events have more than one.
  var moreCategoryNumbers: [UInt64] = []
  var category: UnsafeRawBufferPointer?
  var value: Double?
  var integer: Int64?
  var flows: [UInt64] = []
  var endingFlows: [UInt64] = []
  var delta: Int64?
  var absolute: Int64?
  var legacy: Legacy?

  /// The event in `bytes`; `nil` where it is damaged.
  init?(_ bytes: UnsafeRawBufferPointer) {
    var fields = WireFields(bytes)
    while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (1, false): delta = fields.signed
      case (3, false): addCategory(fields.value)
      case (3, true): guard addCategories(fields.bytes) else { return nil }
      case (6, true):
        guard let read = Self.legacy(fields.bytes) else { return nil }
        legacy = read
      case (9, false): kind = fields.value
      case (10, false): nameNumber = fields.value
      case (11, false): track = fields.value
      case (16, false): absolute = fields.signed
      case (22, true): if category == nil { category = fields.bytes }
      case (23, true): name = fields.bytes
      case (30, false): integer = fields.signed
      case (44, false): value = fields.double
      case (36, false), (47, false): flows.append(fields.value)
      case (42, false), (48, false): endingFlows.append(fields.value)
      default: break
      }
    }
    guard !fields.isDamaged else { return nil }
  }

  private mutating func addCategory(_ number: UInt64) {
    if categoryNumber == nil { categoryNumber = number } else { moreCategoryNumbers.append(number) }
  }

  /// Reads numbers that stand one behind the other; `false` where the last one is cut.
  private mutating func addCategories(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var place = 0
    while place < bytes.count {
      guard let number = WireFields.varint(in: bytes, at: &place) else { return false }
      addCategory(number)
    }
    return true
  }

  private static func legacy(_ bytes: UnsafeRawBufferPointer) -> Legacy? {
    var legacy = Legacy()
    var fields = WireFields(bytes)
    while fields.next() {
      guard !fields.isBytes else { continue }
      switch fields.number {
      case 1: legacy.name = fields.value
      case 2: legacy.phase = UInt8(truncatingIfNeeded: fields.value)
      case 3: legacy.duration = fields.signed
      case 6, 11: legacy.id = fields.value
      case 10: (legacy.id, legacy.isLocal) = (fields.value, true)
      case 8: legacy.flow = fields.value
      case 13: legacy.flowDirection = fields.value
      case 18: legacy.process = PerfettoProcesses.processNumber(fields.value)
      case 19: legacy.thread = PerfettoProcesses.processNumber(fields.value)
      default: break
      }
    }
    return fields.isDamaged ? nil : legacy
  }
}
