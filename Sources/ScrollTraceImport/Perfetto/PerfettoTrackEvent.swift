/// What one event of a track says, before names and tracks are looked up.
struct PerfettoTrackEvent {
  /// What an event is, by its number.
  enum Kind: UInt64 {
    case start = 1
    case end = 2
    case instant = 3
    case counter = 4
    case state = 5
  }

  private(set) var kind: UInt64 = 0
  private(set) var track: UInt64?
  private(set) var nameNumber: UInt64?
  private(set) var name: UnsafeRawBufferPointer?
  private(set) var categoryNumber: UInt64?
  /// Whether there are categories behind the first one.
  private(set) var hasMoreCategories = false
  private(set) var category: UnsafeRawBufferPointer?
  private(set) var value: Double?
  private(set) var integer: Int64?
  /// Whether arrows begin, pass or end here.
  private(set) var hasFlows = false
  private(set) var delta: Int64?
  private(set) var absolute: Int64?
  /// What an event of the older form says.
  private(set) var legacy: UnsafeRawBufferPointer?

  private let bytes: UnsafeRawBufferPointer

  /// The event in `bytes`, which must outlive it; `nil` where it is damaged.
  @inline(__always)
  init?(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    var fields = WireFields(bytes)
    while fields.next() {
      if fields.isBytes {
        guard takeBytes(fields.bytes, fields.number) else { return nil }
      } else {
        takeNumber(fields)
      }
    }
    guard !fields.isDamaged else { return nil }
  }

  @inline(__always)
  private mutating func takeNumber(_ field: WireFields) {
    switch field.number {
    case 1: delta = field.signed
    case 3: addCategory(field.value)
    case 9: kind = field.value
    case 10: nameNumber = field.value
    case 11: track = field.value
    case 16: absolute = field.signed
    case 30: integer = field.signed
    case 36, 42, 47, 48: hasFlows = true
    case 44: value = field.double
    default: break
    }
  }

  /// Takes a field of bytes; `false` where it is damaged.
  @inline(__always)
  private mutating func takeBytes(_ bytes: UnsafeRawBufferPointer, _ field: UInt32) -> Bool {
    switch field {
    case 3:
      var place = 0
      while place < bytes.count {
        guard let number = WireFields.varint(in: bytes, at: &place) else { return false }
        addCategory(number)
      }
    case 6: legacy = bytes
    case 22: if category == nil { category = bytes }
    case 23: name = bytes
    default: break
    }
    return true
  }

  @inline(__always)
  private mutating func addCategory(_ number: UInt64) {
    if categoryNumber == nil { categoryNumber = number } else { hasMoreCategories = true }
  }

  /// Calls `body` with the number of each category, in their order.
  func forEachCategory(_ body: (UInt64) -> Void) {
    var fields = WireFields(bytes)
    while fields.next() {
      guard fields.number == 3 else { continue }
      guard fields.isBytes else {
        body(fields.value)
        continue
      }
      var place = 0
      while let number = WireFields.varint(in: fields.bytes, at: &place) { body(number) }
    }
  }

  /// Calls `body` with the id of each arrow, first of those that go on, and whether it ends here.
  func forEachFlow(_ body: (UInt64, Bool) -> Void) {
    for isEnd in [false, true] {
      var fields = WireFields(bytes)
      while fields.next() {
        let isFlow =
          isEnd
          ? fields.number == 42 || fields.number == 48
          : fields.number == 36 || fields.number == 47
        if isFlow, !fields.isBytes { body(fields.value, isEnd) }
      }
    }
  }
}
