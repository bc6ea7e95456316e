internal import CRecorderShims
internal import ScrollTraceLayout
internal import ScrollTracePlatform

/// The threads of the recorder. They block the host's signals and need little memory.
extension RecorderStore {
  /// Starts a thread that runs `body` with the store, or returns `nil` if the system cannot create it.
  func startThread(
    _ name: StaticString, _ body: @escaping @Sendable (RecorderStore) -> Void
  ) -> WorkerThread? {
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    // The thread reads and writes mapped files: a page that is gone kills a process that blocks this.
    sigdelset(&all, SIGBUS)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return WorkerThread(stackSize: 256 << 10, hasQualityOfService: true) {
      scrolltrace_name_thread(name.utf8Start)
      body(self)
    }
  }

  /// Takes a thread out of the state, so that only one caller ends it.
  func takeThread(_ path: WritableKeyPath<RecorderState, WorkerThread?>) -> WorkerThread? {
    locked { state in
      defer { state[keyPath: path] = nil }
      return state[keyPath: path]
    }
  }
}
