package import ScrollTraceModel

extension Trace {
  /// What the thread `systemID` did, for example `ready 5-9 by 7` or `running 9-12 on 0`.
  package func states(of systemID: UInt64) -> [String] {
    guard let track = tracks.first(where: { $0.systemID == systemID }) else { return [] }
    let states = track.threadStates
    return (0..<states.count).map { index in
      var text = "\(states.states[index]) \(states.starts[index])-\(states.ends[index])"
      if states.cores[index] >= 0 { text += " on \(states.cores[index])" }
      if let waker = states.waker(at: index) { text += " by \(tracks[waker.index].systemID)" }
      return text
    }
  }

  /// The time on a core of the thread `systemID` at each sample, for example `5: 3`.
  package func cpuTimes(of systemID: UInt64) -> [String] {
    guard let track = tracks.first(where: { $0.systemID == systemID }) else { return [] }
    return (0..<track.threadTimes.count).map {
      "\(track.threadTimes.time(at: $0)): \(track.threadTimes[$0].cpu ?? -1)"
    }
  }

  /// What importers had to say in words of their own.
  package var sourceNotices: [String] {
    notices.compactMap { if case .source(let text) = $0 { text } else { nil } }
  }
}
