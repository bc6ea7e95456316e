import ScrollTraceModel

/// How the lines call the threads of the host, which they know by name only.
struct LineThreads {
  /// The name of each track; `nil` for those of other processes, which lines do not know.
  private(set) var names: [String?] = []
  /// How many tracks have another name than in the trace.
  private(set) var changedCount = 0

  /// The threads of `trace`.
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
      // A thread may be called so already.
      while taken.contains(name) { name += "'" }
      taken.insert(name)
      names.append(name)
    }
  }

  /// What the lines call a track, or `nil` if they do not know it.
  subscript(track: TrackID) -> String? { names[track.index] }
}
