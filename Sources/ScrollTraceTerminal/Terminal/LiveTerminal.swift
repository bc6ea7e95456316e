import ScrollTraceCLI
import ScrollTracePlatform

/// A terminal that displays one screen after another and returns pressed keys.
///
/// A class because there is one terminal, which must be restored exactly once: by `close`,
/// deinitialization, process exit or a signal.
///
/// ```swift
/// let terminal = try LiveTerminal.open()
/// defer { terminal.close() }
/// while terminal.nextKey(timeoutMilliseconds: 16) != .interrupt {
///   try terminal.draw(LiveScreen.lines(of: state, size: terminal.size, color: palette))
/// }
/// ```
final class LiveTerminal {
  private var shown: [String]?
  private var shownSize = (columns: 0, rows: 0)
  private var parser = LiveKeyParser()
  private var lastByte: Int64 = 0
  private var isClosed = false

  /// Milliseconds after which an escape is a key of its own.
  private static let patience: Int64 = 40

  private init() {}

  deinit { close() }

  /// Opens the terminal, which must be both standard input and standard output.
  static func open() throws(OutputError) -> LiveTerminal {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      throw OutputError(
        path: "terminal", problem: "standard input and output must be terminals, not pipes")
    }
    TerminalSignals.watch()
    let number = TerminalMode.takeOver()
    guard number == 0 else {
      TerminalMode.leave()
      TerminalSignals.ignore()
      throw OutputError(path: "terminal", number: number)
    }
    return LiveTerminal()
  }

  /// Restores the terminal; a second call does nothing.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    TerminalMode.leave()
    // Keys typed meanwhile were not meant for the shell.
    tcflush(STDIN_FILENO, TCIFLUSH)
    TerminalSignals.ignore()
    // A process that was just stopped and continues has taken the terminal again.
    TerminalMode.leave()
  }

  /// The current size of the terminal, or the usual size if it is unknown.
  var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Displays `lines`, which must fit `size`.
  func draw(_ lines: [String]) throws(OutputError) {
    let size = size
    if TerminalMode.takeStaleness() || size != shownSize { shown = nil }
    let text = LiveLineDiff.text(from: shown, to: lines)
    (shown, shownSize) = (lines, size)
    guard !text.isEmpty else { return }
    let number = FileWriter.write(text, to: STDOUT_FILENO)
    guard number == 0 else { throw OutputError(path: "terminal", number: number) }
  }

  /// Returns the next key, waiting at most this long, or `nil` if there is none.
  ///
  /// It can return earlier, for example if the size changed. It handles Control-Z itself. After
  /// returning `interrupt` for a signal it always does.
  func nextKey(timeoutMilliseconds: Int) -> LiveKey? {
    let deadline = Watch.milliseconds + Int64(max(0, min(60_000, timeoutMilliseconds)))
    while true {
      if TerminalSignals.asksForEnd { return .interrupt }
      let isComplete = Watch.milliseconds - lastByte >= Self.patience
      if let key = parser.next(isComplete: isComplete) {
        guard key == .suspend else { return key }
        // The whole job stops, as if the terminal handled the key.
        kill(0, SIGTSTP)
        return nil
      }
      let now = Watch.milliseconds
      let until = parser.isWaiting ? min(deadline, lastByte + Self.patience) : deadline
      switch read(waiting: max(0, until - now)) {
      case .some: continue
      case .gone: return .interrupt
      case .woken: return TerminalSignals.asksForEnd ? .interrupt : nil
      case .nothing: if Watch.milliseconds >= deadline { return nil }
      }
    }
  }

  private enum Reading { case some, nothing, woken, gone }

  private func read(waiting milliseconds: Int64) -> Reading {
    var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    let count = poll(&request, 1, Int32(clamping: milliseconds))
    guard count > 0 else { return count == 0 ? .nothing : .woken }
    var bytes: [UInt8] = Array(repeating: 0, count: 1024)
    let size = ScrollTracePlatform.read(STDIN_FILENO, &bytes, bytes.count)
    guard size > 0 else { return size < 0 && [EINTR, EAGAIN].contains(errno) ? .woken : .gone }
    parser.append(bytes.prefix(size))
    lastByte = Watch.milliseconds
    return .some
  }
}

/// The differences between the lines on a terminal and new ones.
enum LiveLineDiff {
  /// Returns the text that updates the terminal at once, if it supports that, or an empty string if
  /// nothing changed.
  ///
  /// - Parameters:
  ///   - old: The displayed lines, or `nil` if unknown.
  ///   - new: The lines to display.
  static func text(from old: [String]?, to new: [String]) -> String {
    var text = old == nil ? "\u{1B}[0m\u{1B}[2J" : ""
    let old = old ?? []
    for row in 0..<max(old.count, new.count) {
      let line = row < new.count ? new[row] : ""
      guard line != (row < old.count ? old[row] : "") else { continue }
      // Cleared first: after a line as wide as the terminal, clearing would remove its last
      // character.
      text += "\u{1B}[\(row + 1);1H\u{1B}[2K" + line
    }
    return text.isEmpty ? "" : "\u{1B}[?2026h" + text + "\u{1B}[?2026l"
  }
}
