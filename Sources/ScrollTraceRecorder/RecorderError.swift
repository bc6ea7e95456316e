#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Why a recording could not be begun or finished; one line for a person.
public struct RecorderError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file; empty where the recording has none.
  public let path: String
  /// What is wrong, in plain words.
  public let reason: String
  /// What to do next; empty where there is nothing to do.
  public let advice: String
  /// The system's error number; 0 where the system had nothing to say.
  public let errorNumber: Int32

  /// An error about `path`.
  public init(path: String, reason: String, advice: String = "", errorNumber: Int32 = 0) {
    self.path = path
    self.reason = reason
    self.advice = advice
    self.errorNumber = errorNumber
  }

  /// The error the system has just reported in `errno`.
  static func system(_ action: String, path: String, advice: String = "") -> RecorderError {
    let number = errno
    let text = strerror(number).map { String(cString: $0) } ?? "error \(number)"
    return RecorderError(
      path: path, reason: "\(action): \(text)", advice: advice, errorNumber: number)
  }

  /// `file: what is wrong; what to do`
  public var description: String {
    var text = path.isEmpty ? reason : "\(path): \(reason)"
    if !advice.isEmpty { text += "; " + advice }
    return text
  }
}
