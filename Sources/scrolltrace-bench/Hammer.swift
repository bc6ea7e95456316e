internal import ScrollTraceRecorder
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Records on several threads until it is killed: for tests of what a dead process leaves.
///
/// Every inner span carries its thread's own count from 0, so that whatever is missing shows.
enum Hammer {
  /// How often a thread goes round; `nil` for ever.
  private struct Load {
    var path: String?
    var threads = 1
    var turns: Int?
    var printsSink = false
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
      case "--sink": load.printsSink = true
      default:
        guard load.path == nil else {
          return BenchCommand.usage("unknown argument \(argument)")
        }
        load.path = argument
      }
    }
    guard let path = load.path else { return BenchCommand.usage("hammer takes a file") }
    do {
      let recorder = try TraceRecorder(writingTo: path)
      if load.printsSink {
        if case .mappedFile = recorder.sink { print("mapped") } else { print("file") }
      }
      let turns = load.turns
      let waiting = Atomic(load.threads)
      Threads.run(load.threads) {
        recorder.mark("ready", .work)
        waiting.subtract(1, ordering: .relaxed)
        // All begin together, so that each has its part of the file.
        while waiting.load(ordering: .relaxed) > 0 { sched_yield() }
        hammer(recorder, turns)
      }
      try recorder.finish()
      return 0
    } catch {
      Console.warn("scrolltrace-bench: \(error)")
      return 2
    }
  }

  /// Turns of ten events each: an outer span, eight inner ones and a mark.
  private static func hammer(_ recorder: TraceRecorder, _ turns: Int?) {
    var sequence: UInt64 = 0
    var turn = 0
    while turn != turns {
      recorder.span("outer", .data) {
        for _ in 0..<8 {
          recorder.span("inner", .work, item: sequence) {}
          sequence += 1
        }
      }
      recorder.mark("turn", .work, item: sequence)
      turn += 1
    }
  }
}
