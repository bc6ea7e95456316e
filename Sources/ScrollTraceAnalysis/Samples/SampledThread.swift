public import ScrollTraceModel

/// The samples of a thread as the source counts them.
///
/// They count whatever their times.
public struct SampledThread: Codable, Sendable {
  /// The name of the process.
  public let process: String
  /// The name of the thread.
  public let thread: String
  /// The system's number of the thread.
  public let threadID: UInt64
  /// The event of the sampler, or `nil` if there is only one.
  public let event: String?
  /// The number of samples.
  public let samples: Int
  /// The number of samples without a function.
  public let samplesWithoutStack: Int
  /// The total weight, or `nil` without weights.
  public let weight: Int64?
  /// The unit of weights, or `nil` without weights.
  public let weightUnit: String?
  /// The time of the first sample, or `nil` without samples.
  public let first: TimeSpan?
  /// The time of the last sample, or `nil` without samples.
  public let last: TimeSpan?
  /// The gap in the middle of all gaps between samples, or `nil` with fewer than two.
  public let medianGap: TimeSpan?
  /// The 15 functions with the largest own weight or number of samples.
  public let functions: [Function]

  private static let maximumFunctions = 15

  /// The samples of a function.
  public struct Function: Codable, Sendable {
    /// The name of the function.
    public let name: String
    /// The module or file, or `nil` if unknown.
    public let place: String?
    /// The number of samples in which it was innermost.
    public let ownSamples: Int
    /// The number of samples in which it was on the stack.
    public let totalSamples: Int
    /// The weight of the samples in which it was innermost, or `nil` without weights.
    public let ownWeight: Int64?
    /// The weight of the samples in which it was on the stack, or `nil` without weights.
    public let totalWeight: Int64?

    /// What functions are sorted by: first their own weight or samples, then the total.
    fileprivate var rank: (own: Int64, total: Int64) {
      (ownWeight ?? Int64(ownSamples), totalWeight ?? Int64(totalSamples))
    }
  }

  private enum CodingKeys: String, CodingKey {
    case process, thread, threadID = "threadId", event, samples, samplesWithoutStack, weight
    case weightUnit, first = "firstNs", last = "lastNs", medianGap = "medianGapNs", functions
  }

  package init(_ series: SampleSeries, in trace: Trace) {
    let track = trace.tracks[series.track.index]
    func time(_ time: Int64?) -> TimeSpan? {
      time.map { Timestamp(clamping: $0) - trace.range.start }
    }
    let hasWeights = !series.weights.isEmpty
    process = trace.displayName(of: track.process)
    thread = trace.displayName(of: series.track)
    threadID = UInt64(track.systemID)
    event = series.event == .empty ? nil : trace.strings[series.event]
    samples = series.count
    weight = hasWeights ? series.weights.reduce(0) { $0.saturatingAdd($1) } : nil
    weightUnit = hasWeights ? trace.strings[series.weightUnit] : nil
    first = time(series.times.first)
    last = time(series.times.last)
    medianGap = SampleCells(series).medianGap
    var stacks: [Int32: StackSums.Sum] = [:]
    for index in 0..<series.count {
      stacks[series.stacks[index], default: StackSums.Sum()] += StackSums.Sum(
        time: hasWeights ? series.weights[index] : 0, samples: 1)
    }
    let sums = StackSums(stacks, of: trace.stackTree)
    samplesWithoutStack = sums.withoutStack?.samples ?? 0
    var found: [Function] = []
    func add(_ name: String, _ place: String?, _ own: StackSums.Sum, _ total: StackSums.Sum) {
      found.append(
        Function(
          name: name, place: place, ownSamples: own.samples, totalSamples: total.samples,
          ownWeight: hasWeights ? own.time : nil, totalWeight: hasWeights ? total.time : nil))
    }
    for (function, own, total) in sums.functions {
      add(
        trace.strings[function.name],
        function.module == .empty ? nil : trace.strings[function.module], own, total)
    }
    if let none = sums.withoutStack { add("(no stack)", nil, none, none) }
    let sorted = found.sorted { left, right in
      let (first, second) = (left.rank, right.rank)
      return (second.own, second.total, left.name, left.place ?? "")
        < (first.own, first.total, right.name, right.place ?? "")
    }
    functions = Array(sorted.prefix(Self.maximumFunctions))
  }
}
