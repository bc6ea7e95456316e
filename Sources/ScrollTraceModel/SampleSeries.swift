/// The sampled stacks of one thread, or of one event of it, as columns sorted by time.
package struct SampleSeries: Sendable {
  /// How far a sample counts for the time around it, at most up to the middle between two samples.
  package enum Reach: Equatable, Sendable {
    /// As far as the middle: the source samples by the clock, so that a gap is a late sampler.
    case middle
    /// A period that the source states, in nanoseconds.
    case period(Int64)
    /// Two median gaps: a longer gap is time in which the thread did not run.
    case medianGaps
  }

  package let track: TrackID
  /// The source's name of the event that takes the samples, or empty.
  package let event: StringID
  /// The unit of the weights, or empty if there are none.
  package let weightUnit: StringID
  package let reach: Reach
  /// The number of nanoseconds that the source's times are multiples of.
  package let resolution: Int64
  package internal(set) var times: [Int64] = []
  package internal(set) var stacks: [Int32] = []
  /// The weights, or empty if no sample has one.
  package internal(set) var weights: [Int64] = []

  package var count: Int { times.count }

  package func stack(at index: Int) -> StackID { StackID(rawValue: stacks[index]) }

  mutating func append(_ stack: StackID, at time: Int64, weight: Int64?) {
    if weight != nil, weights.isEmpty {
      weights = Array(repeating: 0, count: times.count)
      weights.append(weight ?? 0)
    } else if !weights.isEmpty {
      weights.append(weight ?? 0)
    }
    times.append(time)
    stacks.append(stack.rawValue)
  }

  mutating func append(_ stacks: [Int32], at times: [Int64]) {
    guard !self.times.isEmpty else { return (self.times, self.stacks) = (times, stacks) }
    if !weights.isEmpty { weights += repeatElement(0, count: times.count) }
    self.times += times
    self.stacks += stacks
  }

  /// Sorts the samples by time, preserving the order of equal times.
  mutating func sort() {
    var index = 1
    // Times run backwards by a few samples at most in most sources.
    var budget = 8 * count + 64
    while index < count {
      var newIndex = index
      while newIndex > 0, times[newIndex - 1] > times[newIndex], budget > 0 {
        times.swapAt(newIndex - 1, newIndex)
        stacks.swapAt(newIndex - 1, newIndex)
        if !weights.isEmpty { weights.swapAt(newIndex - 1, newIndex) }
        newIndex -= 1
        budget -= 1
      }
      guard budget > 0 else { return sortAll() }
      index += 1
    }
  }

  private mutating func sortAll() {
    let order = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
    times = order.map { times[$0] }
    stacks = order.map { stacks[$0] }
    if !weights.isEmpty { weights = order.map { weights[$0] } }
  }

  mutating func forget(before time: Int64) {
    let kept = times.indices.filter { times[$0] >= time }
    guard kept.count < count else { return }
    stacks = kept.map { stacks[$0] }
    if !weights.isEmpty { weights = kept.map { weights[$0] } }
    times = kept.map { times[$0] }
  }
}
