import ScrollTraceLayout
import ScrollTraceTestSupport

/// The files of the suite.
enum ConformanceCases {
  static let all = profile + session + writers + readers + damage

  /// F-1 to F-6: what is in a chunk.
  private static let profile: [ConformanceCase] = [
    .keeps(
      "F-1-nanoseconds", "times are nanoseconds",
      ProfileSample.whole(ProfileSample.chunk { $0.work(1_000, 5_000) }),
      "span 101 app/work 1000...5000"),
    .breaks(
      "F-1-other-ticks", "the chunk says that there are 24 000 000 ticks a second",
      {
        var bytes = ProfileSample.whole(ProfileSample.chunk { $0.work(1_000, 5_000) })
        bytes.store(UInt64(24_000_000), at: ProfileSample.offset(0) + 16)
        return bytes
      }(), "span 101 app/work 1000...5000", "loss invalid-value 1"),
    .breaks(
      "F-2-large-record", "a record of type 15 between two marks",
      ProfileSample.whole(
        ProfileSample.chunk { writer in
          writer.mark(10)
          writer.appendWord(15 | 2 << 4)
          writer.appendWord(0)
          writer.mark(20)
        }), "mark 101 app/work 10", "mark 101 app/work 20"),
    .breaks(
      "F-2-zeros-at-end", "4096 zeros follow the last chunk",
      ProfileSample.whole(ProfileSample.chunk { $0.mark(10) })
        + [UInt8](repeating: 0, count: 4_096),
      "mark 101 app/work 10", "loss damaged-bytes 4096"),
    .breaks(
      "F-2-crossing-spans", "two complete events of one thread overlap",
      ProfileSample.whole(
        ProfileSample.chunk { writer in
          writer.work(10, 30)
          writer.work(20, 40)
        }), "span 101 app/work 10...30", "span 101 app/work 20...40"),
    .keeps(
      "F-3-host-category", "a category of the host, inline",
      ProfileSample.whole(
        ProfileSample.chunk {
          $0.append(.complete(end: 9), "scroll", "fling", at: 7)
        }), "span 101 scroll/fling 7...9"),
    .keeps(
      "F-4-frame", "the three records of a frame",
      ProfileSample.whole(frame),
      "frame main 1 begin=1000 commit=2000...6000 deadline=9000 target=17000 presented=17000",
      "span 101 scrolltrace.frame/main 2000...6000 frame=1"),
    .keeps(
      "F-4-interaction", "a drag, and a state",
      ProfileSample.whole(
        ProfileSample.chunk { writer in
          let drag = FXTWriter.Name("drag")
          writer.append(.asyncBegin(id: 7), "scrolltrace.interaction", drag, at: 1_000)
          writer.append(.asyncEnd(id: 7), "scrolltrace.interaction", drag, at: 9_000)
        }), "interaction drag 1000...9000"),
    .keeps(
      "F-4-unknown-word", "a word that a later version may have, in a category of the vocabulary",
      ProfileSample.whole(
        ProfileSample.chunk {
          $0.append(.complete(end: 20), "scrolltrace.cell", "polish", at: 10)
        }), "span 101 scrolltrace.cell/polish 10...20"),
    .keeps(
      "F-5-open-spans", "the host died in a span of a span; the inner one has ended",
      ProfileSample.whole(
        ProfileSample.chunk { $0.work(100, 110) },
        ProfileTests.stacks([(50, 1, 2, nil), (100, 1, 2, 7)])),
      "span 101 app/work 100...110", "open 101 app/work since 50"),
    .breaks(
      "F-6-equal-starts", "two spans of a thread begin at once",
      ProfileSample.whole(
        ProfileSample.chunk { writer in
          writer.work(10, 30)
          writer.work(10, 20)
        }), "span 101 app/work 10...30", "span 101 app/work 10...20"),
    .keeps(
      "F-6-spans-after-the-fact", "two spans that overlap are async events",
      ProfileSample.whole(
        ProfileSample.chunk { writer in
          for (event, time) in [
            (.asyncBegin(id: 1), 10), (.asyncEnd(id: 1), 30), (.asyncBegin(id: 2), 20),
            (.asyncEnd(id: 2), 40),
          ] as [(FXTWriter.Event, UInt64)] {
            writer.append(event, .index(1), .index(2), at: time)
          }
        }), "span 101 app/work 10...30", "span 101 app/work 20...40"),
  ]

  private static let frame = ProfileSample.Chunk(sequence: 0) { writer in
    let (thread, category) = (FXTWriter.Thread.index(1), FXTWriter.Name("scrolltrace.frame"))
    writer.appendEvent(
      .instant, thread: thread, category: category, name: "main", at: 1_000,
      arguments: [
        ("frame", .uint64(1)), ("begin", .uint64(1_000)), ("deadline", .uint64(9_000)),
        ("target", .uint64(17_000)),
      ])
    writer.appendEvent(
      .complete(end: 6_000), thread: thread, category: category, name: "main", at: 2_000,
      arguments: [("frame", .uint64(1))])
    writer.appendEvent(
      .instant, thread: thread, category: category, name: "main", at: 17_100,
      arguments: [("frame", .uint64(1)), ("presented", .uint64(17_000))])
  }

  /// F-7 and F-8: what the first page says.
  private static let session: [ConformanceCase] = [
    .refused(
      "F-7-later-major-version", "major version 2",
      {
        var sample = ProfileSample(state: 0, chunks: [ProfileSample.chunk { $0.mark(1) }])
        sample.major = 2
        return Array(sample.bytes.prefix(RecordingLayout.pageSize))
      }(), "version"),
    .refused(
      "F-7-incompatible-flag", "a feature that a reader has to know",
      {
        var sample = ProfileSample(state: 0, chunks: [ProfileSample.chunk { $0.mark(1) }])
        sample.incompatibleFlags = 1
        return Array(sample.bytes.prefix(RecordingLayout.pageSize))
      }(), "feature"),
    .keeps(
      "F-8-finished", "the recording is finished and says how long it is",
      ProfileSample.finished(ProfileSample.chunk(isSealed: true) { $0.mark(1) }),
      "mark 101 app/work 1"),
    .keeps(
      "F-8-reserve", "the host died before it cut off a chunk that it kept in reserve",
      ProfileSample.finished(ProfileSample.chunk(isSealed: true) { $0.mark(1) }) + pad,
      "mark 101 app/work 1"),
    .breaks(
      "F-8-lost-chunk", "the last of two chunks is missing",
      Array(
        ProfileSample.finished(
          ProfileSample.chunk(isSealed: true) { $0.mark(1) },
          ProfileSample.chunk(1, isSealed: true) { $0.mark(2) }
        ).dropLast(RecordingLayout.chunkSize)),
      "mark 101 app/work 1", "loss missing-chunk 1"),
    .breaks(
      "F-8-cut-pad", "the last bytes are missing, which were a pad",
      Array(ProfileSample.finished(ProfileSample.chunk { $0.mark(1) }).dropLast(32_000)),
      "mark 101 app/work 1", "loss cut-at-end 1"),
    .breaks(
      "F-8-contradiction", "the size does not fit the number of chunks",
      {
        var bytes = ProfileSample.finished(ProfileSample.chunk { $0.mark(1) })
        bytes.store(
          UInt64(5), at: RecordingLayout.sessionPayloadOffset + RecordingLayout.Session.finishedSize
        )
        return Array(bytes.dropLast(32_000))
      }(), "mark 101 app/work 1", "loss invalid-value 1"),
  ]

  /// A chunk that nobody has begun.
  static let pad: [UInt8] = {
    var writer = FXTWriter()
    writer.appendPad(words: FXT.maximumRecordWords)
    return writer.bytes
  }()

  /// W1 to W9: the states that a writer leaves.
  private static let writers: [ConformanceCase] = [
    .keeps(
      "W1-killed-in-a-record", "words of a record lie behind the header of the pad",
      {
        var bytes = ProfileSample.whole(ProfileSample.chunk { $0.mark(1) })
        let start = ProfileSample.offset(0) + RecordingLayout.chunkPreambleSize + 24 + 32 + 16
        for index in start + 8..<start + 40 { bytes[index] = 0xA5 }
        return bytes
      }(), "mark 101 app/work 1"),
    .keeps(
      "W3-killed-in-a-preamble", "a chunk of which all is there but its first word",
      {
        let first = ProfileSample.whole(ProfileSample.chunk { $0.mark(1) })
        let next = ProfileSample.bytes(of: ProfileSample.chunk(1) { _ in })
        return first + pad.prefix(8) + next[8..<RecordingLayout.chunkPreambleSize]
          + pad[RecordingLayout.chunkPreambleSize...]
      }(), "mark 101 app/work 1"),
    .keeps(
      "W4-killed-while-growing", "the pad of the next chunk was written in part",
      ProfileSample.whole(ProfileSample.chunk { $0.mark(1) }) + pad.prefix(4_096),
      "mark 101 app/work 1"),
    .breaks(
      "W5-index-of-two-texts", "string 3 is another text in each chunk",
      ProfileSample.whole(
        ProfileSample.chunk { writer in
          writer.appendString(3, "first")
          writer.append(.instant, .index(1), .index(3), at: 1)
        },
        ProfileSample.chunk(1) { writer in
          writer.appendString(3, "second")
          writer.append(.instant, .index(1), .index(3), at: 2)
        }), "mark 101 app/first 1", "mark 101 app/second 2"),
    .keeps(
      "W7-dropped", "the recorder counted what it had to drop",
      {
        var sample = ProfileSample(state: 0, chunks: [ProfileSample.chunk { $0.mark(1) }])
        sample.droppedNoChunk = 3
        sample.droppedTooBig = 4
        return sample.bytes
      }(), "mark 101 app/work 1", "loss record-too-large 4", "loss recorder-out-of-space 3"),
    .keeps(
      "W8-ring", "a flight recorder used 7 chunks again; all that ended before 100 is incomplete",
      {
        var sample = ProfileSample(
          state: 0,
          chunks: [
            ProfileSample.chunk(7) { writer in
              writer.work(50, 90)
              writer.work(120, 130)
            }
          ])
        sample.chunksOverwritten = 7
        sample.ringChunks = 16
        sample.keptSince = 100
        return sample.bytes
      }(), "span 101 app/work 120...130"),
    .keeps(
      "W9-sealed", "a chunk with its seal",
      ProfileSample.whole(ProfileSample.chunk(isSealed: true) { $0.mark(1) }),
      "mark 101 app/work 1"),
  ]
}
