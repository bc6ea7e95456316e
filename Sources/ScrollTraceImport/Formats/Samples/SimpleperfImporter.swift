package import ScrollTraceModel

/// Reads what `simpleperf report-sample --protobuf` writes of an Android app.
package struct SimpleperfImporter: TraceImporter {
  /// `simpleperf`
  package static let name = "simpleperf"

  /// `simpleperf.trace`
  package static let fileEndings = ["simpleperf.trace"]

  /// An importer; the format says everything itself, so no option changes anything.
  package init(options: ImportOptions) {}

  /// Whether the bytes start with the format's magic.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    prefix.withUnsafeBytes { bytes in
      let magic = SimpleperfReader.magic
      guard bytes.prefix(magic.count).elementsEqual(magic.prefix(bytes.count)) else { return .no }
      return bytes.count < magic.count ? .needMoreBytes : .yes
    }
  }

  /// Adds the samples to `builder`.
  package func importTrace(
    _ bytes: any ByteSource, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var reader = SimpleperfReader(bytes)
    try reader.read(into: &builder)
  }
}

/// Reads records one by one: magic, version, and then each record behind its size.
///
/// Samples come before the files, threads and events that they name by numbers.
struct SimpleperfReader {
  /// The first bytes of a file.
  static let magic = Array("SIMPLEPERF".utf8)

  /// The longest record that is read, in bytes.
  private static let maximumRecordLength = 1 << 26

  private struct Sample {
    var time: Int64
    var thread: UInt64
    var weight: Int64
    var event: UInt64
    var stack: StackID
  }

  private struct File {
    var path: StringID
    var symbols: [StringID]
  }

  private let source: any ByteSource
  private var samples: [Sample] = []
  /// The stacks as the numbers of files and symbols: their names come later.
  private var rawStacks = StackTree()
  private var files: [UInt64: File] = [:]
  private var threads: [UInt64: (process: UInt64, name: StringID)] = [:]
  private var events: [StringID] = []
  private var hasEnd = false
  private var lost: UInt64 = 0

  /// A reader of the file in `source`.
  init(_ source: any ByteSource) {
    self.source = source
  }

  /// Adds everything to `builder`.
  mutating func read(into builder: inout TraceBuilder) throws(ImportError) {
    var offset = UInt64(Self.magic.count + 2)
    guard try bytes(Self.magic.count + 2).count == Self.magic.count + 2 else {
      throw ImportError("ends inside its header")
    }
    while !hasEnd {
      builder.offset = offset
      let header = try bytes(4)
      let size = header.withUnsafeBytes { $0.count == 4 ? Int($0.word32(at: 0)) : nil }
      guard let size else {
        builder.countLoss(.cutAtEnd)
        builder.source.wasClosed = false
        break
      }
      hasEnd = size == 0
      guard size > 0 else { break }
      guard size <= Self.maximumRecordLength else {
        builder.countLoss(.damagedBytes)
        break
      }
      let record = try bytes(size)
      guard record.count == size else {
        builder.countLoss(.cutAtEnd)
        builder.source.wasClosed = false
        break
      }
      let isWhole = record.withUnsafeBytes { take($0, in: &builder) }
      if !isWhole { builder.countLoss(.malformedRecord) }
      offset += UInt64(size) + 4
    }
    builder.offset = nil
    guard !samples.isEmpty else {
      throw ImportError("holds no sample", advice: "record again with simpleperf record -g")
    }
    if hasEnd { builder.source.wasClosed = true }
    finish(in: &builder)
  }

  /// The next `count` bytes; fewer at the end.
  private func bytes(_ count: Int) throws(ImportError) -> [UInt8] {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: min(count, 1 << 16))
    while bytes.count < count {
      let wanted = min(block.count, count - bytes.count)
      let result: Result<Int, ImportError> = block.withUnsafeMutableBytes { block in
        do throws(ImportError) {
          return .success(
            try source.read(into: UnsafeMutableRawBufferPointer(rebasing: block[..<wanted])))
        } catch {
          return .failure(error)
        }
      }
      let got = try result.get()
      guard got > 0 else { break }
      bytes.append(contentsOf: block[..<min(got, wanted)])
    }
    return bytes
  }

  // MARK: - Records

  /// Takes a record; `false` where it is damaged.
  private mutating func take(
    _ record: UnsafeRawBufferPointer, in builder: inout TraceBuilder
  ) -> Bool {
    var isWhole = true
    var fields = WireFields(record)
    while fields.next() {
      guard fields.isBytes else { continue }
      switch fields.number {
      case 1: isWhole = takeSample(fields.bytes, in: &builder) && isWhole
      case 2:
        var inner = WireFields(fields.bytes)
        while inner.next() { if inner.number == 2, !inner.isBytes { lost = inner.value } }
      case 3: isWhole = takeFile(fields.bytes, in: &builder) && isWhole
      case 4: isWhole = takeThread(fields.bytes, in: &builder) && isWhole
      case 5:
        var inner = WireFields(fields.bytes)
        while inner.next() {
          guard inner.number == 1, inner.isBytes, events.count < 4096 else { continue }
          events.append(builder.string(inner.bytes.bindMemory(to: UInt8.self)))
        }
      default: break
      }
    }
    return isWhole && !fields.isDamaged
  }

  private mutating func takeSample(
    _ bytes: UnsafeRawBufferPointer, in builder: inout TraceBuilder
  ) -> Bool {
    var sample = Sample(time: 0, thread: 0, weight: 0, event: 0, stack: .empty)
    var path: [(file: UInt32, symbol: UInt32)] = []
    var fields = WireFields(bytes)
    while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (1, false): sample.time = Int64(clamping: fields.value)
      case (2, false): sample.thread = fields.value
      case (3, true):
        var (file, symbol) = (UInt32(0), UInt32(0))
        var entry = WireFields(fields.bytes)
        while entry.next() {
          if entry.number == 2 { file = UInt32(truncatingIfNeeded: entry.value) }
          if entry.number == 3 { symbol = UInt32(truncatingIfNeeded: entry.value) }
        }
        if path.count <= StackTree.maximumDepth { path.append((file, symbol)) }
      case (4, false): sample.weight = Int64(clamping: fields.value)
      case (5, false): sample.event = fields.value
      default: break
      }
    }
    guard !fields.isDamaged else { return false }
    guard samples.count < TraceBuilder.sampleLimit else {
      builder.countLoss(.limitReached)
      return true
    }
    for (file, symbol) in path.reversed() {
      let function = SampledFunction(
        name: StringID(rawValue: symbol), place: StringID(rawValue: file))
      guard let next = rawStacks.stack(of: rawStacks.id(of: function), calledBy: sample.stack)
      else {
        builder.countLoss(.limitReached)
        sample.stack = .empty
        break
      }
      sample.stack = next
    }
    samples.append(sample)
    return true
  }

  private mutating func takeFile(
    _ bytes: UnsafeRawBufferPointer, in builder: inout TraceBuilder
  ) -> Bool {
    var (id, file) = (UInt64(0), File(path: .empty, symbols: []))
    var fields = WireFields(bytes)
    while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (1, false): id = UInt64(UInt32(truncatingIfNeeded: fields.value))
      case (2, true):
        let path = String(decoding: fields.bytes, as: UTF8.self)
        file.path = builder.string(SamplePlace.lastPart(of: path))
      case (3, true): file.symbols.append(builder.string(fields.bytes.bindMemory(to: UInt8.self)))
      default: break
      }
    }
    files[id] = file
    return !fields.isDamaged
  }

  private mutating func takeThread(
    _ bytes: UnsafeRawBufferPointer, in builder: inout TraceBuilder
  ) -> Bool {
    var (id, process, name) = (UInt64(0), UInt64(0), StringID.empty)
    var fields = WireFields(bytes)
    while fields.next() {
      switch (fields.number, fields.isBytes) {
      case (1, false): id = fields.value
      case (2, false): process = fields.value
      case (3, true): name = builder.string(fields.bytes.bindMemory(to: UInt8.self))
      default: break
      }
    }
    threads[id] = (process, name)
    return !fields.isDamaged
  }

  // MARK: - The end

  private mutating func finish(in builder: inout TraceBuilder) {
    let stacks = namedStacks(in: &builder)
    var series: [UInt64: [UInt64: Int]] = [:]
    for sample in samples {
      let position: Int
      if let known = series[sample.thread]?[sample.event] {
        position = known
      } else {
        position = self.series(of: sample, in: &builder)
        series[sample.thread, default: [:]][sample.event] = position
      }
      let stack = sample.stack == .empty ? .empty : stacks[Int(sample.stack.rawValue)]
      builder.addSample(
        of: stack, at: Timestamp(clamping: sample.time), weight: sample.weight, to: position)
    }
    builder.countLoss(.sourceDroppedRecords, count: lost)
    samples = []
  }

  private func series(of sample: Sample, in builder: inout TraceBuilder) -> Int {
    let thread = threads[sample.thread]
    let track = builder.track(sample.thread, of: builder.process(thread?.process ?? 0))
    if let name = thread?.name { builder.setName(builder.name(of: name), of: track) }
    let event = sample.event < UInt64(events.count) ? events[Int(sample.event)] : .empty
    let kind = builder.name(of: event).prefix { $0 != ":" }
    let isTime = kind == "cpu-clock" || kind == "task-clock"
    return builder.sampleSeries(
      of: track, event: event, weightUnit: builder.string(isTime ? "ns" : "events"),
      reach: .medianGaps)
  }

  /// The stacks with names, by the position of those with numbers.
  private func namedStacks(in builder: inout TraceBuilder) -> [StackID] {
    let unknown = builder.string("[unknown]")
    var stacks: [StackID] = []
    for position in 0..<rawStacks.count {
      let raw = StackID(rawValue: Int32(truncatingIfNeeded: position))
      let (function, caller) = (rawStacks.function(of: raw), rawStacks.caller(of: raw))
      let file = files[UInt64(function.place.rawValue)]
      let symbol = Int(function.name.rawValue)
      let name = file.flatMap { symbol < $0.symbols.count ? $0.symbols[symbol] : nil } ?? unknown
      let id = builder.sampledFunction(name, in: file?.path ?? .empty)
      let above = caller == .empty ? .empty : stacks[Int(caller.rawValue)]
      stacks.append(builder.stack(of: id, calledBy: above) ?? .empty)
    }
    return stacks
  }
}
