internal import CRecorderShims
internal import ScrollTraceRecorder

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Ten million spans into a file that grows while they are recorded.
struct GrowingBenchmark: Benchmark {
  enum Kind {
    /// The time of the recording thread.
    case thread
    /// The time of all threads, until the file is finished.
    case process
  }

  let name: String
  let kind: Kind

  func run() throws -> BenchResult {
    let spans = 10_000_000
    return try Rounds.compare(name, spans: spans, rounds: Rounds.longCount) {
      let start = scrolltrace_clock(CLOCK_PROCESS_CPUTIME_ID)
      let time = try ScratchFile.record { recorder in
        recorder.withSpan("step", .work) {}
        return Rounds.time {
          for _ in 0..<spans { recorder.withSpan("step", .work) {} }
        }
      }
      let all = Double(scrolltrace_clock(CLOCK_PROCESS_CPUTIME_ID) - start)
      return kind == .thread ? time : all
    }
  }
}
