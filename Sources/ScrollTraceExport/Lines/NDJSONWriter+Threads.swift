import ScrollTraceLayout
import ScrollTraceModel

/// The counts and states of threads.
extension NDJSONWriter {
  /// Writes the samples and slices of all threads that lines contain.
  mutating func writeThreadTimes() {
    for (id, track) in trace.numberedTracks {
      guard let name = threads[id].map(ExportOutput.quoted) else {
        leftOut.add(.threadTime, track.threadTimes.count)
        leftOut.add(.threadState, track.threadStates.count)
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
    output.append(",\"at\":\(time)")
    let counts: [(StaticString, Int64?)] = [
      (Key.cpu, sample.cpu), (Key.ready, sample.ready), (Key.preemptions, sample.preemptions),
      (Key.waits, sample.waits), (Key.faults, sample.faults), (Key.diskFaults, sample.diskFaults),
    ]
    for (key, count) in counts {
      if let count { output.append(",\"\(key)\":\(count)") }
    }
    output.append("}\n")
  }

  private mutating func write(_ states: ThreadStateColumns, at index: Int, of name: [UInt8]) {
    let state: StaticString
    switch states.states[index] {
    case .running: state = Vocabulary.Thread.running
    case .ready: state = Vocabulary.Thread.ready
    case .blocked: state = Vocabulary.Thread.blocked
    }
    output.append("{\"threadState\":\"\(state)\",\"thread\":")
    output.append(name)
    output.append(",\"begin\":\(states.starts[index]),\"end\":\(states.ends[index])")
    if states.cores[index] >= 0 { output.append(",\"core\":\(states.cores[index])") }
    if let waker = states.waker(at: index) {
      if let name = threads[waker] {
        output.append(",\"waker\":")
        output.appendJSON(name)
      } else {
        leftOut.add(.threadState)
      }
    }
    output.append("}\n")
  }
}
