import ScrollTraceKit
import ScrollTraceTestSupport

@testable import ScrollTraceCLI
@testable import ScrollTraceTerminal

/// A run of the command whose output is caught, in a folder of its own.
///
/// A test runs its commands one after the other, so that it may hand this to any closure.
final class CapturedConsole: @unchecked Sendable {
  private(set) var output = ""
  /// The number of pieces that `output` was written in.
  private(set) var outputCount = 0
  private(set) var errors = ""
  var environment = CommandEnvironment(variables: ["LANG": "C.UTF-8"])
  /// The system's error number that writing to standard output gives.
  var outputError: Int32 = 0
  private let home = TemporaryFolder()
  var folder: String { home.path }

  /// What was printed, as JSON.
  func json() throws -> JSONNode { try JSONNode(output) }

  func run(_ arguments: String...) -> ExitStatus { run(arguments) }

  func run(_ arguments: [String]) -> ExitStatus {
    (output, outputCount, errors) = ("", 0, "")
    let console = Console(
      environment: environment,
      output: { [self] in
        output += $0
        outputCount += 1
        return outputError
      },
      error: { [self] in
        errors += $0
        return 0
      })
    return ScrollTraceCommand.run(arguments, adding: TerminalCommands.all, on: console)
  }

  /// Returns what `summarize` prints.
  func summarize(_ arguments: String...) -> String {
    _ = run(["summarize"] + arguments)
    return output
  }

  /// The path of a new file with this content.
  func file(_ name: String, _ content: String) throws -> String {
    try home.write(content, to: name)
  }

  /// The path of a new file with these bytes.
  func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    try home.write(bytes, to: name)
  }

  func content(_ name: String) throws -> String { try home.text(of: name) }

  /// Lines of frames at 60 Hz whose commits take 5 ms, or 25 ms if they are late.
  static func frames(_ count: Int, late: Set<Int> = []) -> String {
    (0..<count).map { index in
      let begin = index * 16_666_667
      let commitEnd = begin + (late.contains(index) ? 25_000_000 : 5_000_000)
      return #"{"frame":\#(index),"begin":\#(begin),"commitEnd":\#(commitEnd),"#
        + #""deadline":\#(begin + 16_666_667),"interval":16666667}"# + "\n"
    }.joined()
  }

  /// Lines of a drag of one second, in which some frames are late.
  static func drag(late: Set<Int> = []) -> String {
    #"{"interaction":"drag","begin":0,"end":1000000000}"# + "\n" + frames(60, late: late)
  }

  /// A small trace in Chrome's format, whole or cut off.
  func trace(_ name: String, isCut: Bool = false) throws -> String {
    var events = [
      #"{"ph":"M","pid":1,"tid":1,"ts":0,"name":"thread_name","args":{"name":"CrRendererMain"}}"#
    ]
    for index in 0..<40 {
      events.append(
        #"{"ph":"X","pid":1,"tid":1,"ts":\#(index * 16_667),"dur":8000,"cat":"work","name":"lay"}"#)
    }
    let text = "[" + events.joined(separator: ",\n")
    return try file(name, isCut ? text + ",\n{\"ph\":\"X\",\"pid\":1,\"ti" : text + "]")
  }
}
