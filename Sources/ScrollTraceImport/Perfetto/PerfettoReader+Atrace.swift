import ScrollTraceModel

/// Lines that Android's system libraries and apps write into the kernel's trace buffer:
/// `B|4242|Choreographer#doFrame 17`, and `E|4242` when it is over.
extension PerfettoReader {
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
    _ bytes: UnsafeRawBufferPointer, at time: Timestamp, of thread: UInt64,
    in builder: inout TraceBuilder
  ) {
    let text = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...]
    let line: PerfettoLine
    switch PerfettoLine.read(text) {
    case .line(let read): line = read
    case .none: return
    case .loss(let cause): return builder.countLoss(cause)
    }
    // The line names the process, not the thread; an end may name neither.
    let process = line.process ?? processes.process(of: thread)
    if let named = line.process, named > 0 { processes.setProcess(named, of: thread) }
    let track =
      line.lane.map {
        tracks.position(
          process: process, thread: nil, lane: string($0, in: &builder), cookie: line.number ?? 0)
      } ?? tracks.position(process: process, thread: thread)
    let event = PerfettoEvents.Event(
      time: time, spot: events.spot(track: track, home: nil),
      entry: entry(of: line, in: &builder), kind: line.kind)
    if let number = line.number {
      events.add(
        event,
        PerfettoEvents.Detail(
          value: Double(number), id: UInt64(bitPattern: number), isLocal: true))
    } else {
      events.add(event)
    }
    builder.extend(to: time)
  }

  private mutating func entry(
    of line: PerfettoLine, in builder: inout TraceBuilder
  ) -> Int32 {
    let category = lineCategory ?? builder.string("atrace")
    lineCategory = category
    let name = string(line.commonName, in: &builder)
    return events.entry(category: category, name: name, in: &builder)
  }

  private func string(_ text: PerfettoLine.Text, in builder: inout TraceBuilder) -> StringID {
    builder.string(UnsafeRawBufferPointer(rebasing: text).bindMemory(to: UInt8.self))
  }
}
