/// The sampled stacks of all threads, while they are collected.
struct SampleTable {
  private struct Key: Hashable {
    var track: TrackID
    var event: StringID
    var unit: StringID
  }

  /// The most samples; later ones are not kept.
  static let limit = 16_000_000

  /// The longest time between two samples of a frame that stays open, after which a single time is not
  /// believed.
  private static let longestGap: Int64 = 1_000_000_000

  private(set) var all: [SampleSeries] = []
  private var positions: [Key: Int] = [:]
  private(set) var count = 0

  /// Returns the position of a series, adding it if it is new.
  mutating func series(
    of track: TrackID, event: StringID, weightUnit: StringID, reach: SampleSeries.Reach,
    resolution: Int64
  ) -> Int {
    all.position(
      of: Key(track: track, event: event, unit: weightUnit), in: &positions,
      adding: SampleSeries(
        track: track, event: event, weightUnit: weightUnit, reach: reach,
        resolution: max(1, resolution)))
  }

  /// Adds a sample, or returns `false` if there are too many.
  mutating func append(_ stack: StackID, at time: Int64, weight: Int64?, to series: Int) -> Bool {
    guard count < Self.limit else { return false }
    count += 1
    all[series].append(stack, at: time, weight: weight)
    return true
  }

  /// Adds samples without weights, and returns the number of those that are too many.
  mutating func append(_ stacks: [Int32], at times: [Int64], to series: Int) -> Int {
    let room = Self.limit - count
    guard times.count <= room else {
      _ = append(Array(stacks.prefix(room)), at: Array(times.prefix(room)), to: series)
      return times.count - room
    }
    count += times.count
    all[series].append(stacks, at: times)
    return 0
  }

  mutating func sort() {
    for index in all.indices { all[index].sort() }
  }

  /// The end of the samples that follow `time` without a long gap, or `time` if none do.
  func end(following time: Int64) -> Int64 {
    var end = time
    for series in all {
      for time in series.times[series.times.partitionPoint { $0 > end }...] {
        guard let gap = time.minus(end), gap <= Self.longestGap else { break }
        end = time
      }
    }
    return end
  }

  /// The number of samples of each of `trackCount` tracks.
  func counts(ofTracks trackCount: Int) -> [Int] {
    var counts = Array(repeating: 0, count: trackCount)
    for series in all { counts[series.track.index] += series.count }
    return counts
  }

  mutating func forget(before time: Int64) {
    for index in all.indices { all[index].forget(before: time) }
    count = all.reduce(0) { $0 + $1.count }
  }
}
