import ScrollTracePlatform

/// Opens files with the program that the system has for them.
enum SystemOpener {
  #if canImport(Darwin)
    private static let program = "open"
  #else
    private static let program = "xdg-open"
  #endif

  /// Opens the file at `path` and waits for the opener, not for the program. Returns the problem, or
  /// `nil` if there is none.
  static func open(_ path: String, in environment: CommandEnvironment) -> String? {
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    let candidates = folders.map { "\($0)/\(program)" }
    guard let opener = candidates.first(where: { access($0, X_OK) == 0 }) else {
      return "the system has no '\(program)'"
    }
    // A path is not an option, whatever it starts with.
    return run(opener, [path.hasPrefix("-") ? "./" + path : path])
  }

  private static func run(_ program: String, _ arguments: [String]) -> String? {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var child = pid_t()
    let failure = posix_spawn(&child, program, &actions, nil, &words, environ)
    guard failure == 0 else { return String(cString: strerror(failure)) }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 {
      guard errno == EINTR else { return String(cString: strerror(errno)) }
    }
    return status == 0 ? nil : "'\(program)' failed"
  }
}
