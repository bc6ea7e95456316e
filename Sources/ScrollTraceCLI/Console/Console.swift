package import ScrollTraceKit
import ScrollTracePlatform

/// The output of commands, and the only place that prints.
///
/// A class because it remembers that its reader closed the pipe.
package final class Console {
  package let environment: CommandEnvironment
  private let output: (String) -> Int32
  private let error: (String) -> Int32
  private let bytes: (UnsafeRawBufferPointer) -> Int32
  /// Whether nobody reads standard output anymore.
  private(set) var isClosed = false
  /// Whether warnings are not printed.
  var isQuiet = false

  /// Creates a console whose writers return 0 or the system's error number. Without a writer for
  /// `bytes`, binary output is written like text.
  package init(
    environment: CommandEnvironment, output: @escaping (String) -> Int32,
    error: @escaping (String) -> Int32, bytes: ((UnsafeRawBufferPointer) -> Int32)? = nil
  ) {
    self.environment = environment
    self.output = output
    self.error = error
    self.bytes = bytes ?? { output(String(decoding: $0, as: UTF8.self)) }
  }

  package static func standard() -> Console {
    Console(
      environment: .current, output: { FileWriter.write($0, to: STDOUT_FILENO) },
      error: { FileWriter.write($0, to: STDERR_FILENO) },
      bytes: { FileWriter.write($0, to: STDOUT_FILENO) })
  }

  /// Writes a result to standard output. A closed pipe is not an error.
  package func print(_ text: String) throws(OutputError) {
    guard !isClosed else { return }
    switch output(text) {
    case 0: break
    case EPIPE: isClosed = true
    case let number: throw OutputError(path: "standard output", number: number)
    }
  }

  /// Writes bytes to standard output and returns 0 or the system's error number, `EPIPE` included.
  func write(_ piece: UnsafeRawBufferPointer) -> Int32 { bytes(piece) }

  /// Writes to standard error as it is, ignoring failures.
  package func complain(_ text: String) {
    _ = error(text)
  }

  package func fail(_ problem: String) {
    complain("\(ScrollTraceCommand.name): error: \(sink.escape(problem))\n")
  }

  /// Reports a problem with a file in one line.
  package func fail(about path: String, _ problem: String) {
    fail("\(path): \(problem)")
  }

  /// Reports a problem with an input in one line; of a file that does not exist, with the one that was
  /// probably meant.
  package func fail(aboutInput path: String, _ problem: String) {
    let meant = NearbyFile.path(insteadOf: path).map { ". Did you mean '\($0)'?" }
    fail(about: Self.name(ofInput: path), problem + (meant ?? ""))
  }

  /// Reports something that does not prevent the result, unless warnings are off.
  package func warn(_ text: String) {
    guard !isQuiet else { return }
    complain("\(ScrollTraceCommand.name): warning: \(sink.escape(text))\n")
  }

  /// Reports something about a file that does not prevent the result.
  package func warn(about path: String, _ text: String) {
    warn("\(Self.name(ofInput: path)): \(text)")
  }

  /// The name of an input in messages: `-` is standard input.
  static func name(ofInput path: String) -> String { path == "-" ? "standard input" : path }

  package var sink: EscapingContext { environment.isUnicode ? .terminal : .asciiTerminal }
}
