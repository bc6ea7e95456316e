import ScrollTraceLayout
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing
import ScrollTracePlatform

/// A recording of two thirds of a gigabyte, or of two gigabytes if there is time, nearly all of it prepared and
/// never used.
@Suite struct SparseRecordingTests {
  /// The address space of a command in kilobytes, which is less than the file.
  private static let limit = 400_000
  private static let size = ExtraCases.isThorough ? 2 << 30 : 640 << 20

  /// Writes a recording with thousands of spans, and unused chunks after it up to `size`.
  private static func write(to path: String) throws {
    var options = RecorderOptions()
    options.clock = .manual(start: 0)
    options.creatingThread = ThreadIdentity(id: 1, name: "main")
    let recorder = try TraceRecorder(to: .memory, options: options)
    let worker = recorder.makeSimulatedThread(id: 2, name: "worker")
    for number in 0..<20_000 as Range<Int64> {
      worker.recordSpan("step", .work, from: number * 1_000, to: number * 1_000 + 600)
    }
    try recorder.finish()
    let bytes = try #require(recorder.recordedBytes)
    var pad = FXTWriter()
    pad.appendPad(words: FXT.maximumRecordWords)
    let header = Array(pad.bytes.prefix(8))
    let file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    try #require(file >= 0)
    defer { close(file) }
    try #require(pwrite(file, bytes, bytes.count, 0) == bytes.count)
    var end = bytes.count
    while end + RecordingLayout.chunkSize <= size {
      try #require(pwrite(file, header, header.count, off_t(end)) == header.count)
      end += RecordingLayout.chunkSize
    }
    try #require(ftruncate(file, off_t(end)) == 0)
  }

  #if os(Linux)
    @Test func `it is read in less address space than its size, with all of its spans`() throws {
      let file = TemporaryFile("sparse.fxt")
      try Self.write(to: file.path)
      for (command, text) in [
        ("inspect", "20000 spans"), ("analyze", "NOT MEASURABLE"),
        ("convert --format ndjson -o -", "{\"span\":\"step\""),
      ] {
        let run = try ShellRun(
          "ulimit -v \(Self.limit); exec \"$1\" \(command) \"$2\"",
          [try CommandProcess.command(), file.path], variables: ["SWIFT_BACKTRACE": "enable=no"])
        #expect(
          run.status == 0, "\(command): \(run.output.suffix(300))")
        #expect(run.output.contains(text), "\(command): \(run.output.suffix(300))")
      }
    }
  #endif
}
