import ScrollTraceModel

/// What was said on each sequence of packets and holds for those that come: names given once, and
/// what is meant where nothing is said.
struct PerfettoSequences {
  /// The state of one sequence.
  struct State {
    /// Whether nothing is missing that packets may refer to.
    var isValid = false
    var names = PerfettoNames()
    var defaultClock: UInt32?
    var defaultTrack: UInt64? {
      didSet { home = nil }
    }
    /// The thread that writes the sequence, as older writers tell it.
    var thread: (process: UInt64, thread: UInt64)? {
      didSet { home = nil }
    }
    /// The position of the track that is meant where none is named, once it was looked up.
    var home: Int?
    /// From when on older writers count the times of events, in nanoseconds.
    var reference: Int64 = 0
    /// What is told in steps adds up as long as this number stays.
    var epoch: UInt64 = 0
  }

  /// The states by their position.
  var states: [State] = []
  private var positions = PerfettoPositions()
  private var epochCount: UInt64 = 0

  /// Takes what `packet` says of its sequence, and gives the sequence's position; `nil` where the
  /// packet needs what was lost.
  @inline(__always)
  mutating func enter(_ packet: PerfettoPacket, in builder: inout TraceBuilder) -> Int? {
    let known = positions[UInt64(packet.sequence)]
    let position = known ?? addSequence(packet.sequence)
    if packet.clearsState {
      epochCount += 1
      states[position] = State(isValid: true, epoch: epochCount)
    } else if packet.followsLoss {
      states[position].isValid = false
    }
    if packet.followsLoss, known != nil, !packet.isFirst {
      builder.countLoss(.sourceDroppedRecords)
    }
    guard !packet.needsState || states[position].isValid else { return nil }
    if let defaults = packet.defaults, !takeDefaults(defaults, at: position) {
      builder.countLoss(.malformedRecord)
    }
    if let data = packet.internedData, !states[position].names.add(data, in: &builder) {
      builder.countLoss(.malformedRecord)
    }
    return position
  }

  private mutating func addSequence(_ number: UInt32) -> Int {
    positions.add(UInt64(number), at: states.count)
    epochCount += 1
    states.append(State(epoch: epochCount))
    return states.count - 1
  }

  private mutating func takeDefaults(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Bool {
    var isWhole = true
    var fields = WireFields(bytes)
    while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (58, false): states[position].defaultClock = PerfettoClocks.number(fields.value)
      case (11, true):
        var inner = WireFields(fields.bytes)
        while inner.next() {
          if inner.number == 11, !inner.isBytes { states[position].defaultTrack = inner.value }
        }
        isWhole = !inner.isDamaged
      default: break
      }
    }
    return isWhole && !fields.isDamaged
  }
}
