import Foundation
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

/// The recipes for hosts, taken from their guides and run as they stand there.
@Suite struct HostRecipeTests {
  @Test func `the examples of the guide to game loops are those compiled here`() throws {
    let blocks = try PackageFiles.blocks(
      of: "swift", in: "Sources/ScrollTraceRecorder/ScrollTraceRecorder.docc/RecordingAGameLoop.md")
    #expect(blocks.count == 3)
    #expect(try blocks == Self.examples(in: #filePath))
  }

  /// The examples of a guide that are compiled in a file, each between two marks.
  static func examples(in path: String) throws -> [String] {
    try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "// guide begin\n")
      .dropFirst().map { unindented($0.components(separatedBy: "// guide end")[0]) }
  }

  private static func unindented(_ code: String) -> String {
    var lines = code.components(separatedBy: "\n")
    let indent = lines.first.map { $0.prefix { $0 == " " }.count } ?? 0
    // The line of the end mark holds nothing but its own indent.
    lines[lines.count - 1] = ""
    return lines.map { String($0.dropFirst(indent)) }.joined(separator: "\n")
  }

  /// A game of three frames at 60 Hz, of which each takes 5 ms.
  private final class Game {
    let host: VirtualHost
    private var frames = 0

    init(_ host: VirtualHost) {
      self.host = host
    }

    var isRunning: Bool { frames < 3 }
    func simulate() {}
    func draw() {
      frames += 1
      advance(by: 5)
    }
    func swapBuffers() { advance(by: 11.666667) }
    func layout() { draw() }
    func advance(by milliseconds: Double) {
      host.recorder.setTime(host.recorder.now() + VirtualHost.ms(milliseconds))
    }
  }

  @Test func `the example of a loop that swaps records what it documents`() throws {
    let host = try VirtualHost()
    let (recorder, game) = (host.recorder, Game(host))
    let window = game
    // guide begin
    var loop = GameLoop(recorder, refreshInterval: .milliseconds(16.666667))
    while game.isRunning {
      let frame = loop.beginFrame()
      frame.phases {
        $0.phase("simulate") { game.simulate() }
        $0.draw { game.draw() }
      }
      loop.swap(frame) { window.swapBuffers() }
    }
    loop.pause()
    // guide end
    try host.analyzed().surface.expect([
      "frames.total": 3, "basis": "cadence", "hitchTimeNs": 0,
      "measuredTime.durationNs": 50_000_001,
    ])
  }

  @Test func `the example of a loop with a rate records what it documents`() throws {
    let host = try VirtualHost()
    let (recorder, game) = (host.recorder, Game(host))
    func wait(until time: RecorderTime) { recorder.setTime(max(recorder.now(), time)) }
    // guide begin
    var timer = TimerFrameSource(refreshes: 60, phase: recorder.now())
    let playing = recorder.beginInteraction(.animation)
    while game.isRunning {
      let tick = timer.next(after: recorder.now())
      if let start = tick.start { wait(until: start) }
      let frame = recorder.beginFrame(tick)
      frame.phases { $0.draw { game.draw() } }
      frame.end()
    }
    recorder.endInteraction(playing)
    // guide end
    #expect(timer.skipped == 0)
    try host.analyzed().surface.expect(["frames.total": 3, "hitchTimeNs": 0])
  }

  @Test func `the example of a dispatch timer keeps to the grid`() throws {
    let host = try VirtualHost()
    let (recorder, list) = (host.recorder, Game(host))
    var timer = TimerFrameSource(refreshes: 60, phase: recorder.now())
    let source = DispatchSource.makeTimerSource()
    source.resume()
    defer { source.cancel() }
    // guide begin
    func fire() {
      if let frame = recorder.beginFrame(from: &timer, recorder.now()) {
        list.layout()
        frame.end()
      }
      let now = recorder.now()
      var upcoming = timer  // a copy, so that the frame is made when the timer fires
      let wait = (upcoming.next(after: now).start ?? now) - now
      source.schedule(
        deadline: .now() + .nanoseconds(Int(wait.nanoseconds)), leeway: .nanoseconds(0))
    }
    // guide end
    for time in [0, 12, 40, 41] {
      host.set(Double(time))
      fire()
    }
    #expect(timer.skipped == 1)
    #expect(try host.analyzed().surface["frames"]["total"].integer == 2)
  }
}
