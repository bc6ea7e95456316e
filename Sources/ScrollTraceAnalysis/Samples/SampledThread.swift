package import ScrollTraceModel

/// The samples of a thread as the source counts them, whatever their times.
package struct SampledThread: Sendable {
  /// The counts of a function.
  package struct Function: Equatable, Sendable {
    package let name: String
    /// The module or file, or `nil` if unknown.
    package let module: String?
    package let ownSamples: Int
    package let totalSamples: Int
    /// The weight of the samples in which the function was innermost.
    package let ownWeight: Int64
    /// The weight of the samples in which the function was on the stack.
    package let totalWeight: Int64
  }

  package let series: SampleSeries
  /// The number of samples without a function.
  package let samplesWithoutStack: Int
  /// The sum of the weights, or `nil` if there are none.
  package let weight: Int64?
  /// The functions, by own weight or number of samples, then by total.
  package let functions: [Function]

  /// Creates the counts of a series.
  package init(_ series: SampleSeries, in trace: Trace) {
    self.series = series
    let hasWeights = !series.weights.isEmpty
    var stacks: [Int32: StackSums.Sum] = [:]
    for index in 0..<series.count {
      let weight = hasWeights ? series.weights[index] : 0
      let sum = stacks[series.stacks[index], default: StackSums.Sum()]
      stacks[series.stacks[index]] = StackSums.Sum(
        time: sum.time.saturatingAdd(weight), samples: sum.samples + 1)
    }
    weight = hasWeights ? series.weights.reduce(0) { $0.saturatingAdd($1) } : nil
    let sums = StackSums(stacks, of: trace.stackTree)
    samplesWithoutStack = sums.withoutStack?.samples ?? 0
    var found: [Function] = []
    func add(_ name: String, _ module: String?, _ own: StackSums.Sum, _ total: StackSums.Sum) {
      found.append(
        Function(
          name: name, module: module, ownSamples: own.samples, totalSamples: total.samples,
          ownWeight: own.time, totalWeight: total.time))
    }
    sums.forEachFunction { function, own, total in
      add(
        trace.strings[function.name],
        function.module == .empty ? nil : trace.strings[function.module], own, total)
    }
    if let none = sums.withoutStack { add("(no stack)", nil, none, none) }
    functions = found.sorted { left, right in
      let first =
        hasWeights
        ? (left.ownWeight, left.totalWeight) : (Int64(left.ownSamples), Int64(left.totalSamples))
      let second =
        hasWeights
        ? (right.ownWeight, right.totalWeight)
        : (Int64(right.ownSamples), Int64(right.totalSamples))
      return (second.0, second.1, left.name, left.module ?? "")
        < (first.0, first.1, right.name, right.module ?? "")
    }
  }
}
