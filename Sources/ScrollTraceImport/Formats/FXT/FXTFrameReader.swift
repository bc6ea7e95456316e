internal import ScrollTraceLayout
internal import ScrollTraceModel

/// Reads the events of frames as recorders write them, without the arguments in between: with names, thread
/// and keys that the tables know, and with words and whole numbers as values.
///
/// Nearly all have one of a few forms, in which only numbers differ. Anything else is left to the reader of all
/// events.
struct FXTFrameReader {
  /// The words that all events of a form have, but those of its arguments, and what they mean.
  private struct Form {
    var epoch: UInt32 = 0
    /// The header, or 0 if there is no form.
    var header: UInt64 = 0
    var label = FXTLabel(LabelID(rawValue: 0), .frame)
    var thread: UInt32 = 0
    var isSpan = false
    var outcome = FrameOutcome.unknown
    var wasOnTime = false
    var fieldCount = 0
  }

  /// An argument of a form.
  private struct Field {
    /// The position of the argument's first word.
    var position = 0
    /// The bits of the first word that are the same in all events of the form.
    var mask: UInt64 = 0
    var bits: UInt64 = 0
    var name = StringID.empty
    var type = FXT.ArgumentType.null
    /// The meaning of the value, or `nil` if it has none here.
    var key: Vocabulary.Key?
    /// The word that is the value of a string.
    var word = StringID.empty

    @inline(__always)
    func argument(_ number: Int64) -> Argument {
      let value: ArgumentValue =
        switch type {
        case .int32, .int64: .integer(number)
        case .string: .string(word)
        default: .unsigned(UInt64(number))
        }
      return Argument(key: name, value: value)
    }
  }

  private(set) var label = FXTLabel(LabelID(rawValue: 0), .frame)
  private(set) var thread: UInt32 = 0
  private(set) var time = Timestamp.zero
  /// The end of the commit's span, or `nil` for an instant.
  private(set) var end: Timestamp?
  private(set) var frame = Frame(id: 0)
  /// What the system has counted for the thread.
  private(set) var counts = ThreadTimeSample()
  /// The arguments of the last span.
  private(set) var arguments: [Argument] = []
  /// The most recent forms, by their headers.
  private var forms = [Form](repeating: Form(), count: 16)
  /// The arguments of each form, at most 15.
  private var fields = [Field](repeating: Field(), count: 16 * 16)

  /// Reads an event; returns `false` if it has another form.
  mutating func read(
    _ record: FXTRecord, _ tables: inout FXTTables, _ vocabulary: borrowing FXTVocabulary
  ) -> Bool {
    let header = record.header
    let slot = Int((header &* 0x9E37_79B9_7F4A_7C15) >> 60)
    guard tables.clock.countsNanoseconds else { return false }
    let isKnown = forms[slot].header == header && forms[slot].epoch == tables.epoch
    if isKnown, readNumbers(of: record, slot) { return true }
    guard findForm(of: record, slot, &tables, vocabulary) else {
      forms[slot].header = 0
      return false
    }
    return readNumbers(of: record, slot)
  }

  /// Finds the form of an event; returns `false` if it is left to the reader of all events.
  private mutating func findForm(
    of record: FXTRecord, _ slot: Int, _ tables: inout FXTTables,
    _ vocabulary: borrowing FXTVocabulary
  ) -> Bool {
    let header = record.header
    var form = Form(epoch: tables.epoch, header: header)
    form.isSpan = header.bits(16, 4) == UInt64(FXT.EventType.durationComplete.rawValue)
    guard form.isSpan || header.bits(16, 4) == UInt64(FXT.EventType.instant.rawValue),
      header & 0x8000_8000_0000_0000 == 0, header & 0xff00_0000 != 0, record.count >= 3,
      let label = tables.labels.find(FXTLabel.key(epoch: tables.epoch, header: header)),
      label.role == .frame, let thread = tables.knownThread(Int(header.bits(24, 8)))
    else { return false }
    (form.label, form.thread) = (label, thread)
    let rest = record.count - (form.isSpan ? 1 : 0)
    var cursor = 2
    var hasID = false
    for _ in 0..<header.bits(20, 4) {
      guard cursor < rest else { return false }
      let argument = record[cursor]
      let size = Int(argument.bits(4, 12))
      guard size == 1 || size == 2, size <= rest - cursor, argument & 0x8000_0000 == 0,
        argument & 0x7fff_0000 != 0, let name = tables.knownName(Int(argument.bits(16, 15))),
        let type = FXT.ArgumentType(rawValue: argument.bits(0, 4))
      else { return false }
      var field = Field(
        position: cursor, mask: 0xffff_ffff, name: name, type: type, key: vocabulary.key(name))
      switch type {
      case .int32 where size == 1, .uint32 where size == 1: break
      case .int64 where size == 2, .uint64 where size == 2: break
      case .string where size == 1:
        field.mask = .max
        let index = argument.bits(32, 16)
        guard field.key == .outcome, index & FXT.inlineBit == 0,
          let word = tables.knownName(Int(index)), let said = vocabulary.outcome(.string(word))
        else { return false }
        field.word = word
        (form.outcome, form.wasOnTime) = said
      default: return false
      }
      if type != .string {
        // The first number is the frame's, and an outcome is a word.
        guard field.key != .outcome, field.key != .frame || !hasID else { return false }
        hasID = hasID || field.key == .frame
      }
      field.bits = argument & field.mask
      fields[slot * 16 + form.fieldCount] = field
      form.fieldCount += 1
      cursor += size
    }
    forms[slot] = form
    return hasID && (!form.isSpan || cursor == rest)
  }

  /// Reads an event with the header of a form; returns `false` if it has another form, or a number is negative.
  private mutating func readNumbers(of record: FXTRecord, _ slot: Int) -> Bool {
    let form = forms[slot]
    let (start, last) = (record[1], form.isSpan ? record[record.count - 1] : record[1])
    guard start <= last, last <= UInt64(Int64.max) else { return false }
    time = Timestamp(clamping: Int64(bitPattern: start))
    end = form.isSpan ? Timestamp(clamping: Int64(bitPattern: last)) : nil
    (label, thread) = (form.label, form.thread)
    frame = Frame(id: 0)
    frame.commitStart = form.isSpan ? time : nil
    frame.commitEnd = end
    (frame.outcome, frame.wasOnTime) = (form.outcome, form.wasOnTime)
    counts = ThreadTimeSample()
    if form.isSpan, arguments.count != form.fieldCount {
      arguments = Array(repeating: Argument(key: .empty, value: .null), count: form.fieldCount)
    }
    for index in 0..<form.fieldCount {
      let field = fields[slot * 16 + index]
      let argument = record[field.position]
      guard argument & field.mask == field.bits else { return false }
      let number: Int64 =
        switch field.type {
        case .int32: Int64(Int32(truncatingIfNeeded: argument >> 32))
        case .uint32: Int64(argument >> 32)
        case .int64, .uint64: Int64(bitPattern: record[field.position + 1])
        default: 0
        }
      guard number >= 0 else { return false }
      if form.isSpan { arguments[index] = field.argument(number) }
      if field.type != .string { add(number, field.key) }
    }
    return true
  }

  @inline(__always)
  private mutating func add(_ number: Int64, _ key: Vocabulary.Key?) {
    if key == .frame {
      frame.id = UInt64(number)
    } else if !frame.set(key, to: Timestamp(clamping: number)) {
      counts.set(key, to: number)
    }
  }
}
