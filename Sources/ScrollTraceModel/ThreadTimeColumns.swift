/// What a system counted for one thread since its start, at one instant; `nil` is unknown (M-25).
package struct ThreadTimeSample: Equatable, Sendable {
  /// The time on a core, in nanoseconds.
  @ThreadCount package var cpu: Int64?
  /// The time ready to run without a core, in nanoseconds.
  @ThreadCount package var ready: Int64?
  /// The number of times the thread lost its core although it could have gone on.
  @ThreadCount package var preemptions: Int64?
  /// The number of times the thread gave its core away to wait.
  @ThreadCount package var waits: Int64?
  /// The number of page faults without input.
  @ThreadCount package var faults: Int64?
  /// The number of pages read from disk, by page faults or by reads.
  @ThreadCount package var diskFaults: Int64?

  /// Creates a sample in which nothing is known.
  package init() {}

  package var isEmpty: Bool { cpu == nil && hasOnlyCPU }

  /// Whether nothing but the time on a core is known.
  package var hasOnlyCPU: Bool {
    ready == nil && preemptions == nil && waits == nil && faults == nil && diskFaults == nil
  }
}

/// A count that is never negative, in half of the room of an optional.
@propertyWrapper package struct ThreadCount: Equatable, Sendable {
  /// The count, or -1 if it is unknown.
  package var projectedValue: Int64 = -1

  package init() {}

  package var wrappedValue: Int64? {
    @inline(__always) get { projectedValue < 0 ? nil : projectedValue }
    @inline(__always) set { projectedValue = newValue ?? -1 }
  }
}

/// The samples of one thread, in columns ascending by time.
package struct ThreadTimeColumns: Sendable {
  /// The time of each sample, in nanoseconds of the trace's clock.
  package private(set) var times = PackedColumn<Int64>()
  /// The number of segments in which a count runs backwards or exceeds the time, if the samples are sorted.
  private(set) var implausibleCount = 0
  private var isSorted = true
  private var last: (time: Int64, sample: ThreadTimeSample)?
  fileprivate var cpu = OptionalColumn()
  fileprivate var ready = OptionalColumn()
  fileprivate var preemptions = OptionalColumn()
  fileprivate var waits = OptionalColumn()
  fileprivate var faults = OptionalColumn()
  fileprivate var diskFaults = OptionalColumn()
  /// The last samples, which are not in the columns yet: a block is added at once.
  private var pending: [(time: Int64, sample: ThreadTimeSample)] = []

  package var count: Int { times.count + pending.count }

  package var isEmpty: Bool { count == 0 }

  package subscript(index: Int) -> ThreadTimeSample {
    var sample = ThreadTimeSample()
    sample.cpu = cpu[index]
    sample.ready = ready[index]
    sample.preemptions = preemptions[index]
    sample.waits = waits[index]
    sample.faults = faults[index]
    sample.diskFaults = diskFaults[index]
    return sample
  }

  mutating func append(_ sample: ThreadTimeSample, at time: Int64) {
    if isSorted, let last {
      isSorted = (last.time, last.sample.cpu ?? -1) <= (time, sample.cpu ?? -1)
      if isSorted, !Self.segment(last, (time, sample)).isPlausible { implausibleCount += 1 }
    }
    last = (time, sample)
    pending.append((time, sample))
    if pending.count == PackedNumbers.blockSize { flush() }
  }

  /// Adds what is pending to the columns. Samples can be read after that.
  mutating func flush() {
    let (rows, count) = (pending.count, times.count)
    guard rows > 0 else { return }
    var added: [(time: Int64, sample: ThreadTimeSample)] = []
    swap(&added, &pending)
    added.withUnsafeBufferPointer { added in
      times.append(count: rows) { added[$0].time }
      cpu.append(rows, after: count) { added[$0].sample.$cpu }
      ready.append(rows, after: count) { added[$0].sample.$ready }
      preemptions.append(rows, after: count) { added[$0].sample.$preemptions }
      waits.append(rows, after: count) { added[$0].sample.$waits }
      faults.append(rows, after: count) { added[$0].sample.$faults }
      diskFaults.append(rows, after: count) { added[$0].sample.$diskFaults }
    }
    added.removeAll(keepingCapacity: true)
    swap(&added, &pending)
  }

  /// Sorts the samples by time, and those of one instant by their values: counts only grow.
  mutating func settle() {
    flush()
    guard !isSorted else { return }
    let keys = times.indices.map { (time: times[$0], cpu: cpu[$0] ?? -1) }
    let order = Array(keys.indices).stablySorted { (first: Int, second: Int) in
      keys[first] < keys[second]
    }
    keep(order)
    flush()
  }

  /// Forgets the samples before `time` but the last of them, which begins a segment.
  mutating func forget(before time: Int64) {
    flush()
    guard let last = times.lazy.filter({ $0 < time }).max() else { return }
    let kept = times.indices.filter { times[$0] >= last }
    if kept.count < count { keep(kept) }
  }

  /// Keeps only the samples at `indexes`, in this order.
  private mutating func keep(_ indexes: [Int]) {
    var kept = ThreadTimeColumns()
    for index in indexes { kept.append(self[index], at: times[index]) }
    self = kept
  }
}

/// Reads the segments between the samples of one thread, those near each other faster than alone.
package struct ThreadTimeReader {
  private let columns: ThreadTimeColumns
  /// The block of `samples`, or -1 before the first.
  private var block = -1
  /// The samples of the block, and the next one.
  private var samples: [(time: Int64, sample: ThreadTimeSample)] = []
  /// Where it was looked last.
  private var position = 0

  package init(_ columns: ThreadTimeColumns) { self.columns = columns }

  /// The segment that begins with the sample at `index`, which is not the last.
  package subscript(index: Int) -> ThreadTimeSegment {
    mutating get {
      let (block, position) = index.quotientAndRemainder(dividingBy: PackedNumbers.blockSize)
      if block != self.block { read(block) }
      return ThreadTimeColumns.segment(samples[position], samples[position + 1]).segment
    }
  }

  /// Returns the position of the last sample that is not after an instant, or 0. There must be samples.
  package mutating func position(at instant: Int64) -> Int {
    let end = position + 16
    while position < end, position + 1 < columns.count, time(at: position + 1) <= instant {
      position += 1
    }
    if position == end || time(at: position) > instant {
      position = max(0, columns.times.partitionPoint { $0 > instant } - 1)
    }
    return position
  }

  /// The time of a sample, for which no other block is read.
  private func time(at index: Int) -> Int64 {
    let (block, position) = index.quotientAndRemainder(dividingBy: PackedNumbers.blockSize)
    return block == self.block ? samples[position].time : columns.times[index]
  }

  private mutating func read(_ block: Int) {
    self.block = block
    let first = block * PackedNumbers.blockSize
    samples.removeAll(keepingCapacity: true)
    columns.times.withBlock(at: first) { times in
      for time in times { samples.append((time, ThreadTimeSample())) }
    }
    samples.withUnsafeMutableBufferPointer { samples in
      columns.cpu.forEach(inBlockAt: first) { samples[$0].sample.$cpu = $1 }
      columns.ready.forEach(inBlockAt: first) { samples[$0].sample.$ready = $1 }
      columns.preemptions.forEach(inBlockAt: first) { samples[$0].sample.$preemptions = $1 }
      columns.waits.forEach(inBlockAt: first) { samples[$0].sample.$waits = $1 }
      columns.faults.forEach(inBlockAt: first) { samples[$0].sample.$faults = $1 }
      columns.diskFaults.forEach(inBlockAt: first) { samples[$0].sample.$diskFaults = $1 }
    }
    let next = first + samples.count
    if next < columns.count { samples.append((columns.times[next], columns[next])) }
  }
}

/// The time between two samples of a thread, and what the system counted in it (M-25).
package struct ThreadTimeSegment: Equatable, Sendable {
  package let start: Int64
  package let end: Int64
  /// The values counted in between; times never exceed the segment.
  package let counted: ThreadTimeSample
}

extension ThreadTimeColumns {
  /// How far a system's counts may exceed wall time: a tick of the slowest usual scheduler clock, 100 Hz.
  private static let tick: Int64 = 10_000_000

  /// The segment between two samples that follow each other, and whether all of its counts are
  /// plausible. Counts that run backwards or exceed the segment by more than a tick are unknown.
  fileprivate static func segment(
    _ before: (time: Int64, sample: ThreadTimeSample),
    _ after: (time: Int64, sample: ThreadTimeSample)
  ) -> (segment: ThreadTimeSegment, isPlausible: Bool) {
    let (first, second) = (before.sample, after.sample)
    let (start, end) = (before.time, after.time)
    let length = end - start
    var counted = ThreadTimeSample()
    var isPlausible = true
    /// The growth of a count, at most the length of the segment if it is a time.
    func growth(_ first: Int64, _ second: Int64, isTime: Bool = false) -> Int64 {
      guard first >= 0, second >= 0 else { return -1 }
      let value = second &- first
      if value >= 0, !isTime || value <= length.saturatingAdd(tick) {
        return isTime ? min(value, length) : value
      }
      if isTime, value < 0, value >= -tick { return 0 }
      isPlausible = false
      return -1
    }
    counted.$cpu = growth(first.$cpu, second.$cpu, isTime: true)
    counted.$ready = growth(first.$ready, second.$ready, isTime: true)
    counted.$waits = growth(first.$waits, second.$waits)
    if let cpu = counted.cpu, second.ready != nil, first.ready != nil, counted.waits == 0 {
      // A thread that never gave its core away was ready whenever it had none, also if a hypervisor
      // took the core.
      counted.ready = length - cpu
    } else if let cpu = counted.cpu, let ready = counted.ready, ready > length - cpu {
      // The two clocks are read one after the other, and the scheduler's lags by up to a tick.
      isPlausible = isPlausible && ready - (length - cpu) <= tick
      counted.ready = isPlausible ? length - cpu : nil
    }
    counted.$preemptions = growth(first.$preemptions, second.$preemptions)
    counted.$faults = growth(first.$faults, second.$faults)
    counted.$diskFaults = growth(first.$diskFaults, second.$diskFaults)
    return (ThreadTimeSegment(start: start, end: end, counted: counted), isPlausible)
  }
}
