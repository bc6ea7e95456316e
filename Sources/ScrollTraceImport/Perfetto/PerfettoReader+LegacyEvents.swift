import ScrollTraceModel

/// Events as they were told before they had a kind, a track and a time of their own.
extension PerfettoReader {
  /// The phases that mean nothing here, as in Chrome's JSON format.
  private static let passedPhases = Set("PNDOVvc()nTp".utf8)

  /// The track that an older event names by the numbers of a process, a thread or both.
  mutating func track(
    of legacy: PerfettoLegacyEvent, home: Int?, at position: Int
  ) -> Int? {
    // Zero says nothing, and the largest number, which is -1, that there is none.
    let named = legacy.process.flatMap { (1..<PerfettoProcesses.none).contains($0) ? $0 : nil }
    let thread = legacy.thread ?? 0
    guard named != nil || thread > 0 else { return nil }
    guard thread != PerfettoProcesses.none else {
      return (named ?? process(home: home, at: position)).map {
        tracks.position(process: $0, thread: nil)
      }
    }
    guard thread > 0 else { return named.map { tracks.position(process: $0, thread: $0) } }
    let process = named ?? process(home: home, at: position) ?? processes.process(of: thread)
    return tracks.position(process: process, thread: thread)
  }

  /// The process that writes the sequence, as far as it is known by now.
  private mutating func process(home: Int?, at position: Int) -> UInt64? {
    sequences.states[position].thread?.process ?? home.flatMap { tracks.owner(of: $0).process }
  }

  /// When the event was, which older writers tell in microseconds, from an instant of the sequence on.
  @inline(never)
  mutating func olderTime(
    of event: PerfettoTrackEvent, _ packet: PerfettoPacket, at position: Int,
    in builder: inout TraceBuilder
  ) -> Timestamp? {
    let micro: Int64 = 1000
    var nanoseconds: Int64?
    if let absolute = event.absolute {
      let (product, overflow) = absolute.multipliedReportingOverflow(by: micro)
      nanoseconds = overflow ? nil : product
    } else {
      let delta = event.delta ?? 0
      let (product, first) = delta.multipliedReportingOverflow(by: micro)
      let (sum, second) = sequences.states[position].reference.addingReportingOverflow(product)
      nanoseconds = first || second ? nil : sum
      if let nanoseconds { sequences.states[position].reference = nanoseconds }
    }
    guard let time = nanoseconds.flatMap(Timestamp.init(nanoseconds:)) else {
      builder.countLoss(.timeOutOfRange)
      return nil
    }
    let monotonic = UInt64(time.nanoseconds)
    return clocks.place(monotonic, clock: PerfettoClocks.monotonic, sequence: packet.sequence)
      .flatMap(Timestamp.init(nanoseconds:)) ?? time
  }

  /// Adds the event as what its phase says.
  mutating func add(
    _ legacy: PerfettoLegacyEvent, _ new: PerfettoEvents.Event,
    _ content: UnsafeRawBufferPointer, at position: Int, in builder: inout TraceBuilder
  ) {
    var new = new
    switch legacy.phase {
    case UInt8(ascii: "B"): new.kind = .start
    case UInt8(ascii: "E"): new.kind = .end
    case UInt8(ascii: "X"): new.kind = .complete
    case UInt8(ascii: "I"), UInt8(ascii: "i"), UInt8(ascii: "R"): new.kind = .instant
    case UInt8(ascii: "b"), UInt8(ascii: "S"): new.kind = .asyncBegin
    case UInt8(ascii: "e"), UInt8(ascii: "F"): new.kind = .asyncEnd
    case UInt8(ascii: "C"): new.kind = .samples
    case UInt8(ascii: "s"), UInt8(ascii: "t"), UInt8(ascii: "f"):
      guard let id = legacy.id else { return builder.countLoss(.invalidValue) }
      return events.add(flow(id, isEnd: legacy.phase == UInt8(ascii: "f"), new))
    case _ where Self.passedPhases.contains(legacy.phase): return
    default: return builder.countLoss(.unknownRecord)
    }
    var detail = detail(of: content, &new, at: position, in: &builder)
    if new.kind == .samples, detail == nil {
      detail = PerfettoEvents.Detail(
        arguments: arguments(of: content, at: position, in: &builder))
    }
    if new.kind == .complete {
      let (length, overflow) = (legacy.duration ?? 0).multipliedReportingOverflow(by: 1000)
      guard !overflow else { return builder.countLoss(.timeOutOfRange) }
      detail = detail ?? PerfettoEvents.Detail()
      detail?.length = length
    }
    if new.kind == .asyncBegin || new.kind == .asyncEnd {
      guard let id = legacy.id else { return builder.countLoss(.invalidValue) }
      detail = detail ?? PerfettoEvents.Detail()
      detail?.id = id
      detail?.isLocal = legacy.isLocal
    }
    if let detail { events.add(new, detail) } else { events.add(new) }
  }
}
