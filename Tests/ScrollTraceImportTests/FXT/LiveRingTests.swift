import ScrollTraceLayout
import Foundation
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

@testable import ScrollTraceImport

/// Reading a flight recorder's file while its chunks are used again (W8).
@Suite struct LiveRingTests {
  /// Hands `body` a path, and what writes a file there.
  private func withFile(_ body: (String, ([UInt8]) throws -> Void) throws -> Void) throws {
    let path = NSTemporaryDirectory() + "live-\(UUID().uuidString).fxt"
    defer { try? FileManager.default.removeItem(atPath: path) }
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    try body(path) { bytes in
      let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
      try handle.write(contentsOf: Data(bytes))
      try handle.truncate(atOffset: UInt64(bytes.count))
      try handle.close()
    }
  }

  private static func turn(_ sequence: UInt64, thread: UInt64 = 101) -> ProfileSample.Chunk {
    .init(
      sequence: sequence, threadSequence: sequence, thread: thread, isSealed: true
    ) { writer in
      let time = 1_000 + sequence * 1_000
      writer.appendEvent(
        .complete(end: time + 500), thread: .index(1), category: "app",
        name: .inline("turn \(sequence)"), at: time)
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
    try withFile { path, write in
      try write(Self.ring([0, 1, 2], overwritten: 0, since: 0))
      let reader = try LiveTraceReader(path: path)
      try reader.readOn(maximum: .max)
      try write(Self.ring([3, 4, 2], overwritten: 2, since: 3_000))
      try reader.readOn(maximum: .max)
      #expect(reader.trace().spanNames(101) == (0...4).map { "app/turn \($0)" })
      #expect(reader.trace().range.start.nanoseconds == 1_000)
      #expect(reader.trace().losses.isEmpty)
    }
  }

  @Test func `an overwritten chunk that nobody read moves the start (W8)`() throws {
    try withFile { path, write in
      try write(Self.ring([0, 1, 2], overwritten: 0, since: 0))
      let reader = try LiveTraceReader(path: path)
      try reader.readOn(maximum: .max)
      // The chunks 3 to 5 came and went.
      try write(Self.ring([6, 7, 8], overwritten: 6, since: 7_000))
      try reader.readOn(maximum: .max)
      #expect(reader.trace().spanNames(101) == (6...8).map { "app/turn \($0)" })
      #expect(reader.trace().range.start.nanoseconds == 7_000)
    }
  }

  @Test func `a chunk whose use was not yet counted is found at the end`() throws {
    try withFile { path, write in
      try write(Self.ring([3, 1, 2], overwritten: 1, since: 2_000))
      let reader = try LiveTraceReader(path: path)
      try reader.readOn(maximum: .max)
      try write(Self.ring([3, 4, 2], overwritten: 1, since: 2_000, state: 1))
      try reader.readOn(maximum: .max)
      #expect(reader.trace().spanNames(101) == (1...4).map { "app/turn \($0)" })
    }
  }

  @Test func `a thread with the number of an ended one is another thread (W4)`() throws {
    func bytes(_ count: UInt64) -> [UInt8] {
      var old = Self.turn(3)
      old.provider = 1
      let new = ProfileSample.Chunk(sequence: 4, provider: 2) { writer in
        for index in 0..<count {
          writer.appendEvent(
            .complete(end: 9_500), thread: .index(1), category: "app",
            name: .inline("new \(index)"), at: 9_000 + index)
        }
      }
      return ProfileSample(state: 0, chunks: [old, new]).bytes
    }
    try withFile { path, write in
      try write(bytes(1))
      let reader = try LiveTraceReader(path: path)
      try reader.readOn(maximum: .max)
      try write(bytes(2))
      try reader.readOn(maximum: .max)
      #expect(reader.trace().spanNames(101) == ["app/turn 3", "app/new 0", "app/new 1"])
    }
  }

  @Test func `forgetting an end whose begin is overwritten is not a loss (R18)`() throws {
    var sample = ProfileSample(chunksOverwritten: 8, state: 0)
    sample.ringChunks = 4
    sample.keptSince = 1_000
    sample.chunks = [
      .init(sequence: 8, threadSequence: 8) { writer in
        writer.appendEvent(
          .asyncEnd(id: 1), thread: .index(1), category: "app", name: "late", at: 2_000)
        writer.appendEvent(
          .complete(end: 9_500), thread: .index(1), category: "app", name: "turn", at: 9_000)
      }
    ]
    try withFile { path, write in
      try write(sample.bytes)
      let reader = try LiveTraceReader(path: path)
      try reader.readOn(maximum: .max)
      reader.forget(before: Timestamp(clamping: 5_000))
      #expect(reader.trace().losses.isEmpty)
    }
  }
}
