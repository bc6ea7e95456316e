import ScrollTraceModel

/// The lookup tables for the walks through the motions of one surface.
final class MotionContext {
  let sequence: FrameSequence
  /// The pictures, sorted by time and position.
  let shown: [(time: Int64, position: Int)]
  /// Finds the next requested frame that starts after a time.
  let starts: FirstAbove
  private let evidenceSource: MainThreadEvidence
  /// The next position with a picture, at or after each position.
  private let nextShownPositions: [Int32]
  /// For each position, the earlier refreshes of frames that may have been presented or were not
  /// requested.
  private let offSums: [Int64]
  /// The positions in the order of `place`, with the values needed to find members.
  private let placed: [(place: Int64, position: Int)]
  private let latest: FirstAbove

  /// A Boolean value indicating whether a gap in frame numbers indicates lost frames.
  private let jumpsAreLosses: Bool

  /// The frames of a motion.
  struct Members {
    /// Their positions in the sequence, ascending.
    var positions: [Int]
    /// Those that end a gap of the motion without belonging to it.
    var guests: Set<Int>
  }

  init(_ sequence: FrameSequence, evidence: MainThreadEvidence, jumpsAreLosses: Bool) {
    self.jumpsAreLosses = jumpsAreLosses
    self.sequence = sequence
    evidenceSource = evidence
    let entries = sequence.entries
    shown = entries.indices.filter { entries[$0].shown != FrameSequence.unknown }
      .map { (time: entries[$0].shown, position: $0) }
      .stablySorted { $0.time < $1.time }
    starts = FirstAbove(
      entries.map { $0.isNotRequested ? Int64.min : $0.anchor })
    var next: Int32 = -1
    nextShownPositions = entries.indices.reversed().map { index in
      if entries[index].shown != FrameSequence.unknown { next = Int32(clamping: index) }
      return next
    }.reversed()
    var sum: Int64 = 0
    var sums: [Int64] = [0]
    sums.reserveCapacity(entries.count + 1)
    for entry in entries {
      if entry.isNotRequested || !sequence.isUnfinished(entry) {
        sum = min(sum + entry.refresh, 1 << 58)
      }
      sums.append(sum)
    }
    offSums = sums
    let places = entries.indices.filter { entries[$0].place != FrameSequence.unknown }
      .map { (place: entries[$0].place, position: $0) }
      .stablySorted { $0.place < $1.place }
    placed = places
    let lastShown = entries.lastIndex { $0.shown != FrameSequence.unknown } ?? -1
    latest = FirstAbove(
      places.map { place in
        let entry = entries[place.position]
        guard entry.start != FrameSequence.unknown else { return Int64.min }
        // A frame without an end is being made until a later frame has a picture.
        let isEndless =
          entry.commitEnd == FrameSequence.unknown && !entry.isNotRequested
          && entry.shown == FrameSequence.unknown && place.position > lastShown
        return isEndless ? Int64.max : max(entry.commitEnd, entry.shown)
      })
  }

  /// The first position with a picture, at or after `position`.
  func nextShown(from position: Int) -> Int? {
    let next = nextShownPositions[position]
    return next < 0 ? nil : Int(next)
  }

  /// Returns whether frames between two consecutive pictures were lost, because there is a gap in
  /// their numbers or in those of the frames without a picture between them.
  func areFramesMissing(from first: FrameSequence.Entry, to second: FrameSequence.Entry) -> Bool {
    guard jumpsAreLosses, first.position < second.position else { return false }
    return (first.position..<second.position).contains { position in
      let (before, next) = (sequence.entries[position].id, sequence.entries[position + 1].id)
      return next > before && next - before > 1
    }
  }

  /// The time to subtract for the frames from `first` to before `last`, none of which has a
  /// picture.
  func offTime(from first: Int, to last: Int) -> Int64 {
    first < last ? offSums[last] - offSums[first] : 0
  }

  /// The frames of the motion from `start` to `end`, ascending: those inside it, those that were
  /// being made when it started, and the guests.
  ///
  /// - Parameter most: The maximum number of those outside the motion.
  func members(from start: Int64, to end: Int64, maximum: Int) -> Members {
    let first = placed.partitionPoint { $0.place >= start }
    let last = placed.partitionPoint { $0.place > end }
    var found = placed[first..<max(first, last)].map(\.position)
    var index = 0
    var count = 0
    while count < maximum, let next = latest.first(from: index, above: start), next < first {
      found.append(placed[next].position)
      index = next + 1
      count += 1
    }
    let guests = guests(of: found, end: end, maximum: maximum - count)
    found += guests
    if !zip(found, found.dropFirst()).allSatisfy({ $0 < $1 }) { found.sort() }
    return Members(positions: found, guests: guests)
  }

  /// The frames that started after the end of a motion and whose pictures came between two of it.
  private func guests(of members: [Int], end: Int64, maximum: Int) -> Set<Int> {
    let unknown = FrameSequence.unknown
    var (first, last) = (Int64.max, unknown)
    for member in members {
      let entry = sequence.entries[member]
      guard entry.isOwed, entry.presented != unknown else { continue }
      (first, last) = (min(first, entry.presented), max(last, entry.presented))
    }
    let after = max(first, end)
    guard after < last else { return [] }
    var found: Set<Int> = []
    var index = shown.partitionPoint { $0.time > after }
    while index < shown.count, shown[index].time < last, found.count < maximum {
      let entry = sequence.entries[shown[index].position]
      if entry.presented != unknown, entry.start > end { found.insert(shown[index].position) }
      index += 1
    }
    return found
  }

  /// The evidence between the last picture and the end of a motion.
  func evidence(
    since: Int64, last: Int64, end: Int64, refresh: Int64
  ) -> (cover: [(start: Int64, end: Int64)], steps: Int) {
    evidenceSource.cover(since: since, last: last, end: end, refresh: refresh, in: sequence)
  }
}
