import ScrollTraceKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A progress line on the terminal, shown after half a second.
struct Progress {
  private let console: Console
  private let start = Self.milliseconds()
  private var isShown = false

  /// Creates a progress line, which stays empty unless standard error is a terminal.
  init(_ console: Console) {
    self.console = console
  }

  /// Shows `text`, replacing the previous text.
  mutating func show(_ text: String) {
    guard console.environment.isErrorTerminal, Self.milliseconds() - start > 500
    else { return }
    let width = max(10, (console.environment.terminalWidth ?? 80) - 1)
    console.complain("\r\u{1B}[K" + console.sink.escape(text).prefix(width))
    isShown = true
  }

  /// Removes the line.
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
