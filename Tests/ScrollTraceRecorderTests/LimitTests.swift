import Foundation
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

/// What happens at the limits: room, names, switches, the end of the recording.
struct LimitTests {
  @Test func `at the maximum size events are counted and the file stays valid (W4)`() async {
    await forEachCase(of: [4096, 30_000, 40_000, 100_000, 200_000], oneCase)
    @Sendable func oneCase(maximum: Int) throws {
      let path = TemporaryPath()
      let options = RecorderOptions.with { $0.maximumBytes = maximum }
      let recorder = try TraceRecorder(writingTo: path.path, options: options)
      let count = 10_000
      for index in 0..<count { recorder.withSpan("step", item: ItemID(index)) {} }
      try recorder.finish()
      let bytes = try path.read()
      #expect(bytes.count <= maximum)
      let walker = try StrictWalker(bytes)
      #expect(UInt64(walker.events.count) + recorder.losses.outOfSpace == UInt64(count))
      #expect(walker.session[21] == 1)
      #expect(walker.session[16] == recorder.losses.outOfSpace)
      #expect(walker.openSpans.isEmpty)
    }
  }

  @Test func `more names than indices are written inline and none is lost (W5)`() throws {
    let count = 33_500
    let walker = try StrictWalker { recorder in
      for index in 0..<count {
        let name = recorder.registerName("name \(index)")
        recorder.withSpan(name) {}
      }
      let last = recorder.registerName("name \(count - 1)")
      recorder.setState(last, to: "value")
      recorder.markCell(
        .willDisplay, CellDetails(list: recorder.registerList(named: "late list"), kind: last))
    }
    #expect(
      walker.events.filter { $0.type == 4 }.map(\.name) == (0..<count).map { "name \($0)" })
    let tail = walker.events.suffix(2)
    #expect(
      tail.first?.arguments == ["key": .text("name 33499"), "value": .text("value")])
    #expect(
      tail.last?.arguments == ["list": .text("late list"), "kind": .text("name 33499")])
  }

  @Test func `a frame that started while recording was off leaves no event`() throws {
    let walker = try StrictWalker { recorder in
      recorder.isEnabled = false
      let frame = recorder.beginFrame()
      recorder.isEnabled = true
      frame.phases { $0.layout {} }
      frame.end(outcome: .dropped)
      frame.markPresented(at: recorder.now())
    }
    #expect(walker.events.map(\.name) == ["layout"])
  }

  @Test func `a string that is too long costs its event and is counted`() throws {
    let recorder = try TraceRecorder(to: .memory)
    recorder.setState("key", to: String(repeating: "x", count: 4_000))
    recorder.setState("key", to: String(repeating: "x", count: 4_001))
    recorder.mark(recorder.registerName(String(repeating: "y", count: 9_000)))
    try recorder.finish()
    let walker = try StrictWalker(#require(recorder.recordedBytes))
    #expect(walker.events.count == 1)
    #expect(recorder.losses.recordTooLarge == 2)
  }

  @Test func `an event whose strings all have the maximum length fits`() throws {
    let long = (0..<4).map { String(repeating: "\($0)", count: 4_000) }
    let walker = try StrictWalker { recorder in
      for _ in 0..<3 {
        recorder.markCell(
          CellMark(recorder.registerName(long[0])),
          CellDetails(
            list: recorder.registerList(named: long[1]), kind: recorder.registerName(long[2])))
        recorder.withSpan(
          recorder.registerName(long[2]), SpanCategory(recorder.registerName(long[3])), item: 1
        ) {}
      }
    }
    #expect(walker.events.map(\.name) == [long[0], long[2], long[0], long[2], long[0], long[2]])
    #expect(walker.chunks.count <= 4)
  }

  @Test func `while recording is off nothing is recorded, and open spans still end`() throws {
    let recorder = try TraceRecorder(to: .memory)
    recorder.withSpan("on") {
      recorder.isEnabled = false
      recorder.withSpan("off") {}
      recorder.mark("off")
      recorder.beginFrame().end()
      recorder.withInteraction(.drag) {}
    }
    recorder.isEnabled = true
    recorder.mark("again")
    try recorder.finish()
    let walker = try StrictWalker(#require(recorder.recordedBytes))
    #expect(walker.events.map(\.name) == ["on", "again"])
    #expect(recorder.losses.total == 0)
  }

  @Test func `calls after the end are counted, write nothing and do no harm (W7)`() throws {
    let path = TemporaryPath()
    let recorder = try TraceRecorder(writingTo: path.path)
    let open = recorder.beginSpan("open")
    try recorder.finish()
    let size = try path.read().count
    recorder.endSpan(open)
    recorder.withSpan("late") {}
    recorder.mark("late")
    recorder.isEnabled = true
    recorder.mark("late")
    TestThread.run { recorder.mark("late") }
    try recorder.finish()
    let bytes = try path.read()
    #expect(bytes.count == size)
    let walker = try StrictWalker(bytes)
    #expect(walker.events.isEmpty)
    #expect(walker.openSpans.map(\.name) == ["open"])
    #expect(recorder.losses.afterFinish == 4)
    // A finished file does not change any more: it is no longer in memory.
    #expect(walker.session[18] == 0)
  }

  @Test func `an existing file is left alone unless it may be replaced (W6)`() throws {
    let path = TemporaryPath()
    try Data("mine".utf8).write(to: URL(fileURLWithPath: path.path))
    #expect {
      _ = try TraceRecorder(writingTo: path.path)
    } throws: { error in
      "\(error)".hasPrefix("\(path.path): cannot create the trace file: ")
        && "\(error)".hasSuffix("remove it, or set replacesExistingFile")
    }
    #expect(try path.read() == Array("mine".utf8))
    let options = RecorderOptions.with { $0.replacesExistingFile = true }
    try TraceRecorder(writingTo: path.path, options: options).finish()
    _ = try StrictWalker(path.read())
  }

  @Test func `a planted symbolic link is not followed (W6)`() throws {
    let target = TemporaryPath()
    let link = TemporaryPath()
    #expect(symlink(target.path, link.path) == 0)
    #expect(throws: RecorderError.self) { try TraceRecorder(writingTo: link.path) }
    let options = RecorderOptions.with { $0.replacesExistingFile = true }
    try TraceRecorder(writingTo: link.path, options: options).finish()
    #expect(access(target.path, F_OK) != 0)
    var status = stat()
    #expect(lstat(link.path, &status) == 0)
    #expect(status.st_mode & S_IFMT == S_IFREG)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test func `only a regular file is replaced`() throws {
    let pipe = TemporaryPath()
    #expect(mkfifo(pipe.path, 0o600) == 0)
    let link = TemporaryPath()
    #expect(symlink(pipe.path, link.path) == 0)
    for path in [pipe.path, link.path, "/dev/null", "/"] {
      #expect {
        _ = try TraceRecorder(writingTo: path, options: .with { $0.replacesExistingFile = true })
      } throws: {
        "\($0)" == "\(path): is not a regular file, and is not replaced; choose another name"
      }
    }
    var status = stat()
    #expect(lstat(pipe.path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    #expect(lstat(link.path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
  }

  @Test func `a missing directory is an error with its name`() throws {
    #expect {
      _ = try TraceRecorder(writingTo: "/nowhere/at/all.fxt")
    } throws: { "\($0)".hasPrefix("/nowhere/at/all.fxt: cannot create the trace file") }
  }

  @Test func `a name that finds no room is no lost event`() throws {
    let recorder = try TraceRecorder(to: .memory, options: .with { $0.maximumBytes = 200_000 })
    while recorder.losses.total == 0 { recorder.mark("mark", item: 1) }
    let lost = recorder.losses.total
    recorder.nameThread("a new name")
    #expect(recorder.losses.total == lost)
    recorder.mark("mark", item: 1)
    #expect(recorder.losses.total == lost + 1)
  }
}
