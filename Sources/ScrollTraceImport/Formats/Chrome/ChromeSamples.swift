internal import ScrollTraceModel

/// The profiles of V8 in a trace: a `Profile` event for each thread, and its samples in
/// `ProfileChunk` events.
struct ChromeSamples {
  private struct Key: Hashable {
    var process: UInt64
    var id: UInt64
  }

  /// The samples of a `ProfileChunk` event: the node of each one, and the time since the one before.
  private struct Chunk {
    var time: Int64
    var nodes: [Int64] = []
    var deltas: [Int64] = []
  }

  private struct Profile {
    /// The thread and the start, once the `Profile` event was read.
    var track: TrackID?
    var start: Int64 = 0
    var tree = V8Profile()
    var chunks: [Chunk] = []
  }

  private var profiles: [Profile] = []
  private var positions: [Key: Int] = [:]
  private var plain = ChromePlainSamples()

  /// Takes an event of phase `P`, and returns whether it is one of a profile.
  mutating func add(
    _ event: ChromeEvent, in bytes: UnsafeRawBufferPointer, _ tracks: inout ChromeTracks,
    _ builder: inout TraceBuilder
  ) -> Bool {
    let name = bytes[event.name.start..<event.name.end]
    let isStart = name.elementsEqual("\"Profile\"".utf8)
    guard isStart || name.elementsEqual("\"ProfileChunk\"".utf8) else { return false }
    let place = tracks.place(of: event, in: bytes, &builder)
    let id = event.id.kind == .missing ? 0 : ChromeID.number(Self.view(event.id, in: bytes))
    let position = position(of: Key(process: place.process, id: id))
    guard let data = Self.view(event.arguments, in: bytes).member("data") else {
      builder.countLoss(.malformedRecord)
      return true
    }
    if isStart {
      guard let start = data.member("startTime")?.integer else {
        builder.countLoss(.invalidValue)
        return true
      }
      profiles[position].track = place.track
      profiles[position].start = start
    } else {
      let time = Self.view(event.time, in: bytes).integer ?? 0
      addChunk(data, at: time, to: position, &builder)
    }
    return true
  }

  private mutating func position(of key: Key) -> Int {
    if let known = positions[key] { return known }
    positions[key] = profiles.count
    profiles.append(Profile())
    return profiles.count - 1
  }

  private mutating func addChunk(
    _ data: JSONView, at time: Int64, to position: Int, _ builder: inout TraceBuilder
  ) {
    var chunk = Chunk(time: time)
    var deltas: JSONView?
    data.forEachMember { name, value in
      if name.hasBytes(of: "cpuProfile") {
        value.forEachMember { name, value in
          if name.hasBytes(of: "nodes") {
            value.forEachElement { profiles[position].tree.addNode($0, in: &builder) }
          } else if name.hasBytes(of: "samples") {
            value.appendIntegers(to: &chunk.nodes)
          } else if name.hasBytes(of: "timeDeltas"), deltas == nil {
            deltas = value
          }
          return true
        }
      } else if name.hasBytes(of: "timeDeltas") {
        deltas = value
      }
      return true
    }
    deltas?.appendIntegers(to: &chunk.deltas)
    profiles[position].chunks.append(chunk)
  }

  // MARK: - The form with `stackFrames`

  /// Takes an entry of `stackFrames`.
  mutating func addFrame(_ id: String, _ view: JSONView, in builder: inout TraceBuilder) {
    plain.addFrame(id, view, in: &builder)
  }

  /// Takes an entry of `samples`.
  mutating func addSample(_ view: JSONView, in builder: inout TraceBuilder) {
    plain.addSample(view, in: &builder)
  }

  // MARK: - The end

  /// Adds the samples of all profiles.
  mutating func finish(in builder: inout TraceBuilder) {
    var orphans = 0
    for index in profiles.indices {
      guard let track = profiles[index].track else {
        orphans += profiles[index].chunks.count
        continue
      }
      let series = builder.sampleSeries(of: track, reach: .middle, resolution: 1000)
      add(profiles[index], to: series, in: &builder)
    }
    if orphans > 0 {
      builder.addNotice(.source("chunks of profiles without a start: \(orphans)"))
    }
    plain.finish(in: &builder)
    profiles = []
  }

  private func add(_ profile: Profile, to series: Int, in builder: inout TraceBuilder) {
    var tree = profile.tree
    // Chunks are written by several threads; times add up in their order.
    let chunks = profile.chunks.stablySorted { $0.time }
    var deltas = chunks.lazy.flatMap(\.deltas).makeIterator()
    var clock = V8Clock(start: profile.start)
    builder.reserveSamples(chunks.reduce(0) { $0 + $1.nodes.count }, in: series)
    for chunk in chunks {
      for node in chunk.nodes {
        guard let delta = deltas.next() else {
          tree.note(in: &builder)
          return builder.addNotice(.source("a profile has more samples than times"))
        }
        guard let time = clock.advance(by: delta) else {
          builder.countLoss(.timeOutOfRange)
          continue
        }
        builder.addSample(of: tree.stack(of: node, in: &builder), at: time, to: series)
      }
    }
    tree.note(in: &builder)
  }

  private static func view(
    _ field: ChromeEvent.Field, in bytes: UnsafeRawBufferPointer
  ) -> JSONView {
    JSONView(bytes: UnsafeRawBufferPointer(rebasing: bytes[field.start..<field.end]))
  }
}

/// The time of the samples of a profile, each given as its distance from the one before.
struct V8Clock {
  private var microseconds: Int64

  /// A clock at the start of a profile, in microseconds.
  init(start: Int64) {
    microseconds = start
  }

  /// The time of the next sample, or `nil` if it cannot be represented.
  mutating func advance(by delta: Int64) -> Timestamp? {
    let (sum, overflow) = microseconds.addingReportingOverflow(delta)
    guard !overflow else { return nil }
    microseconds = sum
    return Self.time(microseconds: sum)
  }

  /// The time of a number of microseconds, or `nil` if it cannot be represented.
  static func time(microseconds: Int64) -> Timestamp? {
    let (nanoseconds, overflow) = microseconds.multipliedReportingOverflow(by: 1000)
    return overflow ? nil : Timestamp(nanoseconds: nanoseconds)
  }
}

/// The `samples` and `stackFrames` of a trace, which Hermes writes.
struct ChromePlainSamples {
  private struct Sample {
    var process: UInt64
    var thread: UInt64
    var time: Timestamp
    var frame: String?
    var weight: Int64
  }

  private var frames: [String: CallerChains<String>.Frame] = [:]
  private var samples: [Sample] = []

  /// Takes an entry of `stackFrames`.
  mutating func addFrame(_ id: String, _ view: JSONView, in builder: inout TraceBuilder) {
    guard frames.count < StackTree.maximumCount else { return builder.countLoss(.limitReached) }
    let name = view.member("name")?.text ?? ""
    frames[id] = CallerChains.Frame(
      function: builder.sampledFunction(builder.string(name.isEmpty ? "(anonymous)" : name)),
      caller: view.member("parent").flatMap(Self.id))
  }

  /// Takes an entry of `samples`.
  mutating func addSample(_ view: JSONView, in builder: inout TraceBuilder) {
    guard let thread = view.member("tid")?.integer,
      let time = view.member("ts")?.integer.flatMap(V8Clock.time(microseconds:))
    else { return builder.countLoss(.malformedRecord) }
    guard samples.count < TraceBuilder.sampleLimit else { return builder.countLoss(.limitReached) }
    samples.append(
      Sample(
        process: UInt64(bitPattern: view.member("pid")?.integer ?? 0),
        thread: UInt64(bitPattern: thread), time: time, frame: view.member("sf").flatMap(Self.id),
        weight: view.member("weight")?.integer ?? 1))
  }

  /// The id of a frame, which is a number or a text.
  private static func id(_ view: JSONView) -> String? {
    view.text ?? view.integer.map { "\($0)" }
  }

  /// Adds all samples.
  mutating func finish(in builder: inout TraceBuilder) {
    guard !samples.isEmpty else { return }
    var chains = CallerChains<String>()
    let unit = builder.string("as in the file")
    for sample in samples {
      let track = builder.track(sample.thread, of: builder.process(sample.process))
      let series = builder.sampleSeries(
        of: track, weightUnit: unit, reach: .medianGaps, resolution: 1000)
      let stack =
        sample.frame.map { id in
          chains.stack(of: id, among: frames.count, in: &builder) { frames[$0] }
        } ?? .empty
      builder.addSample(of: stack, at: sample.time, weight: sample.weight, to: series)
    }
    if chains.circularCount > 0 {
      builder.countLoss(.invalidValue, count: UInt64(chains.circularCount))
      builder.addNotice(
        .source("stack frames that call themselves in a circle: \(chains.circularCount)"))
    }
    samples = []
  }
}

extension JSONView {
  /// Appends each whole number of an array; anything else counts as zero.
  func appendIntegers(to numbers: inout [Int64]) {
    let count = numbers.count
    // Two bytes each, with the comma, are the fewest.
    if numbers.isEmpty { numbers.reserveCapacity(bytes.count / 2) }
    guard !appendPlainIntegers(to: &numbers) else { return }
    numbers.removeLast(numbers.count - count)
    forEachElement { numbers.append($0.integer ?? 0) }
  }

  /// Appends the numbers of an array of up to 18 digits each; `false` if it contains anything else.
  private func appendPlainIntegers(to numbers: inout [Int64]) -> Bool {
    guard bytes.first == UInt8(ascii: "[") else { return false }
    var (value, digits, isNegative) = (Int64(0), 0, false)
    for byte in bytes.dropFirst() {
      switch byte {
      case 0x30...0x39:
        guard digits < 18 else { return false }
        value = value &* 10 &+ Int64(byte &- 0x30)
        digits &+= 1
      case UInt8(ascii: "-"):
        guard digits == 0, !isNegative else { return false }
        isNegative = true
      case UInt8(ascii: ","), UInt8(ascii: "]"):
        if digits > 0 { numbers.append(isNegative ? 0 &- value : value) }
        guard byte == UInt8(ascii: ","), digits > 0 else {
          return byte == UInt8(ascii: "]") && (digits > 0 || numbers.isEmpty && !isNegative)
        }
        (value, digits, isNegative) = (0, 0, false)
      default: return false
      }
    }
    return false
  }
}
