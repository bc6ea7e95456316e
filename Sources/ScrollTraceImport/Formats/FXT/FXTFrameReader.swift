internal import ScrollTraceLayout
internal import ScrollTraceModel

/// Reads the events of frames as recorders write them, without the arguments in between: with names, thread
/// and keys that the tables know, and with words and whole numbers as values.
///
/// Nearly all have one of a few forms, in which only numbers differ. Anything else is left to the reader of all
/// events.
struct FXTFrameReader: ~Copyable {
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
    /// Whether the arguments say nothing but what is known of the frame and its thread.
    var isOfFrameAlone = true
  }

  /// An argument of a form.
  private struct Field {
    /// The position of the argument's first word.
    var position = 0
    /// The bits of the first word that are the same in all events of the form.
    var mask: UInt64 = 0
    var bits: UInt64 = 0
    /// The position of the word with the number, and by how many bits it is shifted.
    var numberPosition = 0
    var shift: UInt64 = 0
    /// The bit that no number has which is not negative.
    var sign: UInt64 = 0
    var place = Place.none
    var name = StringID.empty
    var type = FXT.ArgumentType.null
    /// The word that is the value of a string.
    var word = StringID.empty

    func argument(_ number: UInt64) -> Argument {
      let value: ArgumentValue =
        switch type {
        case .int32, .int64: .integer(Int64(bitPattern: number))
        case .string: .string(word)
        default: .unsigned(number)
        }
      return Argument(key: name, value: value)
    }
  }

  /// What a number means.
  private enum Place: Int, CaseIterable {
    case frame, begin, commitStart, commitEnd, deadline, target, presented, interval
    case cpu, ready, preemptions, waits, faults, diskFaults
    case none

    init(_ key: Vocabulary.Key?) {
      switch key {
      case .frame: self = .frame
      case .begin: self = .begin
      case .commitStart: self = .commitStart
      case .commitEnd: self = .commitEnd
      case .deadline: self = .deadline
      case .target: self = .target
      case .presented: self = .presented
      case .interval: self = .interval
      case .cpu: self = .cpu
      case .ready: self = .ready
      case .preemptions: self = .preemptions
      case .waits: self = .waits
      case .faults: self = .faults
      case .diskFaults: self = .diskFaults
      default: self = .none
      }
    }
  }

  private(set) var label = FXTLabel(LabelID(rawValue: 0), .frame)
  private(set) var thread: UInt32 = 0
  private(set) var time = Timestamp.zero
  /// The end of the commit's span, or `nil` for an instant.
  private(set) var end: Timestamp?
  /// The frame as far as the event says, without its track.
  var frame = Frame(id: 0)
  /// What the system has counted for the thread.
  private(set) var counts = ThreadTimeSample()
  /// The arguments of the last span, or nothing if none are wanted.
  private(set) var arguments: [Argument] = []
  /// Whether arguments are wanted that say nothing but what is known of the frame and its thread.
  private let keepsFrameArguments: Bool
  /// The most recent forms, by their headers.
  private var forms = [Form](repeating: Form(), count: 16)
  /// The arguments of each form, at most 15.
  private let fields = UnsafeMutableBufferPointer<Field>.allocate(capacity: 16 * 16)
  /// The last number of each meaning, or -1.
  private let numbers = UnsafeMutableBufferPointer<Int64>.allocate(capacity: Place.allCases.count)

  init(keepsFrameArguments: Bool) {
    self.keepsFrameArguments = keepsFrameArguments
    fields.initialize(repeating: Field())
    numbers.initialize(repeating: -1)
  }

  deinit {
    fields.deallocate()
    numbers.deallocate()
  }

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
      let key = vocabulary.key(name)
      var field = Field(
        position: cursor, mask: 0xffff_ffff, numberPosition: cursor, shift: 32, place: Place(key),
        name: name, type: type)
      switch type {
      case .int32 where size == 1: field.sign = 1 << 31
      case .uint32 where size == 1: break
      case .int64 where size == 2, .uint64 where size == 2:
        (field.numberPosition, field.shift, field.sign) = (cursor + 1, 0, 1 << 63)
      case .string where size == 1:
        field.mask = .max
        let index = argument.bits(32, 16)
        guard key == .outcome, index & FXT.inlineBit == 0,
          let word = tables.knownName(Int(index)), let said = vocabulary.outcome(.string(word))
        else { return false }
        field.word = word
        (form.outcome, form.wasOnTime) = said
      default: return false
      }
      if type != .string {
        // The first number is the frame's, and an outcome is a word.
        guard key != .outcome, key != .frame || !hasID else { return false }
        hasID = hasID || key == .frame
        form.isOfFrameAlone = form.isOfFrameAlone && field.place != .none
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
    let fields = UnsafeBufferPointer(rebasing: self.fields[slot * 16..<slot * 16 + form.fieldCount])
    numbers.update(repeating: -1)
    var (difference, sign) = (UInt64.zero, UInt64.zero)
    for field in fields {
      let number = record[field.numberPosition] &>> field.shift
      difference |= record[field.position] & field.mask ^ field.bits
      sign |= number & field.sign
      numbers[field.place.rawValue] = Int64(bitPattern: number)
    }
    guard difference == 0, sign == 0 else { return false }
    (label, thread) = (form.label, form.thread)
    time = Timestamp(clamping: Int64(bitPattern: start))
    end = form.isSpan ? Timestamp(clamping: Int64(bitPattern: last)) : nil
    makeFrame(of: form)
    counts.$cpu = self[.cpu]
    counts.$ready = self[.ready]
    counts.$preemptions = self[.preemptions]
    counts.$waits = self[.waits]
    counts.$faults = self[.faults]
    counts.$diskFaults = self[.diskFaults]
    guard form.isSpan else { return true }
    arguments.removeAll(keepingCapacity: true)
    if keepsFrameArguments || !form.isOfFrameAlone {
      for field in fields {
        arguments.append(field.argument(record[field.numberPosition] &>> field.shift))
      }
    }
    return true
  }

  @inline(__always) private mutating func makeFrame(of form: Form) {
    var frame = Frame(id: UInt64(bitPattern: self[.frame]))
    frame.start = time(.begin)
    frame.commitStart = time(.commitStart) ?? (form.isSpan ? time : nil)
    frame.commitEnd = time(.commitEnd) ?? end
    frame.deadline = time(.deadline)
    frame.target = time(.target)
    frame.presented = time(.presented)
    frame.refreshInterval = time(.interval).map { $0 - .zero }
    (frame.outcome, frame.wasOnTime) = (form.outcome, form.wasOnTime)
    self.frame = frame
  }

  @inline(__always) private subscript(place: Place) -> Int64 { numbers[place.rawValue] }

  @inline(__always) private func time(_ place: Place) -> Timestamp? {
    self[place] < 0 ? nil : Timestamp(clamping: self[place])
  }
}
