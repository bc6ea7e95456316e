import ScrollTraceLayout
import ScrollTraceModel

/// The counts and states of threads.
extension NDJSONWriter {
  /// Writes the samples and slices of all threads that lines contain.
  mutating func writeThreadTimes() {
    for (id, track) in trace.numberedTracks {
      guard let name = threads[id.index] else {
        omit(.threadTime, track.threadTimes.count)
        omit(.threadState, track.threadStates.count)
        continue
      }
      for index in 0..<track.threadTimes.count {
        write(track.threadTimes[index], of: name, at: track.threadTimes.times[index])
        guard !output.hasFailed else { return }
      }
      for index in 0..<track.threadStates.count {
        write(track.threadStates, at: index, of: name)
        guard !output.hasFailed else { return }
      }
    }
  }

  private mutating func write(_ sample: ThreadTimeSample, of name: [UInt8], at time: Int64) {
    typealias Key = Vocabulary.Key
    output.append("{\"threadTime\":")
    output.append(name)
    output.append(",\"at\":")
    output.append(decimal: time)
    add(Key.cpu, sample.cpu)
    add(Key.ready, sample.ready)
    add(Key.preemptions, sample.preemptions)
    add(Key.waits, sample.waits)
    add(Key.faults, sample.faults)
    add(Key.diskFaults, sample.diskFaults)
    output.append("}\n")
  }

  private mutating func add(_ key: StaticString, _ count: Int64?) {
    guard let count else { return }
    output.append(",\"")
    output.append(key)
    output.append("\":")
    output.append(decimal: count)
  }

  private mutating func write(_ states: ThreadStateColumns, at index: Int, of name: [UInt8]) {
    output.append("{\"threadState\":\"")
    switch states.states[index] {
    case .running: output.append(Vocabulary.Thread.running)
    case .ready: output.append(Vocabulary.Thread.ready)
    case .blocked: output.append(Vocabulary.Thread.blocked)
    }
    output.append("\",\"thread\":")
    output.append(name)
    output.append(",\"begin\":")
    output.append(decimal: states.starts[index])
    output.append(",\"end\":")
    output.append(decimal: states.ends[index])
    if states.cores[index] >= 0 {
      output.append(",\"core\":")
      output.append(decimal: Int64(states.cores[index]))
    }
    if let waker = states.waker(at: index) {
      if let name = threads[waker.index] {
        output.append(",\"waker\":")
        output.append(name)
      } else {
        omit(.threadState)
      }
    }
    output.append("}\n")
  }
}
