package import ScrollTraceModel

/// Reads what `perf script` prints, and Android's `report_sample.py` in the same form: sampled stacks.
package struct PerfScriptImporter: TraceImporter {
  private let options: ImportOptions

  /// `perf-script`
  package static let name = "perf-script"

  /// `perf.txt`, `linux-perf.txt`
  package static let fileEndings = ["perf.txt", "linux-perf.txt"]

  /// An importer that follows `options`.
  package init(options: ImportOptions) {
    self.options = options
  }

  /// Whether the first line that is no comment begins a sample.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    prefix.withUnsafeBytes { bytes in
      var rest = bytes.prefix(Sniff.searchedByteCount)
      guard !rest.contains(0) else { return .no }
      // perf prints a header if it is asked to.
      let answer = Sniff.answer(ofLinesIn: &rest) { line in
        if line.isEmpty || line[0] == UInt8(ascii: "#") || line.allSatisfy(\.isSpace) { return nil }
        return PerfSampleLine(line) != nil || PerfSampleLine.withFunction(line) != nil ? .yes : .no
      }
      return answer ?? (bytes.count < Sniff.searchedByteCount ? .needMoreBytes : .no)
    }
  }

  /// Adds the samples to `builder`.
  package func importTrace(
    _ bytes: any ByteSource, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var lines = LineReader(bytes, limit: options.maximumLineLength)
    var reader = PerfScriptReader()
    while let line = try lines.next() {
      if lines.isTooLong {
        builder.offset = lines.offset
        builder.countLoss(.limitReached)
        builder.offset = nil
      }
      reader.read(line, into: &builder)
    }
    try reader.finish(in: &builder)
  }
}

/// The first line of a sample: `comm pid/tid [cpu] seconds.fraction: period event:`.
struct PerfSampleLine {
  var comm: UnsafeRawBufferPointer
  var process: Int64?
  var thread: Int64
  var time: Int64
  var period: Int64?
  var event: UnsafeRawBufferPointer

  /// Creates the line from its bytes, or returns `nil` if they are none.
  init?(_ line: UnsafeRawBufferPointer) {
    guard let first = line.first, !first.isSpace else { return nil }
    var words = PerfWords(line)
    guard var event = words.last() else { return nil }
    if event.count > 1, event.last == UInt8(ascii: ":") {
      event = UnsafeRawBufferPointer(rebasing: event.dropLast())
    }
    self.event = event
    guard var word = words.last() else { return nil }
    if word.last != UInt8(ascii: ":") {
      guard let period = JSONNumber.integer(word), word.allSatisfy(\.isDigit),
        let next = words.last()
      else { return nil }
      self.period = period
      word = next
    }
    guard let time = Self.time(word), var owner = words.last() else { return nil }
    self.time = time
    if owner.count > 2, owner.first == UInt8(ascii: "["), owner.last == UInt8(ascii: "]"),
      owner[1..<(owner.count - 1)].allSatisfy(\.isDigit)
    {
      guard let next = words.last() else { return nil }
      owner = next
    }
    let parts = owner.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count <= 2, let number = Self.number(parts[0], allowsSign: true) else {
      return nil
    }
    if parts.count == 2 {
      guard let thread = Self.number(parts[1], allowsSign: false) else { return nil }
      (process, self.thread) = (number, thread)
    } else {
      thread = number
    }
    comm = words.rest
    guard !comm.isEmpty else { return nil }
  }

  /// The line of a sample that was taken without its callers, and the function behind it: `comm pid/tid
  /// seconds.fraction: period event: address name (module)`.
  static func withFunction(
    _ line: UnsafeRawBufferPointer
  ) -> (sample: PerfSampleLine, function: UnsafeRawBufferPointer)? {
    guard let start = line.firstIndex(where: { !$0.isSpace }) else { return nil }
    // The time ends with a colon too.
    let colons = line.indices.lazy.dropLast().filter {
      line[$0] == UInt8(ascii: ":") && line[$0 + 1].isSpace
    }
    for colon in colons.prefix(4) where colon > start {
      if let sample = PerfSampleLine(UnsafeRawBufferPointer(rebasing: line[start...colon])) {
        return (sample, UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]))
      }
    }
    return nil
  }

  private static func number(
    _ text: Slice<UnsafeRawBufferPointer>, allowsSign: Bool
  ) -> Int64? {
    let digits = allowsSign && text.first == UInt8(ascii: "-") ? text.dropFirst() : text
    guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { return nil }
    return JSONNumber.integer(UnsafeRawBufferPointer(rebasing: text))
  }

  /// The nanoseconds of `seconds.fraction:`. Up to six digits are a number of microseconds, because
  /// `report_sample.py` writes them without leading zeros.
  private static func time(_ word: UnsafeRawBufferPointer) -> Int64? {
    guard word.last == UInt8(ascii: ":") else { return nil }
    let parts = word.dropLast().split(
      separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 2, let seconds = number(parts[0], allowsSign: false),
      var fraction = number(parts[1].prefix(9), allowsSign: false),
      parts[1].allSatisfy(\.isDigit)
    else { return nil }
    if parts[1].count <= 6 {
      fraction *= 1000
    } else {
      for _ in parts[1].prefix(9).count..<9 { fraction *= 10 }
    }
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carry) = whole.addingReportingOverflow(fraction)
    return overflow || carry ? nil : sum
  }
}

/// The words of a line, from its end.
private struct PerfWords {
  private var line: UnsafeRawBufferPointer

  init(_ line: UnsafeRawBufferPointer) {
    self.line = line
  }

  /// What is left, without space around it.
  var rest: UnsafeRawBufferPointer {
    guard let end = line.lastIndex(where: { !$0.isSpace }) else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return UnsafeRawBufferPointer(rebasing: line[...end])
  }

  /// The last word, which is taken away.
  mutating func last() -> UnsafeRawBufferPointer? {
    let rest = rest
    guard !rest.isEmpty else { return nil }
    let start = rest.lastIndex(where: \.isSpace).map { $0 + 1 } ?? 0
    line = UnsafeRawBufferPointer(rebasing: rest[..<start])
    return UnsafeRawBufferPointer(rebasing: rest[start...])
  }
}

/// Reads samples line by line.
struct PerfScriptReader {
  private struct Sample {
    var series: Int
    var time: Int64
    var period: Int64?
  }

  private struct Key: Hashable {
    var thread: Int64
    var event: StringID
  }

  private var current: Sample?
  /// The functions of the sample, innermost first, and their places; a place of `nil` is that of the
  /// next function outwards.
  private var frames: [(name: StringID, place: StringID?)] = []
  private var tracks: [Int64: TrackID] = [:]
  private var names: [Int64: StringID] = [:]
  private var series: [Key: Int] = [:]
  private var count = 0

  /// Takes a line.
  mutating func read(_ line: UnsafeRawBufferPointer, into builder: inout TraceBuilder) {
    if line.first == UInt8(ascii: "#") { return }
    let sample = PerfSampleLine(line)
    if sample != nil || line.allSatisfy(\.isSpace) { endSample(in: &builder) }
    if let sample {
      begin(sample, in: &builder)
    } else if current != nil {
      readFrame(line, in: &builder)
    } else if let (sample, function) = PerfSampleLine.withFunction(line) {
      begin(sample, in: &builder)
      readFrame(function, in: &builder)
      endSample(in: &builder)
    }
  }

  private mutating func begin(_ line: PerfSampleLine, in builder: inout TraceBuilder) {
    // A process changes its name when it starts another program: the last one counts.
    names[line.thread] = builder.string(line.comm.bindMemory(to: UInt8.self))
    let event = builder.string(line.event.bindMemory(to: UInt8.self))
    let key = Key(thread: line.thread, event: event)
    let position: Int
    if let known = series[key] {
      position = known
    } else {
      let track =
        tracks[line.thread]
        ?? builder.track(
          UInt64(bitPattern: line.thread),
          of: builder.process(UInt64(bitPattern: line.process ?? 0)))
      tracks[line.thread] = track
      let kind = builder.name(of: event).prefix { $0 != ":" }
      let isTime = kind == "cpu-clock" || kind == "task-clock"
      position = builder.sampleSeries(
        of: track, event: event, weightUnit: isTime ? builder.string("ns") : event,
        reach: .medianGaps)
      series[key] = position
    }
    current = Sample(series: position, time: line.time, period: line.period)
  }

  /// Reads `  address name (module)`.
  private mutating func readFrame(
    _ line: UnsafeRawBufferPointer, in builder: inout TraceBuilder
  ) {
    var place = 0
    while place < line.count, line[place].isSpace { place += 1 }
    let address = place
    while place < line.count, JSONText.hexDigit(line[place]) != nil { place += 1 }
    guard address > 0, place > address, place < line.count, line[place].isSpace,
      frames.count <= StackTree.maximumDepth
    else { return }
    while place < line.count, line[place].isSpace { place += 1 }
    guard let end = line.lastIndex(where: { !$0.isSpace }), end >= place else { return }
    let text = UnsafeRawBufferPointer(rebasing: line[place...end])
    let (name, module) = Self.split(text)
    let isInlined = module.map { $0.elementsEqual("inlined".utf8) } ?? false
    let path = module.map { String(decoding: $0, as: UTF8.self) } ?? ""
    frames.append(
      (
        builder.string(Self.withoutOffset(name).bindMemory(to: UInt8.self)),
        isInlined ? nil : builder.string(SamplePlace.lastPart(of: path))
      ))
  }

  /// The name and the module in the last brackets, which may contain brackets.
  private static func split(
    _ text: UnsafeRawBufferPointer
  ) -> (name: UnsafeRawBufferPointer, module: UnsafeRawBufferPointer?) {
    guard text.last == UInt8(ascii: ")") else { return (text, nil) }
    var (depth, at) = (0, text.count - 1)
    while true {
      if text[at] == UInt8(ascii: ")") { depth += 1 }
      if text[at] == UInt8(ascii: "(") { depth -= 1 }
      if depth == 0 { break }
      guard at > 0 else { break }
      at -= 1
    }
    guard at > 0, text[at - 1].isSpace else { return (text, nil) }
    var end = at
    while end > 0, text[end - 1].isSpace { end -= 1 }
    return (
      UnsafeRawBufferPointer(rebasing: text[..<end]),
      UnsafeRawBufferPointer(rebasing: text[(at + 1)..<(text.count - 1)])
    )
  }

  /// The name without `+0x1f` behind it.
  private static func withoutOffset(_ name: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard let plus = name.lastIndex(of: UInt8(ascii: "+")), name.count > plus + 3,
      name[plus + 1] == UInt8(ascii: "0"), name[plus + 2] == UInt8(ascii: "x"),
      name[(plus + 3)...].allSatisfy({ JSONText.hexDigit($0) != nil && !(0x41...0x46 ~= $0) })
    else { return name }
    return UnsafeRawBufferPointer(rebasing: name[..<plus])
  }

  private mutating func endSample(in builder: inout TraceBuilder) {
    guard let sample = current else { return }
    var (stack, module) = (StackID.empty, StringID.empty)
    for frame in frames.reversed() {
      module = frame.place ?? module
      let function = builder.sampledFunction(frame.name, in: module)
      guard let next = builder.stack(of: function, calledBy: stack) else {
        stack = .empty
        break
      }
      stack = next
    }
    builder.addSample(
      of: stack, at: Timestamp(clamping: sample.time), weight: sample.period, to: sample.series)
    count += 1
    frames.removeAll(keepingCapacity: true)
    current = nil
  }

  /// Adds the last sample and the names of the threads.
  mutating func finish(in builder: inout TraceBuilder) throws(ImportError) {
    endSample(in: &builder)
    guard count > 0 else {
      throw ImportError("holds no sample", advice: "print them with perf script -F +pid,+tid")
    }
    for (thread, track) in tracks {
      guard let name = names[thread] else { continue }
      builder.setName(builder.name(of: name), of: track)
    }
  }
}

extension UInt8 {
  /// Whether this is a space or a tab.
  fileprivate var isSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0D }
}
