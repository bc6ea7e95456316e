internal import ScrollTraceLayout
internal import Foundation
internal import ScrollTraceImport
internal import ScrollTraceModel
internal import ScrollTraceRecorder

/// Records on several threads until the process is killed, for tests of the resulting file.
///
/// Every inner span has its thread's own count from 0, so that missing spans are detected.
@main enum Hammer {
  /// The requested load.
  private struct Load {
    var path: String?
    var threads = 1
    /// The number of rounds per thread, or `nil` for no end.
    var turns: Int?
    /// The maximum number of bytes in the file, or `nil` for the recorder's own limit.
    var maximumBytes: Int?
    /// The number of retained bytes of events, or `nil` for all.
    var ringBytes: Int?
    /// The number of bytes that are allocated at the start, or `nil` for the usual ones.
    var preallocatedBytes: Int?
    /// Whether the last span never ends.
    var hangs = false
    /// The number of minutes to scroll, or `nil` for the usual load.
    var soakMinutes: Int?
    var isVirtual = false
    var reports = false
  }

  static func main() {
    exit(run(CommandLine.arguments.dropFirst()))
  }

  private static func run(_ arguments: ArraySlice<String>) -> Int32 {
    var load = Load()
    var rest = arguments
    while let argument = rest.popFirst() {
      switch argument {
      case "--threads", "--turns", "--bytes", "--ring", "--prepared", "--soak":
        guard let count = rest.popFirst().flatMap({ Int($0) }), count > 0 else {
          return usage("\(argument) takes a number from 1 on")
        }
        switch argument {
        case "--threads": load.threads = min(count, 64)
        case "--turns": load.turns = count
        case "--bytes": load.maximumBytes = count
        case "--ring": load.ringBytes = count
        case "--prepared": load.preallocatedBytes = count
        default: load.soakMinutes = count
        }
      case "--virtual": load.isVirtual = true
      case "--hang": load.hangs = true
      case "--report": load.reports = true
      default:
        guard load.path == nil else {
          return usage("unknown argument \(argument)")
        }
        load.path = argument
      }
    }
    guard let path = load.path else { return usage("a file is missing") }
    do {
      if let minutes = load.soakMinutes {
        return try Soak.run(to: path, minutes: minutes, isVirtual: load.isVirtual)
      }
      return try record(load, to: path)
    } catch {
      warn("\(error)")
      return 2
    }
  }

  private static func usage(_ complaint: String) -> Int32 {
    warn(
      """
      \(complaint)
      usage: scrolltrace-hammer FILE [--threads N] [--turns N [--report]] [--bytes N] [--ring BYTES]
                                [--prepared BYTES] [--hang]
             scrolltrace-hammer FILE --soak MINUTES [--virtual]
      """)
    return 64
  }

  private static func warn(_ line: String) {
    FileHandle.standardError.write(Data("scrolltrace-hammer: \(line)\n".utf8))
  }

  private static func record(_ load: Load, to path: String) throws -> Int32 {
    var options = RecorderOptions()
    if let bytes = load.maximumBytes { options.maximumBytes = bytes }
    options.ringBytes = load.ringBytes
    if let bytes = load.preallocatedBytes { options.preallocatedBytes = bytes }
    let recorder = try TraceRecorder(writingTo: path, options: options)
    let waiting = Locked(load.threads)
    let turns = load.turns
    let isRing = load.ringBytes != nil
    onThreads(load.threads) {
      recorder.mark("ready", .work)
      waiting.withLock { $0 -= 1 }
      // All threads start together, so that each has its part of the file.
      while waiting.withLock({ $0 }) > 0 { sched_yield() }
      hammer(recorder, turns, isRing: isRing)
    }
    if load.hangs {
      let frame = recorder.beginFrame(FrameTiming())
      _ = recorder.beginSpan("hang")
      while true { sleep(60) }
      _ = frame
    }
    let threads = threadCount(named: "scrolltrace")
    try recorder.finish()
    guard load.reports, let turns else { return 0 }
    if case .mappedFile = recorder.destination {
      print("sink mappedFile")
    } else {
      print("sink file")
    }
    print("own threads \(threads), afterwards \(threadCount(named: "scrolltrace"))")
    return try compare(recorder, with: path, events: load.threads * (10 * turns + 1))
  }

  /// Compares the host's counts with the reader's; returns the exit status.
  private static func compare(
    _ recorder: TraceRecorder, with path: String, events: Int
  ) throws -> Int32 {
    let trace = try TraceFile.open(path)
    let found = trace.marks.count + trace.tracks.reduce(0) { $0 + $1.spans.count }
    let lost = trace.losses.reduce(0) { $0 + $1.count }
    print("events \(events) by the host: \(found) in the trace, \(lost) counted as lost")
    let isRight = UInt64(events) == UInt64(found) + lost && lost == recorder.losses.total
    return isRight ? 0 : 1
  }

  /// Records rounds of ten events each: an outer span, eight inner ones and a mark.
  private static func hammer(_ recorder: TraceRecorder, _ turns: Int?, isRing: Bool) {
    var sequence: UInt64 = 0
    var turn = 0
    while turn != turns {
      // States and interactions have their own part of a ring: rare enough to fit in it for long.
      let drag = isRing && turn % 1000 == 0 ? recorder.beginInteraction(.drag) : nil
      if drag != nil { recorder.setState("turn", to: "\(turn / 1000 % 10)") }
      defer { if let drag { recorder.endInteraction(drag) } }
      recorder.withSpan("outer", .data) {
        for _ in 0..<8 {
          recorder.withSpan("inner", .work, item: ItemID(sequence)) {}
          sequence += 1
        }
      }
      recorder.mark("turn", .work, item: ItemID(sequence))
      turn += 1
    }
  }

  /// Runs `body` on `count` threads, whatever the number of cores, and waits for all.
  private static func onThreads(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    let group = DispatchGroup()
    for _ in 0..<count {
      group.enter()
      Thread.detachNewThread {
        body()
        group.leave()
      }
    }
    group.wait()
  }

  /// Returns the number of this process's threads named `name`, on systems that list them by name.
  private static func threadCount(named name: String) -> Int {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.count { task in
      let file = "/proc/self/task/\(task)/comm"
      return (try? String(contentsOfFile: file, encoding: .utf8)) == name + "\n"
    }
  }
}
