#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What becomes of the process whose recording is watched.
enum HostState: Sendable {
  /// It is there, and has not closed the recording.
  case recording
  /// It has closed the recording.
  case closed
  /// It is not there, and has not closed the recording.
  case gone
  /// Its times are its own, so that no process of this machine can be asked for.
  case unknown

  /// The state of a host that has not closed its recording, by the system's number of its process.
  static func of(process: UInt64) -> HostState {
    guard let number = pid_t(exactly: process), number > 0 else { return .gone }
    // A process of somebody else is there, too.
    guard kill(number, 0) == 0 || errno == EPERM else { return .gone }
    return isDead(number) ? .gone : .recording
  }

  /// Whether a process is there and stopped, as by Control-Z or in a debugger; never known where the
  /// system is not Linux.
  static func isStopped(process: UInt64) -> Bool {
    pid_t(exactly: process).flatMap(letter).map {
      [UInt8(ascii: "T"), UInt8(ascii: "t")].contains($0)
    }
      ?? false
  }

  /// Whether the process has ended, and only its parent does not know yet.
  private static func isDead(_ process: pid_t) -> Bool {
    letter(of: process).map { [UInt8(ascii: "Z"), UInt8(ascii: "X")].contains($0) } ?? false
  }

  /// The letter that the system has for what a process does.
  private static func letter(of process: pid_t) -> UInt8? {
    // No such file where the system is not Linux.
    let file = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = max(0, read(file, &bytes, bytes.count))
    // The name stands in parentheses and may hold any character, the state behind it.
    guard let end = bytes[..<count].lastIndex(of: UInt8(ascii: ")")), end + 2 < count else {
      return nil
    }
    return bytes[end + 2]
  }
}
