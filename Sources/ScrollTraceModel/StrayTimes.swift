/// Finds times that are implausibly far from nearly all others. One damaged timestamp would turn a
/// trace of seconds into days, and every figure that is relative to the trace's length would be
/// wrong.
///
/// A range of more than an hour is implausible if at least 99% of the times lie within 1% of it,
/// and the others at only a few times.
struct StrayTimes {
  /// The shortest range that is checked, in nanoseconds.
  private static let shortestSuspiciousRange: Int64 = 3_600_000_000_000
  private static let binCount = 1024
  /// The maximum number of bins that contain the actual recording.
  private static let maximumBins = 10
  /// The maximum number of bins with other times. Times that are spread evenly are a recording.
  private static let maximumStrayBins = 4
  /// The minimum number of times that locate the recording.
  private static let minimumTimes = 10

  private let first: Int64
  private let last: Int64
  private let binWidth: Int64

  /// Creates the search in `events`, or returns `nil` if their range is plausible or a few of the
  /// times already lie in more bins than an implausible range has, so that a long recording need not
  /// be searched.
  init?(in events: TraceEvents) {
    (first, last) = (events.firstTime, events.lastTime)
    guard first >= 0, last >= first, last - first >= Self.shortestSuspiciousRange else {
      return nil
    }
    binWidth = (last - first) / Int64(Self.binCount) + 1
    guard !isSpreadOut(events) else { return nil }
  }

  private func isSpreadOut(_ events: TraceEvents) -> Bool {
    var bins: Set<Int> = []
    for track in events.tracks {
      let times = track.spans.times
      for index in stride(from: 0, to: times.count, by: max(1, times.count / 64)) {
        if let bin = bin(of: times[index].start) { bins.insert(bin) }
      }
    }
    for surface in events.surfaces {
      let step = max(1, surface.frames.count / 64)
      for index in stride(from: 0, to: surface.frames.count, by: step) {
        guard let time = surface.frames[index].time, let bin = bin(of: time.nanoseconds) else {
          continue
        }
        bins.insert(bin)
      }
    }
    return bins.count > Self.maximumBins + Self.maximumStrayBins
  }

  /// The bin that a time lies in, or `nil` if it lies outside of the trace.
  private func bin(of time: Int64) -> Int? {
    guard time >= first, time <= last else { return nil }
    return Int((time - first) / binWidth)
  }

  /// The range of nearly all times, or `nil` if no time is implausibly far from the others.
  func plausibleRange(of events: TraceEvents) -> ClosedRange<Int64>? {
    var bins = Array(repeating: 0, count: Self.binCount)
    var count = 0
    events.forEachTime { time in
      guard let bin = bin(of: time) else { return }
      bins[bin] += 1
      count += 1
    }
    guard count >= Self.minimumTimes,
      let densest = bins.indices.max(by: { bins[$0] < bins[$1] })
    else { return nil }
    var (low, high) = (densest, densest)
    while low > 0, bins[low - 1] > 0 { low -= 1 }
    while high < bins.count - 1, bins[high + 1] > 0 { high += 1 }
    let inside = bins[low...high].reduce(0, +)
    let strayBins = bins.indices.count { bins[$0] > 0 && !(low...high).contains($0) }
    guard high - low < Self.maximumBins, strayBins <= Self.maximumStrayBins,
      count - inside <= max(2, count / 100)
    else { return nil }
    // The end of the last bin may lie after the last time that there is.
    let start = first + Int64(low) * binWidth
    let length = Int64(high + 1 - low) * binWidth - 1
    return start...(start + min(length, last - start))
  }
}

/// The number of all times, and of those outside a range.
struct TimeCensus {
  private let kept: ClosedRange<Int64>
  private(set) var count: Int
  private(set) var strays = 0
  /// The distance of the farthest time from the range, in nanoseconds.
  private(set) var farthest: Int64 = 0
  private(set) var first = Int64.max
  private(set) var last = Int64.min

  /// Counts the times of `events`.
  ///
  /// - Parameter countedSpans: The number of spans that were not stored.
  init(of events: TraceEvents, inside kept: ClosedRange<Int64>, countedSpans: Int) {
    self.kept = kept
    count = 2 * countedSpans
    // The times of counted spans are possible ones.
    if count > 0 { (first, last) = (events.firstTime, events.lastTime) }
    events.forEachTime { time in
      count += 1
      add(time)
    }
    for surface in events.surfaces {
      for frame in surface.frames {
        frame.forEachOtherTime { if !kept.contains($0) { add($0) } }
      }
    }
    // What only extends the range: the time of an event that is about a frame.
    if strays == 0, events.lastTime >= events.firstTime {
      for time in [events.firstTime, events.lastTime] where !kept.contains(time) { add(time) }
    }
  }

  private mutating func add(_ time: Int64) {
    guard !kept.contains(time) else {
      (first, last) = (min(first, time), max(last, time))
      return
    }
    strays += 1
    let isEarly = time < kept.lowerBound
    let distance = isEarly ? kept.lowerBound.minus(time) : time.minus(kept.upperBound)
    farthest = max(farthest, distance ?? .max)
  }
}
