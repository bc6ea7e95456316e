import ScrollTraceLayout
import ScrollTraceModel

/// The counts and states of threads.
extension RecordingWriter {
  /// Writes the samples and slices of all tracks, in chunks of their own.
  mutating func writeThreadTimes() {
    let isEmpty = trace.tracks.allSatisfy { $0.threadTimes.isEmpty && $0.threadStates.isEmpty }
    guard !isEmpty else { return }
    chunks.begin(.init(flags: RecordingLayout.ChunkFlag.durable))
    for (id, track) in trace.numberedTracks {
      for index in 0..<track.threadTimes.count {
        write(track.threadTimes[index], on: id, at: track.threadTimes.times[index])
        guard !chunks.output.hasFailed else { return }
      }
      for index in 0..<track.threadStates.count {
        write(track.threadStates, at: index, on: id)
        guard !chunks.output.hasFailed else { return }
      }
    }
    chunks.end()
  }

  private mutating func write(_ sample: ThreadTimeSample, on track: TrackID, at time: Int64) {
    typealias Key = Vocabulary.Key
    let counts: [(Vocabulary.Key, Int64?)] = [
      (Key.cpu, sample.cpu), (Key.ready, sample.ready), (Key.preemptions, sample.preemptions),
      (Key.waits, sample.waits), (Key.faults, sample.faults), (Key.diskFaults, sample.diskFaults),
    ]
    var arguments: [(key: FXTWriter.Name, value: FXTWriter.Value)] = []
    for (key, count) in counts {
      guard let count = count.flatMap({ UInt64(exactly: $0) }) else { continue }
      arguments.append((chunks.names.name(key), .uint64(count)))
    }
    add(Vocabulary.Thread.time, on: track, at: time, arguments, as: .threadTime)
  }

  private mutating func write(_ states: ThreadStateColumns, at index: Int, on track: TrackID) {
    typealias Key = Vocabulary.Key
    let end = UInt64(Timestamp(clamping: states.ends[index]).nanoseconds)
    var arguments: [(key: FXTWriter.Name, value: FXTWriter.Value)] = [
      (chunks.names.name(Key.end), .uint64(end))
    ]
    let name: StaticString
    switch states.states[index] {
    case .running: name = Vocabulary.Thread.running
    case .ready: name = Vocabulary.Thread.ready
    case .blocked: name = Vocabulary.Thread.blocked
    }
    if let core = UInt32(exactly: states.cores[index]) {
      arguments.append((chunks.names.name(Key.core), .uint32(core)))
    }
    if let waker = states.waker(at: index) {
      let thread = trace.tracks[waker.index]
      arguments.append((chunks.names.name(Key.waker), .uint64(thread.systemID)))
      if thread.process != trace.tracks[track.index].process {
        let process = trace.processes[thread.process.index].systemID
        arguments.append((chunks.names.name(Key.process), .uint64(process)))
      }
    }
    add(name, on: track, at: states.starts[index], arguments, as: .threadState)
  }

  private mutating func add(
    _ name: StaticString, on track: TrackID, at time: Int64,
    _ arguments: [(key: FXTWriter.Name, value: FXTWriter.Value)], as kind: ExportOmissions.Kind
  ) {
    chunks.add(
      .init(
        event: .instant, track: track, category: chunks.names.name(Vocabulary.Category.thread),
        name: chunks.names.name(name), time: Timestamp(clamping: time), arguments: arguments),
      as: kind)
  }
}
