internal import ScrollTraceRecorder
internal import ScrollTracePlatform

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
  struct WriteError: Error { let path: String }

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
      ), ("LocalFrameView::performLayout", "blink,benchmark,rail,blink_style", 20, 90, ""),
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

/// Frames and spans as a host prints them, of any number.
enum LinesText {
  /// Writes lines of JSON: frames with twelve spans each.
  static func writeNDJSON(to path: String, frames: Int) throws {
    try write(to: path, "{\"scrolltrace\":\"ndjson/1\",\"unit\":\"ns\"}\n", frames) {
      begin, number in
      var text = ""
      for step in 0..<12 {
        let start = begin + 100_000 + step * 700_000
        text +=
          "{\"span\":\"configure\",\"category\":\"scrolltrace.cell\",\"thread\":\"main\","
          + "\"begin\":\(start),\"end\":\(start + 600_000)}\n"
      }
      return text + "{\"frame\":\(number),\"begin\":\(begin),\"commitStart\":\(begin + 50_000),"
        + "\"commitEnd\":\(begin + 9_000_000),\"deadline\":\(begin + 16_666_667),"
        + "\"target\":\(begin + 33_333_334),\"presented\":\(begin + 33_333_334),"
        + "\"interval\":16666667}\n"
    }
  }

  /// Writes comma-separated values: frames, and spans in their own rows.
  static func writeCSV(to path: String, frames: Int) throws {
    let header =
      "kind,name,category,thread,begin_ns,end_ns,frame,deadline_ns,target_ns,presented_ns\n"
    try write(to: path, header, frames) { begin, number in
      var text = ""
      for step in 0..<12 {
        let start = begin + 100_000 + step * 700_000
        text += "span,configure,scrolltrace.cell,main,\(start),\(start + 600_000),,,,\n"
      }
      return text + "frame,,,main,\(begin),\(begin + 9_000_000),\(number),\(begin + 16_666_667),"
        + "\(begin + 33_333_334),\(begin + 33_333_334)\n"
    }
  }

  private static func write(
    to path: String, _ header: String, _ frames: Int, _ line: (Int, Int) -> String
  ) throws {
    guard let file = fopen(path, "w") else { throw ChromeJSONText.WriteError(path: path) }
    fputs(header, file)
    for number in 0..<frames { fputs(line(number * 16_666_667, number + 1), file) }
    guard ferror(file) == 0, fclose(file) == 0 else { throw ChromeJSONText.WriteError(path: path) }
  }
}

/// An export in the form that xctrace writes, of any length: refreshes of a display.
enum XctraceText {
  /// Writes a table of `rows` refreshes; later rows refer to values of the first one.
  static func write(to path: String, rows: Int) throws {
    guard let file = fopen(path, "w") else { throw ChromeJSONText.WriteError(path: path) }
    fputs("<?xml version=\"1.0\"?>\n<trace-query-result>\n", file)
    fputs("<node xpath='//trace-toc[1]/run[1]/data[1]/table[1]'>", file)
    fputs("<schema name=\"display-vsyncs-interval\">", file)
    for (mnemonic, type) in [
      ("timestamp", "start-time"), ("duration", "duration"), ("display-name", "display-name"),
      ("event", "vsync-event"),
    ] {
      fputs(
        "<col><mnemonic>\(mnemonic)</mnemonic><name>\(mnemonic)</name>"
          + "<engineering-type>\(type)</engineering-type></col>", file)
    }
    fputs("</schema>\n", file)
    for row in 0..<rows {
      let time = row * 16_666_667
      let rest =
        row == 0
        ? "<duration id=\"2\" fmt=\"1 ns\">1</duration>"
          + "<display-name id=\"3\" fmt=\"Display 1\">Display 1</display-name>"
          + "<vsync-event id=\"4\" fmt=\"VSYNC\">VSYNC</vsync-event>"
        : "<duration ref=\"2\"/><display-name ref=\"3\"/><vsync-event ref=\"4\"/>"
      fputs(
        "<row><start-time id=\"\(row + 5)\" fmt=\"\(time / 1_000_000)\">\(time)</start-time>"
          + rest + "</row>\n", file)
    }
    fputs("</node></trace-query-result>\n", file)
    guard ferror(file) == 0, fclose(file) == 0 else { throw ChromeJSONText.WriteError(path: path) }
  }
}

/// A trace in the form that Chromium writes with Perfetto's library, of any length.
///
/// Its packets have 62 bytes on average; those of our recordings of a scrolling page have 53 and
/// 77. As in these, ends have about 14 bytes and no content, a script call has 260 bytes and eight
/// arguments, and half of all bytes are never read.
enum PerfettoBytes {
  /// The number of tasks per frame: like in Chromium's own traces, most events are work.
  fileprivate static let tasksPerFrame = 24

  private static let eventsPerTask = 7

  fileprivate static let names = [
    "PipelineReporter", "ThreadControllerImpl::RunTask", "FunctionCall", "Layout", "UpdateCounters",
  ]

  /// Chromium's arguments of a call, as strings and as numbers.
  fileprivate static let callTexts = [
    ("frame", "E061B8AE052BEB73AD181E9C90FE7B9E"), ("functionName", "update"),
    ("isolate", "9268138923819998463"), ("scriptId", "4"),
    ("url", "file:///home/someone/pages/feed/heavy_main.html"),
  ]
  fileprivate static let callNumbers: [(String, UInt64)] = [
    ("lineNumber", 23), ("columnNumber", 11), ("sampleTraceId", 401_386_791_120_779),
  ]

  /// Writes about `events` events: tasks with work in them, and presentations.
  static func write(to path: String, events: Int) throws {
    guard let file = fopen(path, "w") else { throw ChromeJSONText.WriteError(path: path) }
    var trace = ProtoBytes()
    trace.begin()
    for frame in 0..<(events / (tasksPerFrame * eventsPerTask + 2)) {
      trace.addFrame(UInt64(frame))
      guard trace.bytes.count > 1 << 20 else { continue }
      fwrite(trace.bytes, 1, trace.bytes.count, file)
      trace = ProtoBytes()
    }
    fwrite(trace.bytes, 1, trace.bytes.count, file)
    guard ferror(file) == 0, fclose(file) == 0 else { throw ChromeJSONText.WriteError(path: path) }
  }
}

extension ProtoBytes {
  fileprivate mutating func begin() {
    packet {
      $0.number(10, 1)
      $0.number(13, 1)
      $0.message(6) { snapshot in
        for (clock, time, unit) in [(6, 1_000_000, 1), (64, 1_000, 1000)]
          as [(UInt64, UInt64, UInt64)]
        {
          snapshot.message(1) {
            $0.number(1, clock)
            $0.number(2, time)
            if clock == 64 { $0.number(3, 1) }
            $0.number(4, unit)
          }
        }
      }
      $0.message(59) {
        $0.number(58, 64)
        $0.message(11) { $0.number(11, 100) }
      }
    }
    packet {
      $0.number(10, 1)
      $0.message(12) { data in
        for (index, name) in PerfettoBytes.names.enumerated() {
          data.message(2) {
            $0.number(1, UInt64(index + 1))
            $0.text(2, name)
          }
        }
        for (index, name) in ["toplevel", "benchmark"].enumerated() {
          data.message(1) {
            $0.number(1, UInt64(index + 1))
            $0.text(2, name)
          }
        }
        data.message(3) {
          $0.number(1, 1)
          $0.text(2, "data")
        }
      }
      $0.message(60) { track in
        track.number(1, 100)
        track.number(5, 99)
        track.message(4) {
          $0.number(1, 7)
          $0.number(2, 7)
          $0.text(5, "CrRendererMain")
        }
      }
    }
    packet {
      $0.message(60) { track in
        track.number(1, 99)
        track.message(3) {
          $0.number(1, 7)
          $0.text(6, "Renderer")
        }
      }
    }
  }

  fileprivate mutating func addFrame(_ number: UInt64) {
    let lane = 1_000 + number % 16
    event(after: 5, kind: 1, name: 1, on: lane) {
      $0.message(1075) {
        $0.number(1, 1)
        $0.number(3, 1)
        $0.number(4, number)
      }
    }
    for _ in 0..<PerfettoBytes.tasksPerFrame {
      event(after: 40, kind: 1, name: 2) { $0.number(3, 2) }
      event(after: 10, kind: 1, name: 3) { event in
        event.message(4) { annotation in
          annotation.number(1, 1)
          for (key, value) in PerfettoBytes.callTexts {
            annotation.message(11) {
              $0.text(10, key)
              $0.text(6, value)
            }
          }
          annotation.add(PerfettoBytes.callNumbers)
        }
      }
      event(after: 400, kind: 2)
      event(after: 1, kind: 3, name: 5) { event in
        event.message(4) { annotation in
          annotation.number(1, 1)
          annotation.add([("documents", 4), ("nodes", 658), ("jsEventListeners", 3)])
          annotation.add([("jsHeapSizeUsed", 4_080_000)])
        }
      }
      event(after: 5, kind: 1, name: 4)
      event(after: 90, kind: 2)
      event(after: 100, kind: 2)
    }
    event(after: 5, kind: 2, on: lane)
  }

  /// Adds members with numbers to an annotation.
  private mutating func add(_ numbers: [(String, UInt64)]) {
    for (key, value) in numbers {
      message(11) {
        $0.text(10, key)
        $0.number(3, value)
      }
    }
  }

  private mutating func event(
    after delta: UInt64, kind: UInt64, name: UInt64? = nil, on track: UInt64? = nil,
    _ more: (inout ProtoBytes) -> Void = { _ in }
  ) {
    packet {
      $0.number(8, delta)
      $0.number(10, 1)
      $0.message(11) {
        $0.number(9, kind)
        $0.number(3, 1)
        if let name { $0.number(10, name) }
        if let track { $0.number(11, track) }
        more(&$0)
      }
      $0.number(13, 2)
      $0.number(3, 0)
    }
  }

  private mutating func packet(_ build: (inout ProtoBytes) -> Void) { message(1, build) }

  private mutating func text(_ field: UInt64, _ value: String) { bytes(field, value.utf8) }
}
