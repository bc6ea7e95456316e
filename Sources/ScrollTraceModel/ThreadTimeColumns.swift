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

extension ThreadTimeSample {
  /// Sets the counts to the differences of two samples, as nearly all are: no count has run backwards, and the
  /// times fit in the time between the two. Returns `false` otherwise.
  @inline(__always)
  fileprivate mutating func setDifference(
    of first: ThreadTimeSample, _ second: ThreadTimeSample, in length: Int64
  ) -> Bool {
    var sign: Int64 = 0
    func difference(_ first: Int64, _ second: Int64) -> Int64 {
      let (difference, isKnown) = (second &- first, first | second >= 0)
      sign |= isKnown ? difference : 0
      return isKnown ? difference : -1
    }
    $cpu = difference(first.$cpu, second.$cpu)
    $ready = difference(first.$ready, second.$ready)
    $preemptions = difference(first.$preemptions, second.$preemptions)
    $waits = difference(first.$waits, second.$waits)
    $faults = difference(first.$faults, second.$faults)
    $diskFaults = difference(first.$diskFaults, second.$diskFaults)
    guard sign >= 0, $cpu <= length, $ready <= length - max(0, $cpu) else { return false }
    _ = setReadyWithoutWaits(in: length, knowsReady: $ready >= 0)
    return true
  }

  /// Sets the ready time of a thread that never gave its core away: it was ready whenever it had none, also if a
  /// hypervisor took the core. Returns `false` for any other.
  @inline(__always)
  fileprivate mutating func setReadyWithoutWaits(in length: Int64, knowsReady: Bool) -> Bool {
    guard knowsReady, let cpu, waits == 0 else { return false }
    ready = length - cpu
    return true
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
  fileprivate var rows = PackedRows(columnCount: SampleRow.columnCount)
  /// The number of segments in which a count runs backwards or exceeds the time, if the samples are sorted.
  private(set) var implausibleCount = 0
  private var isSorted = true
  private var last: (time: Int64, sample: ThreadTimeSample)?
  /// The sums of the segments of each block, so that nobody needs to look at all segments again.
  package private(set) var blockSums: [ThreadTimeSums] = []
  /// That of the last block, which is not whole.
  private var sums = ThreadTimeSums()

  /// The number of segments in a block.
  package static let blockSize = PackedRows.blockSize

  package var count: Int { rows.count }

  package var isEmpty: Bool { count == 0 }

  package subscript(index: Int) -> ThreadTimeSample { SampleRow.sample { rows[index, $0] } }

  /// The time of a sample, in nanoseconds of the trace's clock.
  package func time(at index: Int) -> Int64 { SampleRow.time { rows[index, $0] } }

  /// Returns the position of the first sample whose time satisfies `predicate`, as all later ones do.
  package func firstIndex(whereTime predicate: (Int64) -> Bool) -> Int {
    (0..<count).partitionPoint { predicate(time(at: $0)) }
  }

  mutating func append(_ sample: ThreadTimeSample, at time: Int64) {
    if isSorted, let last {
      isSorted = (last.time, last.sample.cpu ?? -1) <= (time, sample.cpu ?? -1)
      if isSorted { addSegment(from: last, to: (time, sample)) }
    }
    last = (time, sample)
    rows.append { SampleRow.set($0, to: sample, at: time) }
  }

  @inline(__always) private mutating func addSegment(
    from before: (time: Int64, sample: ThreadTimeSample),
    to after: (time: Int64, sample: ThreadTimeSample)
  ) {
    let (segment, isPlausible) = Self.segment(before, after)
    if !isPlausible { implausibleCount += 1 }
    sums.add(segment)
    guard count % Self.blockSize == 0 else { return }
    blockSums.append(sums)
    sums = ThreadTimeSums()
  }

  /// Sorts the samples by time, and those of one instant by their values: counts only grow.
  mutating func settle() {
    guard !isSorted else { return }
    let keys = (0..<count).map { (time: time(at: $0), cpu: self[$0].cpu ?? -1) }
    keep(
      Array(keys.indices).stablySorted { (first: Int, second: Int) in keys[first] < keys[second] })
  }

  /// Forgets the samples before `time` but the last of them, which begins a segment.
  mutating func forget(before time: Int64) {
    let times = (0..<count).map { self.time(at: $0) }
    guard let last = times.lazy.filter({ $0 < time }).max() else { return }
    let kept = times.indices.filter { times[$0] >= last }
    if kept.count < count { keep(kept) }
  }

  /// Keeps only the samples at `indexes`, in this order.
  private mutating func keep(_ indexes: [Int]) {
    var kept = ThreadTimeColumns()
    for index in indexes { kept.append(self[index], at: time(at: index)) }
    self = kept
  }
}

/// How a sample is stored: its time, and each count plus 1, or 0 if it is unknown.
private enum SampleRow {
  static let columnCount = 7

  @inline(__always)
  static func set(_ row: PackedRows.NewRow, to sample: ThreadTimeSample, at time: Int64) {
    row[0] = UInt64(bitPattern: time)
    row[1] = UInt64(bitPattern: sample.$cpu &+ 1)
    row[2] = UInt64(bitPattern: sample.$ready &+ 1)
    row[3] = UInt64(bitPattern: sample.$preemptions &+ 1)
    row[4] = UInt64(bitPattern: sample.$waits &+ 1)
    row[5] = UInt64(bitPattern: sample.$faults &+ 1)
    row[6] = UInt64(bitPattern: sample.$diskFaults &+ 1)
  }

  @inline(__always) static func time(_ number: (Int) -> UInt64) -> Int64 {
    Int64(bitPattern: number(0))
  }

  @inline(__always) static func sample(_ number: (Int) -> UInt64) -> ThreadTimeSample {
    var sample = ThreadTimeSample()
    sample.$cpu = Int64(bitPattern: number(1) &- 1)
    sample.$ready = Int64(bitPattern: number(2) &- 1)
    sample.$preemptions = Int64(bitPattern: number(3) &- 1)
    sample.$waits = Int64(bitPattern: number(4) &- 1)
    sample.$faults = Int64(bitPattern: number(5) &- 1)
    sample.$diskFaults = Int64(bitPattern: number(6) &- 1)
    return sample
  }
}

/// Reads the segments between the samples of one thread, those near each other faster than alone.
package struct ThreadTimeReader {
  private let columns: ThreadTimeColumns
  /// The block of `numbers`, or -1 before the first.
  private var block = -1
  /// The numbers of the block and of the next sample, of each column behind those of the one before.
  private var numbers: [UInt64] = []
  private static let distance = PackedRows.blockSize + 1
  /// Where it was looked last.
  private var position = 0

  package init(_ columns: ThreadTimeColumns) { self.columns = columns }

  /// The segment that begins with the sample at `index`, which is not the last.
  package subscript(index: Int) -> ThreadTimeSegment {
    mutating get {
      let (block, position) = index.quotientAndRemainder(dividingBy: PackedRows.blockSize)
      if block != self.block { read(block) }
      return numbers.withUnsafeBufferPointer { numbers in
        func number(_ column: Int, _ row: Int) -> UInt64 { numbers[column &* Self.distance &+ row] }
        func row(_ row: Int) -> (time: Int64, sample: ThreadTimeSample) {
          (SampleRow.time { number($0, row) }, SampleRow.sample { number($0, row) })
        }
        return ThreadTimeColumns.segment(row(position), row(position &+ 1)).segment
      }
    }
  }

  /// Returns the position of the last sample that is not after an instant, or 0. There must be samples.
  package mutating func position(at instant: Int64) -> Int {
    let end = position + 16
    while position < end, position + 1 < columns.count, time(at: position + 1) <= instant {
      position += 1
    }
    if position == end || time(at: position) > instant {
      position = max(0, columns.firstIndex { $0 > instant } - 1)
    }
    return position
  }

  /// The time of a sample, for which no other block is read.
  private func time(at index: Int) -> Int64 {
    let (block, position) = index.quotientAndRemainder(dividingBy: PackedRows.blockSize)
    return block == self.block
      ? SampleRow.time { numbers[$0 * Self.distance + position] } : columns.time(at: index)
  }

  private mutating func read(_ block: Int) {
    self.block = block
    if numbers.isEmpty {
      numbers = Array(repeating: 0, count: SampleRow.columnCount * Self.distance)
    }
    numbers.withUnsafeMutableBufferPointer { numbers in
      let count = columns.rows.read(block: block, into: numbers, distance: Self.distance)
      let next = block * PackedRows.blockSize + count
      guard next < columns.count else { return }
      for column in 0..<SampleRow.columnCount {
        numbers[column * Self.distance + count] = columns.rows[next, column]
      }
    }
  }
}

/// The time between two samples of a thread, and what the system counted in it (M-25).
package struct ThreadTimeSegment: Equatable, Sendable {
  package let start: Int64
  package let end: Int64
  /// The values counted in between; times never exceed the segment.
  package let counted: ThreadTimeSample
}

/// The sums of what was counted in segments that follow each other (M-25).
package struct ThreadTimeSums: Sendable {
  /// The sum of the counts of the segments where they are known: times that fit in the segments.
  package private(set) var counted = ThreadTimeSample()
  /// The time blocked, or `nil` if it is unknown of all segments.
  @ThreadCount package private(set) var blocked: Int64?
  /// The time off a core, ready or blocked, of segments of which it is unknown which.
  package private(set) var notRunning: Int64 = 0
  /// The time of which nothing is known.
  package private(set) var unknown: Int64 = 0

  @inline(__always) fileprivate mutating func add(_ segment: ThreadTimeSegment) {
    let length = segment.end &- segment.start
    guard length > 0 else { return }
    func sum(_ sum: Int64, _ count: Int64) -> Int64 {
      count < 0 ? sum : max(0, sum).saturatingAdd(count)
    }
    let own = segment.counted
    counted.$cpu = sum(counted.$cpu, own.$cpu)
    counted.$ready = sum(counted.$ready, own.$ready)
    counted.$preemptions = sum(counted.$preemptions, own.$preemptions)
    counted.$waits = sum(counted.$waits, own.$waits)
    counted.$faults = sum(counted.$faults, own.$faults)
    counted.$diskFaults = sum(counted.$diskFaults, own.$diskFaults)
    // Segments do not overlap, so that the sums of their times fit. None has more than its length.
    let rest = length &- max(0, own.$cpu) &- max(0, own.$ready)
    if own.$cpu < 0 {
      unknown &+= rest
      if own.$ready >= 0 { $blocked = max(0, $blocked) }
    } else if own.$ready < 0 {
      notRunning &+= rest
    } else {
      $blocked = max(0, $blocked) &+ rest
    }
  }
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
    if counted.setDifference(of: first, second, in: length) {
      return (ThreadTimeSegment(start: start, end: end, counted: counted), true)
    }
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
    let knowsReady = first.ready != nil && second.ready != nil
    if !counted.setReadyWithoutWaits(in: length, knowsReady: knowsReady),
      let cpu = counted.cpu, let ready = counted.ready, ready > length - cpu
    {
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
