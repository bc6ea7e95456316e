import Foundation
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceLayout
@testable import ScrollTraceImport

/// Reading a file while it is written.
@Suite struct LiveReaderTests {
  private typealias Flag = RecordingLayout.ChunkFlag

  /// Two threads and three chunks, with names that only some chunks define and spans across chunks.
  private static func sample(state: UInt64 = 1, isSealed: Bool = true) -> ProfileSample {
    ProfileSample(
      state: state,
      chunks: [
        .init(sequence: 0, isSealed: isSealed) { writer in
          writer.appendString(1, "app")
          writer.appendString(2, "layout")
          writer.appendThreadName("main", systemID: 101, process: ProfileSample.process)
          for index in UInt64(0)..<4 {
            writer.append(
              .complete(end: index * 100 + 90), .index(1), .index(2), at: index * 100 + 10,
              [("item", .uint64(index))])
          }
          writer.appendString(3, "late")
          writer.append(.asyncBegin(id: 7), "scrolltrace.interaction", "drag", at: 420)
          writer.append(.complete(end: 470), .index(1), .index(3), at: 430)
        },
        .init(sequence: 1, thread: 102, flags: 0, isSealed: isSealed) { writer in
          writer.appendString(2, "layout")
          writer.append(.complete(end: 460), "", .index(2), at: 440)
          writer.append(.asyncEnd(id: 7), "scrolltrace.interaction", "drag", at: 500)
        },
        .init(sequence: 2, threadSequence: 1, isSealed: isSealed) { writer in
          writer.appendString(1, "app")
          writer.appendString(3, "late")
          writer.append(
            .complete(end: 700), .index(1), .index(3), at: 600,
            [("item", .string(.inline("a text")))])
        },
      ])
  }

  /// The file as it was when each of its records had been written, from the first on.
  private static func steps(of bytes: [UInt8]) -> [[UInt8]] {
    let chunks = stride(
      from: RecordingLayout.pageSize, to: bytes.count, by: RecordingLayout.chunkSize)
    var image = bytes
    for chunk in chunks { pad(&image, from: chunk, to: chunk + RecordingLayout.chunkSize) }
    var steps = [image]
    for chunk in chunks {
      let end = chunk + RecordingLayout.chunkSize
      var position = chunk
      while position < end {
        position += (Int(bytes[position]) >> 4 | Int(bytes[position + 1]) << 4) * 8
        // The preamble appears with its first word.
        guard position >= chunk + RecordingLayout.chunkPreambleSize else { continue }
        image.replaceSubrange(chunk..<position, with: bytes[chunk..<position])
        if position < end { pad(&image, from: position, to: end) }
        steps.append(image)
      }
    }
    return steps
  }

  private static func pad(_ bytes: inout [UInt8], from start: Int, to end: Int) {
    var writer = FXTWriter()
    writer.appendPad(words: (end - start) / 8)
    bytes.replaceSubrange(start..<(start + 8), with: writer.bytes.prefix(8))
  }

  @Test func `R12: a chunk that is sealed when it is found is left out if it is damaged`() throws {
    var bytes = Self.sample(state: 0).bytes
    bytes[ProfileSample.offset(0) + 400] ^= 4
    let file = try LiveFile(bytes)
    let reader = try file.reader(maximum: 1 << 20)
    let trace = reader.trace()
    #expect(trace.lossCounts[.checksumMismatch] == 1)
    #expect(trace.spanNames(101) == ["app/late"])
    #expect(trace.spanCount == 2)
    // What the recording says once it is finished is the same.
    var closed = Self.sample(state: 1).bytes
    closed[ProfileSample.offset(0) + 400] ^= 4
    #expect(try Self.text(of: readTrace(closed)) == Self.text(of: trace))
  }

  /// What a trace says, in the order in which it says it.
  private static func text(of trace: Trace) -> [String] {
    trace.tracks.flatMap { track in
      (0..<track.spans.count).map { index in
        let span = track.spans[index]
        return "\(track.name) \(track.systemID) \(track.isMain) \(span.range.start.nanoseconds)"
          + " \(span.range.end.nanoseconds) \(trace.category(of: span.label))"
          + "/\(trace.name(of: span.label)) \(trace.text(of: span.arguments))"
      }
    }.sorted() + trace.interactions.map { "\($0)" } + trace.openSpans.map { "\($0.since)" }
      + trace.losses.map { "\($0.reason) \($0.count)" } + trace.marks.map { "\($0.time)" }
  }

  @Test func `reading in any steps gives the same result as reading at once`() throws {
    let bytes = Self.sample().bytes
    let steps = Self.steps(of: bytes)
    #expect(steps.count > 20)
    for stride in ExtraCases.some(2, of: [1, 2, 5, steps.count]) {
      let file = try LiveFile(Self.sample(state: 0).bytes.prefix(RecordingLayout.pageSize) + [])
      let reader = try LiveTraceReader(path: file.path)
      for (index, step) in steps.enumerated() where index % stride == stride - 1 {
        var open = step
        open.replaceSubrange(
          ..<RecordingLayout.pageSize,
          with: Self.sample(state: 0).bytes[..<RecordingLayout.pageSize])
        try file.write(open)
        try reader.readOn(maximum: 1)
        while reader.hasMore { try reader.readOn(maximum: 1) }
        // Seen from here, what the file holds is all there is.
        #expect(Self.text(of: reader.trace()) == Self.text(of: try readTrace(open)))
      }
      try file.write(bytes)
      try reader.readOn(maximum: .max)
      #expect(reader.isClosed)
      #expect(Self.text(of: reader.trace()) == Self.text(of: try readTrace(bytes)))
    }
  }

  @Test func `chunks that are sealed after they were read are no loss (R12)`() throws {
    let running = Self.sample(state: 0, isSealed: false).bytes
    for step in Self.steps(of: running) {
      let file = try LiveFile(step)
      let reader = try file.reader(maximum: 1 << 20)
      try file.write(running)
      try reader.readOn(maximum: 1 << 20)
      try file.write(Self.sample().bytes)
      try reader.readOn(maximum: 1 << 20)
      #expect(reader.isClosed && reader.trace().losses.isEmpty)
    }
  }

  @Test func `nothing is read twice`() throws {
    let bytes = Self.sample(state: 0, isSealed: false).bytes
    let file = try LiveFile(bytes)
    let reader = try LiveTraceReader(path: file.path)
    #expect(try reader.readOn(maximum: .max) > 0)
    #expect(try reader.readOn(maximum: .max) == 0)
    #expect(reader.trace().spanCount == 7)
  }

  @Test func `an incomplete record waits, and is damage at the end`() throws {
    let bytes = ProfileSample(
      state: 0,
      chunks: [
        .init(sequence: 0) { writer in
          writer.append(.complete(end: 90), "app", "first", at: 10)
          writer.append(.complete(end: 190), "app", "second", at: 110)
        }
      ]
    ).bytes
    let cut = Array(
      bytes[..<(ProfileSample.offset(0) + RecordingLayout.chunkPreambleSize + 24 + 48)])
    let file = try LiveFile(cut)
    let reader = try file.reader()
    #expect(reader.trace().spanCount == 1)
    #expect(reader.trace().losses.isEmpty)
    try file.write(bytes)
    try reader.readOn(maximum: .max)
    #expect(reader.trace().spanCount == 2)
    // The same, and the host is dead.
    try file.write(cut)
    let other = try LiveTraceReader(path: file.path)
    other.end()
    try other.readOn(maximum: .max)
    #expect(other.trace().spanCount == 1)
    #expect(other.trace().lossCounts == (try readTrace(cut)).lossCounts)
    #expect(!other.trace().losses.isEmpty)
  }

  @Test func `damage in a chunk with a successor is counted while the host lives`() throws {
    var bytes = Self.sample(state: 0, isSealed: false).bytes
    let place = ProfileSample.offset(0) + RecordingLayout.chunkPreambleSize + 24 + 200
    bytes.replaceSubrange(place..<(place + 96), with: repeatElement(0, count: 96))
    let file = try LiveFile(bytes)
    let reader = try file.reader()
    let whole = try readTrace(bytes)
    #expect(!whole.losses.isEmpty)
    #expect(reader.trace().lossCounts == whole.lossCounts)
    #expect(reader.trace().spanCount == whole.spanCount)
  }

  @Test func `spans open when the host died are reported with their start`() throws {
    let bytes = Self.stacks(depth: 1)
    let file = try LiveFile(bytes)
    let reader = try file.reader()
    for _ in 0..<3 {
      let trace = reader.trace()
      #expect(trace.openSpans.map(\.since.nanoseconds) == [1_000])
      #expect(trace.openSpans.map { trace.name(of: $0.label) } == ["decode"])
    }
    // Then it ends after all.
    try file.write(Self.stacks(depth: 0))
    try reader.readOn(maximum: .max)
    #expect(reader.trace().openSpans.isEmpty)
  }

  @Test func `damage of an open span has the same byte live as in the whole file`() throws {
    var bytes = Self.stacks(depth: 1)
    let entry =
      ProfileSample.offset(0) + RecordingLayout.stacksPayloadOffset
      + RecordingLayout.Stacks.headerSize + RecordingLayout.Slot.entries
    bytes.store(UInt64(4_000_000_000_000_000_000), at: entry + RecordingLayout.Entry.begin)
    let file = try LiveFile(bytes)
    let reader = try file.reader()
    let (trace, whole) = (reader.trace(), try readTrace(bytes))
    #expect(trace.openSpans.isEmpty)
    #expect(trace.range == whole.range)
    #expect(trace.losses == whole.losses)
    #expect(trace.losses.map(\.offset) == [UInt64(entry)])
  }

  /// A thread that has `depth` spans open.
  private static func stacks(depth: UInt32) -> [UInt8] {
    typealias Layout = RecordingLayout
    return ProfileSample(
      state: 0,
      chunks: [
        .init(sequence: 0, flags: Flag.stacks) { writer in
          var payload = [UInt8](repeating: 0, count: Layout.Stacks.size)
          payload.store(Layout.Stacks.layoutVersion, at: Layout.Stacks.layout)
          payload.store(UInt32(Layout.Stacks.slotCount), at: Layout.Stacks.slots)
          payload.store(UInt32(Layout.Stacks.entryCount), at: Layout.Stacks.depth)
          payload.store(UInt32(Layout.Slot.size), at: Layout.Stacks.slotSize)
          let slot = Layout.Stacks.headerSize
          payload.store(UInt64(101), at: slot + Layout.Slot.thread)
          payload.store(depth, at: slot + Layout.Slot.depth)
          payload.store(Flag.mainThread, at: slot + Layout.Slot.flags)
          let entry = slot + Layout.Slot.entries
          payload.store(UInt64(1_000), at: entry + Layout.Entry.begin)
          payload.store(UInt16(1), at: entry + Layout.Entry.name)
          writer.appendBlob("scrolltrace.stacks", payload)
        },
        .init(sequence: 1) { writer in
          writer.appendString(1, "decode")
          writer.append(.complete(end: 500), "app", .index(1), at: 100)
        },
      ]
    ).bytes
  }

  @Test func `forgetting leaves only what still holds`() throws {
    let frames: @Sendable (inout FXTWriter, UInt64, UInt64) -> Void = { writer, from, to in
      for id in from..<to {
        writer.append(
          .instant, "scrolltrace.frame", "main", at: id * 1_000,
          [("frame", .uint64(id)), ("begin", .uint64(id * 1_000))])
        writer.append(
          .complete(end: id * 1_000 + 500), "scrolltrace.frame", "main", at: id * 1_000 + 1,
          [("frame", .uint64(id))])
      }
    }
    let bytes = ProfileSample(
      state: 0,
      chunks: [
        .init(sequence: 0) { writer in
          writer.append(
            .instant, "scrolltrace.state", "state", at: 10,
            [("key", .string("screen")), ("value", .string("Feed"))])
          writer.append(.asyncBegin(id: 1), "scrolltrace.interaction", "drag", at: 20)
          writer.append(.asyncBegin(id: 2), "scrolltrace.interaction", "paging", at: 30)
          writer.append(.asyncEnd(id: 2), "scrolltrace.interaction", "paging", at: 40)
          frames(&writer, 0, 100)
        },
        .init(sequence: 1, threadSequence: 1) { writer in
          frames(&writer, 100, 120)
          // Of a frame that is forgotten by then.
          writer.append(
            .instant, "scrolltrace.frame", "main", at: 120_000,
            [("frame", .uint64(3)), ("presented", .uint64(5_000))])
          writer.append(.asyncEnd(id: 1), "scrolltrace.interaction", "drag", at: 121_000)
        },
      ]
    ).bytes
    let file = try LiveFile(Array(bytes[..<ProfileSample.offset(1)]))
    let reader = try file.reader()
    let time = Timestamp(clamping: 90_000)
    reader.forget(before: time)
    var trace = reader.trace()
    #expect(trace.tracks.first?.spans.count == 10)
    // The last 64 in any case.
    #expect(trace.surfaces.first.map { $0.frames[0].id } == 36)
    #expect(trace.interactions.map(\.kind) == ["drag"])
    #expect(trace.states.map(\.value) == ["Feed"])
    #expect(trace.range.start == .zero)
    try file.write(bytes)
    try reader.readOn(maximum: .max)
    trace = reader.trace()
    #expect(trace.surfaces.first?.frames.count == 84)
    #expect(trace.interactions.map(\.end?.nanoseconds) == [121_000])
    #expect(trace.losses.isEmpty)
  }

  @Test func `a file that is not a ScrollTrace recording is rejected`() throws {
    var writer = FXTWriter()
    writer.appendMagic()
    writer.appendProvider(1)
    let foreign = writer.bytes + [UInt8](repeating: 0, count: 8_192)
    func open(_ bytes: [UInt8]) throws {
      let file = try LiveFile(bytes)
      try withExtendedLifetime(file) { _ = try LiveTraceReader(path: file.path) }
    }
    #expect(throws: LiveTraceReader.notOurs) { try open(foreign) }
    #expect(throws: LiveTraceReader.notBegun) { try open([]) }
    #expect(throws: LiveTraceReader.notBegun) {
      try open(Array(Self.sample().bytes.prefix(100)))
    }
    #expect(throws: ImportError.self) { try open(ProfileSample(major: 2).bytes) }
    #expect(throws: ImportError.self) { try open(ProfileSample(incompatibleFlags: 1).bytes) }
    #expect(throws: ImportError.self) { try LiveTraceReader(path: NSTemporaryDirectory()) }
  }

  @Test func `no damage stops the reader, and none goes uncounted`() throws {
    let bytes = ProfileSample.compact.bytes
    let used = ProfileSample.offset(0)..<(ProfileSample.offset(0) + 700)
    let file = try LiveFile(bytes)
    for position in ExtraCases.some(230, of: used) {
      for bit in [0, 3, 6] {
        var damaged = bytes
        damaged[position] ^= 1 << UInt8(bit)
        try file.write(damaged)
        let reader = try LiveTraceReader(path: file.path)
        while try reader.readOn(maximum: .max) > 0 || reader.hasMore {}
        let whole = try readTrace(damaged)
        #expect(reader.trace().lossCounts == whole.lossCounts, "byte \(position) bit \(bit)")
        #expect(reader.trace().spanCount == whole.spanCount, "byte \(position) bit \(bit)")
      }
    }
  }
}
