/// One event of Android's frame timeline: a frame that begins, expected or actual, or an end.
struct PerfettoFrameEvent {
  /// What an event tells.
  enum Kind: UInt8 {
    case expectedDisplay = 1
    case actualDisplay = 2
    case expectedSurface = 3
    case actualSurface = 4
    case end = 5

    var isExpected: Bool { self == .expectedDisplay || self == .expectedSurface }
    var isDisplay: Bool { self == .expectedDisplay || self == .actualDisplay }
  }

  /// How a frame came onto the screen, by Android's word.
  enum Presentation: UInt8 {
    case unspecified
    case onTime
    case late
    case early
    case dropped
    case unknown
  }

  let kind: Kind
  /// What joins a begin and its end.
  private(set) var cookie: Int64 = 0
  private(set) var token: Int64 = 0
  private(set) var process: UInt32 = 0
  private(set) var jank: UInt64 = 0
  private(set) var presentation = Presentation.unspecified
  /// Whether a value is none of those that its field may have.
  private(set) var hasInvalidValue = false

  /// The event in `bytes`; `nil` where it is damaged or lacks what tells it from others.
  init?(_ bytes: UnsafeRawBufferPointer) {
    var found: (kind: Kind, bytes: UnsafeRawBufferPointer)?
    var fields = WireFields(bytes)
    while fields.next() {
      guard fields.isBytes, fields.number <= 5,
        let kind = Kind(rawValue: UInt8(truncatingIfNeeded: fields.number))
      else { continue }
      found = (kind, fields.bytes)
    }
    guard !fields.isDamaged, let found else { return nil }
    kind = found.kind
    guard read(found.bytes) else { return nil }
  }

  /// Reads the fields; `false` where one that must be there is not.
  private mutating func read(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let isSurface = !kind.isDisplay
    // Frames of the display have no number of another frame, so that what follows moves up.
    let processField: UInt32 = isSurface ? 4 : 3
    let presentationField: UInt32 = isSurface ? 6 : 4
    let jankField: UInt32 = isSurface ? 9 : 7
    let predictionField: UInt32 = isSurface ? 10 : 8
    var seen: UInt32 = 0
    var fields = WireFields(bytes)
    while fields.next() {
      guard !fields.isBytes else { continue }
      if fields.number <= 4 { seen |= 1 << fields.number }
      if fields.number == 1 { cookie = fields.signed }
      guard kind != .end else { continue }
      if fields.number == 2 { token = fields.signed }
      if fields.number == processField { process = UInt32(truncatingIfNeeded: fields.value) }
      guard !kind.isExpected else { continue }
      if fields.number == presentationField {
        if let known = UInt8(exactly: fields.value).flatMap(Presentation.init(rawValue:)) {
          presentation = known
        } else {
          hasInvalidValue = true
        }
      }
      if fields.number == jankField { jank = fields.value }
      if fields.number == predictionField, fields.value > 3 { hasInvalidValue = true }
    }
    guard !fields.isDamaged else { return false }
    let needed: UInt32 = kind == .end ? 0b10 : isSurface ? 0b11110 : 0b1110
    return seen & needed == needed
  }
}
