import Foundation
import ScrollTraceImport
import ScrollTraceLayout
import ScrollTraceModel
import ScrollTraceTestSupport
import Testing

/// Finished recordings that were cut short, or of which a bit is another one.
@Suite struct CutCopyTests {
  static func sample(_ name: String) throws -> [UInt8] {
    let folder = PackageFiles.url("SampleTraces")
    return [UInt8](try Data(contentsOf: folder.appendingPathComponent("\(name).fxt")))
  }

  static func read(_ bytes: some Sequence<UInt8>) throws -> Trace {
    try TraceFile.read([UInt8](bytes))
  }

  /// What all figures come from.
  struct Figures: Equatable {
    var range: TimeRange
    var frames: [[Frame]]
    var spanCounts: [Int]
    var markCount: Int
    var interactionCount: Int
    var stateCount: Int

    init(_ trace: Trace) {
      range = trace.range
      frames = trace.surfaces.map { Array($0.frames) }
      spanCounts = trace.tracks.map(\.spans.count)
      markCount = trace.marks.count
      interactionCount = trace.interactions.count
      stateCount = trace.states.count
    }
  }

  /// Where to cut: around every page and chunk, and at odd places.
  static func cuts(of count: Int) -> [Int] {
    let chunks = stride(
      from: RecordingLayout.pageSize, to: count, by: RecordingLayout.chunkSize)
    let offsets = [-8, -1, 0, 1, 8, 120]
    var cuts = chunks.flatMap { chunk in offsets.map { chunk + $0 } }
    cuts += stride(from: 4_099, to: count, by: 4_651)
    cuts.append(count - 1)
    return cuts.filter { $0 < count }
  }

  @Test(arguments: ["rate-change", "feed-commit-hitches"])
  func `F-8: a truncated copy of a finished recording is reported or has equal numbers`(
    _ name: String
  ) throws {
    let bytes = try Self.sample(name)
    let whole = try Self.read(bytes)
    #expect(whole.losses.isEmpty)
    let figures = Figures(whole)
    for count in ExtraCases.some(70, of: Self.cuts(of: bytes.count)) {
      guard let trace = try? Self.read(bytes.prefix(count)) else { continue }
      #expect(!trace.losses.isEmpty || Figures(trace) == figures, "\(name) cut at \(count)")
    }
  }

  @Test func `F-8: a file that does not state its length reads as before`() throws {
    var bytes = try Self.sample("rate-change")
    for field in [
      RecordingLayout.Session.finishedSize, RecordingLayout.Session.finishedChunks,
    ] {
      bytes.store(UInt64(0), at: RecordingLayout.sessionPayloadOffset + field)
    }
    #expect(try Self.read(bytes).losses.isEmpty)
    #expect(try Self.read(bytes.dropLast(RecordingLayout.chunkSize)).losses.isEmpty)
  }

  // MARK: - Seals

  /// Replaces the seals of chunks by pads.
  private static func withoutSeals(_ bytes: [UInt8], unless isKept: (Int) -> Bool) -> [UInt8] {
    var stripped = bytes
    let (page, size) = (RecordingLayout.pageSize, RecordingLayout.chunkSize)
    for chunk in 0..<((bytes.count - page) / size) where !isKept(chunk) {
      var place = page + chunk * size
      let end = place + size
      while place < end {
        let words = Int(bytes[place] >> 4) | Int(bytes[place + 1]) << 4
        if bytes[(place + 8)...].starts(with: "scrolltrace.seal".utf8) {
          var writer = FXTWriter()
          writer.appendPad(words: (end - place) / 8)
          stripped.replaceSubrange(place..<end, with: writer.bytes)
        }
        place += max(1, words) * 8
      }
    }
    return stripped
  }

  @Test func `R12: a finished recording whose seals were removed is damaged`() throws {
    var bytes = try Self.sample("feed-commit-hitches")
    #expect(try Self.read(bytes).losses.isEmpty)
    let all = try Self.read(Self.withoutSeals(bytes) { _ in false })
    let lost = try #require(all.losses.first)
    #expect(all.losses.map(\.reason) == [.checksumMismatch] && lost.count > 1)
    let noticed = try (0..<6).filter { chunk in
      try !Self.read(Self.withoutSeals(bytes) { $0 != chunk }).losses.isEmpty
    }
    #expect(noticed.count == Int(lost.count))
    // A recorder may leave chunks without seals, and says so.
    bytes.store(
      RecordingLayout.Session.unsealedFlag,
      at: RecordingLayout.sessionPayloadOffset + RecordingLayout.Session.compatibleFlags)
    #expect(try Self.read(Self.withoutSeals(bytes) { _ in false }).losses.isEmpty)
  }

  // MARK: - Flipped bits

  @Test(arguments: ["rate-change", "killed-mid-scroll"])
  func `R19: one flipped bit never lengthens a recording silently`(_ name: String) throws {
    let bytes = try Self.sample(name)
    let whole = try Self.read(bytes)
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<(ExtraCases.isThorough ? 400 : 24) {
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      try Self.check(bytes, place, Int.random(in: 0..<8, using: &generator), whole, name)
    }
  }

  @Test func `R19: no time of an unsealed chunk lengthens a recording silently`() throws {
    let bytes = try Self.sample("killed-mid-scroll")
    let whole = try Self.read(bytes)
    var generator = SeededGenerator(seed: 12)
    for chunk in 1..<5 {
      let start = ProfileSample.offset(chunk)
      var records: [Int] = []
      var position = start
      while position < start + RecordingLayout.chunkSize {
        let header = bytes.withUnsafeBytes {
          $0.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        }
        if header & 0xf == 4 { records.append(position) }
        position += max(8, Int(header >> 4 & 0xfff) * 8)
      }
      let count = ExtraCases.isThorough ? 15 : 4
      for record in records.shuffled(using: &generator).prefix(count) + records.suffix(2) {
        for word in [1, 2] {
          let bit = Int.random(in: 28..<62, using: &generator)
          try Self.check(bytes, record + word * 8 + bit / 8, bit % 8, whole, "chunk \(chunk)")
        }
      }
    }
  }

  @Test func `R19: an open span that started years later is damage at its byte`() throws {
    var bytes = try Self.sample("killed-mid-scroll")
    let whole = try Self.read(bytes)
    let entry = Self.firstSlot + RecordingLayout.Slot.entries
    bytes.store(UInt64(4_000_000_000_000_000_000), at: entry + RecordingLayout.Entry.begin)
    let trace = try Self.read(bytes)
    #expect(trace.losses.map(\.reason) == [.timeOutOfRange])
    #expect(trace.losses.map(\.offset) == [UInt64(entry)])
    #expect(trace.openSpans.count == whole.openSpans.count - 1)
    #expect(trace.range == whole.range)
  }

  @Test func `R19: random bytes in the table of open spans cost nothing but open spans`() throws {
    var bytes = try Self.sample("killed-mid-scroll")
    let whole = try Self.read(bytes)
    typealias Stacks = RecordingLayout.Stacks
    var generator = SeededGenerator(seed: 14)
    let end = Self.firstSlot + Stacks.slotCount * RecordingLayout.Slot.size
    for place in Self.firstSlot..<end { bytes[place] = .random(in: 0...255, using: &generator) }
    let trace = try Self.read(bytes)
    #expect(trace.openSpans.isEmpty)
    #expect(trace.tracks.map(\.name) == whole.tracks.map(\.name))
    #expect(trace.spanCount == whole.spanCount)
    #expect(trace.range.start == whole.range.start && trace.range.end <= whole.range.end)
    let depth = UInt64(Self.firstSlot + RecordingLayout.Slot.depth)
    #expect(trace.losses.map(\.reason) == [.invalidValue])
    #expect(trace.losses.map(\.count) == [UInt64(Stacks.slotCount)])
    #expect(trace.losses.map(\.offset) == [depth])
  }

  /// Where the open spans of the first thread are, in the first chunk.
  private static var firstSlot: Int {
    ProfileSample.offset(0) + RecordingLayout.stacksPayloadOffset
      + RecordingLayout.Stacks.headerSize
  }

  @Test func `R19: an end far after all other times has a notice`() throws {
    func file(lastAt time: UInt64, state: UInt64) -> ProfileSample {
      ProfileSample(
        state: state,
        chunks: [
          ProfileSample.Chunk(sequence: 0) { writer in
            for index in UInt64(1)...20 {
              writer.append(
                .complete(end: index * 100_000_000 + 9), "app", "work", at: index * 100_000_000)
            }
            writer.append(.instant, "app", "last", at: time)
          }
        ])
    }
    #expect(try Self.read(file(lastAt: 2_500_000_000, state: 0).bytes).losses.isEmpty)
    let trace = try Self.read(file(lastAt: 9_000_000_000, state: 0).bytes)
    #expect(trace.losses.isEmpty)
    #expect(trace.says("may be damaged"))
  }

  private static func check(
    _ bytes: [UInt8], _ place: Int, _ bit: Int, _ whole: Trace, _ name: String
  ) throws {
    var copy = bytes
    copy[place] ^= 1 << UInt8(bit)
    guard let trace = try? read(copy) else { return }
    let isLonger = trace.range.length.nanoseconds > whole.range.length.nanoseconds + 1_000_000_000
    #expect(
      !isLonger || trace.losses != whole.losses || trace.notices != whole.notices,
      "\(name): bit \(bit) of byte \(place) makes it \(trace.range.length)")
  }

  @Test func `R12: no record of a chunk whose checksum does not match is used`() throws {
    let bytes = try Self.sample("rate-change")
    let whole = try Self.read(bytes)
    var generator = SeededGenerator(seed: 13)
    for chunk in 1..<5 {
      let start = ProfileSample.offset(chunk)
      let range = start..<(start + RecordingLayout.chunkSize)
      let name = Array("scrolltrace.seal".utf8)
      let seal = try #require(bytes[range].firstRange(of: name)).lowerBound - 8
      for _ in 0..<(ExtraCases.isThorough ? 25 : 3) {
        var copy = bytes
        let place = Int.random(in: start..<seal, using: &generator)
        copy[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        let trace = try Self.read(copy)
        #expect(trace.losses.contains { $0.reason == .checksumMismatch }, "byte \(place)")
        #expect(trace.range.start >= whole.range.start, "byte \(place)")
        #expect(trace.range.end <= whole.range.end, "byte \(place)")
      }
    }
  }
}
