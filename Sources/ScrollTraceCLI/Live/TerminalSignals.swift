import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

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
