import ScrollTraceKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// One run of `scrolltrace watch`.
struct Watch {
  /// The recording.
  let path: String
  /// Where it is shown.
  let console: Console
  /// Whether to wait for a recording that is not there yet.
  let waits: Bool
  /// When to end, in the milliseconds of `milliseconds`; `nil` for never.
  let end: Int64?

  /// For so long a file may hold nothing yet: its host is about to begin; in milliseconds.
  private static let patience: Int64 = 2_000

  /// What came of it.
  struct Outcome {
    /// Whether the recording has lost data.
    var hasLost = false
  }

  /// The time that runs by itself, in milliseconds.
  static var milliseconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Whether it was to last until now only, or a signal asks for the end.
  var isAsked: Bool {
    TerminalSignals.asksForEnd || end.map { Self.milliseconds >= $0 } ?? false
  }

  /// Waits for so many milliseconds, or until a signal comes.
  static func sleep(_ milliseconds: Int64) {
    _ = poll(nil, 0, Int32(clamping: milliseconds))
  }

  /// Opens the recording, waiting for it if that is wanted; `nil` where that came to an end.
  ///
  /// - Parameter say: Is told what is waited for, once.
  func open(_ say: (String) throws -> Void) throws -> WatchedFile? {
    let start = Self.milliseconds
    var hasSaid = false
    while !isAsked {
      do throws(ImportError) {
        return try WatchedFile(path: path, now: Self.milliseconds)
      } catch {
        let isMissing = access(path, F_OK) != 0
        let mayCome =
          error == LiveTraceReader.notBegun && Self.milliseconds - start < Self.patience
        guard mayCome || (waits && (isMissing || error == LiveTraceReader.notBegun)) else {
          guard isMissing else { throw error }
          throw ImportError(error.reason, advice: "with --wait it may still come")
        }
      }
      if waits, !hasSaid { try say("waiting for \(console.sink.escape(path))\n") }
      hasSaid = true
      Self.sleep(50)
    }
    guard TerminalSignals.asksForEnd else {
      throw ImportError("did not begin in the time to watch", advice: "is it the right path?")
    }
    return nil
  }
}

extension Console {
  /// What names pass through on their way to it.
  var sink: EscapingContext { environment.isUnicode ? .terminal : .asciiTerminal }
}
