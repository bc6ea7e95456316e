/// Writes a small trace as Chrome would, of a page that scrolls and hangs twice.
///
/// 60 Hz. The main thread takes 45 ms for the row of frame 10, and the screen, which the compositor
/// goes on filling, stands still for three refreshes after frame 22.
struct ChromeSample {
  static let refreshInterval = 16_667
  static let frameCount = 32
  /// The frame whose main-thread work takes 45 ms, so that the next two refreshes have none.
  static let slowFrame = 10
  /// The frame after which three refreshes show nothing new.
  static let stuckFrame = 22

  private var lines: [String] = []
  private let start = 1_000_000

  /// The whole trace, or only its first frames.
  static func text(frameCount: Int = frameCount) -> String {
    var sample = ChromeSample()
    sample.addNames()
    sample.addMark("feed:begin", at: sample.start - 500)
    for frame in 0..<frameCount { sample.addFrame(frame) }
    sample.addMark("feed:end", at: sample.start + frameCount * refreshInterval)
    let events = sample.lines.joined(separator: ",\n")
    return "{\"traceEvents\":[\n\(events)\n],\"metadata\":{\"trace_processor_stats\":{}}}\n"
  }

  private mutating func addNames() {
    for (process, name) in [(1, "Browser"), (2, "Renderer")] {
      add(
        "\"ph\":\"M\",\"name\":\"process_name\",\"args\":{\"name\":\"\(name)\"}", process, process)
    }
    for (thread, name) in [(2, "CrRendererMain"), (3, "Compositor")] {
      add("\"ph\":\"M\",\"name\":\"thread_name\",\"args\":{\"name\":\"\(name)\"}", 2, thread)
    }
  }

  private mutating func addMark(_ name: String, at time: Int) {
    add(
      "\"ph\":\"I\",\"s\":\"t\",\"cat\":\"blink.user_timing\",\"name\":\"\(name)\",\"ts\":\(time)",
      2, 2)
  }

  private mutating func addFrame(_ frame: Int) {
    let time = start + frame * Self.refreshInterval
    let number = "\"sequence_number\":\(frame)"
    add(
      "\"ph\":\"X\",\"cat\":\"cc,benchmark\",\"name\":\"Scheduler::BeginFrame\",\"ts\":\(time + 90),"
        + "\"dur\":60,\"args\":{\"args\":{\"frame_time_us\":\(time),\"interval_us\":\(Self.refreshInterval),"
        + "\(number)}}", 2, 3)
    addAsync(
      "EventLatency", "input", lane: 0x40, from: time - 400, to: time + 9000,
      arguments: "\"event_latency\":{\"event_type\":\"MOUSE_WHEEL\"}")
    let isBehind = Self.slowFrame < frame && frame <= Self.slowFrame + 2
    if !isBehind { addMainFrame(frame, at: time, number: number) }
    let isStuck = Self.stuckFrame < frame && frame <= Self.stuckFrame + 3
    if !isStuck { addReporter(frame, at: time, isComplete: !isBehind) }
  }

  private mutating func addMainFrame(_ frame: Int, at time: Int, number: String) {
    let length = frame == Self.slowFrame ? 45_000 : 4_000 + frame % 5 * 500
    let task = "\"ph\":\"X\",\"cat\":\"disabled-by-default-devtools.timeline\",\"name\":\"RunTask\""
    add("\(task),\"ts\":\(time + 200),\"dur\":\(length)", 2, 2)
    for (name, from, to) in [
      ("FireAnimationFrame", 250, length * 3 / 4), ("Layout", length * 3 / 4, length - 500),
      ("Commit", length - 400, length - 100),
    ] {
      add(
        "\"ph\":\"X\",\"cat\":\"devtools.timeline\",\"name\":\"\(name)\",\"ts\":\(time + from),"
          + "\"dur\":\(to - from)", 2, 2)
    }
    addAsync(
      "row", "blink.user_timing", lane: 0x50, from: time + 300, to: time + length / 2,
      arguments: "\"detail\":\"{\\\"item\\\":\(100 + frame)}\"")
    addAsync(
      "AnimationFrame", "devtools.timeline", lane: 0x60, from: time, to: time + length,
      arguments: "\"animation_frame_timing_info\":{\"begin_frame_id\":{\(number)}}")
  }

  private mutating func addReporter(_ frame: Int, at time: Int, isComplete: Bool) {
    let state = isComplete ? "STATE_PRESENTED_ALL" : "STATE_PRESENTED_PARTIAL"
    addAsync(
      "PipelineReporter", "cc,benchmark,disabled-by-default-devtools.timeline.frame",
      lane: 1 + frame % 2, from: time, to: time + Self.refreshInterval + 2000 + frame % 3 * 100,
      arguments: "\"frame_reporter\":{\"state\":\"\(state)\",\"frame_sequence\":\(frame)}")
  }

  private mutating func addAsync(
    _ name: String, _ category: String, lane: Int, from start: Int, to end: Int, arguments: String
  ) {
    let id =
      "\"cat\":\"\(category)\",\"name\":\"\(name)\",\"id2\":{\"local\":\"0x\(String(lane, radix: 16))\"}"
    add("\"ph\":\"b\",\(id),\"ts\":\(start),\"args\":{\(arguments)}", 2, 2)
    add("\"ph\":\"e\",\(id),\"ts\":\(end)", 2, 2)
  }

  private mutating func add(_ fields: String, _ process: Int, _ thread: Int) {
    lines.append("{\"pid\":\(process),\"tid\":\(thread),\(fields)}")
  }
}
