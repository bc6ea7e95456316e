import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The mode of the process's terminal while it shows a screen of its own.
///
/// There is one terminal, and signals and the process's end find it here: all of this may be called
/// at any instant, so it only uses system calls that are allowed in a signal's handler.
enum TerminalMode {
  /// How the terminal was, and how it is meanwhile.
  private nonisolated(unsafe) static let modes = UnsafeMutablePointer<termios>.allocate(capacity: 2)
  private static let isEntered = Atomic<Bool>(false)
  private static let isStale = Atomic<Bool>(false)

  /// The other screen, no cursor, no wrapping, pasted text marked as such.
  private static let entering: StaticString =
    "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h\u{1B}[0m\u{1B}[2J"
  private static let leaving: StaticString =
    "\u{1B}[?2026l\u{1B}[?2004l\u{1B}[?7h\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

  private static let leavesAtExit: Int32 = atexit { TerminalMode.leave() }

  /// Remembers how the terminal is and takes it; 0, or the system's error number.
  static func take() -> Int32 {
    guard tcgetattr(STDIN_FILENO, modes) == 0 else { return errno }
    var raw = modes[0]
    cfmakeraw(&raw)
    // Lines that others write meanwhile still begin at the left edge.
    raw.c_oflag = modes[0].c_oflag
    modes[1] = raw
    // What handlers use has its value before the first of them can run.
    _ = (leavesAtExit, isStale.load(ordering: .relaxed), entering.utf8Start, leaving.utf8Start)
    return enter()
  }

  /// Goes to the screen of its own, again or for the first time.
  @discardableResult
  static func enter() -> Int32 {
    isEntered.store(true, ordering: .sequentiallyConsistent)
    isStale.store(true, ordering: .sequentiallyConsistent)
    guard tcsetattr(STDIN_FILENO, TCSANOW, modes + 1) == 0 else { return errno }
    write(entering)
    return 0
  }

  /// Makes the terminal what it was; does nothing if it is that.
  static func leave() {
    guard isEntered.exchange(false, ordering: .sequentiallyConsistent) else { return }
    write(leaving)
    tcsetattr(STDIN_FILENO, TCSANOW, modes)
  }

  /// Whether the screen has been cleared since the last time this was asked.
  static func takeStaleness() -> Bool {
    isStale.exchange(false, ordering: .sequentiallyConsistent)
  }

  private static func write(_ text: StaticString) {
    let bytes = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    _ = FileWriter.write(bytes, to: STDOUT_FILENO)
  }
}
