internal import ScrollTraceLayout
internal import ScrollTraceModel

/// Reads the events of frames as recorders write them, without the arguments in between: with names, thread
/// and keys that the tables know, and with words and whole numbers as values.
///
/// Anything else is left to the reader of all events.
struct FXTFrameReader {
  private(set) var label = FXTLabel(LabelID(rawValue: 0), .frame)
  private(set) var thread: UInt32 = 0
  private(set) var time = Timestamp.zero
  /// The end of the commit's span, or `nil` for an instant.
  private(set) var end: Timestamp?
  private(set) var frame = Frame(id: 0)
  /// What the system has counted for the thread.
  private(set) var counts = ThreadTimeSample()
  private(set) var arguments: [Argument] = []

  /// Reads an event; returns `false` if it has another form.
  mutating func read(
    _ record: FXTRecord, _ tables: inout FXTTables, _ vocabulary: borrowing FXTVocabulary
  ) -> Bool {
    let header = record.header
    let isSpan = header.bits(16, 4) == UInt64(FXT.EventType.durationComplete.rawValue)
    guard isSpan || header.bits(16, 4) == UInt64(FXT.EventType.instant.rawValue),
      header & 0x8000_8000_0000_0000 == 0, header & 0xff00_0000 != 0, record.count >= 3,
      tables.clock.countsNanoseconds, let time = Self.time(record[1]),
      let label = tables.labels.find(FXTLabel.key(epoch: tables.epoch, header: header)),
      label.role == .frame, let thread = tables.knownThread(Int(header.bits(24, 8)))
    else { return false }
    (self.label, self.thread, self.time) = (label, thread, time)
    let rest = record.count - (isSpan ? 1 : 0)
    end = isSpan ? Self.time(record[rest]) : nil
    if isSpan, end.map({ $0 < time }) ?? true { return false }
    frame = Frame(id: 0)
    frame.commitStart = isSpan ? time : nil
    frame.commitEnd = end
    counts = ThreadTimeSample()
    if !arguments.isEmpty { arguments.removeAll(keepingCapacity: true) }
    var cursor = 2
    var hasID = false
    for _ in 0..<header.bits(20, 4) {
      guard cursor < rest else { return false }
      let argument = record[cursor]
      let size = Int(argument.bits(4, 12))
      guard size == 1 || size == 2, size <= rest - cursor, argument & 0x8000_0000 == 0,
        argument & 0x7fff_0000 != 0, let name = tables.knownName(Int(argument.bits(16, 15)))
      else { return false }
      let value: ArgumentValue
      switch FXT.ArgumentType(rawValue: argument.bits(0, 4)) {
      case .string where size == 1:
        let index = argument.bits(32, 16)
        guard vocabulary.key(name) == .outcome, index & FXT.inlineBit == 0,
          let word = tables.knownName(Int(index)), let said = vocabulary.outcome(.string(word))
        else { return false }
        (frame.outcome, frame.wasOnTime) = said
        value = .string(word)
      case .int32 where size == 1:
        value = .integer(Int64(Int32(truncatingIfNeeded: argument >> 32)))
      case .uint32 where size == 1: value = .unsigned(argument >> 32)
      case .int64 where size == 2: value = .integer(Int64(bitPattern: record[cursor + 1]))
      case .uint64 where size == 2: value = .unsigned(record[cursor + 1])
      default: return false
      }
      if let number = value.unsigned {
        guard number <= UInt64(Int64.max), add(Int64(number), vocabulary.key(name), &hasID) else {
          return false
        }
      } else if case .integer = value {
        return false
      }
      if isSpan { arguments.append(Argument(key: name, value: value)) }
      cursor += size
    }
    return hasID && (!isSpan || cursor == rest)
  }

  /// Adds the number of a key; returns `false` if the key has words.
  @inline(__always)
  private mutating func add(_ number: Int64, _ key: Vocabulary.Key?, _ hasID: inout Bool) -> Bool {
    if frame.set(key, to: Timestamp(clamping: number)) { return true }
    switch key {
    case .frame:
      if !hasID { frame.id = UInt64(number) }
      hasID = true
    case .outcome: return false
    default: counts.set(key, to: number)
    }
    return true
  }

  @inline(__always)
  private static func time(_ word: UInt64) -> Timestamp? {
    Int64(exactly: word).map { Timestamp(clamping: $0) }
  }
}
