internal import ScrollTraceImport
internal import ScrollTraceModel
internal import ScrollTraceRecorder
internal import Synchronization
internal import SystemThreads

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// `scrolltrace-hammer FILE`: records on several threads until it is killed, for tests of what a dead
/// process leaves.
///
/// Every inner span carries its thread's own count from 0, so that whatever is missing shows.
enum Hammer {
  /// What is asked for.
  private struct Load {
    var path: String?
    var threads = 1
    /// How often a thread goes round; `nil` for ever.
    var turns: Int?
    /// The most bytes of the file; `nil` for the recorder's own limit.
    var maximumBytes: Int?
    /// How many bytes of events are kept; `nil` for all.
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
          return usage("--threads takes a number from 1 to 64")
        }
        load.threads = count
      case "--turns":
        guard let count = rest.popFirst().flatMap({ Int($0) }), count > 0 else {
          return usage("--turns takes a number from 1 on")
        }
        load.turns = count
      case "--bytes":
        guard let count = rest.popFirst().flatMap({ Int($0) }), count > 0 else {
          return usage("--bytes takes a number from 1 on")
        }
        load.maximumBytes = count
      case "--ring":
        guard let count = rest.popFirst().flatMap({ Int($0) }), count > 0 else {
          return usage("--ring takes a number of bytes from 1 on")
        }
        load.ringBytes = count
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
      usage: scrolltrace-hammer FILE [--threads N] [--turns N [--report]] [--bytes N] [--ring N]
      """)
    return 64
  }

  private static func warn(_ text: String) {
    var bytes = Array("scrolltrace-hammer: \(text)\n".utf8)
    bytes.withUnsafeMutableBytes { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
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
      // All begin together, so that each has its part of the file.
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

  /// Holds what the host has recorded against what the reader finds; the exit status.
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

  /// Turns of ten events each: an outer span, eight inner ones and a mark.
  private static func hammer(_ recorder: TraceRecorder, _ turns: Int?, isRing: Bool) {
    var sequence: UInt64 = 0
    var turn = 0
    while turn != turns {
      // States and interactions lie elsewhere in a ring: rarely enough that they find room for long.
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
