import ScrollTraceLayout
import Foundation
import ScrollTraceModel
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

/// Random programs of calls on several threads against a model that only counts.
///
/// A program goes in rounds. In each, threads begin, record and end; between rounds, recording is
/// switched off or on, dumped or finished.
struct ModelTests {
  /// What a program does to the recorder.
  private struct Program {
    var random: SeededGenerator
    var destination: RecordingDestination
    var options = RecorderOptions()
    /// Whether events may find no room, so that only sums are known.
    var isTight = false

    init(seed: UInt64, path: String) {
      random = SeededGenerator(seed: seed)
      let file: RecordingDestination = .file(path: path)
      destination = [.mappedFile(path: path), file, .memory][random.next(below: 3)]
      switch random.next(below: 4) {
      case 0: options.ringBytes = 131_040 + random.next(below: 300_000)
      case 1:
        isTight = true
        options.maximumBytes = 4096 + random.next(below: 400_000)
      default: break
      }
      options.sealsChunks = random.next(below: 3) > 0
      options.recordsThreadTimes = random.next(below: 2) > 0
    }
  }

  /// What a thread of a program records, and how many events that must give.
  private struct Player {
    let recorder: TraceRecorder
    let isOn: Bool
    let isTight: Bool
    let shared: HandedSpans
    var random: SeededGenerator
    var events = 0
    var open: [SpanToken] = []

    mutating func play(_ count: Int) {
      for _ in 0..<count { step() }
      // Threads end with open spans too, which others end.
      for token in open.reversed() {
        if isTight || random.next(below: 3) > 0 { end(token) } else { shared.push(token) }
      }
    }

    private mutating func end(_ token: SpanToken) {
      // What began is recorded, even if recording was switched off meanwhile.
      recorder.endSpan(token)
      events += 1
    }

    private mutating func step() {
      let number = isOn ? 1 : 0
      switch random.next(below: isTight ? 8 : 13) {
      case 0:
        recorder.withSpan("outer") {
          recorder.withSpan("inner", .image, item: 9) {}
          recorder.mark("between")
        }
        events += 3 * number
      case 1:
        recorder.mark("mark", item: ItemID(random.next(below: 1000)))
        events += number
      case 2:
        // Around a frame, an open span becomes two events, of which both or one can be lost.
        if open.count < 12, isOn, !isTight { open.append(recorder.beginSpan("open", item: 3)) }
      case 3: if let token = open.popLast() { end(token) }
      case 4:
        let frame = recorder.beginFrame(FrameTiming(start: 5, deadline: 9))
        frame.phases { $0.layout {} }
        frame.end()
        events += 3 * number
      case 5:
        recorder.recordCounter("count", random.next(below: 100))
        events += number
      case 6:
        recorder.withSpan(recorder.registerName("name \(random.next(below: 200))")) {}
        events += number
      case 7:
        recorder.markCell(
          .willDisplay, CellDetails(item: 4, position: 2, kind: "kind", isReused: true))
        events += number
      case 8:
        recorder.setState(
          "state", to: random.next(below: 2) == 0 ? nil : "value \(random.next(below: 20))")
        events += number
      case 9:
        recorder.withInteraction(.drag) { recorder.mark("dragged") }
        events += 2 * number
      case 10: if let token = shared.pop() { end(token) }
      case 11:
        // Out of order: what is inside leaves the stack before it ends.
        if !open.isEmpty { end(open.remove(at: random.next(below: open.count))) }
      default:
        recorder.recordSpan("past", from: 100, to: 200, item: 8)
        events += number
      }
    }
  }

  /// The events of a file as the model counts them: what has a start and an end is one.
  private func count(_ walker: StrictWalker) -> Int {
    walker.events.count {
      [0, 1, 4, 7].contains($0.type) && $0.name != "sleep" && $0.category != "scrolltrace.notice"
    }
  }

  private func run(seed: UInt64) throws {
    let path = TemporaryPath()
    let copy = TemporaryPath()
    var program = Program(seed: seed, path: path.path)
    let recorder = try TraceRecorder(to: program.destination, options: program.options)
    let shared = HandedSpans()
    let isTight = program.isTight
    var expected = 0
    var isOn = true
    for _ in 0..<(2 + program.random.next(below: 6)) {
      let seeds = (0..<(1 + program.random.next(below: 3))).map { _ in program.random.next() }
      let steps = 20 + program.random.next(below: 400)
      let played = Locked(0)
      let isNowOn = isOn
      TestThread.run(seeds.count) { index in
        var player = Player(
          recorder: recorder, isOn: isNowOn, isTight: isTight, shared: shared,
          random: SeededGenerator(seed: seeds[index]))
        player.play(steps)
        played.withLock { $0 += player.events }
      }
      expected += played.withLock { $0 }
      switch program.random.next(below: 5) {
      case 0:
        isOn.toggle()
        recorder.isEnabled = isOn
      case 1:
        try recorder.dump(to: copy.path)
        _ = try StrictWalker(copy.read())
        #expect(unlink(copy.path) == 0)
      default: break
      }
    }
    try recorder.finish()
    let late = recorder.losses
    recorder.isEnabled = true
    recorder.mark("late")
    #expect(recorder.losses.afterFinish == late.afterFinish + 1)
    let bytes = try recorder.recordedBytes ?? path.read()
    let walker = try StrictWalker(bytes)
    let trace = try Trace.read(bytes)
    if isTight {
      #expect(count(walker) + Int(late.total) == expected)
    } else {
      #expect(late.total == 0)
      #expect(trace.losses.isEmpty)
      #expect(late.endedTwice == 0)
      // A span that its surroundings left behind is in no stack.
      #expect(walker.openSpans.count <= shared.count)
    }
    if program.options.ringBytes == nil, !isTight { #expect(count(walker) == expected) }
  }

  @Test func `random programs on several threads record what a model says`() throws {
    let asked = ProcessInfo.processInfo.environment["SCROLLTRACE_PROGRAMS"].flatMap(UInt64.init)
    let first = ProcessInfo.processInfo.environment["SCROLLTRACE_PROGRAM"].flatMap(UInt64.init) ?? 0
    for seed in first..<(first + (asked ?? (ExtraCases.isThorough ? 60 : 8))) {
      do {
        try run(seed: seed)
      } catch {
        Issue.record("program \(seed): \(error)")
      }
    }
  }
}
