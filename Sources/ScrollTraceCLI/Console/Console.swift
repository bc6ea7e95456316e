import ScrollTraceKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where commands write to; the only thing that prints.
///
/// A class because it remembers that its reader has gone.
package final class Console {
  /// What the command runs in.
  let environment: CommandEnvironment
  private let output: (String) -> Int32
  private let error: (String) -> Int32
  private let bytes: (UnsafeRawBufferPointer) -> Int32
  private var isClosed = false

  /// A console whose writers give 0, or the system's error number.
  ///
  /// - Parameter bytes: Where bytes go that are no text; `nil` where they go with the texts.
  init(
    environment: CommandEnvironment, output: @escaping (String) -> Int32,
    error: @escaping (String) -> Int32, bytes: ((UnsafeRawBufferPointer) -> Int32)? = nil
  ) {
    self.environment = environment
    self.output = output
    self.error = error
    self.bytes = bytes ?? { output(String(decoding: $0, as: UTF8.self)) }
  }

  /// The console of the process.
  package static func standard() -> Console {
    Console(
      environment: .current, output: { FileWriter.write($0, to: STDOUT_FILENO) },
      error: { FileWriter.write($0, to: STDERR_FILENO) },
      bytes: { FileWriter.write($0, to: STDOUT_FILENO) })
  }

  /// Writes a result to standard output; a reader that has gone is no error.
  func print(_ text: String) throws(OutputError) {
    guard !isClosed else { return }
    switch output(text) {
    case 0: break
    case EPIPE: isClosed = true
    case let number: throw OutputError(path: "standard output", number: number)
    }
  }

  /// Writes bytes to standard output; 0, or the system's error number. A reader that has gone is none
  /// to speak of, but a reason to stop.
  func write(_ piece: UnsafeRawBufferPointer) -> Int32 { bytes(piece) }

  /// Writes to standard error, where there is nobody left to tell of failures.
  func complain(_ text: String) {
    _ = error(text)
  }

  /// Says in one line what is wrong with a file.
  func complain(about path: String, _ problem: String) {
    let sink = environment.isUnicode ? EscapingContext.terminal : EscapingContext.asciiTerminal
    complain("\(ScrollTraceCommand.name): \(sink.escape(path)): \(sink.escape(problem))\n")
  }
}
