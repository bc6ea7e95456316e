import ScrollTraceImport
import CTestSupport
import Foundation
import ScrollTraceModel
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

/// What others do to the file of a recording that goes on: the recording ends, and never the host.
struct GuardTests {
  /// What happens to the file while it is recorded.
  enum Harm: String, CaseIterable, Sendable {
    case truncated = ": > FILE"
    case copied = "cp FILE FILE.old && : > FILE"
    case overwritten = "cp OTHER FILE"
    case shortened = "truncate -s 40000 FILE"
  }

  private func record(_ recorder: TraceRecorder, _ count: Int) {
    for index in 0..<count { recorder.withSpan("work", item: ItemID(index)) {} }
  }

  private func harm(_ path: TemporaryPath, _ harm: Harm, with other: TemporaryPath) {
    let line = harm.rawValue.replacingOccurrences(of: "FILE", with: path.path)
      .replacingOccurrences(of: "OTHER", with: other.path)
    #expect(system(line) == 0)
    unlink(path.path + ".old")
  }

  @Test func `a file is not mapped where others see the faults of its stores first`() throws {
    let mapped = RecordingDestination.mappedFile(path: "run.fxt")
    #expect(mapped.possible(whereOthersSeeFaults: false) == mapped)
    #expect(mapped.possible(whereOthersSeeFaults: true) == .file(path: "run.fxt"))
    for other in [RecordingDestination.file(path: "run.fxt"), .memory] {
      #expect(other.possible(whereOthersSeeFaults: true) == other)
    }
    #if os(Linux)
      // Here the recorder's own handler is the first.
      let path = TemporaryPath()
      let recorder = try TraceRecorder(writingTo: path.path)
      #expect(recorder.destination == .mappedFile(path: path.path))
      try recorder.finish()
    #endif
  }

  @Test func `a file that is cut or replaced ends the recording and not the host`() async {
    await forEachCase(of: Harm.allCases, oneCase)
    @Sendable func oneCase(_ kind: Harm) throws {
      for isRing in [false, true] {
        let path = TemporaryPath()
        let other = TemporaryPath()
        try Data(repeating: 0x61, count: 100_000).write(to: URL(fileURLWithPath: other.path))
        var options = RecorderOptions()
        if isRing { options.ringBytes = 200_000 }
        let recorder = try TraceRecorder(writingTo: path.path, options: options)
        record(recorder, 2_000)
        harm(path, kind, with: other)
        record(recorder, 100_000)
        TestThread.run(3) { _ in self.record(recorder, 10_000) }
        recorder.setState("key", to: "value")
        #expect(recorder.losses.afterFinish > 0)
        #expect(throws: RecorderError.self) { try recorder.finish() }
        record(recorder, 10)
        // What others put in its place is theirs.
        if kind == .overwritten {
          let bytes = try path.read()
          #expect(bytes.prefix(4096).allSatisfy { $0 == 0x61 })
        }
      }
    }
  }

  @Test func `a file that is cut just before the end is an error`() throws {
    let path = TemporaryPath()
    let recorder = try TraceRecorder(writingTo: path.path)
    record(recorder, 10)
    #expect(truncate(path.path, 0) == 0)
    #expect {
      try recorder.finish()
    } throws: { error in
      "\(error)".contains("truncated or replaced")
    }
    #expect(path.size == 0)
  }

  @Test func `a dump of a cut recording is refused`() throws {
    let path = TemporaryPath()
    let copy = TemporaryPath()
    let recorder = try TraceRecorder(writingTo: path.path)
    record(recorder, 5_000)
    #expect(truncate(path.path, 0) == 0)
    #expect(throws: RecorderError.self) { try recorder.dump(to: copy.path) }
    #expect(throws: RecorderError.self) { try recorder.finish() }
  }

  @Test func `recordings without a mapping hold a bounded part in memory and lose nothing`() throws
  {
    let path = TemporaryPath()
    let copy = TemporaryPath()
    let recorder = try TraceRecorder(to: .file(path: path.path))
    record(recorder, 20_000)
    var count = 20_000
    if ExtraCases.isThorough {
      // A sanitizer keeps shadow memory of every access.
      let bound = scrolltrace_can_count_allocations() ? 200_000 : 8_000
      // Other tests allocate at the same time, so the least of several rounds of 16 MB counts.
      var growth = Int.max
      for _ in 0..<15 where growth >= bound {
        let before = try ProcessFacts.residentKilobytes()
        record(recorder, 400_000)
        count += 400_000
        growth = min(growth, try ProcessFacts.residentKilobytes() - before)
      }
      #expect(growth < bound)
    }
    try recorder.dump(to: copy.path)
    TestThread.run(4) { _ in self.record(recorder, 5_000) }
    try recorder.finish()
    #expect(recorder.losses.total == 0)
    let trace = try Trace.read(copy.read())
    #expect(trace.losses.isEmpty)
    #expect(trace.spanCount == count)
    let walker = try StrictWalker(path.read())
    #expect(walker.events.count == count + 20_000)
    #expect(try Trace.read(path.read()).losses.isEmpty)
  }
}

/// What the system says of this process.
enum ProcessFacts {
  #if os(Linux)
    private static func value(_ key: String) throws -> Int {
      let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = text.split(separator: "\n").first { $0.hasPrefix(key + ":") }
      return line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first
        .flatMap { Int($0) } ?? 0
    }

    /// Memory of its own, without pages of files.
    static func residentKilobytes() throws -> Int { try value("RssAnon") }
    static func addressKilobytes() throws -> Int { try value("VmSize") }
  #else
    static func residentKilobytes() throws -> Int { 0 }
    static func addressKilobytes() throws -> Int { 0 }
  #endif
}
