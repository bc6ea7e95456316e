internal import ScrollTraceModel

/// The profiles of V8 in a trace: a `Profile` event for each thread, and its samples in
/// `ProfileChunk` events.
struct ChromeSamples {
  private struct Key: Hashable {
    var process: UInt64
    var id: UInt64
  }

  /// A `ProfileChunk` event: which nodes and times of the profile are its samples.
  private struct Chunk {
    let time: Int64
    let nodes: Range<Int>
    let deltas: Range<Int>
  }

  private struct Profile {
    /// The thread and the start, once the `Profile` event was read.
    var track: TrackID?
    var start: Int64 = 0
    var tree = V8Profile()
    var chunks: [Chunk] = []
    /// The node of each sample, and the time since the one before in microseconds.
    var nodes: [Int64] = []
    var deltas: [Int64] = []

    /// Orders the samples by the times of their chunks. Chunks are written by several threads; times add up
    /// in their order.
    mutating func sortChunks() {
      guard zip(chunks, chunks.dropFirst()).contains(where: { $0.time > $1.time }) else { return }
      chunks = chunks.stablySorted { $0.time }
      (nodes, deltas) = (chunks.flatMap { nodes[$0.nodes] }, chunks.flatMap { deltas[$0.deltas] })
    }

    mutating func addSamples(to series: Int, in builder: inout TraceBuilder) {
      sortChunks()
      var time = start
      deltas.withUnsafeMutableBufferPointer { deltas in
        for index in deltas.indices {
          let sum = time.plus(deltas[index])
          if let sum { time = sum }
          deltas[index] = sum.flatMap(Timestamp.microseconds)?.nanoseconds ?? -1
        }
      }
      tree.addSamples(of: nodes, at: deltas, to: series, in: &builder)
    }
  }

  private var profiles: [Profile] = []
  private var positions: [Key: Int] = [:]
  /// The samples of the form with `stackFrames`.
  var plain = ChromePlainSamples()

  /// Adds an event of phase `P`, and returns whether it is one of a profile.
  mutating func add(
    _ event: ChromeEvent, in bytes: UnsafeRawBufferPointer, _ tracks: inout ChromeTracks,
    _ builder: inout TraceBuilder
  ) -> Bool {
    let name = event.name.view(in: bytes)
    let isStart = name.isText("Profile")
    guard isStart || name.isText("ProfileChunk") else { return false }
    let thread = tracks.thread(of: event, in: bytes, &builder)
    let id = event.id.kind == .missing ? 0 : ChromeID.number(event.id.view(in: bytes))
    guard let data = event.arguments.view(in: bytes).member("data") else {
      builder.countLoss(.malformedRecord)
      return true
    }
    if isStart {
      guard let start = data.member("startTime")?.integer else {
        builder.countLoss(.invalidValue)
        return true
      }
      begin(id, of: thread.process, on: thread.track, at: start)
    } else {
      let time = event.time.view(in: bytes).integer ?? 0
      addChunk(data, at: time, to: id, of: thread.process, &builder)
    }
    return true
  }

  /// Adds the thread of a profile and its start in microseconds.
  mutating func begin(_ id: UInt64, of process: UInt64, on track: TrackID, at start: Int64) {
    let position = position(of: Key(process: process, id: id))
    profiles[position].track = track
    profiles[position].start = start
  }

  private mutating func position(of key: Key) -> Int {
    profiles.position(of: key, in: &positions, adding: Profile())
  }

  /// Adds samples to a profile. The unit of `time` is the same for all chunks.
  mutating func addChunk(
    _ data: JSONView, at time: Int64, to id: UInt64, of process: UInt64,
    _ builder: inout TraceBuilder
  ) {
    let position = position(of: Key(process: process, id: id))
    let (firstNode, firstDelta) = (profiles[position].nodes.count, profiles[position].deltas.count)
    var deltas: JSONView?
    data.forEachMember { name, value in
      if name.hasBytes(of: "cpuProfile") {
        value.forEachMember { name, value in
          if name.hasBytes(of: "nodes") {
            value.forEachElement { profiles[position].tree.addNode($0, in: &builder) }
          } else if name.hasBytes(of: "samples") {
            value.appendIntegers(to: &profiles[position].nodes)
          } else if name.hasBytes(of: "timeDeltas"), deltas == nil {
            deltas = value
          }
        }
      } else if name.hasBytes(of: "timeDeltas") {
        deltas = value
      }
    }
    deltas?.appendIntegers(to: &profiles[position].deltas)
    profiles[position].chunks.append(
      Chunk(
        time: time, nodes: firstNode..<profiles[position].nodes.count,
        deltas: firstDelta..<profiles[position].deltas.count))
  }

  mutating func finish(_ tracks: ChromeTracks, in builder: inout TraceBuilder) {
    var orphans = 0
    for index in profiles.indices {
      // Taken out, its lists become those of the trace without being copied.
      var profile = Profile()
      swap(&profile, &profiles[index])
      guard let track = profile.track else {
        orphans += profile.chunks.count
        continue
      }
      let series = builder.sampleSeries(of: track, reach: .middle, resolution: 1000)
      profile.addSamples(to: series, in: &builder)
    }
    builder.addNotice("chunks of profiles without a start", count: orphans)
    plain.finish(tracks, in: &builder)
    profiles = []
  }
}

extension Timestamp {
  /// Returns the time of a number of microseconds, or `nil` if it cannot be represented.
  static func microseconds(_ count: Int64) -> Timestamp? {
    count.times(1000).flatMap(Timestamp.init(nanoseconds:))
  }
}

/// The `samples` and `stackFrames` of a trace, which Hermes writes.
struct ChromePlainSamples {
  private struct Sample {
    /// The process, or `nil` for that of the thread.
    var process: UInt64?
    var thread: UInt64
    var time: Timestamp
    var frame: String?
    var weight: Int64
  }

  private var frames: [String: CallerChains<String>.Frame] = [:]
  private var samples: [Sample] = []

  mutating func addFrame(_ id: String, _ view: JSONView, in builder: inout TraceBuilder) {
    guard frames.count < StackTree.maximumCount else { return builder.countLoss(.limitReached) }
    let name = view.member("name")?.text ?? ""
    frames[id] = CallerChains.Frame(
      function: builder.sampledFunction(builder.string(name.isEmpty ? "(anonymous)" : name)),
      caller: view.member("parent").flatMap(Self.id))
  }

  mutating func addSample(_ view: JSONView, in builder: inout TraceBuilder) {
    guard let thread = view.member("tid")?.integer,
      let number = view.member("ts"),
      let time = JSONNumber.nanoseconds(fromMicroseconds: number.rawText ?? number.bytes)
        .flatMap(Timestamp.init(nanoseconds:))
    else { return builder.countLoss(.malformedRecord) }
    guard samples.count < TraceBuilder.sampleLimit else { return builder.countLoss(.limitReached) }
    samples.append(
      Sample(
        process: view.member("pid")?.integer.map { UInt64(bitPattern: $0) },
        thread: UInt64(bitPattern: thread), time: time, frame: view.member("sf").flatMap(Self.id),
        weight: view.member("weight").flatMap {
          JSONNumber.scaled($0.rawText ?? $0.bytes, timesTenTo: 0)
        } ?? 1))
  }

  private static func id(_ view: JSONView) -> String? { view.text ?? view.integer.map { "\($0)" } }

  mutating func finish(_ tracks: ChromeTracks, in builder: inout TraceBuilder) {
    guard !samples.isEmpty else { return }
    let owners = tracks.owners
    var chains = CallerChains<String>()
    let unit = builder.string("as in the file")
    for sample in samples {
      let process = sample.process ?? owners[sample.thread] ?? 0
      let track = builder.track(sample.thread, of: builder.process(process))
      let series = builder.sampleSeries(
        of: track, weightUnit: unit, reach: .medianGaps, resolution: 1000)
      let stack =
        sample.frame.map { id in
          chains.stack(of: id, among: frames.count, in: &builder) { frames[$0] }
        } ?? .empty
      builder.addSample(of: stack, at: sample.time, weight: sample.weight, to: series)
    }
    builder.countLoss(.invalidValue, count: UInt64(chains.circularCount))
    builder.addNotice("circular stack frames", count: chains.circularCount)
    samples = []
  }
}

extension JSONView {
  /// Appends each whole number of an array; anything else counts as zero.
  func appendIntegers(to numbers: inout [Int64]) {
    if let plain = plainIntegers { return numbers += plain }
    forEachElement { numbers.append($0.integer ?? 0) }
  }

  /// The numbers of an array of up to 18 digits each, or `nil` if it contains anything else.
  private var plainIntegers: [Int64]? {
    guard var at = bytes.baseAddress, bytes.first == UInt8(ascii: "[") else { return nil }
    let end = at + bytes.count
    var isWhole = false
    // Two bytes each, with the comma, are the minimum.
    let numbers = [Int64](unsafeUninitializedCapacity: bytes.count / 2) { numbers, count in
      repeat {
        at += 1
        guard let number = Self.plainInteger(at: &at, end) else { return }
        numbers.initializeElement(at: count, to: number)
        count += 1
      } while at.load(as: UInt8.self) == UInt8(ascii: ",")
      isWhole = at.load(as: UInt8.self) == UInt8(ascii: "]")
    }
    return isWhole ? numbers : nil
  }

  /// The number at `at`, which advances to the byte after it, or `nil` if it is none of up to 18 digits or
  /// nothing follows it.
  @inline(__always)
  private static func plainInteger(at: inout UnsafeRawPointer, _ end: UnsafeRawPointer) -> Int64? {
    let isNegative = at < end && at.load(as: UInt8.self) == UInt8(ascii: "-")
    if isNegative { at += 1 }
    let (start, limit) = (at, min(at + 18, end - 1))
    var value: Int64 = 0
    while at < limit {
      let digit = at.load(as: UInt8.self) &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      value = value &* 10 &+ Int64(digit)
      at += 1
    }
    return at > start ? (isNegative ? 0 &- value : value) : nil
  }
}
