#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A trace in the form that Chromium's tracing writes, of any length.
enum ChromeJSONText {
  /// The number of tasks per frame: like in Chromium's own traces, most events are work.
  private static let tasksPerFrame = 24

  /// Writes about `events` events: tasks with work in them, BeginFrames and presentations.
  static func write(to path: String, events: Int) throws {
    guard let file = fopen(path, "w") else { throw WriteError(path: path) }
    fputs("{\"traceEvents\":[\n", file)
    fputs(metadata("process_name", thread: 7, "Renderer"), file)
    fputs(metadata("thread_name", thread: 7, "CrRendererMain"), file)
    fputs(metadata("thread_name", thread: 8, "Compositor"), file)
    for frame in 0..<(events / (tasksPerFrame * 4 + 5)) { fputs(Self.frame(frame), file) }
    fputs("{}],\"metadata\":{}}\n", file)
    guard ferror(file) == 0, fclose(file) == 0 else { throw WriteError(path: path) }
  }

  /// The reason nothing was written.
  struct WriteError: Error {
    let path: String
  }

  private static func metadata(_ name: String, thread: Int, _ value: String) -> String {
    "{\"args\":{\"name\":\"\(value)\"},\"cat\":\"__metadata\",\"name\":\"\(name)\",\"ph\":\"M\","
      + "\"pid\":7,\"tid\":\(thread),\"ts\":0},\n"
  }

  private static func frame(_ number: Int) -> String {
    let time = 1_000_000 + number * 16_666
    var text =
      "{\"args\":{\"args\":{\"animate_only\":false,\"deadline_us\":\(time + 16_666),"
      + "\"frame_time_us\":\(time),\"interval_us\":16666,\"sequence_number\":\(number),"
      + "\"source_id\":0,\"type\":\"BeginFrameArgs\"}},\"cat\":\"cc,benchmark\",\"dur\":20,"
      + "\"name\":\"Scheduler::BeginFrame\",\"ph\":\"X\",\"pid\":7,\"tid\":8,\"ts\":\(time)},\n"
    for task in 0..<tasksPerFrame { text += Self.task(at: time + task * 650) }
    let local = "\"id2\":{\"local\":\"0x\(String(number & 15, radix: 16))\"}"
    for (phase, at) in [("b", time), ("e", time + 16_666)] {
      text +=
        "{\"args\":{\"event_latency\":{\"event_type\":\"MOUSE_WHEEL\"}},\"cat\":\"input\",\(local),"
        + "\"name\":\"EventLatency\",\"ph\":\"\(phase)\",\"pid\":7,\"tid\":8,\"ts\":\(at)},\n"
      text +=
        "{\"args\":{\"frame_reporter\":{\"affects_smoothness\":true,\"frame_sequence\":\(number),"
        + "\"layer_tree_host_id\":1,\"scroll_state\":\"SCROLL_MAIN_THREAD\","
        + "\"state\":\"STATE_PRESENTED_ALL\"}},\"cat\":\"cc,benchmark\",\(local),"
        + "\"name\":\"PipelineReporter\",\"ph\":\"\(phase)\",\"pid\":7,\"tid\":8,\"ts\":\(at)},\n"
    }
    return text
  }

  private static func task(at time: Int) -> String {
    let work = [
      (
        "ThreadControllerImpl::RunTask", "toplevel", 0, 600,
        "\"src_file\":\"third_party/blink/renderer/core/dom/scripted_animation_controller.cc\","
          + "\"src_func\":\"ScheduleAnimationIfNeeded\""
      ),
      (
        "FunctionCall", "devtools.timeline", 10, 400,
        "\"data\":{\"columnNumber\":17,\"frame\":\"5B7A16DB0E0A4\",\"functionName\":\"update\","
          + "\"isolate\":\"3186402734104\",\"lineNumber\":210,\"scriptId\":\"9\"}"
      ),
      ("LocalFrameView::performLayout", "blink,benchmark,rail,blink_style", 20, 90, ""),
      (
        "Layout", "devtools.timeline", 415, 90,
        "\"beginData\":{\"dirtyObjects\":12,\"partialLayout\":false,\"totalObjects\":1410}"
      ),
    ]
    return work.map { name, category, begin, length, arguments in
      "{\"args\":{\(arguments)},\"cat\":\"\(category)\",\"dur\":\(length),\"name\":\"\(name)\","
        + "\"ph\":\"X\",\"pid\":7,\"tdur\":\(length - 5),\"tid\":7,\"ts\":\(time + begin),"
        + "\"tts\":\(time / 3 + begin)},\n"
    }.joined()
  }
}
