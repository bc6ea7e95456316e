import ScrollTraceCLI
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

/// What signals do while the terminal shows a screen of its own.
enum TerminalSignals {
  /// Signals that ask for the end: the first one politely, the next one at once.
  private static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  /// Signals of a process that is broken.
  private static let fatal = [SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGFPE, SIGTRAP]
  private static let others = [SIGTSTP, SIGCONT, SIGWINCH]

  private nonisolated(unsafe) static let earlier = UnsafeMutablePointer<sigaction>.allocate(
    capacity: 64)
  private nonisolated(unsafe) static let earlierMask = UnsafeMutablePointer<sigset_t>.allocate(
    capacity: 1)
  private static let isEndAsked = Atomic<Bool>(false)

  /// Whether a signal has asked for the end.
  static var asksForEnd: Bool { isEndAsked.load(ordering: .sequentiallyConsistent) }

  /// Begins to watch; before anything has to be made good at the end.
  static func watch() {
    isEndAsked.store(false, ordering: .sequentiallyConsistent)
    for signal in ending + fatal + others { sigaction(signal, nil, earlier + Int(signal)) }
    for signal in ending { set(signal, end) }
    for signal in fatal { set(signal, fail) }
    set(SIGTSTP, stop)
    set(SIGCONT, goOn)
    // Does nothing but wake whoever waits for a key; the new size is asked for with every screen.
    set(SIGWINCH) { _ in }
    // Whoever started the command may have kept signals from it.
    var watched = sigset_t()
    sigemptyset(&watched)
    for signal in ending + others { sigaddset(&watched, signal) }
    pthread_sigmask(SIG_UNBLOCK, &watched, earlierMask)
  }

  /// Leaves signals to whom they belonged before.
  static func ignore() {
    pthread_sigmask(SIG_SETMASK, earlierMask, nil)
    for signal in ending + fatal + others { sigaction(signal, earlier + Int(signal), nil) }
  }

  /// Begins to watch for the signals that ask for the end, where there is no screen to make good.
  static func watchEnd() {
    isEndAsked.store(false, ordering: .sequentiallyConsistent)
    var watched = sigset_t()
    sigemptyset(&watched)
    for signal in ending {
      sigaction(signal, nil, earlier + Int(signal))
      set(signal, end)
      sigaddset(&watched, signal)
    }
    pthread_sigmask(SIG_UNBLOCK, &watched, earlierMask)
  }

  /// Leaves the signals that ask for the end to whom they belonged before.
  static func ignoreEnd() {
    pthread_sigmask(SIG_SETMASK, earlierMask, nil)
    for signal in ending { sigaction(signal, earlier + Int(signal), nil) }
  }

  // MARK: - Handlers

  private typealias Handler = @convention(c) (Int32) -> Void

  private static let end: Handler = { signal in
    guard isEndAsked.exchange(true, ordering: .sequentiallyConsistent) else { return }
    TerminalSignals.pass(signal)
  }

  private static let fail: Handler = { signal in TerminalSignals.pass(signal) }

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

  /// Makes the terminal what it was and lets the signal do what it would have done without this.
  private static func pass(_ signal: Int32) {
    TerminalMode.leave()
    sigaction(signal, earlier + Int(signal), nil)
    raise(signal)
  }

  /// Lets `handler` take a signal, also within handlers: what `pass` raises comes at once.
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
