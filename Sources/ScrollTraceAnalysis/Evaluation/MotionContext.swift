import ScrollTraceModel

/// The lookup tables for the walks through the motions of one surface.
final class MotionContext {
  let sequence: FrameSequence
  /// The pictures, sorted by time and position.
  let shown: Pictures
  /// Finds the next requested frame that starts after a time.
  let starts: FirstAbove
  let evidence: MainThreadEvidence
  /// The positions of the frames with a picture, ascending.
  private let positionsWithPicture: [Int32]
  /// Before each block of positions, the earlier refreshes of frames that may have been presented or were
  /// not requested.
  private let offSums: [Int64]
  private static let blockSize = 64
  /// The positions of the frames with a time, in order of it.
  private let timed: [Int32]
  private let latest: FirstAbove

  /// Pictures by their time.
  struct Pictures: NumberedCollection {
    fileprivate let positions: [Int32]
    fileprivate let entries: FrameSequence.Entries

    var count: Int { positions.count }

    subscript(index: Int) -> (time: Int64, position: Int) {
      let position = Int(positions[index])
      // Each has a picture.
      return (entries[position].shown ?? 0, position)
    }
  }

  /// Whether a gap in frame numbers indicates lost frames.
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
    self.evidence = evidence
    let entries = sequence.entries
    var (withPicture, timed): ([Int32], [Int32]) = ([], [])
    withPicture.reserveCapacity(entries.count)
    timed.reserveCapacity(entries.count)
    var (sum, sums): (Int64, [Int64]) = (0, [])
    sums.reserveCapacity(entries.count / Self.blockSize + 1)
    // Making each frame again takes longer than all else here.
    var (isShownInOrder, shownBefore) = (true, Int64.min)
    var (isTimedInOrder, timeBefore) = (true, Int64.min)
    var starts = FirstAbove.Blocks(minimumCapacity: entries.count)
    var ends = FirstAbove.Blocks(minimumCapacity: entries.count)
    // The frames without an end, as positions in `timed`.
    var endless: [Int] = []
    for position in entries.indices {
      let entry = entries[position]
      starts.append(Self.start(of: entry))
      if let shown = entry.shown {
        withPicture.append(Int32(clamping: position))
        (isShownInOrder, shownBefore) = (isShownInOrder && shown >= shownBefore, shown)
      }
      if let time = entry.time {
        if Self.isEndless(entry) { endless.append(timed.count) }
        ends.append(Self.end(of: entry))
        timed.append(Int32(clamping: position))
        (isTimedInOrder, timeBefore) = (isTimedInOrder && time >= timeBefore, time)
      }
      if position % Self.blockSize == 0 { sums.append(sum) }
      sum = min(sum + Self.off(entry, in: sequence), 1 << 58)
    }
    positionsWithPicture = withPicture
    offSums = sums
    shown = Pictures(
      positions: isShownInOrder
        ? withPicture : withPicture.stablySorted { entries[Int($0)].shown ?? 0 },
      entries: entries)
    self.starts = FirstAbove(starts) { Self.start(of: entries[$0]) }
    let inOrder = isTimedInOrder ? timed : timed.stablySorted { entries[Int($0)].time ?? 0 }
    self.timed = inOrder
    let lastShown = withPicture.last.map { Int($0) } ?? -1
    func end(at index: Int) -> Int64? {
      let position = Int(inOrder[index])
      let entry = entries[position]
      // A frame without an end is being made until a later frame has a picture.
      return Self.isEndless(entry) && position > lastShown ? .max : Self.end(of: entry)
    }
    if isTimedInOrder {
      for index in endless where Int(timed[index]) > lastShown { ends.raise(index, to: .max) }
    } else {
      ends = FirstAbove.Blocks(minimumCapacity: inOrder.count)
      for index in inOrder.indices { ends.append(end(at: index)) }
    }
    latest = FirstAbove(ends, end)
  }

  /// The time from which a requested frame is one that starts.
  private static func start(of entry: FrameSequence.Entry) -> Int64? {
    entry.isNotRequested ? nil : entry.anchor
  }

  /// The last time of a frame that has started, or `nil` if there is none.
  private static func end(of entry: FrameSequence.Entry) -> Int64? {
    entry.start == nil ? nil : later(entry.commitEnd, entry.shown)
  }

  /// Whether a frame was started, and nothing says that its work ended.
  private static func isEndless(_ entry: FrameSequence.Entry) -> Bool {
    entry.start != nil && !entry.isNotRequested && later(entry.commitEnd, entry.shown) == nil
  }

  /// The refresh of a frame that may have been presented or was not requested, or zero.
  private static func off(_ entry: FrameSequence.Entry, in sequence: FrameSequence) -> Int64 {
    entry.isNotRequested || !sequence.isUnfinished(entry) ? entry.refresh : 0
  }

  /// The first position with a picture, at or after `position`.
  func nextShown(from position: Int) -> Int? {
    let next = positionsWithPicture.partitionPoint { Int($0) >= position }
    return next < positionsWithPicture.count ? Int(positionsWithPicture[next]) : nil
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
    first < last ? offTime(before: last) - offTime(before: first) : 0
  }

  private func offTime(before position: Int) -> Int64 {
    guard position > 0 else { return 0 }
    let block = (position - 1) / Self.blockSize
    return (block * Self.blockSize..<position).reduce(offSums[block]) {
      min($0 + Self.off(sequence.entries[$1], in: sequence), 1 << 58)
    }
  }

  /// The frames of the motion from `start` to `end`, ascending: those inside it, those that were
  /// being made when it started, and the guests.
  ///
  /// - Parameter maximum: The maximum number of those outside the motion.
  func members(from start: Int64, to end: Int64, maximum: Int) -> Members {
    let entries = sequence.entries
    let first = timed.partitionPoint { (entries[Int($0)].time ?? 0) >= start }
    let last = timed.partitionPoint { (entries[Int($0)].time ?? 0) > end }
    var found = timed[first..<max(first, last)].map { Int($0) }
    var index = 0
    var count = 0
    while count < maximum, let next = latest.first(from: index, above: start), next < first {
      found.append(Int(timed[next]))
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
    var (first, last) = (Int64.max, Int64.min)
    for member in members {
      let entry = sequence.entries[member]
      guard entry.isOwed, let presented = entry.presented else { continue }
      (first, last) = (min(first, presented), max(last, presented))
    }
    let after = max(first, end)
    guard after < last else { return [] }
    var found: Set<Int> = []
    var index = shown.partitionPoint { $0.time > after }
    while index < shown.count, shown[index].time < last, found.count < maximum {
      let entry = sequence.entries[shown[index].position]
      if entry.presented != nil, let start = entry.start, start > end {
        found.insert(shown[index].position)
      }
      index += 1
    }
    return found
  }
}
