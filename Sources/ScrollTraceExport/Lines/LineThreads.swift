import ScrollTraceModel

/// The names of the host's threads in lines, which identify threads by name.
struct LineThreads {
  /// The name of each track, or `nil` for those of other processes, which lines do not contain.
  private(set) var names: [String?] = []
  /// The number of tracks whose name differs from the trace's.
  private(set) var changedCount = 0

  init(_ trace: Trace) {
    let host = trace.processes.firstIndex { $0.isHost }
    var taken: Set<String> = []
    for (id, track) in trace.numberedTracks {
      guard track.process.index == host else {
        names.append(nil)
        continue
      }
      var name = trace.displayName(of: id)
      if taken.contains(name) {
        name += " (\(track.systemID))"
        changedCount += 1
      }
      // Another thread can have this name.
      while taken.contains(name) { name += "'" }
      taken.insert(name)
      names.append(name)
    }
  }
}
