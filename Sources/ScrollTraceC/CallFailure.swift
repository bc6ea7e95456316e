internal import CScrollTrace
internal import ScrollTraceRecorder

/// Why a call failed, as the host is told.
struct CallFailure: Error {
  /// What the call returns.
  var result: scrolltrace_result
  /// What a person reads.
  var message: String
  /// The system's error number; 0 where the system had nothing to say.
  var systemError: Int32 = 0

  /// A failure of which nothing more is known.
  init(_ result: scrolltrace_result) {
    self.result = result
    message = result.text.description
  }

  /// What the recorder says.
  init(_ error: RecorderError) {
    result = error.errorNumber == 0 ? SCROLLTRACE_ERROR_FILE : SCROLLTRACE_ERROR_SYSTEM
    message = error.description
    systemError = error.errorNumber
  }

  /// Runs `body` and tells the host in `target`, where it wants to know, what became of it.
  static func report(
    to target: UnsafeMutablePointer<scrolltrace_error>?,
    _ body: () throws(CallFailure) -> Void
  ) -> scrolltrace_result {
    target?.initialize(to: scrolltrace_error())
    do throws(CallFailure) {
      try body()
      return SCROLLTRACE_OK
    } catch {
      if let target { error.write(to: target) }
      return error.result
    }
  }

  private func write(to target: UnsafeMutablePointer<scrolltrace_error>) {
    target.pointee.code = Int32(truncatingIfNeeded: result.rawValue)
    target.pointee.system_error = systemError
    withUnsafeMutableBytes(of: &target.pointee.message) { bytes in
      // The last byte stays 0, and a character that is cut goes as a whole.
      let text = Array(message.utf8.prefix(bytes.count - 1))
      let isCut = text.count < message.utf8.count
      let whole = isCut ? text[..<(text.lastIndex { $0 & 0xC0 != 0x80 } ?? 0)] : text[...]
      bytes.copyBytes(from: whole)
    }
  }
}

extension scrolltrace_result {
  /// The line about the result.
  var text: StaticString {
    switch self {
    case SCROLLTRACE_OK: "no error"
    case SCROLLTRACE_ERROR_ARGUMENT: "an argument is missing or makes no sense"
    case SCROLLTRACE_ERROR_SYSTEM: "the system refused; its error number says why"
    case SCROLLTRACE_ERROR_VERSION:
      "the options ask for what this version of the library lacks; install a newer one"
    case SCROLLTRACE_ERROR_FILE: "the trace file is gone, or is no longer the recording's"
    default: "unknown result"
    }
  }
}
