import ScrollTraceLayout
import ScrollTraceTestSupport

extension ConformanceCases {
  /// R1 to R10: records that a reader has to get along with.
  static let readers: [ConformanceCase] = [
    .refused(
      "R1-big-endian", "the magic in big-endian order",
      [0x00, 0x16, 0x54, 0x78, 0x46, 0x04, 0x00, 0x10] + [UInt8](repeating: 0, count: 24),
      "big-endian"),
    .breaks(
      "R2-size-of-zero", "a record of size 0, and a whole chunk behind it",
      {
        var bytes = ProfileSample.whole(
          ProfileSample.chunk { writer in
            writer.mark(1)
            writer.mark(2)
          }, ProfileSample.chunk(1) { $0.mark(3) })
        let second = ProfileSample.offset(0) + RecordingLayout.chunkPreambleSize + 24 + 32 + 16
        bytes.store(UInt64(0), at: second)
        return Array(bytes.prefix(ProfileSample.offset(1) + 200))
      }(), "mark 101 app/work 1", "mark 101 app/work 3", "loss damaged-bytes 32568"),
    .breaks(
      "R2-record-crosses-its-chunk", "the thread record reaches past the end of the chunk",
      {
        var bytes = ProfileSample.whole(
          ProfileSample.chunk { $0.mark(1) }, ProfileSample.chunk(1) { $0.mark(2) })
        bytes.store(UInt16(0xFFF3), at: ProfileSample.offset(0) + RecordingLayout.chunkPreambleSize)
        return Array(bytes.prefix(ProfileSample.offset(1) + 200))
      }(), "mark 101 app/work 2", "loss damaged-bytes 32640"),
    .breaks(
      "R2-lost-first-page", "the first page is zeros",
      [UInt8](repeating: 0, count: RecordingLayout.pageSize)
        + ProfileSample.whole(ProfileSample.chunk { $0.mark(1) })[RecordingLayout.pageSize...],
      "mark 101 app/work 1", "loss damaged-bytes 4096"),
    .breaks(
      "R2-cut-in-a-record", "the file ends inside an event",
      Array(
        ProfileSample.whole(
          ProfileSample.chunk { writer in
            writer.mark(1)
            writer.mark(2)
          }
        ).prefix(ProfileSample.offset(0) + RecordingLayout.chunkPreambleSize + 24 + 32 + 16 + 8)),
      "mark 101 app/work 1", "loss cut-at-end 1"),
    .breaks(
      "R3-unknown-record", "a record of type 13",
      ProfileSample.whole(
        ProfileSample.chunk { writer in
          writer.appendWord(13 | 2 << 4)
          writer.appendWord(1)
          writer.mark(1)
        }), "mark 101 app/work 1"),
    .breaks(
      "R4-argument-without-size", "an event with an argument of size 0",
      ProfileSample.whole(
        ProfileSample.chunk { writer in
          writer.appendWord(4 | 3 << 4 | 1 << 20 | 1 << 24 | 1 << 32 | 2 << 48)
          writer.appendWord(5)
          writer.appendWord(0)
          writer.mark(6)
        }), "mark 101 app/work 6", "loss malformed-record 1"),
    .breaks(
      "R5-undefined-name", "an event whose name nobody defined",
      ProfileSample.whole(
        ProfileSample.chunk {
          $0.append(.instant, .index(1), .index(17), at: 5)
        }), "mark 101 app/(undefined string 17) 5", "loss undefined-reference 1"),
    .breaks(
      "R6-time-out-of-range", "a time of 2^63",
      ProfileSample.whole(
        ProfileSample.chunk { writer in
          writer.mark(1)
          writer.mark(1 << 63)
          writer.mark(2)
        }), "mark 101 app/work 1", "mark 101 app/work 2", "loss time-out-of-range 1"),
    .keeps(
      "R9-chunks-in-any-order", "the later chunk of a thread comes first",
      ProfileSample.whole(
        ProfileSample.chunk(1) { $0.work(30, 40) }, ProfileSample.chunk { $0.work(10, 20) }),
      "span 101 app/work 10...20", "span 101 app/work 30...40"),
    .breaks(
      "R10-two-chunks-of-one-number", "the second one is sealed, and counts",
      ProfileSample.whole(
        ProfileSample.chunk { $0.mark(1) }, ProfileSample.chunk(isSealed: true) { $0.mark(2) }),
      "mark 101 app/work 2", "loss duplicate-chunk 1"),
  ]

  /// R11 to R19: what is lost, and what does not fit together.
  static let damage: [ConformanceCase] = [
    .breaks(
      "R11-damage-in-a-finished-file", "a finished recording with zeros in its second chunk",
      ProfileSample(
        chunks: [
          ProfileSample.chunk(isSealed: true) { $0.mark(1) }
        ]
      ).bytes + [UInt8](repeating: 0, count: 8_000), "mark 101 app/work 1",
      "loss damaged-bytes 8000"),
    .breaks(
      "R12-wrong-checksum", "a bit of a sealed chunk is another one",
      {
        var bytes = ProfileSample.whole(
          ProfileSample.chunk(isSealed: true) { $0.mark(8) })
        // The event behind the preamble, the thread and two strings; its time.
        let time = ProfileSample.offset(0) + RecordingLayout.chunkPreambleSize + 24 + 32 + 8
        bytes[time] ^= 1
        return bytes
      }(), "loss checksum-mismatch 1"),
    .breaks(
      "R12-wrong-number-of-records", "the seal has another number of records and no checksum",
      {
        var bytes = ProfileSample.whole(
          ProfileSample.chunk(isSealed: true) { $0.mark(8) })
        // The event behind the preamble, the thread and two strings; then the seal.
        let seal = ProfileSample.offset(0) + RecordingLayout.chunkPreambleSize + 24 + 32 + 16
        let payload = seal + RecordingLayout.Seal.recordSize - RecordingLayout.Seal.size
        bytes.store(UInt64(99), at: payload + RecordingLayout.Seal.recordCount)
        bytes.store(UInt32(0), at: payload + RecordingLayout.Seal.checksum)
        return bytes
      }(), "loss checksum-mismatch 1"),
    .breaks(
      "R12-missing-chunk", "the chunks of a thread have the numbers 0 and 2",
      ProfileSample.whole(
        ProfileSample.chunk { $0.mark(1) }, ProfileSample.chunk(2) { $0.mark(2) }),
      "mark 101 app/work 1", "mark 101 app/work 2", "loss missing-chunk 1"),
    .breaks(
      "R13-end-without-a-start", "an end, and a start without one",
      ProfileSample.whole(
        ProfileSample.chunk { writer in
          for (event, time) in [(.end, 5), (.begin, 10)] as [(FXTWriter.Event, UInt64)] {
            writer.append(event, .index(1), .index(2), at: time)
          }
        }), "open 101 app/work since 10", "loss unmatched-end 1"),
    .breaks(
      "R15-frame-without-its-number", "a commit of a frame that has no number",
      ProfileSample.whole(
        ProfileSample.chunk {
          $0.append(.complete(end: 20), "scrolltrace.frame", "main", at: 10)
        }), "span 101 scrolltrace.frame/main 10...20", "loss invalid-value 1"),
    .breaks(
      "R17-two-files", "another file behind the first one",
      ProfileSample.whole(ProfileSample.chunk { $0.mark(1) })
        + ProfileSample.whole(ProfileSample.chunk { $0.mark(2) }),
      "mark 101 app/work 1", "mark 101 app/work 2"),
    .breaks(
      "R19-time-outside-the-recording", "a mark is 2^50 ns later than all others",
      ProfileSample.whole(
        ProfileSample.chunk { writer in
          for time in UInt64(1)...4 { writer.work(time * 10, time * 10 + 5) }
          writer.mark(1 << 50)
          for time in UInt64(5)...8 { writer.work(time * 10, time * 10 + 5) }
        }),
      "span 101 app/work 10...15", "span 101 app/work 20...25", "span 101 app/work 30...35",
      "span 101 app/work 40...45", "span 101 app/work 50...55", "span 101 app/work 60...65",
      "span 101 app/work 70...75", "span 101 app/work 80...85", "loss time-out-of-range 1"),
  ]
}
