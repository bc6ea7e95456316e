/// The names that systems and engines use for waiting: for a vsync, a buffer, a lock, another
/// process or a request.
package enum WaitingNames {
  package static let category: StaticString = "scrolltrace.waiting"

  private static let names: Set<String> = [
    // Chromium
    "v8.parseOnBackgroundWaiting",
    // Android
    "Waiting for GPU", "Waiting for GPU completion", "waiting for GPU completion",
    "waiting for presentation", "Suspended", "binder transaction",
    "GC: Wait For Completion Alloc", "GC: Wait For Completion HeapTrim",
    // Games, Flutter and drivers
    "Wait for vsync", "VsyncWait", "VSync wait", "swap wait", "dequeueBuffer wait",
    // Functions that only wait
    "usleep", "nanosleep", "recv", "recvmsg", "poll",
    // Requests under way
    "ResourceRequest", "URLRequest", "HTTP request", "Network request",
  ]

  /// Calls that return when the GPU is done, or when the display returns a buffer, by the word of who
  /// defines them. The article *Traces of Perfetto* cites it.
  private static let ofDisplay: Set<Substring> = [
    "dequeueBuffer", "waitForBufferRelease", "waitForFence", "waitForever", "glFinish",
    "vkAcquireNextImageKHR", "vkAcquireNextImage2KHR", "vkWaitForFences", "vkQueueWaitIdle",
    "vkDeviceWaitIdle", "nextDrawable", "WaitForNextDrawable", "DwmFlush",
  ]

  private static let prefixes = [
    "Lock contention on ", "monitor contention with ", "Contending for ", "waiting for GPU ",
    "Waiting for fence ", "waitForFence ",
  ]

  /// Returns whether a span with this name is waiting.
  package static func contains(_ name: String) -> Bool {
    names.contains(name) || prefixes.contains { name.hasPrefix($0) } || isOfDisplay(name)
      || hasRoot(name) && isFunction(name)
  }

  /// Returns whether a span with this name waits for the GPU, or for a buffer of the display, whatever the call
  /// belongs to: `CAMetalLayer nextDrawable`.
  package static func isOfDisplay(_ name: String) -> Bool {
    ofDisplay.contains(name[...])
      || hasRoot(name) && call(of: QualifiedName(name)).map(ofDisplay.contains) ?? false
  }

  // MARK: - Functions

  /// Functions that only wait, whatever they belong to.
  private static let functions: Set<Substring> = [
    "runBlocking", "os_unfair_lock_lock", "pthread_rwlock_rdlock",
    "pthread_rwlock_wrlock",
  ]

  /// How the names of functions in C end that ask somebody and wait for the answer.
  private static let endings = [
    "dispatch_sync", "_barrier_sync", "_connection_call_sync", "_proxy_call_sync", "_reply_sync",
  ]

  /// What functions belong to if they wait: `Thread.join` does, and `Path.join` does not.
  private static let owners: [String: Set<String>] = {
    let locks: Set = ["lock", "rwlock", "spinlock", "mutex", "mtx", "semaphore", "sem", "monitor"]
    return [
      "lock": locks, "acquire": locks,
      "join": ["thread", "pthread", "thrd", "job", "fiber", "future", "handle"],
      "get": ["future"], "park": ["support", "unsafe", "parker", "thread"],
      "sleep": ["thread", "clock"],
    ]
  }()

  /// What functions in C wait for; a method that waits may belong to anything.
  private static let conditions: Set<String> = [
    "cond", "condition", "semaphore", "sem", "group", "event", "futex", "epoll", "latch", "barrier",
    "fence", "process", "thread",
  ]

  /// Words of locks and threads that no thread waits for: those of a screen, of scrolling, of a chat.
  private static let otherOwners: Set<String> = [
    "screen", "scroll", "orientation", "rotation", "pointer", "wake", "wifi", "door", "app",
    "account", "device", "keyguard", "message", "chat", "comment", "mail", "forum", "discussion",
  ]

  /// Words behind the verb that only say how long, for how many, or in which way.
  private static let manners: Set<String> = [
    "for", "until", "forever", "while", "one", "all", "any", "many", "single", "multiple", "idle",
    "timeout", "nanos", "uninterruptibly", "interruptibly", "shared", "when", "before",
  ]

  /// How names of functions begin that have something done elsewhere and wait for its end.
  private static let requests: Set<String> = [
    "perform", "post", "invoke", "run", "submit", "dispatch", "execute", "send", "enqueue",
  ]

  /// Returns whether a name is that of a function that only waits: `ReentrantLock.lock`, `-[NSLock lock]`,
  /// `semaphore.wait()`, `g_mutex_lock`, `waitForFence`.
  ///
  /// A single word decides only as the whole name of a function and beside what it belongs to:
  /// `lock screen layout` is work.
  private static func isFunction(_ name: String) -> Bool {
    let function = QualifiedName(name)
    guard let last = function.path.last else { return false }
    if call(of: function).map(functions.contains) ?? false { return true }
    // The arguments of Objective-C follow a colon.
    let own = last.prefix { $0 != ":" }
    guard !own.isEmpty, !own.utf8.contains(UInt8(ascii: " ")) else { return false }
    let words = QualifiedName.words(of: own)
    let types = function.path.dropLast()
    if types.first == "AIDL" { return words.last == "client" }
    let waits =
      isWaitForAny(words) || words.suffix(2) == ["and", "wait"] && requests.contains(words[0])
      || (types.isEmpty ? isInC(own, words) : isMethod(words, of: types))
      || name.includes("\(own)(") && isWait(words)
    // A script of a page cannot wait: what has such a name there computes.
    return waits && !name.includes(".js:") && !name.includes(".html:")
  }

  /// Four letters of every word that decides, so that most names are not taken apart.
  private static let roots = [
    "wait", "lock", "sync", "join", "park", "slee", "acqu", "wabl", "dequ", "futu", "aidl",
  ].map { $0.utf8.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }

  private static func hasRoot(_ name: String) -> Bool {
    var letters: UInt32 = 0
    for byte in name.utf8 {
      letters = letters << 8 | UInt32(byte | 0x20)
      if roots.contains(letters) { return true }
    }
    return false
  }

  /// The last word of a name, if that is all of a function's own name, or stands behind a type alone.
  private static func call(of function: QualifiedName) -> Substring? {
    guard let words = function.path.last?.split(separator: " "), words.count <= 2 else {
      return nil
    }
    return words.last
  }

  /// Whether words say what is waited for: `waitForFence`, `WaitUntilTasksComplete`.
  private static func isWaitForAny(_ words: [String]) -> Bool {
    words.count > 1 && ["wait", "await"].contains(words[0])
      && ["for", "until"].contains(words[1])
  }

  /// Whether the words of a function that belongs to something say that it waits for that, whatever it is.
  private static func isWait(_ words: [String]) -> Bool {
    let rest = words.first == "timed" ? words.dropFirst() : words[...]
    guard rest.first == "wait" else { return rest.first == "await" }
    return rest.dropFirst().first.map(manners.contains) ?? true
  }

  private static func isMethod(_ words: [String], of types: ArraySlice<Substring>) -> Bool {
    if isWait(words) { return true }
    // Words before it are no part of the type: `load sync semaphore.wait`.
    guard let verb = words.first, words.dropFirst().first.map(manners.contains) ?? true,
      let type = types.last?.split(separator: " ").last
    else { return false }
    let owner = QualifiedName.words(of: type)
    if verb == "sync" {
      return owner == ["queue"] || owner == ["serial", "queue"] || types.contains("DispatchQueue")
    }
    return belongs(verb, to: owner[...])
  }

  private static func isInC(_ name: Substring, _ words: [String]) -> Bool {
    let words = words.last.map(manners.contains) == true ? words.dropLast() : words[...]
    guard name.utf8.contains(UInt8(ascii: "_")), let verb = words.last else { return false }
    let owner = words.dropLast()
    if verb == "wait" || verb == "timedwait" {
      return owner.last.map(conditions.contains) ?? false
    }
    return endings.contains { name.hasSuffix($0) } || belongs(verb, to: owner)
  }

  private static func belongs(_ verb: String, to owner: ArraySlice<String>) -> Bool {
    guard let last = owner.last else { return false }
    return owners[verb]?.contains(last) == true && otherOwners.isDisjoint(with: owner)
  }
}
