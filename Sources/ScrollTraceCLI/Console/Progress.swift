import ScrollTraceKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// One line on a terminal that says what is going on, once it takes longer than half a second.
struct Progress {
  private let console: Console
  private let start = Self.milliseconds()
  private var isShown = false

  /// Nothing is shown unless standard error is a terminal.
  init(_ console: Console) {
    self.console = console
  }

  /// Shows `text` in place of what was shown before.
  mutating func show(_ text: String) {
    guard console.environment.isErrorTerminal, Self.milliseconds() - start > 500
    else { return }
    let sink = console.environment.isUnicode ? EscapingContext.terminal : EscapingContext.asciiTerminal
    let width = max(10, (console.environment.terminalWidth ?? 80) - 1)
    console.complain("\r\u{1B}[K" + sink.escape(text).prefix(width))
    isShown = true
  }

  /// Takes the line away.
  mutating func clear() {
    guard isShown else { return }
    console.complain("\r\u{1B}[K")
    isShown = false
  }

  private static func milliseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }
}
