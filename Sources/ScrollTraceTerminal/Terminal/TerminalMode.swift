import CRecorderShims
import ScrollTraceCLI
import ScrollTracePlatform

/// The mode of the process's terminal while it displays its own screen.
///
/// There is one terminal, and signals and process exit find it here. All functions can be called at
/// any time, so they only use async-signal-safe system calls.
enum TerminalMode {
  /// The original mode of the terminal, and the current one.
  private nonisolated(unsafe) static let modes = UnsafeMutablePointer<termios>.allocate(capacity: 2)
  private static let isEntered = SignalFlag()
  private static let isStale = SignalFlag()

  /// The alternate screen, no cursor, no wrapping, and bracketed paste.
  private static let entering: StaticString =
    "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h\u{1B}[0m\u{1B}[2J"
  private static let leaving: StaticString =
    "\u{1B}[?2026l\u{1B}[?2004l\u{1B}[?7h\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

  private static let leavesAtExit: Int32 = atexit { TerminalMode.leave() }

  /// Saves the mode of the terminal and takes it over; returns 0 or the system's error number.
  static func takeOver() -> Int32 {
    guard tcgetattr(STDIN_FILENO, modes) == 0 else { return errno }
    var raw = modes[0]
    cfmakeraw(&raw)
    // Lines that other programs write meanwhile still start at the left edge.
    raw.c_oflag = modes[0].c_oflag
    modes[1] = raw
    // Initializes the values that handlers use before the first of them can run.
    _ = (leavesAtExit, isStale.isSet, entering.utf8Start, leaving.utf8Start)
    return enter()
  }

  /// Enters the alternate screen, again or for the first time.
  @discardableResult
  static func enter() -> Int32 {
    isEntered.exchange(true)
    isStale.exchange(true)
    guard tcsetattr(STDIN_FILENO, TCSANOW, modes + 1) == 0 else { return errno }
    write(entering)
    return 0
  }

  /// Restores the terminal, if necessary.
  static func leave() {
    guard isEntered.exchange(false) else { return }
    write(leaving)
    tcsetattr(STDIN_FILENO, TCSANOW, modes)
  }

  /// Returns whether the screen has been cleared since the last call.
  static func takeStaleness() -> Bool {
    isStale.exchange(false)
  }

  private static func write(_ text: StaticString) {
    let bytes = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    _ = FileWriter.write(bytes, to: STDOUT_FILENO)
  }
}

/// A Boolean value that threads and signal handlers use at the same time. It is never freed.
private struct SignalFlag: @unchecked Sendable {
  private let word = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)

  init() { word.initialize(to: 0) }

  var isSet: Bool { scrolltrace_load_acquire(word) != 0 }

  /// Sets the flag and returns its previous value.
  @discardableResult
  func exchange(_ isSet: Bool) -> Bool { scrolltrace_exchange(word, isSet ? 1 : 0) != 0 }
}

/// The signal handling while the terminal displays its own screen.
enum TerminalSignals {
  /// Signals that request the end: the first one ends politely, the next one immediately.
  static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  /// Signals of a broken process.
  private static let fatal = [SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGFPE, SIGTRAP]
  private static let others = [SIGTSTP, SIGCONT, SIGWINCH]
  private static let all = ending + fatal + others

  private nonisolated(unsafe) static let earlier = UnsafeMutablePointer<sigaction>.allocate(
    capacity: 64)
  private nonisolated(unsafe) static let earlierMask = UnsafeMutablePointer<sigset_t>.allocate(
    capacity: 1)
  private static let isEndAsked = SignalFlag()

  static var asksForEnd: Bool { isEndAsked.isSet }

  /// Starts handling signals, before anything must be restored at the end.
  static func watch(_ signals: [Int32] = all) {
    isEndAsked.exchange(false)
    for signal in signals { sigaction(signal, nil, earlier + Int(signal)) }
    for signal in signals { set(signal, handler(of: signal)) }
    // The command's parent may have blocked signals.
    var watched = sigset_t()
    sigemptyset(&watched)
    for signal in signals where !fatal.contains(signal) { sigaddset(&watched, signal) }
    pthread_sigmask(SIG_UNBLOCK, &watched, earlierMask)
  }

  /// Restores the previous signal handling.
  static func ignore(_ signals: [Int32] = all) {
    pthread_sigmask(SIG_SETMASK, earlierMask, nil)
    for signal in signals { sigaction(signal, earlier + Int(signal), nil) }
  }

  private static func handler(of signal: Int32) -> Handler {
    switch signal {
    case SIGTSTP: stop
    case SIGCONT: goOn
    case SIGWINCH: wake
    default: fatal.contains(signal) ? fail : end
    }
  }

  // MARK: - Handlers

  private typealias Handler = @convention(c) (Int32) -> Void

  private static let end: Handler = { signal in
    guard isEndAsked.exchange(true) else { return }
    TerminalSignals.pass(signal)
  }

  private static let fail: Handler = { signal in TerminalSignals.pass(signal) }

  /// It only wakes a wait for a key; the size is queried for every screen.
  private static let wake: Handler = { _ in }

  private static let stop: Handler = { signal in
    let number = errno
    TerminalSignals.pass(signal)
    errno = number
  }

  private static let goOn: Handler = { _ in
    let number = errno
    TerminalSignals.set(SIGTSTP, TerminalSignals.stop)
    TerminalMode.enter()
    errno = number
  }

  /// Restores the terminal and lets the signal have its default effect.
  private static func pass(_ signal: Int32) {
    TerminalMode.leave()
    sigaction(signal, earlier + Int(signal), nil)
    raise(signal)
  }

  /// Sets a signal's handler, which runs immediately even within other handlers, for `pass`.
  private static func set(_ signal: Int32, _ handler: @escaping Handler) {
    var action = sigaction()
    #if canImport(Glibc)
      action.__sigaction_handler.sa_handler = handler
    #else
      action.__sigaction_u.__sa_handler = handler
    #endif
    action.sa_flags = SA_NODEFER | SA_ONSTACK | SA_RESTART
    sigaction(signal, &action, nil)
  }
}
