extension TraceBuilder {
  /// The most samples of a trace; later ones are not kept.
  package static var sampleLimit: Int { 16_000_000 }

  struct SeriesKey: Hashable {
    var track: TrackID
    var event: StringID
    var source: StringID
  }

  /// Returns the handle of a function of sampled stacks.
  package mutating func sampledFunction(_ name: StringID, in place: StringID = .empty) -> Int32 {
    stackTree.id(of: SampledFunction(name: name, place: place))
  }

  /// Returns the handle of a function that is known only by its code, named `module+0x1f`.
  ///
  /// - Parameter place: The module's file name.
  package mutating func sampledFunction(of code: SampledCode, in place: StringID) -> Int32 {
    let address = "+0x" + String(code.address, radix: 16)
    let function = sampledFunction(string(name(of: place) + address), in: place)
    let known = stackTree.codes[function] ?? code
    guard known != code else {
      stackTree.setCode(code, of: function)
      return function
    }
    // Another module with the same file name.
    let module = "\(name(of: code.path)) \(name(of: code.buildID))"
    let other = sampledFunction(string(module + address), in: place)
    stackTree.setCode(code, of: other)
    return other
  }

  /// Returns the stack in which `caller` calls a function, or `nil`, which is counted as a loss, if a
  /// limit is reached.
  package mutating func stack(of function: Int32, calledBy caller: StackID) -> StackID? {
    if let stack = stackTree.stack(of: function, calledBy: caller) { return stack }
    countLoss(.limitReached)
    return nil
  }

  /// Returns the position of a series of samples, adding it if it is new.
  package mutating func sampleSeries(
    of track: TrackID, event: StringID = .empty, weightUnit: StringID = .empty,
    reach: SampleSeries.Reach, resolution: Int64 = 1
  ) -> Int {
    let key = SeriesKey(track: track, event: event, source: weightUnit)
    if let known = seriesIDs[key] { return known }
    seriesIDs[key] = samples.count
    samples.append(
      SampleSeries(
        track: track, event: event, weightUnit: weightUnit, reach: reach,
        resolution: max(1, resolution)))
    return samples.count - 1
  }

  /// Adds a sample of a thread's stack. Samples do not extend the range of a trace that contains
  /// anything else.
  package mutating func addSample(
    of stack: StackID, at time: Timestamp, weight: Int64? = nil, to series: Int
  ) {
    guard sampleCount < Self.sampleLimit else { return countLoss(.limitReached) }
    sampleCount += 1
    samples[series].append(stack, at: time.nanoseconds, weight: weight)
  }

  /// Adds samples without weights, one for each of `times`, which are in nanoseconds and not negative.
  package mutating func addSamples(of stacks: [Int32], at times: [Int64], to series: Int) {
    let room = Self.sampleLimit - sampleCount
    guard times.count <= room else {
      countLoss(.limitReached, count: UInt64(times.count - room))
      return addSamples(of: Array(stacks.prefix(room)), at: Array(times.prefix(room)), to: series)
    }
    sampleCount += times.count
    samples[series].append(stacks, at: times)
  }

  /// The longest time between two samples of a frame that stays open, after which a single time is not
  /// believed.
  private static var longestSampleGap: Int64 { 1_000_000_000 }

  /// Sorts the samples, and lets them give the trace its range if nothing else does, or extend it if they
  /// follow its end.
  mutating func settleSamples() {
    for index in samples.indices { samples[index].sort() }
    guard firstTime >= lastTime else {
      guard samplesExtendRange else { return }
      for series in samples {
        var end = lastTime
        for time in series.times[series.times.partitionPoint { $0 > end }...] {
          let (gap, overflow) = time.subtractingReportingOverflow(end)
          guard !overflow, gap <= Self.longestSampleGap else { break }
          end = time
        }
        extend(end)
      }
      return
    }
    for series in samples {
      guard let first = series.times.first, let last = series.times.last else { continue }
      extend(first)
      extend(last)
    }
  }

  /// The number of samples of each track.
  var sampleCounts: [Int] {
    var counts = Array(repeating: 0, count: tracks.count)
    for series in samples { counts[series.track.index] += series.count }
    return counts
  }

  /// Forgets the samples before `time`.
  mutating func forgetSamples(before time: Int64) {
    for index in samples.indices {
      samples[index].forget(before: time)
    }
    sampleCount = samples.reduce(0) { $0 + $1.count }
  }
}
