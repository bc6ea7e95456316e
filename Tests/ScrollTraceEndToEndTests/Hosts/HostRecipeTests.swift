import Foundation
import ScrollTraceRecorder
import ScrollTraceTestSupport
import Testing

/// The recipes for hosts, taken from their guides and run as they stand there.
@Suite struct HostRecipeTests {
  private static func guide(_ name: String) throws -> String {
    try ReadmeTests.text("Sources/ScrollTraceRecorder/ScrollTraceRecorder.docc/\(name).md")
  }

  @Test func `the examples of the guide to game loops are those compiled here`() throws {
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let compiled = source.components(separatedBy: "// guide begin\n").dropFirst().compactMap {
      $0.components(separatedBy: "// guide end").first.map(Self.unindented)
    }
    let blocks = ReadmeTests.blocks(of: "swift", in: try Self.guide("RecordingAGameLoop"))
    #expect(blocks.count == 3)
    #expect(blocks == compiled)
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
    var loop = GameLoop(recorder, refreshInterval: 16_666_667)
    while game.isRunning {
      let frame = loop.beginFrame()
      frame.withPhase("simulate") { game.simulate() }
      frame.withPhase(.draw) { game.draw() }
      loop.swap(frame) { window.swapBuffers() }
    }
    loop.pause()
    // guide end
    let surface = try host.analyzed().surface
    #expect(surface["frames"]["total"].integer == 3)
    #expect(surface["basis"].string == "cadence")
    #expect(surface["hitchTimeNs"].integer == 0)
    #expect(surface["measuredTime"]["durationNs"].integer == 50_000_001)
  }

  @Test func `the example of a loop with a rate records what it documents`() throws {
    let host = try VirtualHost()
    let (recorder, game) = (host.recorder, Game(host))
    func wait(until time: Nanoseconds?) {
      recorder.setTime(max(recorder.now(), time ?? 0))
    }
    // guide begin
    var timer = TimerFrameSource(refreshes: 60, phase: recorder.now())
    while game.isRunning {
      let tick = timer.next(after: recorder.now())
      wait(until: tick.start)
      let frame = recorder.beginFrame(tick)
      frame.withPhase(.draw) { game.draw() }
      frame.end()
    }
    // guide end
    #expect(timer.skipped == 0)
    #expect(try host.analyzed().surface["frames"]["total"].integer == 3)
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
      let wait = Int(timer.begin(after: now) - now)
      source.schedule(deadline: .now() + .nanoseconds(wait), leeway: .nanoseconds(0))
    }
    // guide end
    for time in [0, 12, 40, 41] {
      host.set(Double(time))
      fire()
    }
    #expect(timer.skipped == 1)
    #expect(try host.analyzed().surface["frames"]["total"].integer == 2)
  }

  /// A page whose frames come every 10 ms, but for one; time passes as the script waits.
  private static let page = """
    let now = 0, callbacks = [], listeners = {}, observer
    globalThis.performance = { now: () => now }
    globalThis.requestAnimationFrame = (body) => callbacks.push(body)
    const later = []
    globalThis.MessageChannel = class {
      port1 = { close() {} }
      port2 = { postMessage: () => later.push(this.port1) }
    }
    globalThis.PerformanceObserver = class {
      static supportedEntryTypes = ["long-animation-frame"]
      constructor(body) { observer = body }
      observe() {}
    }
    const target = { addEventListener: (name, body) => { listeners[name] = body } }
    const trace = recordScrolling(target, 10)
    listeners.scroll()
    for (const begin of [10, 20, 30, 60, 70]) {
      now = begin + 1
      for (const body of callbacks.splice(0)) body(begin)
      now = begin === 30 ? 58 : begin + 4
      for (const port of later.splice(0)) port.onmessage()
    }
    observer({ getEntries: () => [{ scripts: [
      { sourceFunctionName: "", invoker: "IMG.onload", startTime: 32, duration: 20 }] }] })
    now = 80
    listeners.scrollend()
    for (const body of callbacks.splice(0)) body(80)
    process.stdout.write(trace.text())
    """

  private static let hasNode = (try? node("0").status) == 0
  private static let hasCompiler = (try? ShellRun("cc --version").status) == 0

  private static func node(_ script: String) throws -> ShellRun {
    try ShellRun("node -e \"$1\"", [script], keepsErrors: false)
  }

  /// Of the native interface of Java no more than the example names.
  private static let javaNative = """
    #include <stdint.h>
    #include "scrolltrace.h"
    #define JNIEXPORT
    #define JNICALL
    typedef void JNIEnv;
    typedef void *jclass;
    typedef int64_t jlong;
    typedef int32_t jint;
    static scrolltrace_recorder *recorder;
    static scrolltrace_interaction movement;

    """

  @Test(.needs("cc", if: hasCompiler))
  func `the functions for Android match the C header`() throws {
    let code = try #require(ReadmeTests.blocks(of: "c", in: try Self.guide("OtherHosts")).first)
    let file = TemporaryFile("android.c")
    try (Self.javaNative + code).write(toFile: file.path, atomically: true, encoding: .utf8)
    let headers = ReadmeTests.root.appendingPathComponent("Sources/CScrollTrace/include").path
    let check = try ShellRun(
      "cc -fsyntax-only -Wall -Werror -I \"$1\" \"$2\"", [headers, file.path])
    #expect(check.status == 0, "\(check.output)")
  }

  /// A page of two rows, of which one gets its content after 50 ms and the other never.
  private static let rows = """
    let now = 0, seen
    globalThis.performance = { now: () => now }
    globalThis.IntersectionObserver = class {
      constructor(body) { seen = body }
      observe() {}
    }
    const lines = ['{"scrolltrace":"ndjson/1","unit":"ms"}']
    const put = (line) => lines.push(JSON.stringify(line))
    for (let begin = 0; begin < 1000; begin += 10) {
      put({ frame: begin, begin, commitEnd: begin + 2, interval: 10 })
    }
    put({ interaction: "scroll", begin: 0, end: 1000 })
    const [first, second] = [{ number: 1 }, { number: 2 }]
    const rows = recordRows({ put }, null, (row) => row.number)
    rows.observe(first)
    seen([{ target: first, isIntersecting: true }, { target: second, isIntersecting: true }])
    now = 50
    rows.ready(first)
    now = 1000
    seen([{ target: first, isIntersecting: false }, { target: second, isIntersecting: false }])
    process.stdout.write(lines.join("\\n") + "\\n")
    """

  @Test(.needs("node", if: hasNode))
  func `the script for rows of a web page measures blank time`() throws {
    let scripts = ReadmeTests.blocks(of: "js", in: try Self.guide("OtherHosts"))
    let script = try #require(scripts.first { $0.contains("function recordRows") })
    let result = try Self.node(script + "\n" + Self.rows)
    #expect(result.status == 0)
    let file = TemporaryFile("rows.ndjson")
    try Data(result.output.utf8).write(to: URL(fileURLWithPath: file.path))
    let run = try AnalyzeRun([file.path])
    #expect(run.run["input"]["losses"].count == 0)
    // Both rows for 50 ms, one of two for the rest.
    let blank = try #require(run.run["lists"][0]["blank"]["timeNs"].integer)
    #expect(abs(blank - 525_000_000) <= 10_000_000)
    #expect(run.run["lists"][0]["images"]["neverFinal"].integer == 1)
  }

  @Test(.needs("node", if: hasNode))
  func `the script for web pages writes lines that are evaluated by cadence`() throws {
    let script = try #require(
      ReadmeTests.blocks(of: "js", in: try Self.guide("OtherHosts")).first)
    let result = try Self.node(script + "\n" + Self.page)
    #expect(result.status == 0)
    let file = TemporaryFile("page.ndjson")
    try Data(result.output.utf8).write(to: URL(fileURLWithPath: file.path))
    let run = try AnalyzeRun([file.path])
    #expect(run.errors == "")
    #expect(run.run["input"]["losses"].count == 0)
    #expect(run.surface["basis"].string == "cadence")
    #expect(run.surface["frames"]["total"].integer == 5)
    // No frame at 40 and at 50 ms.
    #expect(run.surface["hitchTimeNs"].integer == 20_000_000)
    #expect(run.surface["interactions"][0]["kind"].string == "scroll")
    #expect(run.surface["measuredTime"]["durationNs"].integer == 80_000_000)
    #expect(run.surface["hitches"][0]["causes"][0]["name"].string == "IMG.onload")
  }
}
