/// Finds the process that makes the frames and its main track if the source does not name them.
struct HostSearch {
  private let tracks: [Track]
  private let processes: [TraceProcess]
  /// The number of commits, of spans and of samples of each track.
  private var commitCounts: [Int]
  private let spanCounts: [Int]
  private let sampleCounts: [Int]

  /// Creates a search in `events`, with the number of spans and of samples of each track.
  init(
    in events: TraceEvents, of processes: [TraceProcess], spanCounts: [Int], sampleCounts: [Int]
  ) {
    tracks = events.tracks
    self.processes = processes
    self.spanCounts = spanCounts
    self.sampleCounts = sampleCounts
    commitCounts = Array(repeating: 0, count: tracks.count)
    for surface in events.surfaces {
      for frame in surface.frames {
        if let track = frame.track { commitCounts[track.index] += 1 }
      }
    }
  }

  /// The position of the process that most likely makes the frames, or `nil` without processes.
  var likelyHost: Int? {
    if let main = tracks.first(where: \.isMain) { return main.process.index }
    if let track = Self.position(ofMost: commitCounts) { return tracks[track].process.index }
    let counts = spanCounts.allSatisfy { $0 == 0 } ? sampleCounts : spanCounts
    var sums = Array(repeating: 0, count: processes.count)
    for (track, count) in zip(tracks, counts) { sums[track.process.index] += count }
    return sums.indices.max { (sums[$0], -$0) < (sums[$1], -$1) }
  }

  enum MainTrack {
    case named
    /// It makes the commits, although the source names another one.
    case elsewhere(Int)
    /// The source names none.
    case likely(Int)
    case unknown
  }

  /// Returns the main track among `hostTracks`, the positions of the host's tracks.
  func mainTrack(of hostTracks: [Int]) -> MainTrack {
    let committing = Self.position(ofMost: commitCounts).flatMap {
      hostTracks.contains($0) ? $0 : nil
    }
    if let main = hostTracks.first(where: { tracks[$0].isMain }) {
      // A host's main actor need not run on the process's first thread.
      return committing.flatMap { commitCounts[main] > 0 ? nil : .elsewhere($0) } ?? .named
    }
    let likely =
      committing
      ?? hostTracks.first { tracks[$0].systemID == processes[tracks[$0].process.index].systemID }
      ?? hostTracks.first { ["main", "Main Thread"].contains(tracks[$0].name) }
      ?? mostSampledTrack(of: hostTracks)
    return likely.map { .likely($0) } ?? .unknown
  }

  /// The track with the most samples if nothing else is known of threads.
  private func mostSampledTrack(of indices: [Int]) -> Int? {
    guard spanCounts.allSatisfy({ $0 == 0 }) else { return nil }
    return indices.filter { sampleCounts[$0] > 0 }.max {
      (sampleCounts[$0], -$0) < (sampleCounts[$1], -$1)
    }
  }

  /// The first position of the largest of `counts` above 0, or `nil` if there is none.
  private static func position(ofMost counts: [Int]) -> Int? {
    counts.indices.filter { counts[$0] > 0 }.max { (counts[$0], -$0) < (counts[$1], -$1) }
  }
}
