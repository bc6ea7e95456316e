import ScrollTraceCLI

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A terminal that shows one screen after the other and gives the keys that are pressed.
///
/// A class because there is one terminal, which must be made what it was exactly once: by `close`,
/// by the last one who lets go of this, at the process's end and by signals.
///
/// ```swift
/// let terminal = try LiveTerminal.open()
/// defer { terminal.close() }
/// while terminal.nextKey(timeoutMilliseconds: 16) != .interrupt {
///   try terminal.draw(LiveScreen.lines(of: state, size: terminal.size, color: level))
/// }
/// ```
final class LiveTerminal {
  private var shown: [String]?
  private var shownSize = (columns: 0, rows: 0)
  private var parser = LiveKeyParser()
  private var lastByte: Int64 = 0
  private var isClosed = false

  /// After so long an escape is a key of its own.
  private static let patience: Int64 = 40

  private init() {}

  deinit { close() }

  /// Takes the terminal, which both standard input and output must be.
  static func open() throws(OutputError) -> LiveTerminal {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      throw OutputError(
        path: "terminal", problem: "standard input and output must both be one; use no pipes")
    }
    TerminalSignals.watch()
    let number = TerminalMode.take()
    guard number == 0 else {
      TerminalMode.leave()
      TerminalSignals.ignore()
      throw OutputError(path: "terminal", number: number)
    }
    return LiveTerminal()
  }

  /// Makes the terminal what it was; the second time nothing happens.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    TerminalMode.leave()
    // What was typed meanwhile was not meant for the shell.
    tcflush(STDIN_FILENO, TCIFLUSH)
    TerminalSignals.ignore()
    // A process that was just stopped and goes on has taken the terminal once more.
    TerminalMode.leave()
  }

  /// The size of the terminal now; that of the usual one where it does not say.
  var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Shows `lines`, of which none is wider and there are no more than `size` says.
  func draw(_ lines: [String]) throws(OutputError) {
    let size = size
    if TerminalMode.takeStaleness() || size != shownSize { shown = nil }
    let text = LiveLineDiff.text(from: shown, to: lines)
    (shown, shownSize) = (lines, size)
    guard !text.isEmpty else { return }
    let number = FileWriter.write(text, to: STDOUT_FILENO)
    guard number == 0 else { throw OutputError(path: "terminal", number: number) }
  }

  /// The next key, waiting for it at most so long, or `nil` if there is none.
  ///
  /// It may give up earlier: the size has changed, say, and there is something to draw. Control-Z
  /// is taken care of here. Once it has given `interrupt` for a signal it always does.
  func nextKey(timeoutMilliseconds: Int) -> LiveKey? {
    let deadline = Self.milliseconds() + Int64(max(0, min(60_000, timeoutMilliseconds)))
    while true {
      if TerminalSignals.asksForEnd { return .interrupt }
      let isComplete = Self.milliseconds() - lastByte >= Self.patience
      if let key = parser.next(isComplete: isComplete) {
        guard key == .suspend else { return key }
        // The whole job stops, as it does when the terminal takes care of it.
        kill(0, SIGTSTP)
        return nil
      }
      let now = Self.milliseconds()
      let until = parser.isWaiting ? min(deadline, lastByte + Self.patience) : deadline
      switch read(waiting: max(0, until - now)) {
      case .some: continue
      case .gone: return .interrupt
      case .woken: return TerminalSignals.asksForEnd ? .interrupt : nil
      case .nothing: if Self.milliseconds() >= deadline { return nil }
      }
    }
  }

  private enum Reading { case some, nothing, woken, gone }

  private func read(waiting milliseconds: Int64) -> Reading {
    var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    let count = poll(&request, 1, Int32(clamping: milliseconds))
    guard count > 0 else { return count == 0 ? .nothing : .woken }
    var bytes: [UInt8] = Array(repeating: 0, count: 1024)
    #if canImport(Glibc)
      let size = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
    #else
      let size = Darwin.read(STDIN_FILENO, &bytes, bytes.count)
    #endif
    guard size > 0 else { return size < 0 && [EINTR, EAGAIN].contains(errno) ? .woken : .gone }
    parser.append(bytes.prefix(size))
    lastByte = Self.milliseconds()
    return .some
  }

  private static func milliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

/// What has to be written so that a terminal shows other lines than before.
enum LiveLineDiff {
  /// The text, as one picture that appears at once where the terminal can; empty for no change.
  ///
  /// - Parameters:
  ///   - old: What is shown, or `nil` if nobody knows.
  ///   - new: What is to be shown.
  static func text(from old: [String]?, to new: [String]) -> String {
    var text = old == nil ? "\u{1B}[0m\u{1B}[2J" : ""
    let old = old ?? []
    for row in 0..<max(old.count, new.count) {
      let line = row < new.count ? new[row] : ""
      guard line != (row < old.count ? old[row] : "") else { continue }
      // Cleared first: behind a line as wide as the terminal that would take its last character.
      text += "\u{1B}[\(row + 1);1H\u{1B}[2K" + line
    }
    return text.isEmpty ? "" : "\u{1B}[?2026h" + text + "\u{1B}[?2026l"
  }
}
