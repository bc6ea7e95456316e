import ScrollTraceLayout
import ScrollTraceModel

/// The counts of threads as counters, and their states as kernel events.
extension PerfettoWriter {
  /// Writes the samples and slices of all threads.
  mutating func writeThreadTimes() {
    for (id, track) in trace.numberedTracks where !track.threadTimes.isEmpty {
      write(track.threadTimes, on: id)
      guard !output.hasFailed else { return }
    }
    guard trace.tracks.contains(where: { !$0.threadStates.isEmpty }) else { return }
    if PerfettoSwitches.canTell(trace, numbers) {
      writeSwitches()
    } else {
      for (id, track) in trace.numberedTracks where !track.threadStates.isEmpty {
        write(track.threadStates, on: id)
      }
    }
  }

  private mutating func write(_ times: ThreadTimeColumns, on track: TrackID) {
    var counter = ProtoMessage()
    counter.add(Field.Counter.type, Field.Counter.threadTime)
    let row = addTrack(
      Field.Track.counter, counter, name: "CPU time", parent: threadTracks[track.index])
    for index in 0..<times.count {
      let sample = times[index]
      if !sample.hasOnlyCPU { leftOut.add(.threadTime) }
      guard let cpu = sample.cpu else { continue }
      addValue(Double(cpu), of: row, at: Timestamp(clamping: times.times[index]))
    }
  }

  /// Writes slices on a separate row: real switches would require the cores.
  private mutating func write(_ states: ThreadStateColumns, on track: TrackID) {
    let row = addTrack(name: "thread state", parent: threadTracks[track.index])
    leftOut.add(.threadState, states.count)
    for index in 0..<states.count {
      let name =
        switch states.states[index] {
        case .running: "Running"
        case .ready: "Runnable"
        case .blocked: "Sleeping"
        }
      addEvent(
        .start, on: row, at: Timestamp(clamping: states.starts[index]),
        Vocabulary.Category.thread.description, name)
      addEnd(on: row, at: Timestamp(clamping: states.ends[index]))
      guard !output.hasFailed else { return }
    }
  }

  // MARK: - Events of the kernel

  /// The maximum number of events in a bundle.
  private static var bundleSize: Int { 512 }

  private mutating func writeSwitches() {
    let switches = PerfettoSwitches(trace)
    leftOut.add(.threadState, switches.unwrittenCount)
    var bundle = ProtoMessage()
    var (core, count) = (Int16(0), 0)
    for event in switches.events {
      if count == Self.bundleSize || (count > 0 && event.core != core) {
        addBundle(bundle)
        count = 0
      }
      if count == 0 {
        core = event.core
        bundle = ProtoMessage()
        bundle.add(Field.Kernel.core, UInt64(UInt16(bitPattern: core)))
      }
      bundle.add(Field.Kernel.event, message(event))
      count += 1
      guard !output.hasFailed else { return }
    }
    if count > 0 { addBundle(bundle) }
  }

  private mutating func addBundle(_ bundle: ProtoMessage) {
    var packet = ProtoMessage()
    packet.add(Field.Packet.kernel, bundle)
    add(packet)
  }

  private func message(_ event: PerfettoSwitches.Event) -> ProtoMessage {
    var message = ProtoMessage()
    message.add(Field.Kernel.time, UInt64(Timestamp(clamping: event.time).nanoseconds))
    message.add(Field.Kernel.thread, number(event.thread))
    var content = ProtoMessage()
    if let reason = event.reason {
      content.add(Field.Switch.previousName, name(event.thread))
      content.add(Field.Switch.previous, number(event.thread))
      content.add(Field.Switch.reason, reason)
      content.add(Field.Switch.nextName, name(event.other))
      content.add(Field.Switch.next, number(event.other))
      message.add(Field.Kernel.schedulerSwitch, content)
    } else {
      content.add(Field.Wakeup.name, name(event.other))
      content.add(Field.Wakeup.thread, number(event.other))
      message.add(Field.Kernel.wakeup, content)
    }
    return message
  }

  private func number(_ track: TrackID?) -> Int64 { track.map { numbers.threads[$0.index] } ?? 0 }

  private func name(_ track: TrackID?) -> String {
    track.map { trace.tracks[$0.index].name } ?? "swapper"
  }
}
