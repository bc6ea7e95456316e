/// The removal of implausible times. One damaged timestamp would turn a trace of seconds into days,
/// and every figure that is relative to the trace's length would be wrong.
extension TraceBuilder {
  /// The shortest range that is checked, in nanoseconds.
  private static let shortestSuspiciousRange: Int64 = 3_600_000_000_000
  private static let binCount = 1024
  /// The maximum number of bins that contain the actual recording.
  private static let mostBins = 10
  /// The maximum number of bins with other times. Times that are spread evenly are a recording.
  private static let mostStrayBins = 4
  /// The minimum number of times that locate the recording.
  private static let fewestTimes = 10

  /// Removes events that are implausibly far from nearly all others, adds a notice, and shortens
  /// the trace to the rest.
  ///
  /// A range of more than an hour is implausible if at least 99% of the times lie within 1% of it,
  /// and the others at only a few places.
  mutating func removeStrayTimes() {
    removeImplausibleTimes()
    guard isSuspicious, let kept = plausibleRange() else { return }
    var (first, last, strays) = (Int64.max, Int64.min, 0)
    forEachTime { time in
      if kept.contains(time) {
        (first, last) = (min(first, time), max(last, time))
      } else {
        strays += 1
      }
    }
    guard first <= last else { return }
    let before = first - firstTime
    let after = lastTime - last
    removeAll(outside: kept)
    let seconds = max(before, after) / 1_000_000_000
    (firstTime, lastTime) = (first, last)
    addNotice(
      .source(
        "times that lie up to \(seconds) s from all others are set apart: \(max(1, strays)),"
          + " probably damaged"))
  }

  /// A Boolean value indicating whether the trace is so long that a damaged time could be the reason.
  private var isSuspicious: Bool {
    setsStrayTimesApart && firstTime >= 0 && lastTime >= firstTime
      && lastTime - firstTime >= Self.shortestSuspiciousRange
  }

  /// A Boolean value indicating whether times could be removed, as far as is known without spans.
  var mayHaveStrayTimes: Bool { isSuspicious && !isSpreadOut(over: binWidth) }

  private var binWidth: Int64 { (lastTime - firstTime) / Int64(Self.binCount) + 1 }

  /// Removes events outside the times that the source knows to be possible, and adds a notice. If
  /// many are, the source is wrong, and all remain.
  private mutating func removeImplausibleTimes() {
    guard let kept = plausibleTimes else { return }
    let census = census(of: kept)
    guard census.strays > 0 else { return }
    let place = "up to \(census.farthest / 1_000_000_000) s outside the recording"
    // A host may say when something was long before it recorded.
    let hundredth = census.count / 100
    let few = firstTime < kept.lowerBound ? hundredth : max(2, hundredth)
    guard census.strays <= few, census.first <= census.last else {
      return addNotice(.source("\(census.strays) times lie \(place), and are kept"))
    }
    removeAll(outside: kept)
    removeFrames(outside: kept)
    if !kept.contains(firstTime) { firstTime = census.first }
    if !kept.contains(lastTime) { lastTime = census.last }
    // What belongs to such a time is missing in all figures: it may have been a hitch.
    offset = nil
    countLoss(.timeOutOfRange, count: UInt64(census.strays))
    addNotice(
      .source("times that lie \(place) are set apart: \(census.strays), probably damaged"))
  }

  /// The number of all times, and of those outside a range.
  private struct TimeCensus {
    let kept: ClosedRange<Int64>
    var count = 0
    var strays = 0
    /// The distance of the farthest time from the range, in nanoseconds.
    var farthest: Int64 = 0
    /// The first time in the range.
    var first = Int64.max
    /// The last time in the range.
    var last = Int64.min

    mutating func add(_ time: Int64) {
      guard !kept.contains(time) else {
        (first, last) = (min(first, time), max(last, time))
        return
      }
      strays += 1
      let (distance, overflow) =
        time < kept.lowerBound
        ? kept.lowerBound.subtractingReportingOverflow(time)
        : time.subtractingReportingOverflow(kept.upperBound)
      farthest = max(farthest, overflow ? .max : distance)
    }
  }

  private func census(of kept: ClosedRange<Int64>) -> TimeCensus {
    var census = TimeCensus(kept: kept, count: 2 * spanCounts.total)
    // The times of counted spans are possible ones.
    if census.count > 0 { (census.first, census.last) = (firstTime, lastTime) }
    forEachTime { time in
      census.count += 1
      census.add(time)
    }
    for surface in surfaces {
      for frame in surface.frames {
        for time in frame.otherTimes where !kept.contains(time) { census.add(time) }
      }
    }
    // What only extends the range: the time of an event that is about a frame.
    if census.strays == 0, lastTime >= firstTime {
      for time in [firstTime, lastTime] where !kept.contains(time) { census.add(time) }
    }
    return census
  }

  /// Removes frames whose start, commit's start, deadline or target is outside of `kept`.
  private mutating func removeFrames(outside kept: ClosedRange<Int64>) {
    for index in surfaces.indices {
      let frames = surfaces[index].frames.filter { $0.otherTimes.allSatisfy(kept.contains) }
      guard frames.count < surfaces[index].frames.count else { continue }
      surfaces[index].removeFrames()
      for frame in frames { surfaces[index].append(frame) }
    }
  }

  /// The range of nearly all times, or `nil` if no time is implausibly far from the others.
  private func plausibleRange() -> ClosedRange<Int64>? {
    let width = binWidth
    guard !isSpreadOut(over: width) else { return nil }
    var bins = Array(repeating: 0, count: Self.binCount)
    var count = 0
    forEachTime { time in
      guard let bin = bin(of: time, width: width) else { return }
      bins[bin] += 1
      count += 1
    }
    guard count >= Self.fewestTimes,
      let densest = bins.indices.max(by: { bins[$0] < bins[$1] })
    else { return nil }
    var (low, high) = (densest, densest)
    while low > 0, bins[low - 1] > 0 { low -= 1 }
    while high < bins.count - 1, bins[high + 1] > 0 { high += 1 }
    let inside = bins[low...high].reduce(0, +)
    let strayBins = bins.indices.count { bins[$0] > 0 && !(low...high).contains($0) }
    guard high - low < Self.mostBins, strayBins <= Self.mostStrayBins,
      count - inside <= max(2, count / 100)
    else { return nil }
    // The end of the last bin may lie after the last time that there is.
    let start = firstTime + Int64(low) * width
    let length = Int64(high + 1 - low) * width - 1
    return start...(start + min(length, lastTime - start))
  }

  /// The bin that a time lies in, or `nil` if it lies outside of the trace.
  private func bin(of time: Int64, width: Int64) -> Int? {
    guard time >= firstTime, time <= lastTime else { return nil }
    return Int((time - firstTime) / width)
  }

  /// Returns whether a few of the times already lie in more bins than an implausible range has, so
  /// that a long recording need not be searched.
  private func isSpreadOut(over width: Int64) -> Bool {
    var bins: Set<Int> = []
    for track in tracks {
      let times = track.spans.times
      for index in stride(from: 0, to: times.count, by: max(1, times.count / 64)) {
        if let bin = bin(of: times[index].start, width: width) { bins.insert(bin) }
      }
    }
    for surface in surfaces {
      let step = max(1, surface.frames.count / 64)
      for index in stride(from: 0, to: surface.frames.count, by: step) {
        guard let time = surface.frames[index].place,
          let bin = bin(of: time.nanoseconds, width: width)
        else { continue }
        bins.insert(bin)
      }
    }
    return bins.count > Self.mostBins + Self.mostStrayBins
  }

  private func forEachTime(_ body: (Int64) -> Void) {
    for track in tracks {
      for span in track.spans.times {
        body(span.start)
        body(span.end)
      }
    }
    for surface in surfaces {
      for frame in surface.frames {
        if let time = frame.place { body(time.nanoseconds) }
        if let time = frame.commitEnd { body(time.nanoseconds) }
        if let time = frame.presented { body(time.nanoseconds) }
      }
      for hitch in surface.listedHitches { body(hitch.start.nanoseconds) }
    }
    for mark in marks { body(mark.time.nanoseconds) }
    for flow in flows { body(flow.time.nanoseconds) }
    for span in asyncSpans {
      body(span.range.start.nanoseconds)
      body(span.range.end.nanoseconds)
    }
    for span in openSpans { body(span.since.nanoseconds) }
    for counter in counters { for time in counter.times { body(time) } }
    for change in states { body(change.time.nanoseconds) }
    for interaction in interactions {
      body(interaction.start.nanoseconds)
      if let end = interaction.end { body(end.nanoseconds) }
    }
  }

  private mutating func removeAll(outside kept: ClosedRange<Int64>) {
    func isStray(_ time: Timestamp?) -> Bool {
      time.map { !kept.contains($0.nanoseconds) } ?? false
    }
    for index in tracks.indices {
      tracks[index].spans.filter { kept.contains($0.start) && kept.contains($0.end) }
    }
    for index in surfaces.indices {
      let frames = surfaces[index].frames.filter {
        !isStray($0.place) && !isStray($0.commitEnd) && !isStray($0.presented)
      }
      if frames.count < surfaces[index].frames.count {
        surfaces[index].removeFrames()
        for frame in frames { surfaces[index].append(frame) }
      }
      surfaces[index].listedHitches.removeAll { isStray($0.start) }
    }
    marks.removeAll { isStray($0.time) }
    flows.removeAll { isStray($0.time) }
    asyncSpans.removeAll { isStray($0.range.start) || isStray($0.range.end) }
    openSpans.removeAll { isStray($0.since) }
    states.removeAll { isStray($0.time) }
    interactions.removeAll { isStray($0.start) || isStray($0.end) }
    for index in counters.indices
    where counters[index].times.contains(where: { !kept.contains($0) }) {
      let positions = counters[index].times.indices.filter {
        kept.contains(counters[index].times[$0])
      }
      counters[index].times = positions.map { counters[index].times[$0] }
      counters[index].values = positions.map { counters[index].values[$0] }
    }
  }
}

extension Frame {
  /// The times of the frame that do not say where it belongs.
  fileprivate var otherTimes: [Int64] {
    [start, deadline, target, commitStart].compactMap { $0?.nanoseconds }
  }
}
