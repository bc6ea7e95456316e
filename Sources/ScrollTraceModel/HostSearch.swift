/// Finds the process that makes the frames and its main track if the source does not name them.
struct HostSearch {
  private let tracks: [Track]
  private let processes: [TraceProcess]
  /// The number of commits, of spans and of samples of each track.
  private var commitCounts: [Int]
  private let spanCounts: [Int]
  private let sampleCounts: [Int]
  /// The time of each track in sections around the work for a frame, in nanoseconds.
  private let frameTimes: [Int]

  /// Creates a search in `events`, with the number of spans and of samples of each track.
  ///
  /// - Parameter sections: The labels of sections around the work for a frame; none if there are frames.
  init(
    in events: TraceEvents, of processes: [TraceProcess], spanCounts: [Int], sampleCounts: [Int],
    sections: Set<LabelID>
  ) {
    tracks = events.tracks
    self.processes = processes
    self.spanCounts = spanCounts
    self.sampleCounts = sampleCounts
    // The process of Android's own services animates too, and is no app.
    let services = Set(
      events.tracks.filter {
        $0.name == "system_server" || processes[$0.process.index].name == "system_server"
      }.map(\.process))
    frameTimes = events.tracks.map { track in
      var time = 0
      guard !sections.isEmpty, !services.contains(track.process) else { return time }
      track.spans.forEachBlock { block in
        for (span, label) in zip(block.times, block.labels) where sections.contains(label) {
          time = time.saturatingAdd(Int(clamping: span.length))
        }
      }
      return time
    }
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
    // Of Android's processes, its compositor has the most spans.
    let counts =
      frameTimes.contains { $0 > 0 }
      ? frameTimes : spanCounts.allSatisfy { $0 == 0 } ? sampleCounts : spanCounts
    var sums = Array(repeating: 0, count: processes.count)
    for (track, count) in zip(tracks, counts) {
      sums[track.process.index] = sums[track.process.index].saturatingAdd(count)
    }
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
    let drawing = Self.position(ofMost: hostTracks.map { frameTimes[$0] }).map { hostTracks[$0] }
    if let main = hostTracks.first(where: { tracks[$0].isMain }) {
      // A host's main actor need not run on the process's first thread.
      return committing.flatMap { commitCounts[main] > 0 ? nil : .elsewhere($0) } ?? .named
    }
    let likely =
      committing ?? drawing
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

/// The sections around the work for a frame, by which toolkits name their frames if the source lists none.
package enum FrameSection {
  private static let names = [
    "Choreographer#doFrame", "Animator::BeginFrame", "ProxyMain::BeginMainFrame",
  ]

  /// Returns the name that all sections of this kind have in common, or `nil` for other work.
  package static func commonName(of name: String) -> String? {
    names.first { name.hasPrefix($0) }
  }
}
