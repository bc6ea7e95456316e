import CRecorderShims
import ScrollTraceKit
import ScrollTraceLayout
import ScrollTracePlatform

/// A progress line on the terminal, shown after less than half a second and until it is cleared.
///
/// A thread writes the line, so that it appears also during work that reports nothing. Without a terminal
/// there is neither. Unchecked, because the console is used only under the lock.
final class Progress: @unchecked Sendable {
  /// The time before the line appears, and then between two of them, in milliseconds.
  private static let delay = 400
  private static let pause = 100

  private struct State {
    /// The work, or empty if there is none.
    var text = ""
    var start = 0
    /// The start of reading, and how far it is.
    var readingStart = 0
    var bytes: UInt64 = 0
    var total: UInt64?
    var isShown = false
    var hasThread = false
  }

  private let console: Console
  private let state = Locked(State())

  /// Creates a progress line, which stays empty unless standard error is a terminal.
  init(_ console: Console) {
    self.console = console
  }

  /// Shows the name of the work that begins now.
  func show(_ text: String) {
    guard console.environment.isErrorTerminal else { return }
    let now = Self.milliseconds()
    let needsThread = state.withLock { state in
      if state.text.isEmpty { state.start = now }
      (state.text, state.readingStart, state.bytes, state.total) = (text, now, 0, nil)
      defer { state.hasThread = true }
      return !state.hasThread
    }
    if needsThread { startThread() }
  }

  /// Reports how much of the work's input was read.
  func read(_ bytes: UInt64, of total: UInt64?) {
    state.withLock { ($0.bytes, $0.total) = (bytes, total) }
  }

  /// Removes the line.
  func clear() {
    state.withLock { state in
      state.text = ""
      guard state.isShown else { return }
      console.complain("\r\u{1B}[K")
      state.isShown = false
    }
  }

  // MARK: - The line

  private func startThread() {
    let thread = WorkerThread { repeat { usleep(UInt32(Self.pause) * 1000) } while self.update() }
    guard let thread else { return state.withLock { $0.hasThread = false } }
    thread.detach()
  }

  /// Writes the line again and returns whether there is still work.
  private func update() -> Bool {
    state.withLock { state in
      guard !state.text.isEmpty else {
        state.hasThread = false
        return false
      }
      let now = Self.milliseconds()
      guard now - state.start >= Self.delay else { return true }
      let width = max(10, (console.environment.terminalWidth ?? 80) - 1)
      let figures = Self.figures(
        bytes: state.bytes, total: state.total, milliseconds: now - state.readingStart)
      let room = max(8, width - figures.count)
      let text = console.sink.escape(state.text)
      let name = text.count > room ? String(text.prefix(room - 3)) + "..." : text
      console.complain("\r\u{1B}[K" + (name + figures).prefix(width))
      state.isShown = true
      return true
    }
  }

  /// Returns how much was read, how fast, and how long the rest takes at that speed.
  static func figures(bytes: UInt64, total: UInt64?, milliseconds: Int) -> String {
    guard bytes > 0, milliseconds > 0 else { return "" }
    let perSecond = Double(bytes) * 1000 / Double(milliseconds)
    guard let total, total > bytes else {
      return total == nil ? "  \(megabytes(Double(bytes))), \(megabytes(perSecond))/s" : ""
    }
    let seconds = (Double(total - bytes) / perSecond).rounded(.up)
    let rest = Int(exactly: seconds).map { ", \($0) s left" } ?? ""
    return "  \(megabytes(Double(bytes))) of \(megabytes(Double(total))), \(megabytes(perSecond))/s"
      + rest
  }

  private static func megabytes(_ bytes: Double) -> String {
    let tenths = Int64(exactly: (bytes / 100_000).rounded()) ?? .max
    return "\(tenths / 10).\(tenths % 10) MB"
  }

  private static func milliseconds() -> Int {
    Int(scrolltrace_clock(CLOCK_MONOTONIC) / 1_000_000)
  }
}
