import ScrollTraceImport
import ScrollTraceKit
import ScrollTraceRecorder
import ScrollTracePlatform

/// Small files to start from; without them a fuzzer needs days to find a format's first bytes.
enum FuzzSeeds {
  /// Writes the seeds into `folder`, which has a folder for each format.
  static func write(into folder: String) {
    write(recording(), to: folder + "/fxt/recording")
    for (index, text) in (chromeTexts + resultTexts).enumerated() {
      write(Array(text.utf8), to: folder + "/json/\(index)")
    }
    write(packets, to: folder + "/perfetto/events")
    write(samplePackets, to: folder + "/perfetto/samples")
    write(sampleBlob, to: folder + "/fxt/samples")
    write(symbolFile, to: folder + "/symbols/file")
    for (index, text) in profiles.enumerated() {
      write(Array(text.utf8), to: folder + "/json/profile\(index)")
    }
    write(schedule, to: folder + "/perfetto/schedule")
    write(
      scheduleWords.flatMap { word in withUnsafeBytes(of: word.littleEndian) { Array($0) } },
      to: folder + "/fxt/schedule")
    for (index, text) in exports.enumerated() {
      write(Array(text.utf8), to: folder + "/xml/\(index)")
    }
    for (index, text) in tables.enumerated() {
      write(Array(text.utf8), to: folder + "/text/\(index)")
    }
    for (index, text) in budgets.enumerated() {
      write(Array(text.utf8), to: folder + "/gate/\(index)")
    }
    for (index, text) in summaries.enumerated() {
      write(Array(text.utf8), to: folder + "/summaries/\(index)")
    }
  }

  /// Budgets with everything that can be in one, and a baseline.
  private static let budgets = [
    #"""
    {"schema":"scrolltrace.budget/2","thresholds":"scroll","maxUnknownShare":0.1,"maxReadyShare":"5%",
    "limits":{"hitchTimeNs":"500 ms","commitNs.p95":["warn","12 ms"],
    "longestHitchNs":[["warn","50 ms"],["error","100 ms"]],"hitches":"off","presented":5},
    "regression":{"hitchTimeRatioMsPerS":{"relative":"10%","absolute":1},
    "commitNs.p95":["warn",{"relative":0.1,"absolute":"1 ms"}]},"baseline":"a.json",
    "rules":[{"traces":"feed*","interaction":"deceleration","limits":{"hitches":3}},
    {"surface":"main","thresholds":"xcode-organizer"},{"state":"screen=Feed","limits":{"hitches":0}}]}
    """#,
    #"""
    {"schema":"scrolltrace.baseline/2","fingerprint":{"refreshIntervalsNs":[16666667],"device":null,
    "configuration":"release","metrics":4},"groups":[{"name":"","runs":[{"trace":"1.fxt","values":{
    "":{"hitchTimeRatioMsPerS":9.5,"hitchTimeNs":7,"hitches":3,"commitNs.p95":2.5e6},
    "interaction drag":{"hitchTimeNs":1}}}]}]}
    """#,
  ]

  /// Lines of summaries: two of one trace, and lines that cannot be added, or hardly.
  private static var summaries: [String] {
    guard let trace = try? TraceFile.read(MemoryByteSource(recording())) else { return [] }
    var options = AnalysisOptions()
    options.countsHistograms = true
    let summary = TraceAnalyzer(options).analyze(trace).summary(
      identity: SummaryIdentity(), attributes: SummaryAttributes())
    let line = summary.lines.joined(separator: "\n")
    func replacing(_ text: String, with other: String) -> String {
      line.split(separator: text, omittingEmptySubsequences: false).joined(separator: other)
    }
    return [
      line, line + "\n" + line,
      line + "\n" + replacing("summary/2", with: "summary/3"),
      replacing("\"commitNs\":{", with: "\"commitNs\":{\"subBucketBits\":5,"),
      replacing("\"hitches\":", with: "\"hitches\":-"),
      replacing("\"attributes\":{", with: #""attributes":{"a\"\u0000é":"=","ae\u0301":"\ud83d""#),
      replacing("\"attributes\":{", with: #""attributes":{"build":"\u00e9""#) + "\n"
        + replacing("\"attributes\":{", with: #""attributes":{"build":"e\u0301""#),
      replacing("\"weight\":1", with: "\"weight\":999999999999999999999999999999"),
    ]
  }

  private static func write(_ bytes: [UInt8], to path: String) {
    guard let file = fopen(path, "w") else { return }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  /// A drag with a few frames, one of them late, and most of what can be recorded.
  static func recording() -> [UInt8] {
    var options = RecorderOptions()
    options.clock = .manual(start: .nanoseconds(1_000))
    options.creatingThread = ThreadIdentity(id: 7, name: "main")
    guard let recorder = try? TraceRecorder(to: .memory, options: options) else { return [] }
    recorder.setState("screen", to: "Feed")
    let drag = recorder.beginInteraction(.drag)
    let refresh = RecorderTime.nanoseconds(16_666_667)
    var begin = RecorderTime.nanoseconds(1_000)
    for number in 0..<3 {
      defer { begin += refresh }
      recorder.setTime(begin)
      let frame = recorder.beginFrame(
        FrameTiming(
          start: begin, deadline: begin + refresh, target: begin + refresh + refresh,
          refreshInterval: refresh))
      let phase = frame.beginPhase("layout")
      recorder.withCellStep(.configure, CellDetails(item: 3, isReused: true)) {
        recorder.setTime(begin + .milliseconds(number == 1 ? 40 : 5))
      }
      recorder.endSpan(phase)
      frame.end()
      frame.markPresented(at: begin + .milliseconds(50))
    }
    recorder.endInteraction(drag)
    try? recorder.finish()
    return recorder.recordedBytes ?? []
  }

  private static let chromeTexts = [
    #"[{"name":"a","cat":"b","ph":"X","pid":1,"tid":1,"ts":1.5,"dur":2}"#,
    #"""
    {"traceEvents":[
    {"args":{"name":"Renderer"},"name":"process_name","ph":"M","pid":7,"tid":7,"ts":0},
    {"args":{"name":"CrRendererMain"},"name":"thread_name","ph":"M","pid":7,"tid":7,"ts":0},
    {"args":{"args":{"frame_time_us":1000,"interval_us":16666,"sequence_number":1}},"cat":"cc",
    "dur":20,"name":"Scheduler::BeginFrame","ph":"X","pid":7,"tid":8,"ts":1000},
    {"args":{"frame_reporter":{"frame_sequence":1,"state":"STATE_PRESENTED_ALL"}},"cat":"cc",
    "id2":{"local":"0x1"},"name":"PipelineReporter","ph":"b","pid":7,"tid":8,"ts":1000},
    {"cat":"cc","id2":{"local":"0x1"},"name":"PipelineReporter","ph":"e","pid":7,"tid":8,"ts":9e4},
    {"args":{"event_latency":{"event_type":"MOUSE_WHEEL"}},"cat":"input","id":"0x2",
    "name":"EventLatency","ph":"b","pid":7,"tid":8,"ts":900},
    {"args":{"frameSeqId":1},"name":"BeginFrame","ph":"I","pid":7,"tid":8,"ts":1000},
    {"name":"RunTask","ph":"B","pid":7,"tid":7,"ts":1000},
    {"ph":"E","pid":7,"tid":7,"ts":2000,"tts":90},
    {"name":"t","ph":"X","pid":7,"tid":7,"ts":3000,"dur":2000,"tts":95,"tdur":1500.5},
    {"args":{"v":1.5},"name":"c\u00e9\n","ph":"C","pid":7,"tid":7,"ts":1000},
    {"args":{"detail":"{\"i\":16}"},"cat":"blink.user_timing","id":1,"name":"row","ph":"b",
    "pid":7,"tid":7,"ts":3},
    {"id":3,"name":"f","ph":"s","pid":7,"tid":7,"ts":1000}
    ],"systemTraceEvents":"# tracer: nop\n  a-7 [000] ...1 0.000001: sched_waking: comm=b pid=8\n",
    "metadata":{"trace_processor_stats":{"traced_buf_data_loss":1}}}
    """#,
  ]

  private static let resultTexts = [
    #"""
    {"devToolsSnapshot":true,"activeScreenId":"performance","traceEvents":[
    {"name":"VsyncProcessCallback","ph":"B","pid":1,"tid":5,"ts":1002,
    "args":{"StartTime":"1000500","TargetTime":"17667166"}},
    {"name":"Animator::BeginFrame","ph":"B","pid":1,"tid":5,"ts":1003,"args":{"frame_number":"7"}},
    {"name":"Animator::BeginFrame","ph":"E","pid":1,"tid":5,"ts":5300},
    {"name":"VsyncProcessCallback","ph":"E","pid":1,"tid":5,"ts":5310},
    {"name":"Rasterizer::DoDraw","ph":"B","pid":1,"tid":6,"ts":5400,"args":{"frame_number":"7"}},
    {"name":"Rasterizer::DoDraw","ph":"E","pid":1,"tid":6,"ts":20300}],
    "performance":{"flutterFrames":[{"number":7,"startTime":1003,"elapsed":19300,"build":5000,
    "raster":9000,"vsyncOverhead":3}],"displayRefreshRate":60.0}}
    """#,
    #"{"devToolsSnapshot":true,"performance":{"traceBinary":[10,12,80,2,64,9,90,6,72,3,186,1,1,97],"#
      + #""flutterFrames":[{"number":7,"startTime":9,"elapsed":5,"build":1,"raster":2}]}}"#,
    #"{"average_frame_build_time_millis":4.5,"60hz_frame_percentage":100,"frame_build_times":[4,9],"#
      + #""frame_begin_times":[0,16700],"frame_rasterizer_times":[1,2]}"#,
  ]

  /// Packets of Perfetto: a snapshot of clocks, names, tracks, and an event of each kind.
  private static let packets: [UInt8] = [
    0x0A, 0x22, 0x50, 0x02, 0x68, 0x01, 0x32, 0x12, 0x0A, 0x05, 0x08, 0x06, 0x10, 0x88, 0x27, 0x0A,
    0x09, 0x08, 0x40, 0x10, 0x05, 0x18, 0x01, 0x20, 0xE8, 0x07, 0xDA, 0x03, 0x07, 0xD0, 0x03, 0x40,
    0x5A, 0x02, 0x58, 0x07, 0x0A, 0x47, 0x50, 0x02, 0xE2, 0x03, 0x18, 0x08, 0x07, 0x22, 0x14, 0x08,
    0x05, 0x10, 0x05, 0x2A, 0x0E, 0x43, 0x72, 0x52, 0x65, 0x6E, 0x64, 0x65, 0x72, 0x65, 0x72, 0x4D,
    0x61, 0x69, 0x6E, 0x62, 0x28, 0x0A, 0x06, 0x08, 0x01, 0x12, 0x02, 0x63, 0x63, 0x12, 0x14, 0x08,
    0x01, 0x12, 0x10, 0x50, 0x69, 0x70, 0x65, 0x6C, 0x69, 0x6E, 0x65, 0x52, 0x65, 0x70, 0x6F, 0x72,
    0x74, 0x65, 0x72, 0x1A, 0x08, 0x08, 0x01, 0x12, 0x04, 0x64, 0x61, 0x74, 0x61, 0x0A, 0x0C, 0x50,
    0x02, 0xE2, 0x03, 0x07, 0x08, 0x09, 0x28, 0x08, 0x12, 0x01, 0x61, 0x0A, 0x15, 0x50, 0x02, 0xE2,
    0x03, 0x10, 0x08, 0x08, 0x1A, 0x0C, 0x08, 0x05, 0x32, 0x08, 0x52, 0x65, 0x6E, 0x64, 0x65, 0x72,
    0x65, 0x72, 0x0A, 0x17, 0x40, 0x03, 0x50, 0x02, 0x68, 0x02, 0x5A, 0x0F, 0x48, 0x01, 0x50, 0x01,
    0x18, 0x01, 0x58, 0x09, 0x9A, 0x43, 0x04, 0x08, 0x01, 0x20, 0x2F, 0x0A, 0x0C, 0x40, 0x09, 0x50,
    0x02, 0x68, 0x02, 0x5A, 0x04, 0x48, 0x02, 0x58, 0x09, 0x0A, 0x2A, 0x40, 0x01, 0x50, 0x02, 0x5A,
    0x24, 0x48, 0x01, 0xBA, 0x01, 0x0C, 0x46, 0x75, 0x6E, 0x63, 0x74, 0x69, 0x6F, 0x6E, 0x43, 0x61,
    0x6C, 0x6C, 0x22, 0x11, 0x08, 0x01, 0x5A, 0x0D, 0x52, 0x03, 0x75, 0x72, 0x6C, 0x32, 0x06, 0x61,
    0x2F, 0x62, 0x2E, 0x6A, 0x73, 0x0A, 0x15, 0x40, 0x01, 0x50, 0x02, 0x5A, 0x0F, 0x48, 0x04, 0xF0,
    0x01, 0x05, 0xF9, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x0A, 0x12, 0x0A, 0x10,
    0x12, 0x0E, 0x08, 0x09, 0x10, 0x05, 0x1A, 0x08, 0x12, 0x06, 0x42, 0x7C, 0x35, 0x7C, 0x78, 0x0A,
  ]

  /// Switches and wakeups of the kernel, one by one and in columns, and a counter of a thread's time.
  private static let schedule: [UInt8] = [
    0x0A, 0x5C, 0x0A, 0x5A, 0x08, 0x01, 0x12, 0x0F, 0x08, 0x09, 0x10, 0x00, 0x22, 0x09, 0x10, 0x00,
    0x20, 0x00, 0x2A, 0x01, 0x61, 0x30, 0x07, 0x12, 0x09, 0x08, 0x0C, 0x10, 0x07, 0xA2, 0x01, 0x02,
    0x10, 0x08, 0x12, 0x0F, 0x08, 0x14, 0x10, 0x07, 0x22, 0x09, 0x10, 0x07, 0x20, 0x01, 0x2A, 0x01,
    0x61, 0x30, 0x08, 0x12, 0x10, 0x08, 0x19, 0x10, 0x08, 0x22, 0x0A, 0x10, 0x08, 0x20, 0x80, 0x02,
    0x2A, 0x01, 0x61, 0x30, 0x00, 0x12, 0x0B, 0x08, 0x1E, 0xDA, 0x0E, 0x06, 0x08, 0x09, 0x18, 0x80,
    0x80, 0x04, 0x12, 0x0A, 0x08, 0x1F, 0xE2, 0x0E, 0x05, 0x08, 0x09, 0x1A, 0x01, 0x62, 0x0A, 0x27,
    0x0A, 0x25, 0x08, 0x02, 0x18, 0x01, 0x22, 0x1F, 0x2A, 0x01, 0x63, 0x0A, 0x02, 0x09, 0x05, 0x12,
    0x02, 0x00, 0x01, 0x1A, 0x02, 0x07, 0x00, 0x32, 0x02, 0x00, 0x00, 0x3A, 0x01, 0x0B, 0x42, 0x01,
    0x08, 0x5A, 0x01, 0x00, 0x62, 0x01, 0x08, 0x0A, 0x0B, 0xE2, 0x03, 0x08, 0x08, 0x03, 0x22, 0x04,
    0x08, 0x07, 0x10, 0x08, 0x0A, 0x0D, 0xE2, 0x03, 0x0A, 0x08, 0x04, 0x28, 0x03, 0x42, 0x04, 0x08,
    0x01, 0x28, 0x01, 0x0A, 0x13, 0x40, 0x05, 0x50, 0x01, 0x5A, 0x0D, 0x48, 0x01, 0x58, 0x03, 0xF8,
    0x01, 0x04, 0x60, 0x09, 0xBA, 0x01, 0x01, 0x77,
  ]

  /// A file of another writer: a thread, a switch, a wakeup, a switch of the older form, and an instant of
  /// `scrolltrace.thread`.
  private static let scheduleWords: [UInt64] = [
    0x16547846040010, 0x10033, 0x1, 0x2,
    0x1000003000000048, 0x9, 0x0, 0x2,
    0x2000000000000038, 0xC, 0x3, 0x90901011000028,
    0x14, 0x8004801201100094, 0x19, 0x72746C6C6F726373,
    0x657268742E656361, 0x6461, 0x656D6974, 0x80030034,
    0x757063, 0x7,
  ]

  private static let exports = [
    """
    <?xml version="1.0"?><!-- a --><trace-toc><run number="1"><info><target>
    <process name="Feed" pid="42"/></target><summary><duration>8.5</duration></summary></info>
    <data><table schema="hitches"/></data></run></trace-toc>
    <trace-query-result><node xpath='//trace-toc[1]/run[1]/data[1]/table[1]'>
    <schema name="hitches">
    <col><mnemonic>start</mnemonic><engineering-type>start-time</engineering-type></col>
    <col><mnemonic>duration</mnemonic><engineering-type>duration</engineering-type></col>
    </schema></node></trace-query-result>
    """,
    """
    <trace-query-result><node xpath='//trace-toc[1]/run[1]/data[1]/table[1]'><schema name="hitches">
    <col><mnemonic>start</mnemonic><engineering-type>start-time</engineering-type></col>
    <col><mnemonic>duration</mnemonic><engineering-type>duration</engineering-type></col>
    <col><mnemonic>process</mnemonic><engineering-type>process</engineering-type></col>
    <col><mnemonic>display</mnemonic><engineering-type>display-name</engineering-type></col>
    </schema><row><start-time id="1" fmt="0">5</start-time><duration id="2">16666667</duration>
    <process id="3" fmt="Feed (42)"><pid id="4">42</pid></process>
    <display-name id="5">Display&#32;1</display-name></row>
    <row><start-time id="6">77</start-time><duration ref="2"/><sentinel/><display-name ref="5"/>
    </row></node><node><schema name="potential-hangs">
    <col><mnemonic>start</mnemonic><engineering-type>start-time</engineering-type></col>
    <col><mnemonic>duration</mnemonic><engineering-type>duration</engineering-type></col>
    <col><mnemonic>thread</mnemonic><engineering-type>thread</engineering-type></col></schema>
    <row><start-time>1</start-time><duration><![CDATA[20]]></duration>
    <thread id="1" fmt="Main Thread (0x1) (Feed, pid: 42)"><tid>1</tid><process ref="9"/>
    <process fmt="F"><pid>42</pid></process></thread></row></node></trace-query-result>
    """,
  ]

  private static let tables = [
    "{\"type\":\"frame\",\"time\":1,\"duration\":2}\n{\"type\":\"frame\",\"time\":17}\n",
    "frame,start_ns,duration_ns\n1,0,16666667\n2,16666667,\"33333334\"\n",
    "Application,ProcessID,SwapChainAddress,CPUStartQPC,CPUBusy,DisplayLatency\na.exe,1,0x1,"
      + "20000000,1.5,NA\na.exe,1,0x1,20166667,9,33.3\n",
    "v1\n0.8\n---SYSTEM INFO---\nos,cpu\na,b\n---FRAME METRICS---\nfps,frametime,cpu_load,elapsed\n"
      + "60,16.6,5,20000000\n60,16600,5,36600000\n",
    "{\"threadTime\":\"main\",\"at\":5,\"cpu\":3,\"ready\":1}\n"
      + "{\"threadState\":\"ready\",\"begin\":5,\"end\":9,\"core\":0,\"waker\":\"a\"}\n",
    "** Graphics info for pid 7 [com.a] **\nTotal frames rendered: 2\nHISTOGRAM: 5ms=2\n"
      + "\tcom.a/com.a.M/android.view.ViewRootImpl@1 (visibility=0)\n---PROFILEDATA---\n"
      + "Flags,FrameTimelineVsyncId,IntendedVsync,HandleInputStart,FrameDeadline,FrameInterval,"
      + "SyncQueued,FrameCompleted,\n0,9,1000000,1100000,9000000,8333333,1200000,7000000,\n",
    "# tracer: nop\n  <idle>-0     [001] d.h3     1.000001: sched_waking: comm=a pid=7 prio=1"
      + " target_cpu=001\n  <idle>-0 (-----) [001] d..3 1.000002: sched_switch: prev_comm=swapper"
      + " prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=a next_pid=7 next_prio=1\n"
      + "  a-7 (    7) [001] .... 1.000003: tracing_mark_write: B|7|x\nCPU:1 [LOST 2 EVENTS]\n",
    "Application,ProcessID,FrameTime,MsBetweenPresents\na.exe,1,0.5,16.6\na.exe,1,0.52,33.2\n",
  ]
}

/// Writes the seeds where the environment variable `SCROLLTRACE_SEEDS` says, before the first run.
@c(LLVMFuzzerInitialize)
public func prepare(
  _ count: UnsafeMutablePointer<CInt>?,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
  if let folder = getenv("SCROLLTRACE_SEEDS") { FuzzSeeds.write(into: String(cString: folder)) }
  return 0
}
