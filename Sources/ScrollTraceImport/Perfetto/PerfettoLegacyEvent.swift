/// How events were told before they had a kind: Chrome's phases.
struct PerfettoLegacyEvent {
  private(set) var phase: UInt8 = 0
  private(set) var name: UInt64?
  /// Microseconds.
  private(set) var duration: Int64?
  private(set) var id: UInt64?
  /// Whether the id is only good in its process.
  private(set) var isLocal = false
  private(set) var flow: UInt64?
  /// 1 where an arrow ends here, 2 where it begins, 3 for a station.
  private(set) var flowDirection: UInt64 = 0
  private(set) var process: UInt64?
  private(set) var thread: UInt64?

  /// What the older part of an event says in `bytes`; `nil` where it is damaged.
  init?(_ bytes: UnsafeRawBufferPointer) {
    var fields = WireFields(bytes)
    while fields.next() {
      guard !fields.isBytes else { continue }
      switch fields.number {
      case 1: name = fields.value
      case 2: phase = UInt8(truncatingIfNeeded: fields.value)
      case 3: duration = fields.signed
      case 6, 11: id = fields.value
      case 10: (id, isLocal) = (fields.value, true)
      case 8: flow = fields.value
      case 13: flowDirection = fields.value
      case 18: process = PerfettoProcesses.processNumber(fields.value)
      case 19: thread = PerfettoProcesses.processNumber(fields.value)
      default: break
      }
    }
    guard !fields.isDamaged else { return nil }
  }
}
