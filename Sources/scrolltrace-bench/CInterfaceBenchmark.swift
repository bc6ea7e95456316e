internal import CSpanLoop
internal import ScrollTraceRecorder
internal import ScrollTracePlatform

/// Spans that a loop in C records through the shared library, alternating with the same spans in
/// Swift.
struct CInterfaceBenchmark: Benchmark {
  enum Kind {
    /// The time of begin and end in C, and its ratio to a span around a closure in Swift.
    case whole
    /// The time of begin and end in C minus that in Swift.
    case difference
  }

  struct NotFound: Error, CustomStringConvertible {
    let library: String
    var description: String { "cannot record through \(library); build the whole package first" }
  }

  let name: String
  let kind: Kind
  /// Whether each span has an item.
  var hasItems = false

  func run() throws -> BenchResult {
    let spans = 100_000
    let library = Self.library()
    let isWhole = kind == .whole
    return try Rounds.medians(
      name, reference: isWhole ? "a span around a closure in Swift" : "", rounds: Rounds.count
    ) {
      let swift = try ScratchFile.record(prepared: 8 << 20) { recorder in
        record(1, recorder)
        return Rounds.time { record(spans, recorder) }
      }
      let c = try recordInC(spans, library)
      return isWhole ? (c / Double(spans), c / swift) : ((c - swift) / Double(spans), nil)
    }
  }

  @inline(never)
  private func record(_ spans: Int, _ recorder: TraceRecorder) {
    if kind == .difference {
      for _ in 0..<spans { recorder.endSpan(recorder.beginSpan("step", .work)) }
    } else if hasItems {
      for index in 0..<spans {
        recorder.withSpan("step", .work, item: ItemID(UInt64(truncatingIfNeeded: index))) {}
      }
    } else {
      for _ in 0..<spans { recorder.withSpan("step", .work) {} }
    }
  }

  private func recordInC(_ spans: Int, _ library: String) throws -> Double {
    let path = ScratchFile.path("c.fxt")
    guard scrolltrace_loop_open(library, path, 8 << 20) else { throw NotFound(library: library) }
    defer {
      truncate(path, 4096)
      unlink(path)
    }
    scrolltrace_loop_run(1, hasItems)
    let time = Rounds.time { scrolltrace_loop_run(UInt64(spans), hasItems) }
    let lost = scrolltrace_loop_close()
    if lost > 0 { Console.warn("lost: \(lost)") }
    return time
  }

  /// Returns the path of the library built next to this command.
  private static func library() -> String {
    let command = CommandLine.arguments[0]
    let folder = command.lastIndex(of: "/").map { command[...$0] } ?? "./"
    #if canImport(Darwin)
      return folder + "libCScrollTrace.dylib"
    #else
      return folder + "libCScrollTrace.so"
    #endif
  }
}
