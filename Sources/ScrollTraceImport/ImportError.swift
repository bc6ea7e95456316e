import ScrollTracePlatform

/// The reason a source could not be read as a trace.
public struct ImportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem, in plain words, without the file's name.
  public let reason: String

  /// The offset of the problem in bytes from the start of the file, or `nil` if it has none.
  public let offset: UInt64?

  /// The recommended next step, as a phrase without a period, or an empty string.
  public let advice: String

  /// The system's error number, such as `ENOENT`, or `nil` if no call of the system failed.
  public let errorNumber: Int32?

  /// The path of the file, or an empty string if the source was no file.
  public private(set) var path = ""

  package init(_ reason: String, at offset: UInt64? = nil, advice: String = "") {
    self.reason = reason
    self.offset = offset
    self.advice = advice
    errorNumber = nil
  }

  /// Creates an error from the C library's reason for the last failure.
  init(lastFailure what: String) {
    let number = errno
    reason = "\(what): \(String(cString: strerror(number)))"
    offset = nil
    advice = ""
    errorNumber = number
  }

  package func inFile(_ path: String) -> ImportError {
    var error = self
    error.path = path
    return error
  }

  /// `reason at byte offset; advice`, for a message that names the file itself.
  package var problem: String {
    var text = reason
    if let offset { text += " at byte \(offset)" }
    if !advice.isEmpty { text += "; " + advice }
    return text
  }

  /// `path: reason at byte offset; advice`, on one line.
  public var description: String {
    let text = path.isEmpty ? problem : "\(path): \(problem)"
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
  }
}
