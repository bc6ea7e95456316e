import ScrollTraceLayout
package import ScrollTraceModel

extension FXTExporter {
  /// Returns whether a recording has a place for the samples: those without weights, of a sampler that
  /// states no period (F-9).
  package static func holds(_ series: SampleSeries) -> Bool {
    series.event == .empty && series.weightUnit == .empty && series.weights.isEmpty
      && series.reach == .medianGaps && series.resolution == 1
  }
}

extension RecordingWriter {
  /// Writes the sampled stacks, with the names that are known.
  mutating func writeSamples() {
    let all = trace.samples.filter { FXTExporter.holds($0) && $0.count > 0 }
    guard !all.isEmpty else { return }
    chunks.begin(
      .init(flags: RecordingLayout.ChunkFlag.durable | RecordingLayout.ChunkFlag.literal))
    for series in all {
      let track = trace.tracks[series.track.index]
      let owner = (trace.processes[track.process.index].systemID, track.systemID)
      var blob = SampleBlobMessage(trace, process: owner.0, thread: owner.1)
      for index in series.times.indices {
        let (stack, time) = (series.stack(at: index), series.times[index])
        if blob.add(stack, at: time) { continue }
        chunks.add(samples: blob.bytes)
        blob = SampleBlobMessage(trace, process: owner.0, thread: owner.1)
        if !blob.add(stack, at: time) { omittedSampleCount += 1 }
      }
      if !blob.isEmpty { chunks.add(samples: blob.bytes) }
    }
    chunks.end()
  }
}

/// The packets of a blob of sampled stacks, which refer to nothing outside (F-9).
struct SampleBlobMessage {
  /// The maximum size of a blob's content in bytes.
  private static let maximumSize = 32_000
  /// The size of a packet without its content.
  private static let packetSize = 40

  /// A module: a file, with the build ID if it is known.
  private struct Module: Hashable {
    var path: StringID
    var buildID: StringID
  }

  private let trace: Trace
  private let process: UInt64
  private let thread: UInt64
  private var interned = ProtoMessage()
  private var samples = ProtoMessage()
  private var names: [StringID: UInt64] = [:]
  private var modules: [Module: UInt64] = [:]
  private var frames: [Int32: UInt64] = [:]
  private var stacks: [StackID: UInt64] = [:]

  /// Creates an empty blob for the samples of one thread.
  init(_ trace: Trace, process: UInt64, thread: UInt64) {
    self.trace = trace
    self.process = process
    self.thread = thread
  }

  /// A Boolean value indicating whether the blob has no sample.
  var isEmpty: Bool { samples.bytes.isEmpty }

  /// The content.
  var bytes: [UInt8] {
    var packet = ProtoMessage()
    packet.add(10, UInt64(1))
    // What was interned before is forgotten.
    packet.add(13, UInt64(1))
    packet.add(12, interned)
    var message = ProtoMessage()
    message.add(1, packet)
    return message.bytes + samples.bytes
  }

  /// Adds a sample, or returns `false` without a change if it does not fit.
  mutating func add(_ stack: StackID, at time: Int64) -> Bool {
    // A copy only for a new stack, of which nobody knows how much it adds.
    let before = stacks[stack] == nil ? self : nil
    guard before != nil || size + Self.packetSize <= Self.maximumSize else { return false }
    var sample = ProtoMessage()
    sample.add(2, process)
    sample.add(3, thread)
    if stack != .empty { sample.add(4, number(of: stack)) }
    var packet = ProtoMessage()
    packet.add(8, UInt64(clamping: time))
    packet.add(10, UInt64(1))
    packet.add(13, UInt64(2))
    packet.add(66, sample)
    samples.add(1, packet)
    guard size > Self.maximumSize, let before else { return true }
    self = before
    return false
  }

  private var size: Int { interned.bytes.count + samples.bytes.count + Self.packetSize }

  private mutating func number(of stack: StackID) -> UInt64 {
    if let known = stacks[stack] { return known }
    var path: [Int32] = []
    var next = stack
    while next != .empty, path.count * 2 < Self.maximumSize {
      path.append(trace.stackTree.leaves[Int(next.rawValue)])
      next = trace.stackTree.caller(of: next)
    }
    var entry = ProtoMessage()
    let number = UInt64(stacks.count + 1)
    entry.add(1, number)
    for function in path.reversed() { entry.add(2, frame(of: function)) }
    stacks[stack] = number
    interned.add(7, entry)
    return number
  }

  private mutating func frame(of function: Int32) -> UInt64 {
    if let known = frames[function] { return known }
    let (content, code) = (
      trace.stackTree.functions[Int(function)], trace.stackTree.codes[function]
    )
    var entry = ProtoMessage()
    let number = UInt64(frames.count + 1)
    entry.add(1, number)
    if code == nil { entry.add(2, name(content.name)) }
    let module = Module(path: code?.path ?? content.place, buildID: code?.buildID ?? .empty)
    if module.path != .empty { entry.add(3, self.module(module)) }
    if let code { entry.add(4, code.address) }
    frames[function] = number
    interned.add(6, entry)
    return number
  }

  private mutating func name(_ name: StringID) -> UInt64 {
    if let known = names[name] { return known }
    let number = UInt64(names.count + 1)
    names[name] = number
    addText(trace.strings[name], 5, number)
    return number
  }

  private mutating func module(_ module: Module) -> UInt64 {
    if let known = modules[module] { return known }
    let number = UInt64(modules.count + 1)
    modules[module] = number
    let path = trace.strings[module.path]
    addText(path.hasPrefix("/") ? String(path.dropFirst()) : path, 17, number)
    var mapping = ProtoMessage()
    mapping.add(1, number)
    let digits = Array(trace.strings[module.buildID].utf8)
    if !digits.isEmpty, digits.count % 2 == 0 {
      var entry = ProtoMessage()
      entry.add(1, number)
      entry.add(
        2,
        stride(from: 0, to: digits.count, by: 2).map {
          Self.value(of: digits[$0]) << 4 | Self.value(of: digits[$0 + 1])
        })
      interned.add(16, entry)
      mapping.add(2, number)
    }
    mapping.add(7, number)
    interned.add(19, mapping)
    return number
  }

  private mutating func addText(_ text: String, _ field: UInt64, _ number: UInt64) {
    var entry = ProtoMessage()
    entry.add(1, number)
    entry.add(2, text)
    interned.add(field, entry)
  }

  private static func value(of digit: UInt8) -> UInt8 {
    digit >= UInt8(ascii: "a") ? digit &- UInt8(ascii: "a") &+ 10 : digit &- UInt8(ascii: "0")
  }
}
