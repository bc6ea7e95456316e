import ScrollTraceModel

/// Lines that Android's system libraries and apps write into the kernel's trace buffer:
/// `B|4242|Choreographer#doFrame 17`, and `E|4242` when it is over.
extension PerfettoReader {
  /// The category of what such lines tell.
  private static let category = "atrace"

  /// Takes a bundle of the kernel's events; `false` where it is damaged.
  mutating func takeKernelEvents(
    _ bundle: UnsafeRawBufferPointer, in builder: inout TraceBuilder
  ) -> Bool {
    var (clock, kernelTime, bootTime) = (UInt64(0), Int64?.none, Int64?.none)
    var fields = WireFields(bundle)
    while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (3, false): if fields.value != 0 { builder.countLoss(.sourceDroppedRecords) }
      case (5, false): clock = fields.value
      case (6, false): kernelTime = fields.signed
      case (7, false): bootTime = fields.signed
      default: break
      }
    }
    guard !fields.isDamaged else { return false }
    let shift = clock == 0 ? 0 : bootTime.flatMap { boot in kernelTime.map { boot &- $0 } }
    var isWhole = true
    var second = WireFields(bundle)
    while second.next() {
      guard second.number == 2, second.isBytes else { continue }
      isWhole = takeKernelEvent(second.bytes, shift: shift, in: &builder) && isWhole
    }
    return isWhole
  }

  /// Takes one event, whose time is `shift` nanoseconds off; that is `nil` where it cannot be known.
  private mutating func takeKernelEvent(
    _ event: UnsafeRawBufferPointer, shift: Int64?, in builder: inout TraceBuilder
  ) -> Bool {
    var (time, thread, line) = (UInt64(0), UInt64(0), UnsafeRawBufferPointer?.none)
    var fields = WireFields(event)
    while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (1, false): time = fields.value
      case (2, false): thread = PerfettoProcesses.processNumber(fields.value)
      case (3, true):
        var print = WireFields(fields.bytes)
        while print.next() { if print.number == 2, print.isBytes { line = print.bytes } }
        if print.isDamaged { return false }
      default: break
      }
    }
    guard !fields.isDamaged else { return false }
    // Events of other kinds, such as those of the scheduler, are none of ours.
    guard let line else { return true }
    guard let shift, let written = Int64(exactly: time),
      case let (sum, overflow) = written.addingReportingOverflow(shift), !overflow,
      let boot = UInt64(exactly: sum),
      let instant = clocks.place(boot, clock: nil, sequence: 0)
        .flatMap(Timestamp.init(nanoseconds:))
    else {
      builder.countLoss(.timeOutOfRange)
      return true
    }
    takeLine(line, at: instant, of: thread, in: &builder)
    return true
  }

  private mutating func takeLine(
    _ line: UnsafeRawBufferPointer, at time: Timestamp, of thread: UInt64,
    in builder: inout TraceBuilder
  ) {
    let text = line.last == UInt8(ascii: "\n") ? line.dropLast() : line[...]
    let parts = text.split(
      separator: UInt8(ascii: "|"), maxSplits: 3, omittingEmptySubsequences: false)
    guard let letter = parts.first, letter.count == 1, let phase = letter.first else { return }
    // The line names the process, not the thread; an end may name neither.
    let named = parts.count > 1 ? Self.number(parts[1]).flatMap(UInt64.init(exactly:)) : nil
    let process = named ?? processes.process(of: thread)
    if let named, named > 0 { processes.setProcess(named, of: thread) }
    var detail: PerfettoEvents.Detail?
    var name = parts.count > 2 ? parts[2] : text[text.endIndex...]
    let kind: PerfettoEvents.Kind
    switch (phase, parts.count) {
    case (UInt8(ascii: "E"), _): kind = .lineEnd
    case (UInt8(ascii: "B"), 3...), (UInt8(ascii: "I"), 3...):
      kind = phase == UInt8(ascii: "B") ? .lineBegin : .instant
      // A name may have bars in it itself.
      name = text[name.startIndex...]
    case (UInt8(ascii: "S"), 4), (UInt8(ascii: "F"), 4), (UInt8(ascii: "C"), 4):
      guard let number = Self.number(parts[3]) else { return builder.countLoss(.invalidValue) }
      detail = PerfettoEvents.Detail(
        value: Double(number), id: UInt64(bitPattern: number), isLocal: true)
      kind =
        phase == UInt8(ascii: "C")
        ? .sample : phase == UInt8(ascii: "S") ? .asyncBegin : .asyncEnd
    default: return
    }
    let entry = events.entry(
      category: builder.string(Self.category),
      name: kind == .lineEnd
        ? .empty
        : builder.string(UnsafeRawBufferPointer(rebasing: name).bindMemory(to: UInt8.self)),
      in: &builder)
    let track = tracks.position(process: process, thread: thread)
    events.add(
      PerfettoEvents.Event(
        time: time, track: Int32(truncatingIfNeeded: track), home: -1, entry: entry, kind: kind),
      detail)
    builder.extend(to: time)
  }

  private static func number(_ text: Slice<UnsafeRawBufferPointer>) -> Int64? {
    JSONNumber.integer(UnsafeRawBufferPointer(rebasing: text))
  }
}
