internal import ScrollTraceKit
internal import ScrollTraceRecorder
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Records on several threads until the process is killed, for tests of the resulting file.
///
/// Every inner span has its thread's own count from 0, so that missing spans are detected.
enum Hammer {
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
    var reports = false
  }

  static func run(_ arguments: [String]) -> Int32 {
    var load = Load()
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--threads":
        guard let count = rest.popFirst().flatMap({ Int($0) }), (1...64) ~= count else {
          return BenchCommand.usage("--threads takes a number from 1 to 64")
        }
        load.threads = count
      case "--turns":
        guard let count = rest.popFirst().flatMap({ Int($0) }), count > 0 else {
          return BenchCommand.usage("--turns takes a number from 1 on")
        }
        load.turns = count
      case "--bytes":
        guard let count = rest.popFirst().flatMap({ Int($0) }), count > 0 else {
          return BenchCommand.usage("--bytes takes a number from 1 on")
        }
        load.maximumBytes = count
      case "--ring":
        guard let count = rest.popFirst().flatMap({ Int($0) }), count > 0 else {
          return BenchCommand.usage("--ring takes a number of bytes from 1 on")
        }
        load.ringBytes = count
      case "--report": load.reports = true
      default:
        guard load.path == nil else {
          return BenchCommand.usage("unknown argument \(argument)")
        }
        load.path = argument
      }
    }
    guard let path = load.path else { return BenchCommand.usage("hammer takes a file") }
    do {
      return try record(load, to: path)
    } catch {
      Console.warn("scrolltrace-bench: \(error)")
      return 2
    }
  }

  private static func record(_ load: Load, to path: String) throws -> Int32 {
    var options = RecorderOptions()
    if let bytes = load.maximumBytes { options.maximumBytes = bytes }
    options.ringBytes = load.ringBytes
    let recorder = try TraceRecorder(writingTo: path, options: options)
    let waiting = Atomic(load.threads)
    let turns = load.turns
    let isRing = load.ringBytes != nil
    Threads.run(load.threads) {
      recorder.mark("ready", .work)
      waiting.subtract(1, ordering: .relaxed)
      // All threads start together, so that each has its part of the file.
      while waiting.load(ordering: .relaxed) > 0 { sched_yield() }
      hammer(recorder, turns, isRing: isRing)
    }
    let threads = Threads.count(named: "scrolltrace")
    try recorder.finish()
    guard load.reports, let turns else { return 0 }
    if case .mappedFile = recorder.destination {
      print("sink mappedFile")
    } else {
      print("sink file")
    }
    print("own threads \(threads), afterwards \(Threads.count(named: "scrolltrace"))")
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
}
