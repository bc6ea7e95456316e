package import ScrollTraceModel

/// Reads lines of the kernel's trace one by one: what its scheduler did, and what apps wrote into it.
///
/// What the lines mean is decided where the same events of Perfetto's traces are.
struct SystraceReader {
  /// How far marks of another clock may contradict each other, in nanoseconds.
  private static let tolerance: Int64 = 1_000_000

  private struct Core {
    var latest = Int64.min
    /// Whether lines before the next one are missing.
    var followsLoss = false
  }

  private var work = PerfettoWork()
  /// Whether the lines alone determine how long the trace is.
  private let isWholeTrace: Bool
  private var cores: [Core] = []
  private var owner: (thread: UInt64, process: UInt64)?
  private var named = PerfettoPositions()
  private var backwardCount = 0
  private(set) var readCount = 0
  private var unreadable: (line: Int, count: Int)?
  /// How far the clock of another trace is ahead, or `nil` if no line says so.
  private var shift: Int64?
  private var hasSeveralClocks = false
  private var range: (first: Int64, last: Int64) = (.max, .min)
  /// How many entries the kernel's buffers had taken and how many were left in them.
  private var entries: (kept: UInt64, written: UInt64)?

  /// A reader of the lines of a trace of their own, or of lines inside another trace.
  init(isWholeTrace: Bool) { self.isWholeTrace = isWholeTrace }

  // MARK: - Lines

  /// Reads the line `number`, which is empty where it `isTooLong`.
  mutating func read(
    _ text: UnsafeRawBufferPointer, number: Int, isTooLong: Bool = false,
    in builder: inout TraceBuilder
  ) {
    guard !isTooLong else {
      builder.countLoss(.limitReached)
      return countUnreadable(number)
    }
    guard let first = text.first else { return }
    if first == UInt8(ascii: "#") { return readComment(text) }
    if text.hasPrefix("CPU:"), readLoss(text, in: &builder) { return }
    guard let line = FtraceLine(text) else {
      // What called the recorder may have printed something before its first line.
      guard readCount > 0 else { return }
      builder.countLoss(.malformedRecord)
      return countUnreadable(number)
    }
    readCount += 1
    read(line, in: &builder)
  }

  private mutating func countUnreadable(_ line: Int) {
    unreadable = (unreadable?.line ?? line, (unreadable?.count ?? 0) + 1)
  }

  private mutating func read(_ line: FtraceLine, in builder: inout TraceBuilder) {
    guard let core = line.core, line.thread <= PerfettoSchedule.greatestThread else {
      return builder.countLoss(.invalidValue)
    }
    guard let time = instant(of: line) else { return builder.countLoss(.timeOutOfRange) }
    follow(core, at: time)
    if let process = line.process, process > 0, process <= PerfettoSchedule.greatestThread,
      line.thread > 0, owner?.thread != line.thread || owner?.process != process
    {
      owner = (line.thread, process)
      work.processes.setProcess(process, of: line.thread)
    }
    switch line.event.count {
    case 12 where line.event.hasBytes(of: "sched_switch"):
      readSwitch(line, core, at: time, in: &builder)
    case 12 where line.event.hasBytes(of: "sched_waking"),
      12 where line.event.hasBytes(of: "sched_wakeup"),
      16 where line.event.hasBytes(of: "sched_wakeup_new"):
      readWakeup(line, core, at: time, in: &builder)
    case 12 where line.event.hasBytes(of: "task_newtask"):
      readNewTask(line, core, at: time, in: &builder)
    case 11 where line.event.hasBytes(of: "task_rename"): readRename(line, in: &builder)
    case 18 where line.event.hasBytes(of: "tracing_mark_write"),
      1 where line.event.hasBytes(of: "0"), 5 where line.event.hasBytes(of: "print"):
      readMark(line, at: time, in: &builder)
    default: break
    }
  }

  private func instant(of line: FtraceLine) -> Timestamp? {
    line.time?.plus(shift ?? 0).flatMap(Timestamp.init(nanoseconds:))
  }

  /// Remembers where the lines of a core go back in time, or where some of them are missing.
  private mutating func follow(_ core: Int16, at time: Timestamp) {
    let index = Int(core)
    while cores.count <= index { cores.append(Core()) }
    let isBackward = time.nanoseconds < cores[index].latest
    if isBackward { backwardCount += 1 }
    if isBackward || cores[index].followsLoss { work.schedule.addGap(core: core, before: time) }
    cores[index] = Core(latest: time.nanoseconds)
    range = (min(range.first, time.nanoseconds), max(range.last, time.nanoseconds))
  }

  // MARK: - The scheduler

  private mutating func readSwitch(
    _ line: FtraceLine, _ core: Int16, at time: Timestamp, in builder: inout TraceBuilder
  ) {
    var arguments = FtraceArguments(line.arguments)
    let name = arguments.text(after: "prev_comm=", until: "prev_pid=")
    guard let thread = arguments.number(after: "prev_pid="),
      let state = arguments.text(after: "prev_state=").flatMap(Self.state)
    else { return builder.countLoss(.malformedRecord) }
    let nextName = arguments.text(after: "next_comm=", until: "next_pid=")
    guard let next = arguments.number(after: "next_pid=") else {
      return builder.countLoss(.malformedRecord)
    }
    guard let out = work.schedule.number(of: thread, name: name),
      let other = work.schedule.number(of: next, name: nextName)
    else { return builder.countLoss(.invalidValue) }
    work.schedule.addSwitch(from: out, state: state, to: other, core: core, at: time)
  }

  /// The kernel's number for the letters of a state: ready, ended, uninterruptible or anything else; `nil`
  /// for no letter.
  private static func state(_ letters: UnsafeRawBufferPointer) -> UInt64? {
    guard let first = letters.first else { return nil }
    if first == UInt8(ascii: "R") { return 0 }
    let isEnd = letters.contains { "XxZ".utf8.contains($0) }
    if isEnd { return PerfettoSchedule.ended }
    return first == UInt8(ascii: "D") ? PerfettoSchedule.uninterruptible : 1
  }

  private mutating func readWakeup(
    _ line: FtraceLine, _ core: Int16, at time: Timestamp, in builder: inout TraceBuilder
  ) {
    var arguments = FtraceArguments(line.arguments)
    let name = arguments.text(after: "comm=", until: "pid=")
    guard let thread = arguments.number(after: "pid=") else {
      return builder.countLoss(.malformedRecord)
    }
    work.schedule.addWakeup(
      ofThread: thread, name, byThread: line.isInterrupt ? 0 : line.thread, core: core, at: time,
      in: &builder)
  }

  private mutating func readNewTask(
    _ line: FtraceLine, _ core: Int16, at time: Timestamp, in builder: inout TraceBuilder
  ) {
    var arguments = FtraceArguments(line.arguments)
    guard let thread = arguments.number(after: "pid=") else {
      return builder.countLoss(.malformedRecord)
    }
    let name = arguments.text(after: "comm=", until: "clone_flags=")
    work.addNewTask(
      thread, name, flags: arguments.hexadecimal(after: "clone_flags=") ?? 0, by: line.thread,
      isInterrupt: line.isInterrupt, core: core, at: time, in: &builder)
  }

  private mutating func readRename(_ line: FtraceLine, in builder: inout TraceBuilder) {
    var arguments = FtraceArguments(line.arguments)
    guard let thread = arguments.number(after: "pid="),
      let name = arguments.text(after: "newcomm=", until: "oom_score_adj=")
    else { return builder.countLoss(.malformedRecord) }
    work.schedule.rename(thread, to: name)
  }

  // MARK: - Lines of apps

  private mutating func readMark(
    _ line: FtraceLine, at time: Timestamp, in builder: inout TraceBuilder
  ) {
    if line.arguments.hasPrefix("trace_event_clock_sync:") { return readClock(line) }
    guard work.addLine(line.arguments, at: time, of: line.thread, in: &builder) else { return }
    if isWholeTrace { builder.extend(to: time) }
    guard named[line.thread] == nil, let first = line.name.first, first != UInt8(ascii: "<") else {
      return
    }
    named.add(line.thread, at: 0)
    work.processes.setThreadName(PerfettoProcesses.text(line.name), of: line.thread)
  }

  /// Reads a mark with the time of the surrounding trace: `trace_event_clock_sync: parent_ts=12.5`.
  private mutating func readClock(_ line: FtraceLine) {
    var arguments = FtraceArguments(line.arguments)
    guard !isWholeTrace, let written = line.time,
      let parent = arguments.text(after: "parent_ts=").flatMap(FtraceLine.nanoseconds)
    else { return }
    // Neither is negative, so the difference fits.
    let difference = parent - written
    let apart = difference.minus(shift ?? 0)
    let isElsewhere = apart.map { $0.magnitude > UInt64(Self.tolerance) } ?? true
    // The lines before a first mark were taken as of the same clock.
    if isElsewhere, shift != nil || readCount > 1 { hasSeveralClocks = true }
    guard shift == nil else { return }
    shift = difference
    // The mark itself is a time of the same clock.
    if readCount == 1 { (cores, range) = ([], (.max, .min)) }
  }

  // MARK: - What was lost

  /// Reads `CPU:3 [LOST 1234 EVENTS]`; `false` for anything else.
  private mutating func readLoss(_ text: UnsafeRawBufferPointer, in builder: inout TraceBuilder)
    -> Bool
  {
    let words = text.split { [0x20, 0x5B, 0x5D, 0x3A].contains($0) }
    guard words.count >= 3, words[2].elementsEqual("LOST".utf8) else { return false }
    let count = words.count > 3 ? UInt64(String(decoding: words[3], as: UTF8.self)) : nil
    builder.countLoss(.sourceDroppedRecords, count: max(1, count ?? 1))
    guard let core = Int16(String(decoding: words[1], as: UTF8.self)), core >= 0 else {
      return true
    }
    while cores.count <= Int(core) { cores.append(Core()) }
    cores[Int(core)].followsLoss = true
    return true
  }

  /// Reads a comment. One of them states how full the buffers were.
  private mutating func readComment(_ text: UnsafeRawBufferPointer) {
    guard text.hasPrefix("# entries-in-buffer/entries-written:") else { return }
    let words = text.split { $0 == 0x20 || $0 == 0x2F }
    let numbers = words.compactMap { UInt64(String(decoding: $0, as: UTF8.self)) }
    if numbers.count >= 2 { entries = (numbers[0], numbers[1]) }
  }

  // MARK: - The end

  /// Adds everything to `collector`, the work of a trace that has other events as well, or none.
  ///
  /// - Parameter owners: The processes of threads that other events name.
  mutating func finish(
    _ owners: [UInt64: UInt64] = [:], in collector: inout ChromeEventCollector,
    _ builder: inout TraceBuilder
  ) {
    reportLosses(in: &builder)
    guard readCount > 0 else { return }
    if !isWholeTrace {
      let isElsewhere = !collector.spans.happens(from: range.first, to: range.last, or: builder)
      guard !hasSeveralClocks, !isElsewhere else {
        return builder.addNotice(
          "the kernel's lines in systemTraceEvents are on another clock than the trace; omitted")
      }
    }
    work.finish(owners, in: &collector, &builder)
  }

  private func reportLosses(in builder: inout TraceBuilder) {
    if let unreadable {
      let more = unreadable.count > 1 ? ", the first of \(unreadable.count) such lines" : ""
      builder.addNotice("line \(unreadable.line) of the kernel's trace cannot be read\(more)")
    }
    if backwardCount > 0 {
      builder.addNotice(
        "lines that are earlier than the one before them on their core: \(backwardCount); what ran"
          + " on the core until then is unknown")
    }
    if let (kept, written) = entries, written > kept {
      builder.addNotice(
        "the kernel's buffers were full; overwritten entries:"
          + " \(written - kept)")
    }
  }
}

/// Reads the kernel's trace as text, which ftrace, `atrace` and `trace-cmd report -R` print,
/// or with a web page around it, as systrace writes it.
///
/// What becomes of each line is described in the article *Traces of the kernel as text* of this module.
package struct SystraceImporter: TraceImporter {
  package static let name = "systrace"
  package static let files = "atrace, ftrace text"
  package static let recipe = "adb shell atrace -t 5 gfx view sched"

  package static let fileEndings = ["systrace", "ftrace"]

  /// Whether a line near the start, or of a web page, names the kernel's tracer, or is one of its events.
  package static func sniff(_ prefix: Span<UInt8>) -> Sniff {
    prefix.withUnsafeBytes { bytes in
      if FileKind.isPage(bytes) {
        return SystracePage.hasTrace(bytes) ? .yes : .needMoreBytes
      }
      var rest = bytes.prefix(Sniff.searchedByteCount)
      let answer: Sniff? = Sniff.answer(ofLinesIn: &rest) { line in
        guard let first = line.first else { return nil }
        // Another format is recognized by its first characters, and no text has such bytes.
        if "{[<".utf8.contains(first) || line.contains(where: { $0 < 0x09 }) { return .no }
        if line.hasPrefix("# tracer:") || FtraceLine(line) != nil { return .yes }
        return nil
      }
      if let answer { return answer }
      let isText = !rest.contains { $0 < 0x09 } && !bytes.isEmpty
      return isText && bytes.count < Sniff.searchedByteCount ? .needMoreBytes : .no
    }
  }

  package static func importTrace(
    _ bytes: any ByteSource, options: ImportOptions, into builder: inout TraceBuilder
  ) throws(ImportError) {
    var lines = LineReader(bytes, limit: options.maximumLineLength)
    var reader = SystraceReader(isWholeTrace: true)
    var page = SystracePage()
    while !page.hasEnded, let next = try lines.next() {
      builder.offset = lines.offset
      guard let line = page.text(of: next) else { continue }
      guard !lines.isUnfinished || lines.isTooLong else {
        // Its last number may be the start of one.
        if !page.isInside, line.contains(where: { $0 > 0x20 }) { builder.countLoss(.cutAtEnd) }
        continue
      }
      reader.read(line, number: lines.number, isTooLong: lines.isTooLong, in: &builder)
    }
    if page.isInside { builder.countLoss(.cutAtEnd) }
    builder.offset = nil
    guard reader.readCount > 0 else {
      throw ImportError(
        "has no times in seconds", advice: "set trace_clock to mono")
    }
    var collector = ChromeEventCollector()
    reader.finish(in: &collector, &builder)
    collector.finish(in: &builder)
  }
}
