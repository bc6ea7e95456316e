internal import CRecorderShims

/// The stacks of one thread since its current frame began, or since the last one ended, which are written
/// only if the frame or the next one is late.
struct FrameSamples {
  /// A sample; its addresses follow those of the sample before it.
  struct Sample {
    var time: UInt64
    /// The end of its functions in `addresses`, innermost first.
    var end: Int
  }

  /// The number of the frame that the samples are of: odd if there is one, even between two.
  var frame: UInt64 = 0
  var deadline: UInt64 = 0
  /// Whether samples were written, because the frame is late.
  var isLate = false
  /// The time of the next writing of a frame that stays open.
  var nextTime: UInt64 = 0
  private(set) var samples: [Sample] = []
  private(set) var addresses: [UInt64] = []

  /// The maximum number of addresses that wait for the frame's end: the first ones, which say how it
  /// became late.
  private static var maximumCount: Int { 1 << 18 }

  mutating func begin(_ frame: scrolltrace_sampled_frame) {
    self.frame = frame.number
    deadline = frame.deadline
    nextTime = frame.deadline
    isLate = false
    forget()
  }

  /// Moves the time from which the next frame is late, if nothing was written yet.
  mutating func expectNoFrame(before time: UInt64) {
    guard !isLate, time > deadline else { return }
    deadline = time
    nextTime = time
  }

  /// Whether there are samples of the time in which the frame is late.
  var areLate: Bool { isLate || (samples.last?.time ?? 0) > deadline }

  mutating func forget() {
    samples.removeAll(keepingCapacity: true)
    addresses.removeAll(keepingCapacity: true)
  }

  mutating func add(_ sample: scrolltrace_stack_sample) {
    guard let start = sample.addresses, addresses.count < Self.maximumCount else { return }
    addresses.append(contentsOf: UnsafeBufferPointer(start: start, count: Int(sample.count)))
    samples.append(Sample(time: sample.time, end: addresses.count))
  }

  /// Removes the samples after `time`, at which the frame ended.
  mutating func remove(after time: UInt64) {
    while let last = samples.last, last.time > time { samples.removeLast() }
    addresses.removeLast(addresses.count - (samples.last?.end ?? 0))
  }

  /// The addresses of a sample, innermost function first.
  func addresses(of index: Int) -> ArraySlice<UInt64> {
    addresses[(index == 0 ? 0 : samples[index - 1].end)..<samples[index].end]
  }
}
