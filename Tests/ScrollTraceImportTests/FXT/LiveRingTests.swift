import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// Reading a flight recorder's file while its chunks are used again (W8).
@Suite struct LiveRingTests {
  private static func turn(_ sequence: UInt64, thread: UInt64 = 101) -> ProfileSample.Chunk {
    .init(
      sequence: sequence, threadSequence: sequence, thread: thread, isSealed: true
    ) { writer in
      let time = 1_000 + sequence * 1_000
      writer.append(.complete(end: time + 500), "app", .inline("turn \(sequence)"), at: time)
    }
  }

  private static func ring(
    _ sequences: [UInt64], overwritten: UInt64, since: UInt64, state: UInt64 = 0
  ) -> [UInt8] {
    var sample = ProfileSample(chunksOverwritten: overwritten, state: state)
    sample.ringChunks = 3
    sample.keptSince = since
    sample.chunks = sequences.map { turn($0) }
    return sample.bytes
  }

  @Test func `records read before they were overwritten are kept (W8)`() throws {
    let file = try LiveFile(Self.ring([0, 1, 2], overwritten: 0, since: 0))
    let reader = try file.reader()
    try file.write(Self.ring([3, 4, 2], overwritten: 2, since: 3_000))
    try reader.readOn(maximum: .max)
    #expect(reader.trace().spanNames(101) == (0...4).map { "app/turn \($0)" })
    #expect(reader.trace().range.start.nanoseconds == 1_000)
    #expect(reader.trace().losses.isEmpty)
    // One who comes later finds what is left, in the order of the numbers.
    let late = try file.reader(maximum: 1)
    #expect(late.trace().spanNames(101) == ["app/turn 2"])
    while late.hasMore { try late.readOn(maximum: 1) }
    #expect(late.trace().spanNames(101) == (2...4).map { "app/turn \($0)" })
    #expect(late.trace().losses.isEmpty)
  }

  @Test func `an overwritten chunk that nobody read moves the start (W8)`() throws {
    let file = try LiveFile(Self.ring([0, 1, 2], overwritten: 0, since: 0))
    let reader = try file.reader()
    // The chunks 3 to 5 came and went.
    try file.write(Self.ring([6, 7, 8], overwritten: 6, since: 7_000))
    try reader.readOn(maximum: .max)
    #expect(reader.trace().spanNames(101) == (6...8).map { "app/turn \($0)" })
    #expect(reader.trace().range.start.nanoseconds == 7_000)
  }

  @Test func `a chunk whose use was not yet counted is found at the end`() throws {
    let file = try LiveFile(Self.ring([3, 1, 2], overwritten: 1, since: 2_000))
    let reader = try file.reader()
    try file.write(Self.ring([3, 4, 2], overwritten: 1, since: 2_000, state: 1))
    try reader.readOn(maximum: .max)
    #expect(reader.trace().spanNames(101) == (1...4).map { "app/turn \($0)" })
  }

  @Test func `a thread with the number of an ended one is another thread (W4)`() throws {
    func bytes(_ count: UInt64) -> [UInt8] {
      var old = Self.turn(3)
      old.provider = 1
      let new = ProfileSample.Chunk(sequence: 4, provider: 2) { writer in
        for index in 0..<count {
          writer.append(.complete(end: 9_500), "app", .inline("new \(index)"), at: 9_000 + index)
        }
      }
      return ProfileSample(state: 0, chunks: [old, new]).bytes
    }
    let file = try LiveFile(bytes(1))
    let reader = try file.reader()
    try file.write(bytes(2))
    try reader.readOn(maximum: .max)
    #expect(reader.trace().spanNames(101) == ["app/turn 3", "app/new 0", "app/new 1"])
  }

  @Test func `forgetting an end whose begin is overwritten is not a loss (R18)`() throws {
    var sample = ProfileSample(chunksOverwritten: 8, state: 0)
    sample.ringChunks = 4
    sample.keptSince = 1_000
    sample.chunks = [
      .init(sequence: 8, threadSequence: 8) { writer in
        writer.append(.asyncEnd(id: 1), "app", "late", at: 2_000)
        writer.append(.complete(end: 9_500), "app", "turn", at: 9_000)
      }
    ]
    let file = try LiveFile(sample.bytes)
    let reader = try file.reader()
    reader.forget(before: Timestamp(clamping: 5_000))
    #expect(reader.trace().losses.isEmpty)
  }
}
