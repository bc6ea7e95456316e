internal import CRecorderShims
internal import ScrollTracePlatform

/// What recordings of the process share and give back: the bytes of texts, the writers of threads, and
/// the files that a thread may still be using.
enum ProcessMemory {
  nonisolated(unsafe) private static let mutex: UnsafeMutablePointer<pthread_mutex_t> = {
    let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    return mutex
  }()
  nonisolated(unsafe) private static var texts = KeptTexts()
  nonisolated(unsafe) private static var writers: [UnsafeMutablePointer<ThreadWriter>] = []
  /// The most recent recorder, from which `nextOfAll` leads to the others. A forked child, which has
  /// no other thread, reads it without the lock.
  nonisolated(unsafe) private(set) static var newestControl: UnsafeMutablePointer<ControlBlock>?
  /// The states of surfaces that nobody uses: those that note no frames, and those that do.
  nonisolated(unsafe) private static var surfaces: [[UnsafeMutablePointer<SurfaceBlock>]] = [
    [], [],
  ]
  /// Finished recordings that a thread was still inside.
  nonisolated(unsafe) private static var finished: [RecorderStore] = []

  /// Locks for a fork, so that no other thread holds the lock in the child.
  static func lock() { pthread_mutex_lock(mutex) }

  static func unlock() { pthread_mutex_unlock(mutex) }

  private static func locked<Result>(_ body: () -> Result) -> Result { holding(mutex, body) }

  /// Runs `body` while holding a lock. The thread is inside the recorder meanwhile, so that a signal
  /// handler never waits for the thread that it has interrupted.
  static func holding<Result>(
    _ mutex: UnsafeMutablePointer<pthread_mutex_t>, _ body: () -> Result
  ) -> Result {
    let before = scrolltrace_get_writer()
    scrolltrace_enter()
    pthread_mutex_lock(mutex)
    defer {
      pthread_mutex_unlock(mutex)
      scrolltrace_leave(before)
    }
    return body()
  }

  /// Returns a copy of the bytes with a fixed address, the same one each time.
  static func keep(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    locked { texts.keep(bytes) }
  }

  static func add(_ control: UnsafeMutablePointer<ControlBlock>) {
    locked {
      control.pointee.nextOfAll = newestControl
      newestControl = control
    }
  }

  // MARK: - Writers

  /// Gives back a writer that no thread uses. Its memory is used for other writers only: a token that
  /// is ended twice still refers to it.
  static func give(_ writer: UnsafeMutablePointer<ThreadWriter>) {
    // The tokens of spans that are open must never meet another thread's writer.
    guard !writer.hasTokens else { return writer.freeTables() }
    locked { writers.append(writer) }
  }

  /// A writer to use again, or `nil`.
  static func takeWriter() -> UnsafeMutablePointer<ThreadWriter>? { locked { writers.popLast() } }

  // MARK: - Finished recordings

  /// Gives back the memory of a finished recording now, or else when a later recording begins or
  /// ends.
  static func release(_ store: RecorderStore) {
    releaseFinished()
    release(store, patience: 20_000)
  }

  private static func release(_ store: RecorderStore, patience: Int) {
    if store.release(patience: patience) {
      setReleased(store)
    } else {
      locked { finished.append(store) }
    }
  }

  /// Gives back what a thread was still using when its recording was finished.
  static func releaseFinished() {
    let left = locked {
      defer { finished = [] }
      return finished
    }
    for store in left { release(store, patience: 0) }
  }

  // MARK: - Freed recorders

  /// Frees what is left of a recorder that nobody refers to, now or when its memory is given back.
  static func free(_ control: UnsafeMutablePointer<ControlBlock>) {
    releaseFinished()
    let store = control.pointee.store.takeUnretainedValue()
    let isReleased = locked {
      store.hasOwner = false
      return store.isReleased
    }
    if isReleased { drop(store) }
  }

  private static func setReleased(_ store: RecorderStore) {
    let hasOwner = locked {
      store.isReleased = true
      return store.hasOwner
    }
    if !hasOwner { drop(store) }
  }

  /// Releases a store to which only its control block refers, and threads that end.
  private static func drop(_ store: RecorderStore) {
    guard let control = store.locked({ $0.control }) else { return }
    locked {
      control.mode = RecorderMode.freed
      control.pointee.store.release()
    }
  }

  /// Returns the store of a recorder for a thread that ends, or `nil` if the recorder is gone.
  static func store(of control: UnsafeMutablePointer<ControlBlock>) -> RecorderStore? {
    locked {
      control.mode == RecorderMode.freed ? nil : control.pointee.store.takeUnretainedValue()
    }
  }

  /// Gives back the state of a surface. Its memory is used for other surfaces only: a host may keep a
  /// surface for longer than its recorder.
  static func give(_ surface: UnsafeMutablePointer<SurfaceBlock>) {
    locked { surfaces[surface.pointee.timings == nil ? 0 : 1].append(surface) }
  }

  /// The state of a surface to use again, or `nil`.
  static func takeSurface(measuring: Bool) -> UnsafeMutablePointer<SurfaceBlock>? {
    locked { surfaces[measuring ? 1 : 0].popLast() }
  }
}

/// The bytes of all texts that recordings of this process name. They are never freed, because names
/// point to them; each text is kept once.
private struct KeptTexts {
  private var copies: [[UInt8]: UnsafeRawBufferPointer] = [:]
  /// The memory for the next texts.
  private var room = UnsafeMutableRawBufferPointer(start: nil, count: 0)[...]

  /// Returns a copy of the bytes with a fixed address.
  ///
  /// Copies are close together, so that the low bits of their addresses differ like those of
  /// literals, which the writers' tables of headers use.
  mutating func keep(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let text = [UInt8](bytes)
    if let kept = copies[text] { return kept }
    if bytes.count > room.count {
      let size = max(bytes.count, 2 * NameTable.maximumLength)
      room = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 8)[...]
    }
    let copy = UnsafeMutableRawBufferPointer(rebasing: room.prefix(bytes.count))
    copy.copyMemory(from: bytes)
    room = room.dropFirst(bytes.count)
    let kept = UnsafeRawBufferPointer(copy)
    copies[text] = kept
    return kept
  }
}
