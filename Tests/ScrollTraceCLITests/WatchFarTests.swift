@testable import ScrollTraceCLI
import ScrollTraceTestSupport
import ScrollTraceLayout
import Foundation
import ScrollTraceKit
import ScrollTraceRecorder
import Testing

@testable import ScrollTraceTerminal

/// `scrolltrace watch` and instants that lie far off.
@Suite struct WatchFarTests {
  let console = CapturedConsole()

  @Test func `a mark far in the future does not settle earlier events`() {
    let (begin, now) = (Timestamp(clamping: 100), Timestamp(clamping: 1_000))
    func credible(_ time: Int64, now: Timestamp?) -> Int64 {
      WatchedRecording.credible(Timestamp(clamping: time), start: begin, now: now).nanoseconds
    }
    #expect(credible(.max, now: now) == 5_000_001_000)
    #expect(credible(2_000, now: now) == 2_000)
    #expect(credible(.max, now: nil) == .max)
    // Of another start of the machine.
    #expect(credible(.max, now: Timestamp(clamping: 50)) == .max)
  }

  @Test func `a mark far in the future is one line, not one per second`() throws {
    let path = console.folder + "/far.fxt"
    var bytes = try PackageFiles.bytes(of: "killed-mid-scroll.fxt")
    func word(_ at: Int) -> UInt64 {
      (0..<8).reduce(0) { $0 | UInt64(bytes[at + $1]) << UInt64(8 * $1) }
    }
    _ = try console.file("far.fxt", bytes)
    var file = try WatchedFile(path: path, now: 0)
    var lines = WatchLines(sink: .terminal)
    try file.step(now: 0)
    _ = lines.opening(of: file)
    // The end of some span of the first chunk.
    var position = RecordingLayout.pageSize
    while word(position) & 0xf != 4 || word(position) >> 16 & 0xf != 4 {
      position += Int(word(position) >> 4 & 0xfff) * 8
    }
    let last = position + Int(word(position) >> 4 & 0xfff) * 8 - 8
    let far = word(position + 8) + 3_000_000_000_000
    for index in 0..<8 { bytes[last + index] = UInt8(truncatingIfNeeded: far >> UInt64(8 * index)) }
    _ = try console.file("far.fxt", bytes)
    file = try WatchedFile(path: path, now: 0)
    try file.step(now: 0)
    let text = lines.news(of: file, now: 0)
    #expect(text.contains(" s skipped\n"))
    #expect(text.split(separator: "\n").count < 20)
  }

  @Test func `an open span far in the future is damage at its byte, not time`() throws {
    var bytes = try PackageFiles.bytes(of: "killed-mid-scroll.fxt")
    let entry =
      RecordingLayout.pageSize + RecordingLayout.stacksPayloadOffset
      + RecordingLayout.Stacks.headerSize + RecordingLayout.Slot.entries
    bytes[entry + RecordingLayout.Entry.begin + 7] = 0x37
    let path = try console.file("far.fxt", bytes)
    var file = try WatchedFile(path: path, now: 0)
    try file.step(now: 0)
    try file.end()
    let text = WatchLines(sink: .terminal).closing(of: file)
    #expect(text.hasPrefix("not finished: 1.19 s, "))
    #expect(text.contains("\nlost: time out of range (1, first at byte \(entry))\n"))
    #expect(text.contains("open at the end: main: prepare for "))
  }

  @Test func `a recording that was empty at first has its seconds from its own start`() throws {
    let path = console.folder + "/empty.fxt"
    var options = RecorderOptions()
    options.clock = .manual(start: .seconds(83_882))
    let recorder = try TraceRecorder(writingTo: path, options: options)
    var file = try WatchedFile(path: path, now: 0)
    var lines = WatchLines(sink: .terminal)
    try file.step(now: 0)
    _ = lines.opening(of: file)
    for second in 0..<3 {
      let start = RecorderTime.seconds(Double(83_882 + second))
      recorder.setTime(start)
      recorder.withSpan("work") { recorder.setTime(start + .nanoseconds(999_999_999)) }
    }
    try recorder.finish()
    try file.step(now: 4_000)
    let text = lines.news(of: file, now: 4_000)
    #expect(!text.contains("skipped"))
    #expect(text.hasPrefix("1 s: "))
  }
}
