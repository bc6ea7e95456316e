import ScrollTraceModel

/// What was said on each sequence of packets and holds for those that come: names given once, and
/// what is meant where nothing is said.
struct PerfettoSequences {
  /// The state of one sequence.
  struct State {
    /// Whether nothing is missing that packets may refer to.
    var isValid = false
    var defaultClock: UInt32?
  }

  private(set) var states: [State] = []
  private var positions: [UInt32: Int] = [:]

  /// The position of the sequence called `number`, which is new where it was never met.
  mutating func position(_ number: UInt32) -> Int {
    if let known = positions[number] { return known }
    positions[number] = states.count
    states.append(State())
    return states.count - 1
  }

  /// Takes what `packet` says of its sequence; `false` where it needs what was lost.
  mutating func enter(
    _ packet: PerfettoPacket, countingLossesIn builder: inout TraceBuilder
  ) -> Bool {
    let isNew = positions[packet.sequence] == nil
    let position = position(packet.sequence)
    if packet.clearsState {
      states[position] = State()
      states[position].isValid = true
    } else if packet.followsLoss {
      states[position].isValid = false
    }
    if packet.followsLoss, !isNew, !packet.isFirst { builder.countLoss(.sourceDroppedRecords) }
    if let defaults = packet.defaults, !takeDefaults(defaults, at: position) {
      builder.countLoss(.malformedRecord)
    }
    return !packet.needsState || states[position].isValid
  }

  private mutating func takeDefaults(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Bool {
    var fields = WireFields(bytes)
    while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (58, false): states[position].defaultClock = UInt32(truncatingIfNeeded: fields.value)
      default: break
      }
    }
    return !fields.isDamaged
  }

  /// The clock that packets of the sequence mean where they name none; `nil` for the usual one.
  func defaultClock(of sequence: UInt32) -> UInt32? {
    positions[sequence].flatMap { states[$0].defaultClock }
  }
}
