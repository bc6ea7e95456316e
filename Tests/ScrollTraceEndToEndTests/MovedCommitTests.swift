import ScrollTraceAnalysis
import ScrollTraceImport
import ScrollTraceLayout
import ScrollTraceReport
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceModel

/// A trace whose commits move between threads has the report of the same trace on one thread.
@Suite struct MovedCommitTests {
  @Test func `the report of a sample does not depend on which threads made its commits`() throws {
    var moved = 0
    let paths = SampleIdentityTests.paths.filter { $0.contains("SampleTraces") }
    for path in ExtraCases.some(12, of: paths) {
      guard let trace = try? TraceFile.open(path), let scattered = trace.withMovedCommits(seed: 7)
      else { continue }
      moved += 1
      func report(_ trace: Trace) -> String {
        TextRenderer(TextStyle(isFull: true)).render(Report([TraceAnalyzer().analyze(trace)]))
      }
      let (text, twin) = (report(scattered), report(trace))
      #expect(text == twin, "\(path)")
    }
    #expect(moved > (ExtraCases.isThorough ? 10 : 3))
  }
}

/// A turn of the main thread, and whether it made a commit.
private struct MainTurn {
  var start: Int64
  var end: Int64
  var hasCommit: Bool
  var thread = 0
}

extension [MainTurn] {
  /// The thread of the turn that contains a span or commit.
  fileprivate func thread(from start: Int64, to end: Int64) -> Int? {
    first(at: start).flatMap { $0.start <= start && end <= $0.end ? $0.thread : nil }
  }

  /// The first turn that does not end before `time`.
  private func first(at time: Int64) -> MainTurn? {
    let index = partitionPoint { $0.end >= time }
    return index < count ? self[index] : nil
  }
}

extension Trace {
  /// Returns the trace with the turns of its main thread on three threads, each between two commits on
  /// the thread of one of them, or `nil` if there are no commits, or counts that cannot move.
  fileprivate func withMovedCommits(seed: UInt64) -> Trace? {
    guard let main = mainTrack, tracks[main.index].threadTimes.isEmpty,
      !samples.contains(where: { $0.track == main }),
      !openSpans.contains(where: { $0.track == main })
    else { return nil }
    var turns = turns(of: main)
    guard turns.filter(\.hasCommit).count > 10 else { return nil }
    var random = SeededGenerator(seed: seed)
    for index in turns.indices where turns[index].hasCommit {
      turns[index].thread = Int.random(in: 0..<3, using: &random)
    }
    let commits = turns.indices.filter { turns[$0].hasCommit }
    for index in turns.indices where !turns[index].hasCommit {
      let next = commits.partitionPoint { $0 > index }
      let neighbors = [next - 1, next].filter(commits.indices.contains).map { turns[commits[$0]] }
      turns[index].thread = neighbors.randomElement(using: &random)?.thread ?? 0
    }
    var copy = self
    let ids = [main.index, tracks.count, tracks.count + 1].map(TrackID.init(index:))
    for number in 0..<2 as Range<UInt64> {
      var track = tracks[main.index]
      (track.isMain, track.name) = (false, "worker \(number)")
      copy.tracks.append(track)
    }
    for (thread, id) in ids.enumerated() {
      copy.tracks[id.index].spans = spans(
        of: main, where: { turns.thread(from: $0, to: $1) == thread })
      copy.tracks[id.index].threadStates = ThreadStateColumns()
    }
    let states = tracks[main.index].threadStates
    for index in 0..<states.count {
      // A turn's time off a core before it belongs to it.
      var now = states.starts[index]
      while now < states.ends[index] {
        let turn = min(turns.partitionPoint { $0.end > now }, turns.count - 1)
        let end = turn == turns.count - 1 ? Int64.max : turns[turn].end
        let limit = min(states.ends[index], end)
        copy.tracks[ids[turns[turn].thread].index].threadStates.append(
          from: now, to: limit, states.states[index], core: states.cores[index],
          waker: now == states.starts[index] ? states.waker(at: index) : nil)
        now = limit
      }
    }
    for surface in surfaces.indices {
      for frame in surfaces[surface].frames.indices {
        let old = surfaces[surface].frames[frame]
        guard old.track == main, let start = old.commitStart else { continue }
        copy.surfaces[surface].frames[frame].track =
          turns.thread(from: start.nanoseconds, to: (old.commitEnd ?? start).nanoseconds)
          .map { ids[$0] }
      }
    }
    return copy
  }

  /// The turns of the track `main`, ascending: spans and commits that overlap are one.
  private func turns(of main: TrackID) -> [MainTurn] {
    let spans = tracks[main.index].spans
    var all = (0..<spans.count).map {
      MainTurn(start: spans.times[$0].start, end: spans.times[$0].end, hasCommit: false)
    }
    for surface in surfaces {
      for frame in surface.frames where frame.track == main {
        guard let start = frame.commitStart else { continue }
        let end = max(start, frame.commitEnd ?? start)
        all.append(MainTurn(start: start.nanoseconds, end: end.nanoseconds, hasCommit: true))
      }
    }
    var turns: [MainTurn] = []
    for turn in all.sorted(by: { ($0.start, $1.end) < ($1.start, $0.end) }) {
      // Touching turns are one too, so that events of no length have one place.
      if let last = turns.last, turn.start <= last.end {
        turns[turns.count - 1].end = max(last.end, turn.end)
        turns[turns.count - 1].hasCommit = last.hasCommit || turn.hasCommit
      } else {
        turns.append(turn)
      }
    }
    return turns
  }

  /// The spans of `track` that `includes`.
  private func spans(of track: TrackID, where includes: (Int64, Int64) -> Bool) -> SpanColumns {
    let spans = tracks[track.index].spans
    var found = SpanColumns()
    for index in 0..<spans.count where includes(spans.times[index].start, spans.times[index].end) {
      found.append(
        start: spans.times[index].start, end: spans.times[index].end, label: spans.labels[index],
        arguments: spans.arguments(at: index))
    }
    return found
  }
}
